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
import { type Attempt, type Event, settlingAttempt } from '../../domain/events/event.ts'
import type { EventQuery, Page } from '../../ports/query.ts'
import type { Pulse } from '../../ports/store.ts'
import type { Shared } from './database.ts'
import { briefReason, failureState, fullReason, type ReplaySql } from './failures.ts'
import { toPage } from './page.ts'

/** Where a dialect has its events, and how it selects them. */
export type EventSource = {
  /** The name by which the columns of the failure are qualified. */
  name: string
  replaySql: ReplaySql
  columns: Record<
    'id' | 'occasionId' | 'status' | 'targetAt' | 'executedAt' | 'failureCode' | 'eventType',
    Column
  > & { channelId: Column | SQL }
  ofUser(userId: string): SQL
  select(where: SQL | undefined, order: SQL, limit: number): Promise<Event[]>
  selectWithNames(where: SQL | undefined, order: SQL, limit: number): Promise<Pulse['recent']>
}

export async function findEvent(
  { reader, tables: { attempts } }: Shared,
  source: EventSource,
  eventId: string,
): Promise<{ event: Event; attempts: Attempt[] } | null> {
  const { id } = source.columns
  const [event] = await source.select(eq(id, eventId), asc(id), 1)
  if (event === undefined) return null
  const rows = await reader
    .select()
    .from(attempts)
    .where(eq(attempts.eventId, eventId))
    .orderBy(asc(attempts.number))
  const earlier = rows.map(({ eventId: _, ...attempt }): Attempt => attempt)
  const last = settlingAttempt(event, earlier.length)
  return { event, attempts: last === null ? earlier : [...earlier, last] }
}

export async function listEvents(source: EventSource, query: EventQuery): Promise<Page<Event>> {
  const { columns } = source
  const conditions: (SQL | undefined)[] = [
    query.cursor === null ? undefined : gt(columns.id, query.cursor),
    query.userId === undefined ? undefined : source.ofUser(query.userId),
    query.occasionId === undefined ? undefined : eq(columns.occasionId, query.occasionId),
    query.status === undefined ? undefined : eq(columns.status, query.status),
    // Repeats the condition of the partial index of failed events, so that it is used.
    query.status === 'FAILED' ? isNotNull(columns.failureCode) : undefined,
    query.type === undefined ? undefined : eq(columns.eventType, query.type),
    query.dueFrom === undefined ? undefined : gte(columns.targetAt, query.dueFrom),
    query.dueBefore === undefined ? undefined : lt(columns.targetAt, query.dueBefore),
    query.reason === undefined ? undefined : beginsWith(fullReason(source.name), query.reason),
    query.briefReason === undefined
      ? undefined
      : sql`${sql.raw(briefReason(source.name))} = ${query.briefReason}`,
    query.channelIds === undefined ? undefined : isOneOrNull(columns.channelId, query.channelIds),
    query.unresolved
      ? sql`${sql.raw(failureState(source.replaySql, source.name))} = 'unresolved'`
      : undefined,
    query.settledFrom === undefined ? undefined : gte(columns.executedAt, query.settledFrom),
    query.settledBefore === undefined ? undefined : lt(columns.executedAt, query.settledBefore),
  ]
  return toPage(await source.select(and(...conditions), asc(columns.id), query.limit + 1), query.limit)
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

/** The latest events that were claimed, by the instant they were first due. */
export function latestEvents(
  { columns, selectWithNames }: EventSource,
  of: { before: string; limit: number },
): Promise<Pulse['recent']> {
  const wasClaimed = and(lt(columns.id, of.before), ne(columns.status, 'PENDING'))
  return selectWithNames(wasClaimed, desc(columns.id), of.limit)
}
