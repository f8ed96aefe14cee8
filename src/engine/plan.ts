// Turns schedules into events: the first, the successor, the rescheduled. Pure but for the ids it is handed.

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

/** Today's occurrence though its time has passed, to go out at once; null if today is not the day. */
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

/** The first later occurrence that is still ahead: after long downtime the years between are not made up. */
export function planSuccessor(
  planner: Planner,
  claim: Claim,
  end: { now: number; delivered: boolean },
): PlannedEvent | null {
  // The event it repeats has left its successor.
  if (claim.replayOf !== null) return null
  const { occasion, user, occurrence, targetAt } = claim
  const task = claim.task && end.delivered ? { ...claim.task, reminderSentAt: end.now } : claim.task
  return planFirst(planner, { occasion, user, task }, { now: end.now, after: { occurrence, targetAt } })
}

/** What a change of the user does to their open events; null for nothing. An event in flight runs as it is. */
export function planReschedules(
  planner: Planner,
  change: { person: Person; after: Where; changes: readonly UserChanged[]; now: number },
): Reschedule[] | null {
  if (change.changes.length === 0) return null
  const bornAnew = change.changes.some(({ kind }) => kind === 'UserBirthdayChanged')
  const hasMoved = change.changes.some(({ kind }) => kind === 'UserTimezoneChanged')
  const reschedules: Reschedule[] = []
  for (const plan of change.person.plans) {
    if (plan.open === null) continue
    const { id: eventId, version, status } = plan.open
    const ruleChanged = bornAnew && plan.occasion.date === null && plan.task === null
    const how = { where: change.after, now: change.now, ruleChanged }
    // A task does not know when its person was born.
    const moved = plan.task === null || hasMoved ? move(planner, plan, how) : null
    const to = status === 'PROCESSING' ? null : (moved ?? stay(plan.occasion, plan.open))
    reschedules.push({ eventId, version, to })
  }
  return reschedules
}

/** What other rules for the same places do to a pending event; null if it stays where it is. */
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

/** What a change of an occasion or its task does to its event. What is owed already stays owed, unless the day changed. */
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

/** Whether what is owed falls on another day now, or on none: then it is owed no more. */
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
