// The columns of users, occasions and tasks.
import type { Occasion } from '../../../domain/occasions/occasion.ts'
import { TASK_REMINDER, type Task } from '../../../domain/tasks/task.ts'
import { searchText } from '../../../domain/users/search.ts'
import type { User } from '../../../domain/users/user.ts'
import { type Columns, jsonFields, omit, positionsOf } from './columns.ts'

export const USER = {
  id: ['uuid', (user) => user.id],
  first_name: ['text', (user) => user.firstName],
  last_name: ['text', (user) => user.lastName],
  search_text: ['text', searchText],
  date_of_birth: ['text', (user) => user.dateOfBirth],
  timezone: ['text', (user) => user.timezone],
  email: ['text', (user) => user.email],
  language: ['text', (user) => user.language],
  external_id: ['text', (user) => user.externalId],
  version: ['int', (user) => user.version],
  created_at: ['instant', (user) => user.createdAt],
  updated_at: ['instant', (user) => user.updatedAt],
} satisfies Columns<User>

export const OCCASION = {
  id: ['uuid', (occasion) => occasion.id],
  user_id: ['uuid', (occasion) => occasion.userId],
  type: ['text', (occasion) => occasion.type],
  date: ['text', (occasion) => occasion.date],
  local_time: ['text', (occasion) => occasion.localTime],
  leap_day: ['text', (occasion) => occasion.leapDay],
  shift_days: ['int', (occasion) => occasion.shiftDays],
  on_weekend: ['text', (occasion) => occasion.onWeekend],
  repeats: ['text', (occasion) => occasion.repeats],
  calendar: ['text', (occasion) => occasion.calendar],
  rule_revision: ['int', (occasion) => occasion.ruleRevision],
  until: ['text', (occasion) => occasion.until],
  paused_at: ['instant', (occasion) => occasion.pausedAt],
  bulk_paused_at: ['instant', (occasion) => occasion.bulkPausedAt],
  template: ['text', (occasion) => occasion.template],
  channel_id: ['uuid', (occasion) => occasion.channelId],
  not_after: ['text', (occasion) => occasion.notAfter],
  data: ['text', (occasion) => occasion.data],
  version: ['int', (occasion) => occasion.version],
} satisfies Columns<Occasion>

/** The columns of an occasion in a row that has the ids elsewhere. */
export const OCCASION_DETAILS = omit(OCCASION, 'id user_id')
const AT = positionsOf(OCCASION_DETAILS)

/**
 * Reads an occasion whose details begin at a position of the row. By position: taking the row apart with patterns doubled the
 * time of a claim.
 */
export function occasionFrom(
  row: readonly unknown[],
  start: number,
  ids: Pick<Occasion, 'id' | 'userId'>,
): Occasion {
  return {
    id: ids.id,
    userId: ids.userId,
    type: row[start + AT.type],
    date: row[start + AT.date],
    localTime: row[start + AT.local_time],
    leapDay: row[start + AT.leap_day],
    shiftDays: row[start + AT.shift_days],
    onWeekend: row[start + AT.on_weekend],
    repeats: row[start + AT.repeats],
    calendar: row[start + AT.calendar],
    ruleRevision: row[start + AT.rule_revision],
    until: row[start + AT.until],
    pausedAt: row[start + AT.paused_at],
    bulkPausedAt: row[start + AT.bulk_paused_at],
    template: row[start + AT.template],
    channelId: row[start + AT.channel_id],
    notAfter: row[start + AT.not_after],
    data: row[start + AT.data],
    version: row[start + AT.version],
  } as Occasion
}

export const TASK = {
  id: ['uuid', (task) => task.id],
  user_id: ['uuid', (task) => task.userId],
  title: ['text', (task) => task.title],
  due_at: ['instant', (task) => task.dueAt],
  due_revision: ['int', (task) => task.dueRevision],
  remind_before_ms: ['bigint', (task) => task.remindBeforeMs],
  quiet_hours: ['text', (task) => task.quietHours],
  data: ['text', (task) => task.data],
  completed_at: ['instant', (task) => task.completedAt],
  reminder_sent_at: ['instant', (task) => task.reminderSentAt],
  created_at: ['instant', (task) => task.createdAt],
  updated_at: ['instant', (task) => task.updatedAt],
  version: ['int', (task) => task.version],
} satisfies Columns<Task>

/** How a dialect writes a JSON object, and an instant in it; `schema` precedes the name of a table. */
type TaskSql = { object: string; inMs: (column: string) => string; schema: '' | 'terce.' }

/** SQL: the task of the occasion in the row `o` as a JSON object; null if it is no reminder. */
export const taskSql = ({ object, inMs, schema }: TaskSql) =>
  `CASE WHEN o.type = '${TASK_REMINDER}' THEN (SELECT ${object}(${jsonFields(TASK, 't.', inMs)}) FROM ${schema}tasks AS t WHERE t.id = o.id) END`

export const taskFrom = (json: string | null): Task | null => (json === null ? null : JSON.parse(json))
