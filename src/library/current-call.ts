// The call that is running, and its transaction: the store of the process writes in it.
import { AsyncLocalStorage } from 'node:async_hooks'
import { type Audit, type AuditDeps, createAudit } from '../app/access/audit.ts'
import { createPathClient } from '../client/path-client.ts'
import type { Call } from '../client/resources.ts'
import type { Store } from '../ports/store.ts'
import type { Telemetry, TelemetryOperation } from '../ports/telemetry.ts'
import type { HostConnection, JoinedStore } from './joined-store.ts'
import { rejectionOf } from './rejection.ts'
import type { CallOptions } from './transactions.ts'

/** The transaction of the current call, what is announced when it commits, and an unexpected error in it. */
type Joined = { store: JoinedStore; announced: Promise<void>[]; failure?: unknown }

const current = new AsyncLocalStorage<Joined>()

/** The store of the current call: inside its transaction, or the given one. */
export function routed(store: Store): Store {
  const methods = Object.entries(store).map(([name, method]) => [
    name,
    (...args: unknown[]) => {
      const joined = current.getStore()?.store as Record<string, (...args: unknown[]) => unknown> | undefined
      return (joined?.[name] ?? (method as (...args: unknown[]) => unknown))(...args)
    },
  ])
  return Object.fromEntries(methods) as Store
}

/** Announces planned events when the transaction of the call commits; false if the call has none. */
export function announceOnCommit(at: number): boolean {
  const joined = current.getStore()
  if (joined === undefined) return false
  const announced = joined.store.announce(at)
  // The call awaits it later.
  announced.catch(() => {})
  joined.announced.push(announced)
  return true
}

/** Keeps an unexpected error in a transaction for the caller, who gets it as the cause of the rejection. Reports all else. */
export function routedTelemetry(telemetry: Telemetry): Telemetry {
  return (notice) => {
    const joined = current.getStore()
    const isKept = notice.kind === 'error' && KEPT.includes(notice.operation)
    if (joined !== undefined && isKept) joined.failure = notice.error
    else telemetry(notice)
  }
}

const KEPT: TelemetryOperation[] = ['request', 'record-audit']

/**
 * The audit log. A call with a transaction records in it: outside of it the entry would stay although the application rolls back,
 * and on SQLite it would wait for the lock that the transaction holds. If the entry cannot be written, the call rejects. A call
 * that is rejected for its input is an error of the application and no attack, and is not recorded.
 */
export function routedAudit(deps: AuditDeps & { store: Store }): Audit {
  const own = createAudit(deps)
  const joined = createAudit({ ...deps, store: routed(deps.store) })
  const isJoined = () => current.getStore() !== undefined
  return {
    record: (entry) => (isJoined() ? joined : own).record(entry),
    count: async (entry) => {
      if (!isJoined()) await own.count(entry)
      else if (!entry.rejectedWith) await joined.record(entry)
    },
    close: own.close,
  }
}

export type InProcess<Tx> = {
  fetch: (request: Request) => Response | Promise<Response>
  join: (tx: Tx | HostConnection) => JoinedStore
}

/** `open` resolves when the database is open. */
export function createCall<Tx>(open: () => Promise<InProcess<Tx>>): Call<CallOptions<Tx>> {
  return async (options, work) => {
    const { fetch, join } = await open()
    const api = createPathClient({
      url: 'http://localhost',
      fetch: async (url, init) => fetch(new Request(url, init)),
    })
    if (options.tx === undefined) return work(api)
    const joined: Joined = { store: join(options.tx), announced: [] }
    let error: unknown
    try {
      const result = await current.run(joined, () => work(api))
      await Promise.all(joined.announced)
      if (joined.failure === undefined) return result
    } catch (caught) {
      if (joined.failure === undefined) throw caught
      error = caught
    }
    throw rejectionOf(joined.failure, error)
  }
}
