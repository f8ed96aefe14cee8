// A process's connection to its store, and its telemetry. Writes down what is asked and what is heard.
import type { ChannelRecord } from '../../../src/domain/settings/channel.ts'
import type { Planner } from '../../../src/engine/plan.ts'
import type { Claim } from '../../../src/ports/claim.ts'
import type { Store } from '../../../src/ports/store.ts'
import type { Telemetry } from '../../../src/ports/telemetry.ts'
import type { Ref, SeenChannel } from '../record/trace.ts'
import type { Database } from '../support/database.ts'
import type { World } from '../support/world.ts'
import { type Process, wasMadeToFail } from './process.ts'

export function connectStore(world: World, database: Database, process: Process, planner: Planner): Store {
  const { note, bug } = world
  const who = process.name
  const plain = database.storeFor(process)
  const executor = database.executorFor(process, 'bug')
  const store = bug?.store?.(plain, { executor, planner, world, who }) ?? plain
  let lastRead: unknown = null

  function noteAnswer(op: keyof Store, answer: unknown): void {
    if (op === 'claimDue' && (answer as Claim[]).length > 0) {
      const claims = (answer as Claim[]).map(({ id, version }) => ({ eventId: id, version }))
      note({ kind: 'claimed', who, refs: claims })
    }
    // While nothing changes, the database gives out the same list.
    if (op === 'listChannels' && answer !== lastRead) {
      note({ kind: 'read', who, channels: seen(answer as ChannelRecord[]) })
      lastRead = answer
    }
  }

  return new Proxy(store, {
    get: (_, op: keyof Store) => async (first: unknown, second: unknown) => {
      const refs = refsOf(first)
      if (refs.length > 0) note({ kind: 'asked', who, op, refs })
      const call = store[op] as (first: unknown, second: unknown) => Promise<unknown>
      const answer = await call(first, second)
      noteAnswer(op, answer)
      return answer
    },
  })
}

/** Which events, at which version, a call is about. */
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
    if (notice.kind === 'stale') note({ kind: 'stale', who, count: notice.eventIds.length })
    if (notice.kind === 'error' && !wasMadeToFail(notice.error))
      note({ kind: 'surprise', who, during: notice.operation, error: String(notice.error) })
  }
}
