// A process's connections to the outside: its store and its channel. Writes down what is asked and what arrives.
import type { Planner } from '../../src/flow/plan.ts'
import type { Channel, DeliveryResult } from '../../src/ports/channel.ts'
import type { Claim, Store } from '../../src/ports/store.ts'
import type { Telemetry } from '../../src/ports/telemetry.ts'
import type { Database } from './database.ts'
import { type Process, wasMadeToFail } from './process.ts'
import type { Ref } from './trace.ts'
import type { World } from './world.ts'

export function connectStore(world: World, database: Database, process: Process, planner: Planner): Store {
  const { note, bug } = world
  const plain = database.storeFor(process)
  const executor = database.executorFor(process, 'bug')
  const store = bug?.store?.(plain, { executor, planner, world }) ?? plain
  return new Proxy(store, {
    get: (_, op: keyof Store) => async (first: unknown, second: unknown) => {
      const refs = refsOf(first)
      if (refs.length > 0) note({ kind: 'asked', who: process.name, op, refs })
      const call = store[op] as (first: unknown, second: unknown) => Promise<unknown>
      const answer = await call(first, second)
      if (op === 'claimDue' && (answer as Claim[]).length > 0) {
        const claims = (answer as Claim[]).map(({ id, version }) => ({ eventId: id, version }))
        note({ kind: 'claimed', who: process.name, refs: claims })
      }
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

const ABORTED: DeliveryResult = { kind: 'transient', error: 'ABORTED', statusCode: null }

export function connectChannel({ receiver, scheduler, note }: World, process: Process): Channel {
  const who = process.name
  return {
    deliver({ eventId, idempotencyKey: key, body }, signal) {
      const sent = process.ask(
        'send',
        async () => {
          const meeting = receiver.meet(scheduler.now())
          const { arrives, accepted, reply, answer } = meeting
          const retryAfterMs = answer.kind === 'transient' ? (answer.retryAfterMs ?? 0) : 0
          if (arrives) note({ kind: 'arrival', who, eventId, key, body, accepted, reply, retryAfterMs })
          else note({ kind: 'failure', who, op: 'send', stage: 'before' })
          return meeting
        },
        ({ afterMs }) => afterMs,
      )
      const aborted = new Promise<DeliveryResult>((resolve) => {
        signal.addEventListener('abort', () => process.interrupt(() => resolve(ABORTED)), { once: true })
      })
      return Promise.race([sent.then(({ answer }) => answer), aborted])
    },
    close: async () => {},
  }
}

export function connectTelemetry({ note }: World, { name: who }: Process): Telemetry {
  return (notice) => {
    if (notice.kind === 'stale') note({ kind: 'stale', who, count: notice.eventIds.length })
    if (notice.kind === 'trouble' && !wasMadeToFail(notice.error))
      note({ kind: 'surprise', who, during: notice.during, error: String(notice.error) })
  }
}
