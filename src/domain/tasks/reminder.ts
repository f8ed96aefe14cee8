// When a task is reminded of. Never reads a clock.

import { originalOf } from '../events/idempotency-key.ts'
import type { Series, Slot } from '../occasions/schedule.ts'
import { civilFromLocalMs, DAY_MS, daysFromCivil, formatCivilDate } from '../time/calendar.ts'
import type { Zone } from '../time/tzdb.ts'
import { parseQuietHours, type Task } from './task.ts'

/** Nobody is reminded of one task twice within this. */
const REMINDER_APART_MS = DAY_MS

export const reminders: Series = {
  first({ task, user }, { now, after }, table) {
    if (task === null) return null
    // One that failed may have been sent again: that was the same reminder.
    const remindedOf = after && originalOf(after.occurrence)
    return reminderOf(task, { now, remindedOf, zone: table.zone(user.timezone) })
  },
  // It hangs on the instant the task is due: only quiet hours move with the place, and nothing that is due already.
  moved(schedule, from, table) {
    const { task } = schedule
    if (task === null || task.quietHours === null || task.dueAt - task.remindBeforeMs < from.now) return null
    return reminders.first(schedule, from, table)
  },
  // One that is planned hangs on when that was done: what it names may be planned again, or not.
  named: () => null,
}

/** Which reminder: one for each time that the task was given an instant to be due at. */
function reminderName({ dueRevision }: Task): string {
  return `due-${dueRevision}`
}

/**
 * As soon as the task comes within its window: at that instant, or at once if it is inside. None for a task that is done
 * or past due, none that was given before, and none so soon after the last that it would be too late by then.
 */
function reminderOf(task: Task, at: { now: number; remindedOf: string | null; zone: Zone }): Slot | null {
  const { now, remindedOf, zone } = at
  const { dueAt, reminderSentAt } = task
  if (task.completedAt !== null || dueAt <= now || remindedOf === reminderName(task)) return null
  const earliest = Math.max(now, reminderSentAt === null ? 0 : reminderSentAt + REMINDER_APART_MS)
  const asked = Math.max(earliest, dueAt - task.remindBeforeMs)
  if (asked >= dueAt) return null
  const instant = outsideQuietHours(asked, { task, earliest, zone })
  const offsetMs = zone.offsetMsAt(instant)
  const slot = {
    occurrence: reminderName(task),
    instant,
    offsetSeconds: Math.round(offsetMs / 1000),
    occursOn: formatCivilDate(civilFromLocalMs(instant + offsetMs)),
  }
  return instant === asked ? slot : { ...slot, note: 'QUIET_HOURS' }
}

/** Waits for the end of the quiet hours, or comes before they begin where waiting would be too late. */
function outsideQuietHours(
  asked: number,
  { task, earliest, zone }: { task: Task; earliest: number; zone: Zone },
): number {
  const quiet = task.quietHours === null ? null : parseQuietHours(task.quietHours)
  if (quiet === null) return asked
  const localMs = asked + zone.offsetMsAt(asked)
  const { year, month, day } = civilFromLocalMs(localMs)
  const midnight = daysFromCivil(year, month, day) * DAY_MS
  const sinceMidnight = localMs - midnight
  const overnight = quiet.fromMs > quiet.toMs
  const isQuiet = overnight
    ? sinceMidnight >= quiet.fromMs || sinceMidnight < quiet.toMs
    : sinceMidnight >= quiet.fromMs && sinceMidnight < quiet.toMs
  if (!isQuiet) return asked
  const beganYesterday = overnight && sinceMidnight < quiet.toMs
  const begins = midnight + quiet.fromMs - (beganYesterday ? DAY_MS : 0)
  const ends = midnight + quiet.toMs + (overnight && !beganYesterday ? DAY_MS : 0)
  const first = zone.instantOf(ends).instant
  // Where clocks went back since, that was the first time that they showed it.
  const after = first >= asked ? first : asked + ends - localMs
  if (after < task.dueAt) return after
  // The last minute before it gets quiet, if that is still to come; else better now than never.
  return Math.max(earliest, Math.min(asked, zone.instantOf(begins - 60_000).instant))
}
