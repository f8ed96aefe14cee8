// A process's connection to its store, and its telemetry. Adds calls and their results to the trace.
import type { ChannelRecord } from '../../../src/domain/settings/channel.ts'
import type { Claim } from '../../../src/ports/claim.ts'
import type { Store } from '../../../src/ports/store.ts'
import type { Telemetry } from '../../../src/ports/telemetry.ts'
import type { Ref, SeenChannel } from '../record/trace.ts'
import type { Database } from '../support/database.ts'
import type { World } from '../support/world.ts'
import { type Process, wasMadeToFail } from './process.ts'

export function connectStore(world: World, database: Database, process: Process): Store {
  const { note, mistake } = world
  const who = process.name
  const plain = database.storeFor(process)
  const executor = database.executorFor(process, 'mistake')
  const store = mistake?.store?.(plain, { executor, world }) ?? plain
  let lastRead: unknown = null

  function noteResult(op: keyof Store, result: unknown): void {
    if (op === 'claimDue' && (result as Claim[]).length > 0) {
      const claims = (result as Claim[]).map(({ id, version }) => ({ eventId: id, version }))
      note({ kind: 'claimed', who, refs: claims })
    }
    // The database returns the same list object until a channel changes.
    if (op === 'listChannels' && result !== lastRead) {
      note({ kind: 'read', who, channels: seen(result as ChannelRecord[]) })
      lastRead = result
    }
  }

  return new Proxy(store, {
    get: (_, op: keyof Store) => async (first: unknown, second: unknown) => {
      const refs = refsOf(first)
      if (refs.length > 0) note({ kind: 'requested', who, op, refs })
      const call = store[op] as (first: unknown, second: unknown) => Promise<unknown>
      const result = await call(first, second)
      if (RESPONSES.includes(op) && refs.length > 0) note({ kind: 'responded', who, op, refs })
      noteResult(op, result)
      return result
    },
  })
}

/** The store inside the transaction of a handler. */
export function noteCalls<S extends object>({ note }: World, { name: who }: Process, store: S): S {
  return new Proxy(store, {
    get: (_, op: string) => async (first: unknown, second: unknown) => {
      const refs = refsOf(first)
      if (refs.length > 0) note({ kind: 'requested', who, op, refs })
      return (store as Record<string, (first: unknown, second: unknown) => unknown>)[op]!(first, second)
    },
  })
}

/** The calls by which a process learns which claims it still holds. */
const RESPONSES: readonly (keyof Store)[] = ['confirmClaims', 'readClaims', 'extendLeases']

/** The events and versions of a call's argument. */
function refsOf(argument: unknown): Ref[] {
  if (!Array.isArray(argument)) return []
  return argument
    .filter((item) => typeof item?.eventId === 'string')
    .map(({ eventId, version }) => ({ eventId, version }))
}

function seen(records: readonly ChannelRecord[]): SeenChannel[] {
  const since = Math.max(...records.map(({ defaultSince }) => defaultSince ?? 0))
  const byDefault = records.findLast(({ defaultSince }) => defaultSince === since)
  return records.map((record) => ({
    id: record.id,
    version: record.version,
    status: record.status,
    isDefault: record === byDefault,
  }))
}

export function connectTelemetry({ note }: World, { name: who }: Process): Telemetry {
  return (notice) => {
    if (notice.kind === 'stale') note({ kind: 'stale', who, count: notice.claims.length })
    if (notice.kind === 'error' && !wasMadeToFail(notice.error))
      note({ kind: 'unexpected', who, during: notice.operation, error: String(notice.error) })
  }
}
