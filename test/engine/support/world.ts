// A whole Terce in memory: the real store and the real engine; only the clock, the dice and the receiver are doubles.

import type { AppDeps } from '../../../src/app/app-deps.ts'
import { createPeople, preparePerson } from '../../../src/app/users/create.ts'
import type { Attempt, Event } from '../../../src/domain/events/event.ts'
import { RETRY_PRESETS } from '../../../src/domain/events/retry-policy.ts'
import { createIds } from '../../../src/domain/events/uuid.ts'
import { tzdb } from '../../../src/domain/time/tzdb.ts'
import type { UserInput } from '../../../src/domain/users/user.ts'
import { createTemplates } from '../../../src/engine/deliver/templates.ts'
import { type EngineSettings, type ResumableEngine, startEngine } from '../../../src/engine/engine.ts'
import type { EngineDeps } from '../../../src/engine/engine-deps.ts'
import type { Planner } from '../../../src/engine/plan.ts'
import type { NewPerson, Store } from '../../../src/ports/store.ts'
import type { Notice } from '../../../src/ports/telemetry.ts'
import { openSqliteStore } from '../../../src/stores/sqlite/sqlite-store.ts'
import { onlyDestination } from '../../support/fixed-parts.ts'
import {
  createScriptedChannel,
  createTestClock,
  MINUTE,
  type ScriptedChannel,
  SECOND,
  seededDice,
  type TestClock,
  turn,
} from '../../support/fixtures.ts'

export const ADA: UserInput = {
  firstName: 'Ada',
  lastName: 'Lovelace',
  dateOfBirth: '1990-06-15',
  timezone: 'Etc/UTC',
}

export const SETTINGS: EngineSettings = {
  workerId: 'engine-1',
  leaseMs: 30 * SECOND,
  concurrency: 8,
  batchSize: 50,
  pollMs: MINUTE,
  graceMs: 10 * SECOND,
  // Never opens by default; tests of the circuit breaker pass their own settings.
  breaker: {
    failures: Number.POSITIVE_INFINITY,
    unresponsive: Number.POSITIVE_INFINITY,
    firstWaitMs: SECOND,
    longestWaitMs: MINUTE,
  },
}

export type World = {
  store: Store
  clock: TestClock
  channel: ScriptedChannel
  planner: Planner
  notices: Notice[]
  app: AppDeps<Store>
  /** Creates a person as the API does, and wakes every running engine. */
  add(over?: Partial<UserInput>): Promise<NewPerson>
  /** Stores people as they are, and wakes no engine. */
  put(...people: NewPerson[]): Promise<void>
  deps(over?: Partial<EngineDeps & { store: Store }>): EngineDeps
  start(settings?: Partial<EngineSettings>, deps?: Partial<EngineDeps & { store: Store }>): ResumableEngine
  event(id: string): Promise<Event>
  attempts(id: string): Promise<Attempt[]>
  /** Every event of a user, in the order of their instants. */
  events(userId: string): Promise<Event[]>
  /** The first events of these people, read at once. */
  firstEvents(people: readonly NewPerson[]): Promise<Event[]>
  /** Counts the first events of these people by status. */
  statuses(people: readonly NewPerson[]): Promise<Record<string, number>>
  /** Jumps from one due event to the next, without the polls in between: for days and years. */
  passTo(at: number): Promise<void>
  close(): Promise<void>
}

export function createWorld(start: string | number, store: Store = openSqliteStore(':memory:')): World {
  const watch = watchStore(store)
  const clock = createTestClock(typeof start === 'string' ? Date.parse(start) : start, watch.rest)
  const channel = createScriptedChannel(clock)
  const planner: Planner = { ids: createIds(seededDice(11)), table: tzdb }
  const notices: Notice[] = []
  const telemetry = (notice: Notice) => void notices.push(notice)
  const engines: ResumableEngine[] = []
  const app: AppDeps<Store> = {
    store: watch.store,
    planner,
    clock,
    telemetry,
    deliverAt: '09:00',
    onPlanned: (at) => {
      for (const engine of engines) engine.wake(at)
    },
  }

  async function add(over: Partial<UserInput> = {}): Promise<NewPerson> {
    const person = preparePerson(app, { ...ADA, ...over })
    if (!person.ok) throw new Error(JSON.stringify(person.problems))
    await createPeople(app, [person.value])
    return person.value
  }

  function deps(over: Partial<EngineDeps & { store: Store }> = {}): EngineDeps {
    return {
      store: watch.store,
      clock,
      telemetry,
      destinations: onlyDestination(channel),
      planner,
      dice: () => 0,
      retryPolicy: RETRY_PRESETS.quick,
      templates: createTemplates({ store: over.store ?? watch.store, clock, telemetry }),
      lateness: new Map(),
      keepResponses: 'all',
      ...over,
    }
  }

  async function found(id: string) {
    const result = await store.findEvent(id)
    if (result === null) throw new Error(`There is no event ${id}.`)
    return result
  }

  async function firstEvents(people: readonly NewPerson[]): Promise<Event[]> {
    const ids = people.map(({ events }) => events[0]!.id)
    const { items } = await store.listEvents({ limit: ids.length, cursor: null, ids })
    if (items.length !== ids.length) throw new Error(`Found ${items.length} of ${ids.length} events.`)
    return items
  }

  return {
    store: watch.store,
    clock,
    channel,
    planner,
    notices,
    app,
    add,
    put: async (...people) => void (await store.createUsers(people)),
    deps,
    start(settings, over) {
      const engine = startEngine(deps(over), { ...SETTINGS, ...settings })
      engines.push(engine)
      return engine
    },
    event: async (id) => (await found(id)).event,
    attempts: async (id) => (await found(id)).attempts,
    async events(userId) {
      const { items } = await store.listEvents({ limit: 100, cursor: null, userId })
      return items.sort((a, b) => a.targetAt - b.targetAt)
    },
    firstEvents,
    async statuses(people) {
      const counts: Record<string, number> = {}
      for (const { status } of await firstEvents(people)) counts[status] = (counts[status] ?? 0) + 1
      return counts
    },
    async passTo(at) {
      for (let last = -1; ; ) {
        const next = await store.nextWakeAt()
        // An event that stays due is claimed by no engine.
        if (next === null || next > at || next === last) break
        last = next
        await clock.jumpTo(Math.max(next, clock.now()))
        await clock.advance(SECOND)
      }
      await clock.jumpTo(Math.max(at, clock.now()))
    },
    close: () => store.close(),
  }
}

/** Wraps a store; `rest` resolves when no call is in flight and no new call begins. */
function watchStore(store: Store): { store: Store; rest(): Promise<void> } {
  let calls = 0
  let inFlight = 0
  const watched = wrapStore(store, async (_name, call) => {
    calls += 1
    inFlight += 1
    try {
      return await call()
    } finally {
      inFlight -= 1
    }
  })

  async function rest(): Promise<void> {
    for (let before = -1; before !== calls || inFlight > 0; ) {
      before = calls
      await turn()
      await turn()
    }
  }
  return { store: watched, rest }
}

/** Passes every call of a store through `around`, which may count it, delay it or fail it. */
export function wrapStore(
  store: Store,
  around: (name: keyof Store, call: () => Promise<unknown>, args: readonly unknown[]) => Promise<unknown>,
): Store {
  return new Proxy(store, {
    get(target, name: keyof Store) {
      const operation = target[name] as (...args: unknown[]) => Promise<unknown>
      return (...args: unknown[]) => around(name, () => operation.apply(target, args), args)
    },
  })
}
