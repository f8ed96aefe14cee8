// Which events the dashboard reads, and how their rows become counts. There is no index on target_at: it would cost every
// settlement. Ids carry the instant an event was first due, and the index on wake_at has the open events.

import { firstIdAt } from '../../../domain/events/uuid.ts'
import { DAY_MS } from '../../../domain/time/calendar.ts'
import type { FailureCount, Overview, UpcomingPoint, WavePoint } from '../../../ports/store.ts'

const HOUR_MS = 3_600_000

export function overviewSpan(now: number) {
  return {
    dayAgo: now - DAY_MS,
    wave: { from: now - 12 * HOUR_MS, before: now + 36 * HOUR_MS },
    /** Events that wait longer for their next attempt are not counted. */
    waitsUntil: now + 7 * DAY_MS,
  }
}

/** The bound of ids for attempts since an instant: their events were first due at most three days before. */
export function firstTriedId(from: number): string {
  return firstIdAt(from - 3 * DAY_MS)
}

/** The bound of ids for failures since an instant: an event that failed since then was due at most thirty days before. */
export function firstFailureId(from: number): string {
  return firstIdAt(from - 30 * DAY_MS)
}

type Row = readonly unknown[]

/** The overview from the rows of its statements, in either dialect. */
export function readOverview(rows: {
  begun: Row[]
  pending: Row[]
  lateness: Row[]
  waiting: Row | undefined
  unknown: Row | undefined
  sent: Row | undefined
  unresolved: Row | undefined
}): Overview {
  const wave = [...rows.begun.map(begunPoint), ...rows.pending.map(pendingPoint)]
  return {
    wave: wave.sort((a, b) => a.targetAt - b.targetAt),
    sent: rows.sent?.[0] as number,
    waiting: rows.waiting?.[0] as number,
    failed: rows.unresolved?.[0] as number,
    ambiguous: rows.unknown?.[0] as number,
    latenessMs: rows.lateness.map(([late]) => Math.max(0, late as number)),
  }
}

export function upcomingPoint([targetAt, offsetSeconds, count]: Row): UpcomingPoint {
  return { targetAt, offsetSeconds, count } as UpcomingPoint
}

/** None for failures that a later failure of the occurrence stands for. */
export function failureCount(row: Row): FailureCount[] {
  const [channelId, reason, state, hoursAgo, count, oldestAt, newestAt] = row
  if (state === null) return []
  return [{ channelId, reason, state, hoursAgo, count, oldestAt, newestAt } as FailureCount]
}

const pendingPoint = (row: Row): WavePoint => ({ ...upcomingPoint(row), status: 'PENDING' })

function begunPoint([targetAt, offsetSeconds, status, count]: Row): WavePoint {
  return { targetAt, offsetSeconds, status, count } as WavePoint
}

export const LATENESS_SAMPLE = 5_000
export const RECENT = 50
