// Users, their occasions and tasks.
import { type Column, sql } from 'drizzle-orm'
import type { Builders, Constraint, DialectName } from './builders.ts'

/** `wordIndexes` find users by any word, as a dialect does. */
export function userTable<D extends DialectName>(
  { table, uuid, text, bytewiseText, int, instant, index, uniqueIndex, check }: Builders<D>,
  wordIndexes: Constraint[] = [],
) {
  return table(
    'users',
    {
      id: uuid().primaryKey(),
      firstName: text('first_name').notNull(),
      lastName: text('last_name'),
      /** As domain/users/search.ts has it. */
      searchText: bytewiseText('search_text').notNull(),
      dateOfBirth: text('date_of_birth'),
      timezone: text().notNull(),
      email: text(),
      language: text(),
      /** What they are called where they come from. */
      externalId: text('external_id'),
      version: int().notNull(),
      createdAt: instant('created_at').notNull(),
      updatedAt: instant('updated_at').notNull(),
    },
    (columns) => [
      index('users_by_timezone').on(columns.timezone, columns.id),
      index('users_by_name').on(columns.searchText, columns.id),
      ...wordIndexes,
      check('users_dates', sql`date_of_birth like '____-__-__' or date_of_birth like '--__-__'`),
      uniqueIndex('users_by_external_id').on(columns.externalId).where(sql`external_id is not null`),
    ],
  )
}

export function occasionTables<D extends DialectName>(
  { table, uuid, text, int, bigint, instant, index, check }: Builders<D>,
  users: { id: Column },
) {
  const occasions = table(
    'occasions',
    {
      id: uuid().primaryKey(),
      userId: uuid('user_id')
        .notNull()
        .references(() => users.id, { onDelete: 'cascade' }),
      type: text().notNull(),
      /** Null for the user's own date of birth. */
      date: text(),
      localTime: text('local_time').notNull(),
      leapDay: text('leap_day').notNull(),
      /** Days from the date to the day of sending; null for none. */
      shiftDays: int('shift_days'),
      onWeekend: text('on_weekend'),
      /** YEARLY, ONCE, or a rule of RFC 5545. */
      repeats: text().notNull().default('YEARLY'),
      calendar: text().notNull().default('gregorian'),
      ruleRevision: int('rule_revision').notNull().default(1),
      until: text(),
      pausedAt: instant('paused_at'),
      /** Null unless a pause by filter paused it. */
      bulkPausedAt: instant('bulk_paused_at'),
      template: text(),
      channelId: uuid('channel_id'),
      notAfter: text('not_after'),
      /** The application's own, as JSON. */
      data: text(),
      version: int().notNull().default(1),
    },
    (columns) => [
      check('occasions_dates', sql`date like '____-__-__' and until like '____-__-__'`),
      index('occasions_by_user').on(columns.userId),
      // Nearly everyone has a birthday, so it is in no index of types.
      index('occasions_by_type').on(columns.type, columns.userId).where(sql`type <> 'BIRTHDAY'`),
      index('occasions_by_channel').on(columns.channelId).where(sql`channel_id is not null`),
      index('occasions_paused').on(columns.userId).where(sql`paused_at is not null`),
    ],
  )

  /** What the occasions of the kind TASK_REMINDER remind of: one each, under the same id. */
  const tasks = table(
    'tasks',
    {
      id: uuid()
        .primaryKey()
        .references(() => occasions.id, { onDelete: 'cascade' }),
      userId: uuid('user_id').notNull(),
      title: text().notNull(),
      dueAt: instant('due_at').notNull(),
      dueRevision: int('due_revision').notNull(),
      /** Too long for an integer from 25 days on. */
      remindBeforeMs: bigint('remind_before_ms').notNull(),
      quietHours: text('quiet_hours'),
      /** The application's own, as JSON. */
      data: text(),
      completedAt: instant('completed_at'),
      reminderSentAt: instant('reminder_sent_at'),
      createdAt: instant('created_at').notNull(),
      updatedAt: instant('updated_at').notNull(),
      version: int().notNull(),
    },
    (columns) => [
      index('tasks_by_due').on(columns.dueAt, columns.id),
      index('tasks_by_user').on(columns.userId, columns.id),
    ],
  )

  return { occasions, tasks }
}
