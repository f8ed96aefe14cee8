// Maps new users, occasions, tasks and planned events to rows.
import type { PlannedEvent } from '../../domain/events/event.ts'
import type { Occasion } from '../../domain/occasions/occasion.ts'
import type { Task } from '../../domain/tasks/task.ts'
import { searchText } from '../../domain/users/search.ts'
import type { User } from '../../domain/users/user.ts'
import type { Value } from './executor.ts'

/** A version that no row has outside a batch: it marks rows that the batch itself inserted or claimed. */
export const MARK = 0

export const USER_COLUMNS = [
  'id',
  'first_name',
  'last_name',
  'search_text',
  'date_of_birth',
  'timezone',
  'email',
  'language',
  'external_id',
  'version',
  'created_at',
  'updated_at',
] as const

export function userRow(user: User): Value[] {
  return [
    user.id,
    user.firstName,
    user.lastName,
    searchText(user),
    user.dateOfBirth,
    user.timezone,
    user.email,
    user.language,
    user.externalId,
    user.version,
    user.createdAt,
    user.updatedAt,
  ]
}

export const OCCASION_COLUMNS = [
  'id',
  'user_id',
  'type',
  'date',
  'local_time',
  'leap_day',
  'repeats',
  'calendar',
  'rule_revision',
  'until',
  'paused_at',
  'template',
  'channel_id',
  'not_after',
  'version',
] as const

export function occasionRow(occasion: Occasion): Value[] {
  const { id, userId, type, date, localTime, leapDay, repeats, calendar, ruleRevision, until, pausedAt } =
    occasion
  const { template, channelId, notAfter, version } = occasion
  const rule = [date, localTime, leapDay, repeats, calendar, ruleRevision, until, pausedAt]
  return [id, userId, type, ...rule, template, channelId, notAfter, version]
}

/** A claim reads the columns in this order, too. */
export const TASK_COLUMNS = [
  'id',
  'user_id',
  'title',
  'due_at',
  'due_revision',
  'remind_before_ms',
  'quiet_hours',
  'completed_at',
  'reminder_sent_at',
  'created_at',
  'updated_at',
  'version',
] as const

export function taskRow(task: Task): Value[] {
  const { id, userId, title, dueAt, dueRevision, remindBeforeMs, quietHours } = task
  const { completedAt, reminderSentAt, createdAt, updatedAt, version } = task
  const fields = [id, userId, title, dueAt, dueRevision, remindBeforeMs, quietHours]
  return [...fields, completedAt, reminderSentAt, createdAt, updatedAt, version]
}

/** The columns of an event that was never claimed. */
export const EVENT_COLUMNS = [
  'id',
  'occasion_id',
  'occurrence',
  'status',
  'target_at',
  'offset_seconds',
  'timezone',
  'tz_version',
  'wake_at',
  'retry_count',
  'version',
  'plan_revision',
  'created_at',
  'updated_at',
] as const

export function eventRow(event: PlannedEvent, now: number): Value[] {
  return [
    event.id,
    event.occasionId,
    event.occurrence,
    'PENDING',
    event.targetAt,
    event.offsetSeconds,
    event.timezone,
    event.tzVersion,
    event.targetAt,
    0,
    1,
    0,
    now,
    now,
  ]
}
