// A claim and the dependencies of one attempt, without a store.
import { createIds } from '../../../src/domain/events/uuid.ts'
import { tzdb } from '../../../src/domain/time/tzdb.ts'
import type { LimiterDeps } from '../../../src/engine/deliver/limits/limiter.ts'
import type { EngineDeps } from '../../../src/engine/engine-deps.ts'
import type { Claim } from '../../../src/ports/claim.ts'
import type { Notice } from '../../../src/ports/telemetry.ts'
import { ALWAYS_LEASED, BUILT_IN_ONLY, onlyDestination } from '../../support/fixed-parts.ts'
import { createScriptedChannel, createTestClock, makePerson, seededDice } from '../../support/fixtures.ts'

export const NINE = Date.parse('2026-06-15T09:00:00Z')
export const NOW = NINE + 4_200

/** The limiters of one process on its own. */
export const ALONE: LimiterDeps = {
  store: ALWAYS_LEASED,
  clock: createTestClock(NOW),
  telemetry: () => {},
  dice: seededDice(1),
  onChange: () => {},
}

export function makeClaim(over: Partial<Claim> = {}): Claim {
  const { user, occasions, events } = makePerson({ targetAt: NINE, dateOfBirth: '1990-06-15' })
  return {
    ...events[0]!,
    replayOf: null,
    ownKey: false,
    reclaimed: false,
    provisional: false,
    eventType: 'BIRTHDAY',
    version: 2,
    planRevision: 5,
    retryCount: 0,
    attempt: 1,
    claimedAt: NINE,
    user,
    occasion: occasions[0]!,
    task: null,
    body: null,
    ...over,
  }
}

export function makeDeps(over: Partial<EngineDeps> = {}) {
  const clock = createTestClock(NOW)
  const channel = createScriptedChannel(clock)
  const notices: Notice[] = []
  const deps: Omit<EngineDeps, 'store'> = {
    planner: { ids: createIds(seededDice(2)), table: tzdb },
    dice: () => 0,
    retryPolicy: { delaysMs: [1_000, 2_000, 4_000] },
    templates: BUILT_IN_ONLY,
    lateness: new Map(),
    keepResponses: 'all',
    destinations: onlyDestination(channel),
    clock,
    telemetry: (notice) => void notices.push(notice),
    ...over,
  }
  return { deps, clock, channel, notices }
}
