// The filter of the Messages page: the parameters of its URL, and the requests to the API that they stand for. Pure: now and the
// reader's UTC offset are arguments. Only a list of one person, or of all dates on request, has no bound of time: otherwise the
// server would read all events.
import type { EventFilter, EventStatus, EventsRequest, ReplayFilter } from '../../api/types.ts'

const NAMES = ['state', 'channel', 'type', 'person', 'period'] as const
/** `channel` and `person` are ids. */
export type Filter = Partial<Record<(typeof NAMES)[number], string>>

/** Unresolved: failed, and neither delivered since nor being retried. Duplicate: sent again, because no response was seen. */
export const STATES = {
  scheduled: 'Scheduled',
  sending: 'Sending',
  sent: 'Sent',
  failed: 'Failed',
  unresolved: 'Unresolved',
  duplicate: 'Possible duplicate',
}

export const STATUSES: Readonly<Record<string, EventStatus | undefined>> = {
  scheduled: 'PENDING',
  sending: 'PROCESSING',
  sent: 'COMPLETED',
  failed: 'FAILED',
  unresolved: 'FAILED',
}

export const PERIODS = {
  today: 'Today',
  yesterday: 'Yesterday',
  'last-24h': 'Last 24 hours',
  'last-7d': 'Last 7 days',
  tomorrow: 'Tomorrow',
  'next-24h': 'Next 24 hours',
  'next-7d': 'Next 7 days',
  all: 'All, past and future',
}

/** Now, and the reader's offset: days are those of the reader. */
export type Reader = { now: number; offsetMinutes: number }
/** A missing bound is open. */
type Span = { from?: number; before?: number }

const HOUR = 3_600_000
const DAY = 24 * HOUR
/** Older messages are listed on request only, as on the Failures page. */
const DEFAULT_MS = 30 * DAY

/** Values that the page does not know are left out. */
export function filterOfUrl(search: string): Filter {
  const params = new URLSearchParams(search)
  const isKnown = (name: string, value: string) =>
    name === 'state'
      ? Object.hasOwn(STATES, value)
      : name !== 'period' || spanOf(value, { now: 0, offsetMinutes: 0 }) !== null
  return Object.fromEntries(
    NAMES.flatMap((name) => {
      const value = params.get(name) ?? ''
      return value !== '' && isKnown(name, value) ? [[name, value]] : []
    }),
  )
}

/** The path of the page with this filter. */
export function messagesPath(filter: Filter): string {
  const params = new URLSearchParams(Object.entries(filter).filter(([, value]) => value !== ''))
  return params.size === 0 ? 'messages' : `messages?${params}`
}

/** A period from one instant to another, such as `2026-11-15T12:00Z..2026-11-15T12:15Z`. */
export function periodOf(from: number, before: number): string {
  return [from, before].map((at) => `${new Date(at).toISOString().slice(0, 16)}Z`).join('..')
}

/** Null if the text is no period. */
export function spanOf(period: string, { now, offsetMinutes }: Reader): Span | null {
  const offsetMs = offsetMinutes * 60_000
  const midnight = Math.floor((now + offsetMs) / DAY) * DAY - offsetMs
  const spans: Record<keyof typeof PERIODS, Span> = {
    today: { from: midnight, before: midnight + DAY },
    yesterday: { from: midnight - DAY, before: midnight },
    'last-24h': { from: now - DAY, before: now },
    'last-7d': { from: now - 7 * DAY, before: now },
    tomorrow: { from: midnight + DAY, before: midnight + 2 * DAY },
    'next-24h': { from: now, before: now + DAY },
    'next-7d': { from: now, before: now + 7 * DAY },
    all: {},
  }
  if (Object.hasOwn(spans, period)) return spans[period as keyof typeof PERIODS]
  const [from = Number.NaN, before = Number.NaN, ...more] = period.split('..').map((at) => Date.parse(at))
  return 0 <= from && from < before && more.length === 0 ? { from, before } : null
}

export function listRequest(filter: Filter, reader: Reader): EventsRequest {
  const { state = '', type, channel, person } = filter
  const bounds = boundsOf(filter, reader)
  // Messages that are still to come are listed with the next one first.
  const isAhead = state === 'scheduled' || (bounds.dueFrom ?? 0) >= reader.now
  const status = STATUSES[state]
  return {
    userId: person ?? null,
    filter: {
      ...(!isAhead && { order: 'newest' }),
      ...(status !== undefined && { status }),
      ...(state === 'unresolved' && { unresolved: 'true' }),
      ...(type !== undefined && { type }),
      ...(channel !== undefined && { channel }),
      ...instants(bounds),
    } satisfies EventFilter,
  }
}

/** Null if the filter selects other messages than failed ones: only failed ones can be replayed. */
export function replayRequest(filter: Filter, reader: Reader): ReplayFilter | null {
  const { state = '', type, channel, person } = filter
  if (STATUSES[state] !== 'FAILED') return null
  const { settledFrom, settledBefore = reader.now, ...due } = boundsOf(filter, reader)
  return {
    ...(type !== undefined && { type }),
    ...(channel !== undefined && { channel }),
    ...(person !== undefined && { userId: person }),
    // Up to now: a replay that fails meanwhile is not replayed again.
    ...instants({ ...due, failedFrom: settledFrom, failedBefore: Math.min(settledBefore, reader.now) }),
  }
}

type Bounds = Partial<
  Record<'dueFrom' | 'dueBefore' | 'settledFrom' | 'settledBefore' | 'unknownFrom', number | undefined>
>

/** The period is about when a message was sent or failed, if the state is one of these, and otherwise about when it is due. */
function boundsOf({ state = '', person, period = '' }: Filter, reader: Reader): Bounds {
  const { from, before } = spanOf(period, reader) ?? defaultSpan(state, person, reader.now)
  const isSettled = STATUSES[state] === 'COMPLETED' || STATUSES[state] === 'FAILED'
  if (!isSettled && state !== 'duplicate') return { dueFrom: from, dueBefore: before }
  const about = isSettled
    ? { settledFrom: from, settledBefore: before }
    : { dueBefore: before, unknownFrom: from ?? 0 }
  // The index of the list is that of due times. A message is seldom settled more than a month after it was due.
  return from === undefined ? about : { dueFrom: from - DEFAULT_MS, dueBefore: reader.now, ...about }
}

function defaultSpan(state: string, person: string | undefined, now: number): Span {
  if (person !== undefined) return {}
  return { from: now - DEFAULT_MS, ...(state !== 'scheduled' && { before: now }) }
}

function instants<K extends string>(
  given: Partial<Record<K, number | undefined>>,
): Partial<Record<K, string>> {
  const set = Object.entries<number | undefined>(given).filter(([, at]) => at !== undefined)
  return Object.fromEntries(set.map(([name, at]) => [name, new Date(at!).toISOString()])) as Partial<
    Record<K, string>
  >
}
