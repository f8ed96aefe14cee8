// Runs people through a span of time with the real engine and a real store, against a receiver and a clock that are
// not real, and says what became of every event.

import type { AppDeps } from '../app/app-deps.ts'
import { createPeople, preparePerson } from '../app/users/create.ts'
import type { Event } from '../domain/events/event.ts'
import type { EventStatus } from '../domain/events/event-status.ts'
import { failureReason } from '../domain/events/failure-reason.ts'
import type { LatenessPolicy } from '../domain/events/lateness.ts'
import type { RetryPolicy } from '../domain/events/retry-policy.ts'
import { createIds } from '../domain/events/uuid.ts'
import { DAY_MS } from '../domain/time/calendar.ts'
import type { TimezoneTable } from '../domain/time/tzdb.ts'
import { startEngine } from '../engine/engine.ts'
import { BREAKER } from '../engine/sending/circuit-breaker.ts'
import { onlyDestination } from '../engine/sending/destinations.ts'
import { BUILT_IN_ONLY } from '../engine/sending/templates.ts'
import type { Dice } from '../ports/clock.ts'
import type { Store } from '../ports/store.ts'
import { openSqliteStore } from '../stores/sqlite/sqlite-store.ts'
import type { ListedPerson } from './people.ts'
import type { Span } from './range.ts'
import { createReceiver } from './receiver.ts'
import { countDue } from './schedule.ts'
import { type Counts, createTally } from './tally.ts'
import { createVirtualClock } from './virtual-clock.ts'

export type Plan = {
  people: readonly ListedPerson[]
  range: Span
  outage: Span | null
  /** As the product is set. */
  settings: {
    deliverAt: string
    concurrency: number
    retryPolicy: RetryPolicy
    lateness: LatenessPolicy
  }
  table: TimezoneTable
  dice: Dice
}

export type FailedEvent = { who: string; occurrence: string; dueAt: number; reason: string }

export type Report = Counts & {
  people: number
  /** By the schedule alone, to hold the engine to. */
  eventsDue: number
  failed: FailedEvent[]
  /** Still waiting for a retry at the end. */
  open: number
  /** Due, and neither delivered, failed nor open. */
  unaccounted: number
  ambiguousRepeats: number
}

/** Calls back some hundred times on the way, with the instant reached. */
export async function rehearse(plan: Plan, onProgress: (at: number) => void): Promise<Report> {
  const { range, settings, table, dice } = plan
  const store = openSqliteStore(':memory:')
  const clock = createVirtualClock(range.startsAt)
  const tally = createTally(clock)
  const channel = createReceiver(clock, dice, plan.outage)
  const planner = { ids: createIds(dice), table }
  const destinations = onlyDestination(channel)
  const parts = { store, clock, destinations, templates: BUILT_IN_ONLY, planner, dice }
  const deps = { ...settings, ...parts, keepResponses: 'none' as const, telemetry: tally.note }
  try {
    const whoIs = await moveIn({ ...deps, onPlanned: () => {} }, plan.people)
    const engine = startEngine(deps, {
      ...ENGINE,
      concurrency: settings.concurrency,
      breaker: BREAKER,
    })
    for (let step = 1; step <= STEPS; step++) {
      const at = range.startsAt + Math.round(((range.endsAt - range.startsAt) * step) / STEPS)
      // What is due at the end belongs to the day after.
      await clock.runUntil(at - 1)
      onProgress(at)
    }
    const stopped = engine.stop()
    await clock.runUntil(range.endsAt + ENGINE.graceMs)
    await stopped
    const error = tally.error()
    if (error !== null) throw error
    return await report(plan, store, { counts: tally.counts(), whoIs, repeats: channel.repeats() })
  } finally {
    await store.close()
  }
}

const STEPS = 200
const MONTH_MS = 30 * DAY_MS

const ENGINE = {
  workerId: 'rehearsal',
  batchSize: 1_000,
  // Nobody dies and nobody else plans, so neither lease nor look matters. As the product has them, an empty year would
  // be 1.6 million heartbeats and 31 million looks.
  leaseMs: MONTH_MS,
  pollMs: MONTH_MS,
  graceMs: 10_000,
}

/** Creates people as the API does. Returns who is behind which id. */
async function moveIn(deps: AppDeps, people: readonly ListedPerson[]): Promise<Map<string, string>> {
  const whoIs = new Map<string, string>()
  for (let from = 0; from < people.length; from += PEOPLE_AT_ONCE) {
    const prepared = people.slice(from, from + PEOPLE_AT_ONCE).map((person) => {
      const ready = preparePerson(deps, person)
      if (!ready.ok) throw new Error(`${person.who}: ${ready.problems[0]?.message}`)
      whoIs.set(ready.value.user.id, person.who)
      return ready.value
    })
    await createPeople(deps, prepared)
  }
  return whoIs
}

const PEOPLE_AT_ONCE = 1_000

async function report(
  plan: Plan,
  store: Store,
  found: { counts: Counts; whoIs: ReadonlyMap<string, string>; repeats: number },
): Promise<Report> {
  const { people, range, settings, table } = plan
  const customs = { localTime: settings.deliverAt, leapDay: 'MARCH_1', table } as const
  const eventsDue = countDue(people, range, customs)
  const failed: FailedEvent[] = []
  for await (const event of eventsIn(store, 'FAILED')) {
    const { userId, occurrence, targetAt } = event
    failed.push({ who: found.whoIs.get(userId)!, occurrence, dueAt: targetAt, reason: failureReason(event)! })
  }
  let open = 0
  for await (const _ of eventsIn(store, 'PROCESSING')) open += 1
  return {
    people: people.length,
    eventsDue,
    ...found.counts,
    failed,
    open,
    unaccounted: eventsDue - found.counts.delivered - failed.length - open,
    ambiguousRepeats: found.repeats,
  }
}

/** In order of their instants, which their ids carry. */
async function* eventsIn(store: Store, status: EventStatus): AsyncGenerator<Event> {
  let cursor: string | null = null
  do {
    const page: Awaited<ReturnType<Store['listEvents']>> = await store.listEvents({
      limit: 1_000,
      cursor,
      status,
    })
    yield* page.items
    cursor = page.nextCursor
  } while (cursor !== null)
}
