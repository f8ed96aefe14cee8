// The instant of a task's reminder, computed from docs/tasks.md independently of the product, with the oracle's clock.
import { DAY, MINUTE } from '../../support/fixtures.ts'
import { instantOf, timeOfDay, wallAt } from '../../support/oracle/clock.ts'

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

/** The timezone of the quiet hours and the timezone table. */
export type Where = { timezone: string; release: string }

/** The name of the reminder's occurrence: one for each due time that the task has had. */
export function reminderName({ due_revision }: TaskRow): string {
  return `due-${due_revision}`
}

/** The instant of the reminder if it is planned now; null for none. */
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
  const quiet = task.quiet_hours && quietHoursAt(at, task.quiet_hours, where)
  if (!quiet) return at
  if (quiet.endsAt < task.due_at) return quiet.endsAt
  return Math.max(earliest, Math.min(at, quiet.lastMinuteBefore))
}

/** The quiet hours around an instant; null if it is outside of them. */
function quietHoursAt(at: number, hours: string, { timezone, release }: Where) {
  const [from, to] = hours.split('-').map(timeOfDay) as [number, number]
  const wall = wallAt(at, timezone, release)
  const began = lastBefore(wall, from)
  if (began + ((to - from + DAY) % DAY) <= wall) return null
  const ends = began + ((to - from + DAY) % DAY)
  // Where clocks are set back the hour comes twice: take the one still ahead.
  const first = instantOf(ends, timezone, release)
  const shown = [first, at + ends - wall].filter(
    (one) => one >= at && wallAt(one, timezone, release) === ends,
  )
  const endsAt = shown.length > 0 ? Math.min(...shown) : first
  return { endsAt, lastMinuteBefore: instantOf(began - MINUTE, timezone, release) }
}

/** The last wall time, up to the given one, with that time of day. */
function lastBefore(wall: number, hour: number): number {
  const today = wall - (((wall % DAY) + DAY) % DAY) + hour
  return today <= wall ? today : today - DAY
}
