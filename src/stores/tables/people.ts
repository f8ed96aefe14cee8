// Users, their occasions and tasks.
import { sql } from 'drizzle-orm'
import { check, index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'

export const users = sqliteTable(
  'users',
  {
    id: text().primaryKey(),
    firstName: text('first_name').notNull(),
    lastName: text('last_name').notNull(),
    /** As domain/users/search.ts has it. Triggers keep the words after the first one in `user_words`. */
    searchText: text('search_text').notNull(),
    dateOfBirth: text('date_of_birth').notNull(),
    timezone: text().notNull(),
    email: text(),
    language: text(),
    /** What they are called where they come from. */
    externalId: text('external_id'),
    version: integer().notNull(),
    createdAt: integer('created_at').notNull(),
    updatedAt: integer('updated_at').notNull(),
  },
  (table) => [
    index('users_by_timezone').on(table.timezone, table.id),
    index('users_by_name').on(table.searchText, table.id),
    index('users_by_creation').on(table.createdAt, table.id),
    check('users_dates', sql`date_of_birth like '____-__-__'`),
    uniqueIndex('users_by_external_id').on(table.externalId).where(sql`external_id is not null`),
  ],
)

/** The words of `search_text` after the first one, which `users_by_name` finds. Written by triggers. */
export const userWords = sqliteTable(
  'user_words',
  { word: text().notNull(), userId: text('user_id').notNull() },
  (table) => [primaryKey({ columns: [table.word, table.userId] })],
)

/** How many users each timezone has: the dashboard must not read every user. Written by triggers. */
export const zoneCounts = sqliteTable('zone_counts', {
  timezone: text().primaryKey(),
  people: integer().notNull(),
})

export const occasions = sqliteTable(
  'occasions',
  {
    id: text().primaryKey(),
    userId: text('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    type: text().notNull(),
    /** Null for the user's own date of birth. */
    date: text(),
    localTime: text('local_time').notNull(),
    leapDay: text('leap_day').notNull(),
    /** YEARLY, ONCE, or a rule of RFC 5545. */
    repeats: text().notNull().default('YEARLY'),
    calendar: text().notNull().default('gregorian'),
    ruleRevision: integer('rule_revision').notNull().default(1),
    until: text(),
    pausedAt: integer('paused_at'),
    /** Null unless a pause by filter paused it. */
    bulkPausedAt: integer('bulk_paused_at'),
    template: text(),
    channelId: text('channel_id'),
    notAfter: text('not_after'),
    /** The application's own, as JSON. */
    data: text(),
    version: integer().notNull().default(1),
  },
  (table) => [
    check('occasions_dates', sql`date like '____-__-__' and until like '____-__-__'`),
    index('occasions_by_user').on(table.userId),
    // Nearly everyone has a birthday, so it is in no index of types.
    index('occasions_by_type').on(table.type, table.userId).where(sql`type <> 'BIRTHDAY'`),
    index('occasions_by_channel').on(table.channelId).where(sql`channel_id is not null`),
    index('occasions_paused').on(table.userId).where(sql`paused_at is not null`),
  ],
)

/** What the occasions of the kind TASK_REMINDER remind of: one each, under the same id. */
export const tasks = sqliteTable(
  'tasks',
  {
    id: text()
      .primaryKey()
      .references(() => occasions.id, { onDelete: 'cascade' }),
    userId: text('user_id').notNull(),
    title: text().notNull(),
    dueAt: integer('due_at').notNull(),
    dueRevision: integer('due_revision').notNull(),
    remindBeforeMs: integer('remind_before_ms').notNull(),
    quietHours: text('quiet_hours'),
    /** The application's own, as JSON. */
    data: text(),
    completedAt: integer('completed_at'),
    reminderSentAt: integer('reminder_sent_at'),
    createdAt: integer('created_at').notNull(),
    updatedAt: integer('updated_at').notNull(),
    version: integer().notNull(),
  },
  (table) => [
    index('tasks_by_due').on(table.dueAt, table.id),
    index('tasks_by_user').on(table.userId, table.id),
  ],
)
