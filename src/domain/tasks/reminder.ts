// Chooses when the reminder of a task is sent. Never reads a clock.

import { originalOf } from '../events/idempotency-key.ts'
import { JITTER } from '../events/retry-policy.ts'
import type { Series, Slot } from '../occasions/schedule.ts'
import { civilFromLocalMs, DAY_MS, daysFromCivil, formatCivilDate } from '../time/calendar.ts'
import { formatLocalTime } from '../time/local-time.ts'
import type { Zone } from '../time/tzdb.ts'
import { parseQuietHours, type Task } from './task.ts'

/** The minimum time between two reminders of a task. */
const MIN_REMINDER_INTERVAL_MS = DAY_MS

export const reminders: Series = {
  first({ task, user }, { now, after }, table) {
    if (task === null) return null
    // A replay of a failed reminder is the same reminder.
    const lastReminder = after && originalOf(after.occurrence)
    return reminderOf(task, { now, lastReminder, zone: table.zone(user.timezone) })
  },
  // A reminder depends on the instant the task is due. Only quiet hours depend on the timezone, and only before it is due.
  moved(schedule, from, table) {
    const { task } = schedule
    if (task === null || task.quietHours === null || task.dueAt - task.remindBeforeMs < from.now) return null
    return reminders.first(schedule, from, table)
  },
  // A planned reminder depends on when it was planned, so it cannot be computed again from its name.
  named: () => null,
}

/** Each due date of a task has its own reminder. */
function reminderName({ dueRevision }: Task): string {
  return `due-${dueRevision}`
}

/**
 * The reminder is due `remindBeforeMs` before the task, or at once if that has passed. Null if the task is completed or past
 * due, if this reminder was settled, or if the minimum interval since the last reminder ends only after the task is due.
 */
function reminderOf(task: Task, at: { now: number; lastReminder: string | null; zone: Zone }): Slot | null {
  const { now, lastReminder, zone } = at
  const { dueAt, reminderSentAt } = task
  if (task.completedAt !== null || lastReminder === reminderName(task)) return null
  const earliest = Math.max(now, reminderSentAt === null ? 0 : reminderSentAt + MIN_REMINDER_INTERVAL_MS)
  const wanted = Math.max(earliest, dueAt - task.remindBeforeMs)
  if (wanted >= dueAt) return null
  const instant = outsideQuietHours(wanted, { task, earliest, zone })
  const offsetMs = zone.offsetMsAt(instant)
  const occursOn = formatCivilDate(civilFromLocalMs(instant + offsetMs))
  const offsetSeconds = Math.round(offsetMs / 1000)
  return { occurrence: reminderName(task), instant, offsetSeconds, occursOn, date: occursOn }
}

/** The shortest wait before a reminder that has used up its retries is tried again. */
const TRY_AGAIN_MS = DAY_MS / 24

/**
 * When a reminder that has used up its retries is tried again: outside of quiet hours, unless its task is due before they end.
 * Null if its task is due sooner than that, or has another due time now, which has a reminder of its own.
 */
export function tryAgainAt(
  task: Task,
  failed: { occurrence: string; now: number; retryAfterMs?: number | undefined; dice: number; zone: Zone },
): number | null {
  const { occurrence, now, retryAfterMs = 0, dice, zone } = failed
  const leastMs = Math.max(TRY_AGAIN_MS, retryAfterMs)
  const leftMs = task.dueAt - now
  if (originalOf(occurrence) !== reminderName(task) || leftMs <= leastMs) return null
  const jitterMs = Math.min(leastMs * JITTER, leftMs) - leastMs
  const wanted = now + Math.round(leastMs + jitterMs * dice)
  return outsideQuietHours(wanted, { task, earliest: wanted, zone })
}

/** How the quiet hours of a task decided the local time (`HH:MM`) of its reminder; null if they did not. */
export function quietHoursInWords({ quietHours }: Task, localTime: string): string | null {
  const quiet = quietHours === null ? null : parseQuietHours(quietHours)
  if (quiet === null) return null
  if (localTime === formatLocalTime(quiet.toMs)) return `Its quiet hours (${quietHours}) end then.`
  const lastMinute = formatLocalTime((quiet.fromMs - 60_000 + DAY_MS) % DAY_MS)
  return localTime === lastMinute ? `It is the last minute before its quiet hours (${quietHours}).` : null
}

/** Waits for the end of the quiet hours, or moves before their start if their end is after the task is due. */
function outsideQuietHours(
  wanted: number,
  { task, earliest, zone }: { task: Task; earliest: number; zone: Zone },
): number {
  const quiet = task.quietHours === null ? null : parseQuietHours(task.quietHours)
  if (quiet === null) return wanted
  const localMs = wanted + zone.offsetMsAt(wanted)
  const { year, month, day } = civilFromLocalMs(localMs)
  const midnight = daysFromCivil(year, month, day) * DAY_MS
  const sinceMidnight = localMs - midnight
  const overnight = quiet.fromMs > quiet.toMs
  const isQuiet = overnight
    ? sinceMidnight >= quiet.fromMs || sinceMidnight < quiet.toMs
    : sinceMidnight >= quiet.fromMs && sinceMidnight < quiet.toMs
  if (!isQuiet) return wanted
  const beganYesterday = overnight && sinceMidnight < quiet.toMs
  const begins = midnight + quiet.fromMs - (beganYesterday ? DAY_MS : 0)
  const ends = midnight + quiet.toMs + (overnight && !beganYesterday ? DAY_MS : 0)
  const first = zone.instantOf(ends).instant
  // If the clocks went back since then, instantOf returned the first of two passes; the second is meant.
  const after = first >= wanted ? first : wanted + ends - localMs
  if (after < task.dueAt) return after
  // The last minute before the quiet hours if it has not passed, else at once.
  return Math.max(earliest, Math.min(wanted, zone.instantOf(begins - 60_000).instant))
}
