// Events, payloads and attempts. They have no foreign keys: each is only ever written by joining the row it belongs to, and
// the checks cost 15 % of a drain.
import type { AttemptOutcome } from '../../domain/events/event.ts'
import type { Builders, ColumnTypes, DialectName } from './builders.ts'

/** The columns of every event. */
export const plannedColumns = <D extends DialectName>({
  uuid,
  text,
  int,
  bool,
  instant,
}: ColumnTypes<D>) => ({
  occasionId: uuid('occasion_id').notNull(),
  occurrence: text().notNull(),
  targetAt: instant('target_at').notNull(),
  offsetSeconds: int('offset_seconds').notNull(),
  timezone: text().notNull(),
  tzVersion: text('tz_version').notNull(),
  retryCount: int('retry_count').notNull(),
  version: int().notNull(),
  createdAt: instant('created_at').notNull(),
  updatedAt: instant('updated_at').notNull(),
  replayOf: uuid('replay_of'),
  ownKey: bool('own_key').notNull().default(false),
  /** The channel of the latest attempt. Null: it was never tried, or not recorded then. */
  channelId: uuid('channel_id'),
})

/** The columns that only an open event needs. */
export const openColumns = <D extends DialectName>({ text, int, instant }: ColumnTypes<D>) => ({
  /** These are in no index, so that a claim touches none, and on PostgreSQL is an update in place (HOT). */
  leaseUntil: instant('lease_until'),
  /** The batch of a provisional lease; null for a final one. */
  leaseBatch: int('lease_batch'),
  claimedBy: text('claimed_by'),
  claimedAt: instant('claimed_at'),
  planRevision: int('plan_revision').notNull(),
})

/** The columns that only a settled event needs, beside those of its last claim. */
export const settledColumns = <D extends DialectName>({ text, int }: ColumnTypes<D>) => ({
  statusCode: int('status_code'),
  failureCode: text('failure_code'),
  lastError: text('last_error'),
  /** JSON: the destination and the response of the attempt that settled it. */
  exchange: text(),
})

export function deliveryTables<D extends DialectName>({
  table,
  uuid,
  text,
  int,
  instant,
  primaryKey,
}: Builders<D>) {
  /**
   * What an event says, byte for byte, from its first attempt on. Kept out of the row that every step rewrites: in it, the update that
   * brings it would not be in place on PostgreSQL, and would cost three index entries instead of one.
   */
  const payloads = table('payloads', {
    eventId: uuid('event_id').primaryKey(),
    body: text().notNull(),
  })

  /** The attempts that did not settle their event. The one that did is told by the event itself. */
  const attempts = table(
    'attempts',
    {
      eventId: uuid('event_id').notNull(),
      number: int().notNull(),
      claimedBy: text('claimed_by').notNull(),
      startedAt: instant('started_at').notNull(),
      finishedAt: instant('finished_at').notNull(),
      statusCode: int('status_code'),
      error: text().notNull(),
      outcome: text().$type<UnsettledOutcome>().notNull().default('RETRY'),
      channelId: uuid('channel_id'),
      /** JSON: the destination and the response. */
      exchange: text(),
    },
    (columns) => [primaryKey({ columns: [columns.eventId, columns.number] })],
  )

  /**
   * The moves of open events. `version` is the event's version after the move. `from` is null for an event that a change
   * inserted, `to` for an event that a change removed.
   */
  const moves = table(
    'moves',
    {
      occasionId: uuid('occasion_id').notNull(),
      eventId: uuid('event_id').notNull(),
      version: int().notNull(),
      cause: text().notNull(),
      movedAt: instant('moved_at').notNull(),
      fromOccurrence: text('from_occurrence'),
      fromTargetAt: instant('from_target_at'),
      fromOffsetSeconds: int('from_offset_seconds'),
      fromTimezone: text('from_timezone'),
      toOccurrence: text('to_occurrence'),
      toTargetAt: instant('to_target_at'),
      toOffsetSeconds: int('to_offset_seconds'),
      toTimezone: text('to_timezone'),
    },
    (columns) => [primaryKey({ columns: [columns.occasionId, columns.eventId, columns.version] })],
  )

  return { payloads, attempts, moves }
}

/** An outcome that leaves its event open. */
type UnsettledOutcome = Exclude<AttemptOutcome, 'DELIVERED' | 'FAILED'>
