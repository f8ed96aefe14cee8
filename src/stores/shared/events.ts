// Reads events, open and settled: one with its attempts, pages of them, and the latest.
import {
  and,
  asc,
  type Column,
  desc,
  eq,
  gt,
  gte,
  inArray,
  isNotNull,
  isNull,
  lt,
  ne,
  or,
  type SQL,
  sql,
} from 'drizzle-orm'
import { type Attempt, type Event, settlingAttempt, type Wait } from '../../domain/events/event.ts'
import type { Exchange } from '../../domain/events/exchange.ts'
import { firstIdAt } from '../../domain/events/uuid.ts'
import type { EventQuery, Page } from '../../ports/query.ts'
import type { HistoryStore, NamedEvent } from '../../ports/store.ts'
import type { Shared } from './database.ts'
import { briefReason, failureState, fullReason, type ReplaySql } from './failures.ts'
import { toPage } from './page.ts'
import { ofPeople } from './people/filter.ts'

/** Where a dialect has its events, and how it selects them. */
export type EventSource = {
  /** The name by which the columns of the failure are qualified. */
  name: string
  replaySql: ReplaySql
  columns: Record<
    'id' | 'userId' | 'occasionId' | 'status' | 'targetAt' | 'executedAt' | 'failureCode' | 'eventType',
    Column
  > & { channelId: Column | SQL }
  /** True for an event that was moved or is a replay: its id carries another instant than the one it is due at. */
  displaced: { condition: SQL; dueAt: Column; id: Column | SQL }
  isOneOf(ids: readonly string[]): SQL
  ofUser(userId: string): SQL
  /** True for an event with an attempt of unknown outcome that ended at the instant or later. */
  hasUnknownSince(at: number): SQL
  select(where: SQL | undefined, order: SQL, limit: number): Promise<NamedEvent[]>
  /** The exchange of the attempt that settled the event, as it is stored. Lists do not read it: it can have 4 kB. */
  selectExchange(eventId: string): Promise<string | null>
}

export async function findEvent(
  shared: Shared,
  source: EventSource,
  eventId: string,
): ReturnType<HistoryStore['findEvent']> {
  const { reader, tables } = shared
  const { attempts } = tables
  const { id } = source.columns
  const [event] = await source.select(eq(id, eventId), asc(id), 1)
  if (event === undefined) return null
  const rows = await reader
    .select()
    .from(attempts)
    .where(eq(attempts.eventId, eventId))
    .orderBy(asc(attempts.number))
  const earlier = rows.map(
    ({ eventId: _, exchange, ...attempt }): Attempt => ({ ...attempt, exchange: exchangeFrom(exchange) }),
  )
  const settling = event.wakeAt === null ? await source.selectExchange(eventId) : null
  const last = settlingAttempt(event, earlier.length, exchangeFrom(settling))
  const wait = event.status === 'PROCESSING' ? await readWait(shared, event) : null
  return { event, attempts: last === null ? earlier : [...earlier, last], wait }
}

function exchangeFrom(text: string | null): Exchange | null {
  return text === null ? null : JSON.parse(text)
}

/** Null for an event that has a lease, or has changed since it was read. */
async function readWait({ reader, tables: { events } }: Shared, event: Event): Promise<Wait | null> {
  const [row] = await reader
    .select({ parkCount: events.parkCount })
    .from(events)
    .where(and(eq(events.id, event.id), eq(events.version, event.version), isNull(events.leaseUntil)))
  if (row === undefined) return null
  return row.parkCount > 0 ? 'parked' : 'free'
}

export async function listEvents(
  shared: Shared,
  source: EventSource,
  query: EventQuery,
): Promise<Page<NamedEvent>> {
  const { columns } = source
  const [inOrder, after] = query.order === 'newest' ? [desc, lt] : [asc, gt]
  const statuses = query.status === undefined ? [] : [query.status].flat()
  const conditions: (SQL | undefined)[] = [
    query.cursor === null ? undefined : after(columns.id, query.cursor),
    query.ids === undefined ? undefined : source.isOneOf(query.ids),
    query.userId === undefined ? undefined : source.ofUser(query.userId),
    query.people === undefined ? undefined : ofPeople(shared, columns.userId, query.people),
    query.occasionId === undefined ? undefined : eq(columns.occasionId, query.occasionId),
    statuses.length === 0 ? undefined : inArray(columns.status, statuses),
    // Repeats the condition of the partial index of failed events, so that it is used.
    statuses.length > 0 && statuses.every((status) => status === 'FAILED')
      ? isNotNull(columns.failureCode)
      : undefined,
    query.type === undefined ? undefined : eq(columns.eventType, query.type),
    within(columns.targetAt, query.dueFrom, query.dueBefore),
    query.reason === undefined ? undefined : beginsWith(fullReason(source.name), query.reason),
    query.briefReason === undefined
      ? undefined
      : sql`${sql.raw(briefReason(source.name))} = ${query.briefReason}`,
    query.channelIds === undefined ? undefined : isOneOrNull(columns.channelId, query.channelIds),
    query.unresolved
      ? sql`${sql.raw(failureState(source.replaySql, source.name))} = 'unresolved'`
      : undefined,
    within(columns.executedAt, query.settledFrom, query.settledBefore),
    query.unknownFrom === undefined ? undefined : source.hasUnknownSince(query.unknownFrom),
  ]
  const select: SelectMore = (more, id = columns.id) =>
    source.select(and(...conditions, more), inOrder(id), query.limit + 1)
  const { ids, userId, occasionId, dueFrom, dueBefore } = query
  // Ids and the index of an occasion's events are narrower than any span.
  const byDue = (dueFrom ?? dueBefore) !== undefined && (ids ?? userId ?? occasionId) === undefined
  return toPage(byDue ? await selectDue(source, query, select) : await select(), query.limit)
}

/** Selects a page under a further condition, ordered by the expression for the id. */
type SelectMore = (more?: SQL, id?: Column | SQL) => Promise<NamedEvent[]>

/**
 * Selects by due time without an index on it, which would cost every settlement: an id carries the instant at which its
 * event was first due. Displaced events have a partial index of their own.
 */
async function selectDue(
  { columns, displaced }: EventSource,
  { dueFrom, dueBefore, limit, order }: EventQuery,
  select: SelectMore,
): Promise<NamedEvent[]> {
  const idAt = (at: number | undefined) => (at === undefined ? undefined : firstIdAt(at))
  const [fromId, beforeId] = [idAt(dueFrom), idAt(dueBefore)]
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

function within<T extends number | string>(column: Column, from?: T, before?: T): SQL | undefined {
  return and(
    from === undefined ? undefined : gte(column, from),
    before === undefined ? undefined : lt(column, before),
  )
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

/** In order of id. */
export function eventsOf(
  { columns, isOneOf, select }: EventSource,
  ids: readonly string[],
): Promise<NamedEvent[]> {
  return ids.length === 0 ? Promise.resolve([]) : select(isOneOf(ids), asc(columns.id), ids.length)
}

/** The latest events that were claimed, by the instant they were first due. */
export function latestEvents(
  { columns, select }: EventSource,
  of: { before: string; limit: number },
): Promise<NamedEvent[]> {
  const wasClaimed = and(lt(columns.id, of.before), ne(columns.status, 'PENDING'))
  return select(wasClaimed, desc(columns.id), of.limit)
}
