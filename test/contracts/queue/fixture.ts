// A scheduler, a queue and a consumer on one store. Only the current time, the dice and the receiver are doubles.
import { RETRY_PRESETS } from '../../../src/domain/events/retry-policy.ts'
import { createIds } from '../../../src/domain/events/uuid.ts'
import { tzdb } from '../../../src/domain/time/tzdb.ts'
import type { EngineDeps } from '../../../src/engine/engine-deps.ts'
import { type ConsumerSettings, createQueueConsumer } from '../../../src/engine/queue/consumer.ts'
import { type Dispatched, dispatch } from '../../../src/engine/queue/dispatcher.ts'
import type { Clock } from '../../../src/ports/clock.ts'
import type { Queue } from '../../../src/ports/queue.ts'
import type { NewPerson, Store } from '../../../src/ports/store.ts'
import type { Notice } from '../../../src/ports/telemetry.ts'
import { openSqliteStore } from '../../../src/stores/sqlite/sqlite-store.ts'
import { BUILT_IN_ONLY, onlyDestination } from '../../support/fixed-parts.ts'
import { createScriptedChannel, MINUTE, makePeople, seededDice, T0 } from '../../support/fixtures.ts'
import type { Consumers } from '../queue.contract.ts'

export const LEASE = 20 * MINUTE

export type Stage = ReturnType<typeof createStage>

export function createStage() {
  const store = openSqliteStore(':memory:')
  let now = T0
  // Real timers, because the queues are real; the current time changes only by `advance`.
  const clock: Clock = {
    now: () => now,
    elapsedMs: () => now,
    after: (ms, callback) => {
      const timer = setTimeout(callback, ms)
      return { cancel: () => clearTimeout(timer) }
    },
  }
  const channel = createScriptedChannel(clock)
  const notices: Notice[] = []
  const deps: EngineDeps = {
    store,
    clock,
    telemetry: (notice) => void notices.push(notice),
    destinations: onlyDestination(channel),
    planner: { ids: createIds(seededDice(5)), table: tzdb },
    dice: () => 0,
    retryPolicy: RETRY_PRESETS.quick,
    templates: BUILT_IN_ONLY,
    lateness: new Map(),
    keepResponses: 'all',
  }
  const settings: ConsumerSettings = {
    leaseMs: LEASE,
    concurrency: 100,
    breaker: { failures: Infinity, unresponsive: Infinity, firstWaitMs: 1_000, longestWaitMs: MINUTE },
    // No delay between retries.
    retryMs: () => 0,
  }
  const until = () => now + MINUTE

  return {
    store,
    clock,
    channel,
    notices,
    deps,
    settings,
    advance: (ms: number) => {
      now += ms
    },
    /** One run of the scheduler. */
    dispatch: (queue: Queue, over: { batchSize?: number } = {}): Promise<Dispatched> =>
      dispatch(
        { ...deps, queue },
        { claimedBy: 'run', leaseMs: LEASE, batchSize: 1_000, until: until(), ...over },
      ),
    /** The consumers of a new process. */
    consumers(over: Partial<EngineDeps> = {}): Consumers {
      const worker = createQueueConsumer({ ...deps, ...over }, settings)
      return {
        work: (messages) => worker.work(messages, until()),
        deadLetter: (messages) => worker.deadLetter(messages, until()),
      }
    },
    async people(count: number): Promise<NewPerson[]> {
      const people = makePeople(count)
      await store.createUsers(people)
      return people
    },
    async eventOf(person: NewPerson) {
      const found = (await store.findEvent(person.events[0]!.id))!
      return { ...found.event, attempts: found.attempts }
    },
    /** Counts the first events of these people by status. */
    async statuses(people: readonly NewPerson[]): Promise<Record<string, number>> {
      const counts: Record<string, number> = {}
      for (const { events } of people) {
        const { status } = (await store.findEvent(events[0]!.id))!.event
        counts[status] = (counts[status] ?? 0) + 1
      }
      return counts
    },
    /** The statuses of all events of a person, in the order of their instants. */
    async line(person: NewPerson): Promise<string[]> {
      const { items } = await store.listEvents({ limit: 10, cursor: null, userId: person.user.id })
      return items.sort((a, b) => a.targetAt - b.targetAt).map(({ status }) => status)
    },
    /** How often the first event of each person was sent. */
    sends: (people: readonly NewPerson[]) =>
      people.map(({ events }) => channel.sent.filter(({ eventId }) => eventId === events[0]!.id).length),
    close: () => store.close(),
  }
}

export function failingStore(store: Store, failing: (name: keyof Store, args: unknown[]) => boolean): Store {
  return new Proxy(store, {
    get(target, name: keyof Store) {
      const operation = target[name] as (...args: unknown[]) => Promise<unknown>
      return async (...args: unknown[]) => {
        if (failing(name, args)) throw Object.assign(new Error('no connection'), { code: 'ECONNREFUSED' })
        return operation.apply(target, args)
      }
    },
  })
}
