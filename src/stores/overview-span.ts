// Which events an overview looks at. There is no index on the instant they are due: one would cost every settlement. Ids
// carry the instant they were first due, and the index of what is open has the rest.
import { DAY_MS } from '../domain/calendar.ts'
import { firstIdAt } from '../domain/uuid.ts'

const HOUR_MS = 3_600_000
/** Somebody who moved took their event along by a day at most. */
const SLACK_MS = 2 * DAY_MS

export function overviewSpan(now: number) {
  const wave = { from: now - 12 * HOUR_MS, before: now + 36 * HOUR_MS }
  return {
    dayAgo: now - DAY_MS,
    wave,
    ids: { from: firstIdAt(wave.from - DAY_MS - SLACK_MS), before: firstIdAt(wave.before + SLACK_MS) },
    /** What waits longer than this for its next try is not looked for. */
    waitsUntil: now + 7 * DAY_MS,
  }
}

/** What failed since an instant was due at most thirty days before it. */
export function firstFailureId(from: number): string {
  return firstIdAt(from - 30 * DAY_MS)
}

export const LATENESS_SAMPLE = 5_000
export const RECENT = 50
