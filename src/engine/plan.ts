// Plans events: the first, the successor, the rescheduled. Pure, except that ids come from the planner's `ids` function.

import type { PlannedEvent } from '../domain/events/event.ts'
import type { Ids } from '../domain/events/uuid.ts'
import type { Occasion } from '../domain/occasions/occasion.ts'
import { occasionType } from '../domain/occasions/occasion-types.ts'
import type { From, Schedule, Slot, Where } from '../domain/occasions/schedule.ts'
import type { Task } from '../domain/tasks/task.ts'
import { DAY_MS } from '../domain/time/calendar.ts'
import type { TimezoneTable } from '../domain/time/tzdb.ts'
import type { UserChanged } from '../domain/users/user.ts'
import type { Claim } from '../ports/claim.ts'
import type { OccasionPlan, OpenChange, OpenEvent, Person, Reschedule } from '../ports/store.ts'

export type Planner = { ids: Ids; table: TimezoneTable }

/** The first event of a schedule; null if nothing is left of it. */
export function planFirst(planner: Planner, schedule: Schedule, from: From): PlannedEvent | null {
  const slot = seriesOf(schedule.occasion).first(schedule, from, planner.table)
  return slot && toEvent(planner, schedule, slot)
}

/** Today's occurrence, due at once because its time has passed; null if none fell due earlier today. */
export function planToday(planner: Planner, schedule: Schedule, now: number): PlannedEvent | null {
  const zone = planner.table.zone(schedule.user.timezone)
  const localMs = now + zone.offsetMsAt(now)
  const midnight = zone.instantOf(Math.floor(localMs / DAY_MS) * DAY_MS).instant
  const event = planFirst(planner, schedule, { now: midnight, after: null })
  if (event === null || event.targetAt > now) return null
  return {
    ...event,
    id: planner.ids(now),
    targetAt: now,
    offsetSeconds: Math.round(zone.offsetMsAt(now) / 1000),
  }
}

/** The first later occurrence that is still in the future: occurrences missed in a long downtime are skipped. */
export function planSuccessor(
  planner: Planner,
  claim: Claim,
  end: { now: number; delivered: boolean },
): PlannedEvent | null {
  // A replay has no successor: the original event already has one.
  if (claim.replayOf !== null) return null
  const { occasion, user, occurrence, targetAt } = claim
  const task = claim.task && end.delivered ? { ...claim.task, reminderSentAt: end.now } : claim.task
  return planFirst(planner, { occasion, user, task }, { now: end.now, after: { occurrence, targetAt } })
}

/** The reschedules of a user's open events after a change of the user; null for none. An event in flight does not move. */
export function planReschedules(
  planner: Planner,
  change: { person: Person; after: Where; changes: readonly UserChanged[]; now: number },
): Reschedule[] | null {
  if (change.changes.length === 0) return null
  const birthDateChanged = change.changes.some(({ kind }) => kind === 'UserBirthdayChanged')
  const hasMoved = change.changes.some(({ kind }) => kind === 'UserTimezoneChanged')
  const reschedules: Reschedule[] = []
  for (const plan of change.person.plans) {
    if (plan.open === null) continue
    const { id: eventId, version, status } = plan.open
    const ruleChanged = birthDateChanged && plan.occasion.date === null && plan.task === null
    const how = { where: change.after, now: change.now, ruleChanged }
    // A task reminder does not depend on the date of birth.
    const moved = plan.task === null || hasMoved ? move(planner, plan, how) : null
    const to = status === 'PROCESSING' ? null : (moved ?? stay(plan.occasion, plan.open))
    reschedules.push({ eventId, version, to })
  }
  return reschedules
}

/** The move of a pending event under new timezone rules; null if it does not move. */
export function planReplan(
  planner: Planner,
  plan: OccasionPlan,
  where: Where,
  now: number,
): Reschedule | null {
  const { open } = plan
  if (open === null || open.status === 'PROCESSING') return null
  const to = move(planner, plan, { where, now, ruleChanged: false })
  return to && { eventId: open.id, version: open.version, to }
}

function move(
  planner: Planner,
  plan: OccasionPlan,
  to: { where: Where; now: number; ruleChanged: boolean },
): PlannedEvent | null {
  const open = plan.open!
  const schedule = { occasion: plan.occasion, user: to.where, task: plan.task }
  const series = seriesOf(plan.occasion)
  const from = { now: to.now, after: plan.lastSettled }
  const slot = to.ruleChanged
    ? series.first(schedule, from, planner.table)
    : series.moved(schedule, { ...from, pending: open.occurrence }, planner.table)
  return slot && { ...toEvent(planner, schedule, slot), id: open.id }
}

function stay(occasion: Occasion, open: OpenEvent): PlannedEvent {
  const { id, occurrence, targetAt, offsetSeconds, timezone, tzVersion } = open
  return { id, occasionId: occasion.id, occurrence, targetAt, offsetSeconds, timezone, tzVersion }
}

/**
 * The change to an occasion's open event after an edit of the occasion or its task. The event keeps its occurrence unless
 * its day changed.
 */
export function planOpen(
  planner: Planner,
  change: { before: OccasionPlan | null; after: OccasionPlan },
  where: Where,
  now: number,
): OpenChange {
  const { before, after } = change
  const { occasion, task, open, lastSettled } = after
  if (open?.status === 'PROCESSING') return { kind: 'keepInFlight', eventId: open.id, version: open.version }
  const kept = before === null || open === null || isOtherDay(planner, change, where) ? null : open
  if (kept !== null) {
    const moved = task === null ? move(planner, after, { where, now, ruleChanged: false }) : null
    const to = moved ?? stay(occasion, kept)
    return { kind: 'reschedule', eventId: kept.id, version: kept.version, to }
  }
  const event = planFirst(planner, { occasion, user: where, task }, { now, after: lastSettled })
  if (open === null) return { kind: 'insert', event }
  return {
    kind: 'reschedule',
    eventId: open.id,
    version: open.version,
    to: event && { ...event, id: open.id },
  }
}

/** Whether the edit moves the open occurrence to another day or removes it: then the event is planned again. */
function isOtherDay(
  { table }: Planner,
  { before, after }: { before: OccasionPlan | null; after: OccasionPlan },
  where: Where,
): boolean {
  if (after.task !== null) return isOtherReminder(before!.task!, after.task)
  const [was, is] = [before!, after].map(({ occasion, open }) =>
    seriesOf(occasion).named({ occasion, user: where, task: null }, open!.occurrence, table),
  )
  return !was || !is || was.occursOn !== is.occursOn
}

function isOtherReminder(was: Task, is: Task): boolean {
  const of = (task: Task) => [task.dueRevision, task.remindBeforeMs, task.quietHours, task.completedAt]
  return of(was).some((value, i) => value !== of(is)[i])
}

function seriesOf({ type }: Occasion) {
  return occasionType(type).series
}

function toEvent(planner: Planner, { occasion, user }: Schedule, slot: Slot): PlannedEvent {
  return {
    id: planner.ids(slot.instant),
    occasionId: occasion.id,
    occurrence: slot.occurrence,
    targetAt: slot.instant,
    offsetSeconds: slot.offsetSeconds,
    timezone: user.timezone,
    tzVersion: planner.table.version,
  }
}
