// When a task is reminded of: docs/tasks.md said once more, in its own words and on the oracle's clock.
import { DAY, HOUR, MINUTE } from '../../support/fixtures.ts'
import { instantOf, wallAt } from './oracle.ts'

export type TaskRow = {
  id: string
  user_id: string
  title: string
  due_at: number
  due_revision: number
  remind_before_ms: number
  quiet_hours: string | null
  completed_at: number | null
  reminder_sent_at: number | null
  created_at: number
  updated_at: number
}

/** By whose clocks the night is counted, and by which timezone table. */
export type Where = { timezone: string; release: string }

/** One for each time that the task was given an instant to be due at. */
export function reminderName({ due_revision }: TaskRow): string {
  return `due-${due_revision}`
}

/** The instant of the reminder that a task gets if it is planned now; null for none. */
export function reminderAt(
  task: TaskRow,
  { now, given, where }: { now: number; given: string | null; where: Where },
): number | null {
  const isOver = task.completed_at !== null || task.due_at <= now
  if (isOver || given === reminderName(task)) return null
  // Never twice within a day.
  const earliest = task.reminder_sent_at === null ? now : Math.max(now, task.reminder_sent_at + DAY)
  const at = Math.max(earliest, task.due_at - task.remind_before_ms)
  if (at >= task.due_at) return null
  const night = task.quiet_hours && nightAt(at, task.quiet_hours, where)
  if (!night) return at
  if (night.endsAt < task.due_at) return night.endsAt
  return Math.max(earliest, Math.min(at, night.lastMinuteBefore))
}

/** The quiet hours that it is at an instant; null if it is not quiet. */
function nightAt(at: number, hours: string, { timezone, release }: Where) {
  const [from, to] = hours.split('-').map(timeOfDay) as [number, number]
  const wall = wallAt(at, timezone, release)
  const began = lastBefore(wall, from)
  if (began + ((to - from + DAY) % DAY) <= wall) return null
  const ends = began + ((to - from + DAY) % DAY)
  // Where clocks are set back the hour comes twice: the one that counts is still to come.
  const first = instantOf(ends, timezone, release)
  const shown = [first, at + ends - wall].filter(
    (one) => one >= at && wallAt(one, timezone, release) === ends,
  )
  const endsAt = shown.length > 0 ? Math.min(...shown) : first
  return { endsAt, lastMinuteBefore: instantOf(began - MINUTE, timezone, release) }
}

/** The last time, up to a wall time, that the clock on the wall showed an hour. */
function lastBefore(wall: number, hour: number): number {
  const today = wall - (((wall % DAY) + DAY) % DAY) + hour
  return today <= wall ? today : today - DAY
}

function timeOfDay(text: string): number {
  const [hour, minute] = text.split(':').map(Number)
  return hour! * HOUR + minute! * MINUTE
}
