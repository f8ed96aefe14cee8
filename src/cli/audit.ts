// Records what the command line does on the database itself. Commands that go through the API are recorded there.
import { type AuditDeps, createAudit } from '../app/access/audit.ts'
import type { AuditRecord } from '../domain/access/audit.ts'

export async function auditCli(
  { store, clock }: Pick<AuditDeps, 'store' | 'clock'>,
  record: Pick<AuditRecord, 'action' | 'object' | 'details'>,
): Promise<void> {
  const audit = createAudit({
    store,
    clock,
    telemetry: ({ kind }) => {
      if (kind === 'error') console.error('The audit entry could not be written.')
    },
  })
  await audit.record({ ...record, actor: 'cli', address: null })
}
