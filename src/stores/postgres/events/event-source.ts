// Events by the view over open and settled ones.
import { and, eq, exists, gte, sql } from 'drizzle-orm'
import type { NodePgDatabase } from 'drizzle-orm/node-postgres'
import type { Event } from '../../../domain/events/event.ts'
import type { EventSource } from '../../shared/events.ts'
import { dialect } from '../dialect.ts'
import { allEvents, attempts, settledEvents, users } from '../schema/schema.ts'
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
    isOneOf: (ids) => dialect.isOneOf(allEvents.id, ids),
    ofUser: (userId) => eq(allEvents.userId, userId),
    hasUnknownSince: (at) =>
      exists(
        db
          .select({ number: attempts.number })
          .from(attempts)
          .where(
            and(
              eq(attempts.eventId, allEvents.id),
              eq(attempts.outcome, 'UNKNOWN'),
              gte(attempts.finishedAt, at),
            ),
          ),
      ),
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
      return rows.map(({ all_events: event, users: { firstName, lastName } }) => ({
        ...toEvent(event),
        firstName,
        lastName,
      }))
    },
  }
}

/** Without the columns of the view that only its conditions use. */
function toEvent({ dueAt, displaced, ...event }: typeof allEvents.$inferSelect): Event {
  return event
}
