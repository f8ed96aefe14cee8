// Events with the fields of their occasion and their body.
import { and, asc, desc, eq, getTableColumns, inArray, isNotNull, sql } from 'drizzle-orm'
import type { NamedEvent } from '../../../ports/store.ts'
import type { DrizzleDatabase } from '../../shared/database.ts'
import type { EventSource } from '../../shared/events/events.ts'
import { events, isDisplaced, occasions, payloads, users } from '../../tables/sqlite.ts'
import { dialect } from '../dialect.ts'
import { firstOfLanes } from './lanes.ts'
import { REPLAY_SQL } from './replay.ts'

/** Of the latest attempt; before the first one, the channel of its occasion. */
const CHANNEL_ID = sql<string | null>`coalesce(${events.channelId}, ${occasions.channelId})`

const { exchange: _, ...EVENT } = getTableColumns(events)

const FIELDS = {
  event: EVENT,
  userId: occasions.userId,
  eventType: occasions.type,
  channelId: CHANNEL_ID,
  body: payloads.body,
  firstName: users.firstName,
  lastName: users.lastName,
  externalId: users.externalId,
}

type Row = { event: Omit<typeof events.$inferSelect, 'exchange'> } & {
  userId: string
  eventType: string
  channelId: string | null
  body: string | null
  firstName: string
  lastName: string | null
  externalId: string | null
}

function toEvent({ event, body, ...of }: Row): NamedEvent {
  const { leaseUntil, leaseBatch: _, planRevision: __, lane: ___, ...fields } = event
  const wakeAt = leaseUntil ?? event.wakeAt
  return { ...fields, ...of, wakeAt, deliveryPayload: body }
}

export function eventSource(db: DrizzleDatabase): EventSource {
  return {
    name: 'events',
    replaySql: REPLAY_SQL,
    columns: { ...events, userId: occasions.userId, eventType: occasions.type, channelId: CHANNEL_ID },
    displaced: {
      condition: sql.raw(isDisplaced('events.')),
      dueAt: events.targetAt,
      // The sign keeps SQLite from reading the whole table in order of id.
      id: sql`+${events.id}`,
    },
    // SQLite would read all open events, because of the index that has this condition.
    isOpen: undefined,
    async firstWakeAt() {
      const first = firstOfLanes('events.wake_at IS NOT NULL', '1')
      const [row] = await db.select({ at: sql<number | null>`min(wake_at)` }).from(sql.raw(first))
      return row?.at ?? null
    },
    async idAfter({ condition, isNewestFirst, of }, count) {
      const [row] = await db
        .select({ id: events.id })
        .from(events)
        .where(and(condition, of === 'failed' ? isNotNull(events.failureCode) : undefined))
        .orderBy(isNewestFirst ? desc(events.id) : asc(events.id))
        .limit(1)
        .offset(count)
      return row?.id ?? null
    },
    isOneOf: (ids) => dialect.isOneOf(events.id, ids),
    ofUser: (userId) =>
      inArray(
        events.occasionId,
        db.select({ id: occasions.id }).from(occasions).where(eq(occasions.userId, userId)),
      ),
    async selectExchange(eventId) {
      const [row] = await db.select({ exchange: events.exchange }).from(events).where(eq(events.id, eventId))
      return row?.exchange ?? null
    },
    async select(where, order, limit) {
      const rows = await db
        .select(FIELDS)
        .from(events)
        .innerJoin(occasions, eq(occasions.id, events.occasionId))
        .innerJoin(users, eq(users.id, occasions.userId))
        .leftJoin(payloads, eq(payloads.eventId, events.id))
        .where(where)
        .orderBy(order)
        .limit(limit)
      return rows.map(toEvent)
    },
  }
}
