// Checks that no entry of the audit log was changed, removed or inserted, and that the log was not emptied.
import { verifyAudit } from '../../app/access/audit.ts'
import type { Database } from '../../runtimes/node/database.ts'
import { grouped } from '../output/words.ts'
import { type Check, fail, ok, warn } from './check.ts'

const FAULTS = {
  changed: 'was changed after it was written',
  gap: 'does not follow the entry before it: entries were removed or inserted',
}

export async function checkAudit({ store }: Pick<Database, 'store'>): Promise<Check> {
  const { entries, fault } = await verifyAudit(store)
  if (fault === null && entries === 0 && (await store.listApiKeys()).length > 0)
    return warn(
      'audit',
      'The audit log is empty, and keys exist: creating a key is recorded.',
      'Compare with the log lines "Audit" and a backup, and find out who could write to the database.',
    )
  if (fault === null) return ok('audit', `${grouped(entries)} entries, chain intact.`)
  return fail(
    'audit',
    `Entry ${fault.number} ${FAULTS[fault.fault]}.`,
    'Compare with the log lines "Audit" and a backup, and find out who could write to the database.',
  )
}
