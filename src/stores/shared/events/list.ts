// Lists events by a filter, in order of id, in a bounded time: a filter without an index is tried on so many events for each
// call, and a page may then be short or empty and still have a cursor.
import {
  and,
  asc,
  type Column,
  desc,
  eq,
  exists,
  gt,
  gte,
  inArray,
  isNotNull,
  isNull,
  lt,
  lte,
  or,
  type SQL,
  sql,
} from 'drizzle-orm'
import type { EventStatus } from '../../../domain/events/event-status.ts'
import { firstIdAt } from '../../../domain/events/uuid.ts'
import { DAY_MS } from '../../../domain/time/calendar.ts'
import type { EventQuery, Page } from '../../../ports/query.ts'
import type { NamedEvent } from '../../../ports/store.ts'
import type { Shared } from '../database.ts'
import { toPage } from '../page.ts'
import { ofPeople } from '../people/filter.ts'
import type { EventSource } from './events.ts'
import { briefReason, failureState, fullReason, isDismissed } from './failures.ts'

/** How many events one call tries a filter on, and how many occasions of a type are looked up one by one. */
const BOUNDS = { scanned: 10_000, occasions: 2_000 }

export async function listEvents(
  shared: Shared,
  source: EventSource,
  asked: EventQuery,
  bounds = BOUNDS,
): Promise<Page<NamedEvent>> {
  const query = spanningDay(asked)
  const { limit } = query
  const isNewestFirst = query.order === 'newest'
  const [inOrder, after, until] = isNewestFirst ? ([desc, lt, gte] as const) : ([asc, gt, lte] as const)
  const { id } = source.columns
  const isAfter = query.cursor === null ? undefined : after(id, query.cursor)
  const filter = matches(shared, source, query)
  const select =
    (end: string | null): SelectMore =>
    (more, by = id) =>
      source.select(
        and(isAfter, filter, end === null ? undefined : until(id, end), more),
        inOrder(by),
        limit + 1,
      )
  if (isNarrow(query)) return toPage(await select(null)(), limit)
  const ofType = await fewOfType(shared, source, query, bounds.occasions)
  // By the index of occasions, and not in the order of the table.
  if (ofType !== null) return toPage(await select(null)(ofType, source.displaced.id), limit)
  const span = await spanOf(source, query)
  const isInRange = and(
    query.cursor === null ? undefined : after(ANY_ID, query.cursor),
    within(ANY_ID, span.fromId, span.beforeId),
  )
  const range = { condition: isInRange, isNewestFirst }
  const end = !isFiltered(query)
    ? null
    : await source.idAfter({ ...range, of: kindOf(query) }, bounds.scanned - 1)
  const rows = await selectSpan(source, { ...query, ...span }, select(end))
  const page = toPage(rows, limit)
  return { ...page, nextCursor: page.nextCursor ?? end }
}

/** Local dates begin this long before and end this long after the date in UTC. */
const MAX_OFFSET_MS = 16 * 3_600_000

/** The span of due times in which a local date lies anywhere, so that no other events are tried. */
function spanningDay(query: EventQuery): EventQuery {
  const { localDate, dueFrom = 0, dueBefore = Infinity } = query
  if (localDate === undefined) return query
  const day = Date.parse(localDate)
  return {
    ...query,
    dueFrom: Math.max(dueFrom, day - MAX_OFFSET_MS),
    dueBefore: Math.max(0, Math.min(dueBefore, day + DAY_MS + MAX_OFFSET_MS)),
  }
}

/** The id in a select from the events, whichever table or view they are read from. */
const ANY_ID = sql`id`

/** Whether a condition excludes events of the span, so that many may be read for a page. */
function isFiltered({
  ids,
  userId,
  occasionId,
  cursor,
  limit,
  order,
  dueFrom,
  dueBefore,
  ...rest
}: EventQuery): boolean {
  return Object.values(rest).some((condition) => condition !== undefined)
}

const statusesOf = ({ status = [] }: EventQuery): readonly EventStatus[] => [status].flat()

/** Whether the events are in one of these states only. */
function isOnly(query: EventQuery, ...of: readonly EventStatus[]): boolean {
  const statuses = statusesOf(query)
  return statuses.length > 0 && statuses.every((status) => of.includes(status))
}

function kindOf(query: EventQuery): 'all' | 'open' | 'failed' {
  if (isOnly(query, 'FAILED')) return 'failed'
  return isOnly(query, 'PENDING', 'PROCESSING') ? 'open' : 'all'
}

/** Ids and the index of an occasion's events are narrower than any span. */
function isNarrow({ ids, userId, occasionId }: EventQuery): boolean {
  return (ids ?? userId ?? occasionId) !== undefined
}

