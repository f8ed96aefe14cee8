// When the reminder of a task is owed, by docs/tasks.md. Shares no code with the planner.
import type { TaskState } from '../journal.ts'
import { timeOfDay, type WallClock } from './wall-clock.ts'

const MINUTE = 60_000
const DAY = 86_400_000

/**
 * The instant of the reminder of the task's present due time, if it is planned now; null for none. The caller knows whether
 * that reminder was settled before.
 */
export function reminderAt(
  task: TaskState & { reminderSentAt: number | null },
  { now, clock }: { now: number; clock: WallClock },
): number | null {
  const { dueAt, reminderSentAt } = task
  if (task.completedAt !== null || dueAt <= now) return null
  // Two reminders of a task are at least a day apart.
  const earliest = reminderSentAt === null ? now : Math.max(now, reminderSentAt + DAY)
  const wanted = Math.max(earliest, dueAt - task.remindBeforeMs)
  if (wanted >= dueAt) return null
  const quiet = task.quietHours === null ? null : quietHoursAround(wanted, task.quietHours, clock)
  if (quiet === null) return wanted
  if (quiet.endAt < dueAt) return quiet.endAt
  return Math.max(earliest, Math.min(wanted, quiet.lastMinuteBefore))
}

/** The quiet hours that contain the instant; null if it is outside of them. */
function quietHoursAround(
  instant: number,
  hours: string,
  clock: WallClock,
): { endAt: number; lastMinuteBefore: number } | null {
  const [from, to] = hours.split('-').map(timeOfDay) as [number, number]
  const wall = clock.wallAt(instant)
  // The last time up to now at which the clock showed their beginning.
  const begin = wall - modulo(wall - from, DAY)
  const end = begin + modulo(to - from, DAY)
  if (wall >= end) return null
  const firstEnd = clock.instantOf(end)
  return {
    // Where the clock was set back, the first of two such times can be over; the second is as far ahead as the clock shows.
    endAt: firstEnd < instant ? instant + end - wall : firstEnd,
    lastMinuteBefore: clock.instantOf(begin - MINUTE),
  }
}

function modulo(value: number, divisor: number): number {
  return ((value % divisor) + divisor) % divisor
}
