// Reads events, open and settled: one with its attempts, and the latest.
import { and, asc, type Column, desc, eq, isNull, lt, ne, type SQL } from 'drizzle-orm'
import { type Attempt, type Event, settlingAttempt } from '../../../domain/events/event.ts'
import type { Exchange } from '../../../domain/events/exchange.ts'
import { firstIdAt, timeOfId } from '../../../domain/events/uuid.ts'
import type { HistoryStore, NamedEvent } from '../../../ports/store.ts'
import type { Shared } from '../database.ts'
import type { ReplaySql } from './failures.ts'

type IdRange = {
  /** On the id. */
  condition: SQL | undefined
  isNewestFirst: boolean
  /** Which events are counted. */
  of: 'all' | 'open' | 'failed'
}

/** Where a dialect has its events, and how it selects them. */
export type EventSource = {
  /** The name by which the columns of the failure are qualified. */
  name: string
  replaySql: ReplaySql
  columns: Record<
    | 'id'
    | 'userId'
    | 'occasionId'
    | 'status'
    | 'targetAt'
    | 'offsetSeconds'
    | 'executedAt'
    | 'failureCode'
    | 'eventType',
    Column
  > & { channelId: Column | SQL }
  /** True for an event that was moved or is a replay: its id carries another instant than the one it is due at. */
  displaced: { condition: SQL; dueAt: Column; id: Column | SQL }
  /** True for open events only, where the database then reads no settled ones. */
  isOpen: SQL | undefined
  /** When the first open event may be claimed, if open events lie among settled ones in one table; null otherwise. */
  firstWakeAt(): Promise<number | null>
  /** The id that is so many events after the start of the range, in its order; null if there are fewer. */
  idAfter(range: IdRange, count: number): Promise<string | null>
  isOneOf(ids: readonly string[]): SQL
  ofUser(userId: string): SQL
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
  const isFree = event.status === 'PROCESSING' && (await isUnleased(shared, event))
  return { event, attempts: last === null ? earlier : [...earlier, last], isFree }
}

function exchangeFrom(text: string | null): Exchange | null {
  return text === null ? null : JSON.parse(text)
}

/** False for an event that has a lease, or has changed since it was read. */
async function isUnleased({ reader, tables: { events } }: Shared, event: Event): Promise<boolean> {
  const isAsRead = and(eq(events.id, event.id), eq(events.version, event.version), isNull(events.leaseUntil))
  return (await reader.select({ id: events.id }).from(events).where(isAsRead)).length > 0
}

/**
 * The latest events that were claimed, by the instant they were due, and replays by the instant they were created. An id carries the instant at which its event was first due, or created.
 */
export async function latestEvents(
  { columns, displaced, select }: EventSource,
  { before, limit }: { before: number; limit: number },
): Promise<NamedEvent[]> {
  const wasClaimed = ne(columns.status, 'PENDING')
  const isMoved = and(displaced.condition, wasClaimed)
  const found = await Promise.all([
    select(and(lt(columns.id, firstIdAt(before)), wasClaimed), desc(columns.id), limit),
    select(and(isMoved, lt(displaced.dueAt, before)), desc(displaced.dueAt), limit),
  ])
  const at = ({ id, targetAt, replayOf }: NamedEvent) => (replayOf === null ? targetAt : timeOfId(id))
  const latest = new Map(found.flat().map((event) => [event.id, event]))
  return [...latest.values()].sort((a, b) => at(b) - at(a) || (a.id < b.id ? 1 : -1)).slice(0, limit)
}