function matches(shared: Shared, source: EventSource, query: EventQuery): SQL | undefined {
  const { columns } = source
  const kind = kindOf(query)
  const statuses = statusesOf(query)
  return and(
    query.ids === undefined ? undefined : source.isOneOf(query.ids),
    query.userId === undefined ? undefined : source.ofUser(query.userId),
    query.people === undefined ? undefined : ofPeople(shared, columns.userId, query.people),
    query.occasionId === undefined ? undefined : eq(columns.occasionId, query.occasionId),
    statuses.length === 0 ? undefined : inArray(columns.status, statuses),
    // Repeats the condition of the partial index of failed events, so that it is used.
    kind === 'failed' ? isNotNull(columns.failureCode) : undefined,
    kind === 'open' ? source.isOpen : undefined,
    query.type === undefined ? undefined : eq(columns.eventType, query.type),
    within(columns.targetAt, query.dueFrom, query.dueBefore),
    query.localDate === undefined ? undefined : onDay(columns, query.localDate),
    query.reason === undefined ? undefined : beginsWith(fullReason(source.name), query.reason),
    query.briefReason === undefined
      ? undefined
      : sql`${sql.raw(briefReason(source.name))} = ${query.briefReason}`,
    query.channelIds === undefined ? undefined : isOneOrNull(columns.channelId, query.channelIds),
    query.unresolved
      ? sql`${sql.raw(failureState(source.replaySql, source.name))} = 'unresolved'`
      : undefined,
    query.undismissed ? sql`NOT ${sql.raw(isDismissed(source.replaySql, source.name))}` : undefined,
    within(columns.executedAt, query.settledFrom, query.settledBefore),
    query.unknownFrom === undefined ? undefined : hasUnknownSince(shared, columns.id, query.unknownFrom),
  )
}

/** True for an event with an attempt of unknown outcome that ended at the instant or later. */
function hasUnknownSince({ reader, tables: { attempts } }: Shared, eventId: Column, at: number): SQL {
  const isUnknown = and(
    eq(attempts.eventId, eventId),
    eq(attempts.outcome, 'UNKNOWN'),
    gte(attempts.finishedAt, at),
  )
  return exists(reader.select({ number: attempts.number }).from(attempts).where(isUnknown))
}

/** The condition for the occasions of a type that few have; null for a frequent type. */
async function fewOfType(
  { reader, tables: { occasions } }: Shared,
  { columns }: EventSource,
  { type }: EventQuery,
  most: number,
): Promise<SQL | null> {
  if (type === undefined || type === 'BIRTHDAY') return null
  const ofType = sql`${occasions.type} = ${type} AND ${occasions.type} <> 'BIRTHDAY'`
  const found = await reader
    .select({ id: occasions.id })
    .from(occasions)
    .where(ofType)
    .limit(most + 1)
  if (found.length > most) return null
  return sql`${columns.occasionId} IN (SELECT id FROM ${occasions} WHERE ${ofType})`
}

type Span = { fromId: string | undefined; beforeId: string | undefined }

/**
 * The ids among which events in their place lie: an id carries the instant at which its event was first due. An event that
 * was never claimed lies at its instant.
 */
async function spanOf(source: EventSource, query: EventQuery): Promise<Span> {
  const idAt = (at: number | undefined) => (at === undefined ? undefined : firstIdAt(at))
  const first = isOnly(query, 'PENDING') ? await source.firstWakeAt() : null
  const from = first === null ? query.dueFrom : Math.max(first, query.dueFrom ?? first)
  return { fromId: idAt(from), beforeId: idAt(query.dueBefore) }
}

/** Selects a page under a further condition, ordered by the expression for the id. */
type SelectMore = (more?: SQL, id?: Column | SQL) => Promise<NamedEvent[]>

/**
 * Selects by due time without an index on it, which would cost every settlement. Displaced events have a partial index of
 * their own.
 */
async function selectSpan(
  { columns, displaced }: EventSource,
  { fromId, beforeId, dueFrom, dueBefore, limit, order }: EventQuery & Span,
  select: SelectMore,
): Promise<NamedEvent[]> {
  if (fromId === undefined && beforeId === undefined) return select()
  // The first select finds displaced events with an id in the span too.
  const isOutside = or(
    fromId === undefined ? undefined : sql`${displaced.id} < ${fromId}`,
    beforeId === undefined ? undefined : sql`${displaced.id} >= ${beforeId}`,
  )
  const [inPlace, elsewhere] = await Promise.all([
    select(within(columns.id, fromId, beforeId)),
    select(and(displaced.condition, within(displaced.dueAt, dueFrom, dueBefore), isOutside), displaced.id),
  ])
  const sorted = [...inPlace, ...elsewhere].sort((a, b) => (a.id < b.id ? -1 : 1))
  return (order === 'newest' ? sorted.reverse() : sorted).slice(0, limit + 1)
}

function within<T extends number | string>(column: Column | SQL, from?: T, before?: T): SQL | undefined {
  return and(
    from === undefined ? undefined : gte(column as Column, from),
    before === undefined ? undefined : lt(column as Column, before),
  )
}

function onDay({ targetAt, offsetSeconds }: EventSource['columns'], localDate: string): SQL | undefined {
  const day = Date.parse(localDate)
  return within(sql`(${targetAt} + ${offsetSeconds} * 1000)`, day, day + DAY_MS)
}

function beginsWith(expression: string, text: string): SQL {
  return sql`substr(${sql.raw(expression)}, 1, length(CAST(${text} AS text))) = ${text}`
}

function isOneOrNull(column: Column | SQL, ids: readonly (string | null)[]): SQL | undefined {
  const named = ids.filter((id) => id !== null)
  return or(
    named.length > 0 ? inArray(column as Column, named) : undefined,
    ids.includes(null) ? isNull(column) : undefined,
  )
}
