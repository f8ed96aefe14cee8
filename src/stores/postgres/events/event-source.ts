// Events by the view over open and settled ones.
import { eq, isNotNull, sql } from 'drizzle-orm'
import type { NodePgDatabase } from 'drizzle-orm/node-postgres'
import type { Event } from '../../../domain/events/event.ts'
import type { EventSource } from '../../shared/events/events.ts'
import { allEvents, settledEvents, users } from '../../tables/postgres.ts'
import { dialect } from '../dialect.ts'
import { REPLAY_SQL } from './replay.ts'

export function eventSource(db: NodePgDatabase): EventSource {
  return {
    name: 'all_events',
    replaySql: REPLAY_SQL,
    columns: allEvents,
    displaced: {
      condition: sql`${allEvents.displaced}`,
      dueAt: allEvents.dueAt,
      id: allEvents.id,
    },
    // Null for settled events by the definition of the view, which the planner knows.
    isOpen: isNotNull(allEvents.wakeAt),
    firstWakeAt: async () => null,
    async idAfter({ condition, isNewestFirst, of }, count) {
      const open = sql`SELECT id FROM terce.events`
      const settled = sql`SELECT id FROM terce.settled_events`
      const failed = sql`${settled} WHERE failure_code IS NOT NULL`
      const ids = of === 'open' ? open : of === 'failed' ? failed : sql`${open} UNION ALL ${settled}`
      const [row] = await db
        .select({ id: sql<string>`id` })
        .from(sql`(${ids}) AS ids`)
        .where(condition)
        .orderBy(isNewestFirst ? sql`id DESC` : sql`id`)
        .limit(1)
        .offset(count)
      return row?.id ?? null
    },
    isOneOf: (ids) => dialect.isOneOf(allEvents.id, ids),
    ofUser: (userId) => eq(allEvents.userId, userId),
    async selectExchange(eventId) {
      const [row] = await db
        .select({ exchange: settledEvents.exchange })
        .from(settledEvents)
        .where(eq(settledEvents.id, eventId))
      return row?.exchange ?? null
    },
    async select(where, order, limit) {
      const rows = await db
        .select()
        .from(allEvents)
        .innerJoin(users, eq(users.id, allEvents.userId))
        .where(where)
        .orderBy(order)
        .limit(limit)
      return rows.map(({ all_events: event, users: { firstName, lastName, externalId } }) => ({
        ...toEvent(event),
        firstName,
        lastName,
        externalId,
      }))
    },
  }
}

/** Without the columns of the view that only its conditions use. */
function toEvent({ dueAt, displaced, ...event }: typeof allEvents.$inferSelect): Event {
  return event
}
