// Which events the dashboard reads, and how their rows become counts. There is no index on target_at: it would cost every
// settlement. Ids carry the instant an event was first due, and the index on wake_at has the open events.

import { type DuePlace, formatDuePlace, parseDuePlace } from '../../../domain/events/due-place.ts'
import { firstIdAt } from '../../../domain/events/uuid.ts'
import { DAY_MS } from '../../../domain/time/calendar.ts'
import type {
  DashboardStore,
  FailureCount,
  Overview,
  UpcomingPoint,
  UpcomingQuery,
  WavePoint,
} from '../../../ports/store.ts'
import type { EventSource } from '../events/events.ts'
import { eventsOf } from '../events/list.ts'

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

/** Local dates begin this long before and end this long after the date in UTC. */
const MAX_OFFSET_MS = 16 * HOUR_MS

/** The bounds of a list of pending events: due times, local times, and the place of the last event of the page before. */
export function upcomingBounds({ from, before, localDate, cursor }: UpcomingQuery) {
  const after = (cursor === null ? null : parseDuePlace(cursor)) ?? { dueAt: from, id: FIRST_ID }
  const day = localDate === undefined ? null : Date.parse(`${localDate}T00:00:00Z`)
  return {
    from: Math.max(after.dueAt, from, day === null ? from : day - MAX_OFFSET_MS),
    before: Math.min(before, day === null ? before : day + DAY_MS + MAX_OFFSET_MS),
    local: day === null ? ANY_DAY : { from: day, before: day + DAY_MS },
    after,
  }
}

/** Comes before the id of every event. */
const FIRST_ID = '00000000-0000-0000-0000-000000000000'
const ANY_DAY = { from: 0, before: Date.UTC(9999, 0, 1) }

/** The page of these rows of id and due time, which have one row more than the page if there is a next page. */
export async function upcomingPage(
  source: EventSource,
  rows: readonly Row[],
  { limit, withPlaces }: UpcomingQuery,
): ReturnType<DashboardStore['listUpcoming']> {
  const places = rows.slice(0, limit).map(([id, dueAt]) => ({ id, dueAt }) as DuePlace)
  const events = await eventsOf(
    source,
    places.map(({ id }) => id),
  )
  const byId = new Map(events.map((event) => [event.id, event]))
  const last = places.at(-1)
  const found = places.filter(({ id }) => byId.has(id))
  return {
    items: found.map(({ id }) => byId.get(id)!),
    nextCursor: rows.length > limit && last !== undefined ? formatDuePlace(last) : null,
    ...(withPlaces && { places: found.map(formatDuePlace) }),
  }
}

const pendingPoint = (row: Row): WavePoint => ({ ...upcomingPoint(row), status: 'PENDING' })

function begunPoint([targetAt, offsetSeconds, status, count]: Row): WavePoint {
  return { targetAt, offsetSeconds, status, count } as WavePoint
}

export const LATENESS_SAMPLE = 5_000
export const RECENT = 50
