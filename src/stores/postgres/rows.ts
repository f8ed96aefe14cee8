// Maps new users, occasions, tasks and planned events to rows.
import type { PlannedEvent } from '../../domain/events/event.ts'
import type { Occasion } from '../../domain/occasions/occasion.ts'
import type { Task } from '../../domain/tasks/task.ts'
import { searchText } from '../../domain/users/search.ts'
import type { User } from '../../domain/users/user.ts'
import type { NewPerson } from '../../ports/store.ts'
import type { Cell, Columns } from './arrays.ts'

export const USER: Columns = {
  id: 'uuid',
  first_name: 'text',
  last_name: 'text',
  search_text: 'text',
  date_of_birth: 'text',
  timezone: 'text',
  email: 'text',
  language: 'text',
  external_id: 'text',
  version: 'int',
  created_at: 'instant',
  updated_at: 'instant',
}

export function userRow(user: User): Cell[] {
  const { id, firstName, lastName, dateOfBirth, timezone, email, language, externalId } = user
  const { version, createdAt, updatedAt } = user
  const words = searchText(user)
  // biome-ignore format: the order of the columns, and no second array
  return [id, firstName, lastName, words, dateOfBirth, timezone, email, language, externalId, version, createdAt, updatedAt]
}

export const OCCASION: Columns = {
  id: 'uuid',
  user_id: 'uuid',
  type: 'text',
  date: 'text',
  local_time: 'text',
  leap_day: 'text',
  repeats: 'text',
  calendar: 'text',
  rule_revision: 'int',
  until: 'text',
  paused_at: 'instant',
  template: 'text',
  channel_id: 'uuid',
  not_after: 'text',
  version: 'int',
}

export function occasionRow(occasion: Occasion): Cell[] {
  const { id, userId, type, date, localTime, leapDay, repeats, calendar, ruleRevision, until, pausedAt } =
    occasion
  const { template, channelId, notAfter, version } = occasion
  const rule = [date, localTime, leapDay, repeats, calendar, ruleRevision, until, pausedAt]
  return [id, userId, type, ...rule, template, channelId, notAfter, version]
}

/** A claim reads the columns in this order, too. */
export const TASK: Columns = {
  id: 'uuid',
  user_id: 'uuid',
  title: 'text',
  due_at: 'instant',
  due_revision: 'int',
  remind_before_ms: 'bigint',
  quiet_hours: 'text',
  completed_at: 'instant',
  reminder_sent_at: 'instant',
  created_at: 'instant',
  updated_at: 'instant',
  version: 'int',
}

export function taskRow(task: Task): Cell[] {
  const { id, userId, title, dueAt, dueRevision, remindBeforeMs, quietHours } = task
  const { completedAt, reminderSentAt, createdAt, updatedAt, version } = task
  const fields = [id, userId, title, dueAt, dueRevision, remindBeforeMs, quietHours]
  return [...fields, completedAt, reminderSentAt, createdAt, updatedAt, version]
}

export const EVENT: Columns = {
  id: 'uuid',
  occasion_id: 'uuid',
  occurrence: 'text',
  target_at: 'instant',
  offset_seconds: 'int',
  timezone: 'text',
  tz_version: 'text',
  wake_at: 'instant',
  retry_count: 'int',
  version: 'int',
  plan_revision: 'int',
  created_at: 'instant',
  updated_at: 'instant',
}

export function eventRows({ user, events }: NewPerson): Cell[][] {
  return events.map((event) => eventRow(event, user.createdAt))
}

export function eventRow(event: PlannedEvent, now: number): Cell[] {
  const { id, occasionId, occurrence, targetAt, offsetSeconds, timezone, tzVersion } = event
  const planned = [id, occasionId, occurrence, targetAt, offsetSeconds, timezone, tzVersion, targetAt]
  return [...planned, 0, 1, 0, now, now]
}
