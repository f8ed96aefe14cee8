// One call of the application: in the transaction that it passes, or in one of its own.
import { Problem, problemJson, unexpected } from '../../api/problem.ts'
import type { Audit } from '../../app/access/audit.ts'
import type { AppDeps } from '../../app/app-deps.ts'
import { TerceError } from '../../client/path-client.ts'
import { type AuditRecord, auditEntry } from '../../domain/access/audit.ts'
import type { Store } from '../../ports/store.ts'
import type { CallOptions } from '../transactions.ts'
import type { HostConnection, JoinedStore } from './joined-store.ts'
import { rejectionOf } from './rejection.ts'

export type InProcess<Tx> = {
  app: AppDeps<Store>
  audit: Audit
  /** Wakes the engine of this process. */
  wake: (at: number) => void
  join: (tx: Tx | HostConnection) => JoinedStore
}

/** What a call works with. */
export type CallDeps = AppDeps<Store> & { record: (entry: Entry) => Promise<void> }
type Entry = Pick<AuditRecord, 'action'> & Partial<Pick<AuditRecord, 'object' | 'details'>>

/** Runs `work` in the transaction of the options. */
export type Call<Tx> = <T>(options: CallOptions<Tx>, work: (app: CallDeps) => Promise<T>) => Promise<T>

/** A call of the application has no actor. */
const OWN = { actor: null, address: '127.0.0.1', object: null }

export function createCall<Tx>(opened: InProcess<Tx>): Call<Tx> {
  return async (options, work) => {
    // A misspelt variable would otherwise commit what the application rolls back.
    if ('tx' in options && !options.tx)
      throw new TypeError('The option tx is empty. Leave it out for a call outside of your transactions.')
    return options.tx === undefined ? alone(opened, work) : joined(opened, options.tx, work)
  }
}

async function alone<Tx, T>({ app, audit }: InProcess<Tx>, work: (app: CallDeps) => Promise<T>) {
  const record: CallDeps['record'] = (entry) => audit.record({ ...OWN, ...entry })
  try {
    return await work({ ...app, record })
  } catch (error) {
    if (error instanceof Problem) throw new TerceError(problemJson(error))
    app.telemetry({ kind: 'error', operation: 'request', error, retryInMs: null })
    throw new TerceError(problemJson(unexpected(error)), { cause: error })
  }
}

/**
 * The entry of the audit log is written in the transaction: outside of it the entry would stay although the application rolls back,
 * and on SQLite it would wait for the lock that the transaction holds. If it cannot be written, the call rejects.
 */
async function joined<Tx, T>(
  { app, wake, join }: InProcess<Tx>,
  tx: Tx | HostConnection,
  work: (app: CallDeps) => Promise<T>,
) {
  const store = join(tx)
  const announced: Promise<void>[] = []
  async function record(entry: Entry): Promise<void> {
    const stored = await store.appendAuditEntry(auditEntry({ ...OWN, ...entry }, app.clock.now()))
    app.telemetry({ kind: 'audit', ...stored })
  }
  function onPlanned(at: number): void {
    wake(at)
    const done = store.announce(at)
    // Awaited below.
    done.catch(() => {})
    announced.push(done)
  }
  try {
    const result = await work({ ...app, store, onPlanned, record })
    await Promise.all(announced)
    return result
  } catch (error) {
    throw error instanceof Problem ? new TerceError(problemJson(error)) : rejectionOf(error)
  }
}
