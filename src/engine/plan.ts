// Plans events: the first, the successor, the rescheduled. Pure, except that ids come from the planner's `ids` function.

import type { PlannedEvent } from '../domain/events/event.ts'
import { laneOf } from '../domain/events/lane.ts'
import type { Ids } from '../domain/events/uuid.ts'
import type { Occasion } from '../domain/occasions/occasion.ts'
import { occasionType } from '../domain/occasions/occasion-types.ts'
import { isGregorianYearly } from '../domain/occasions/recurring.ts'
import type { From, Schedule, Slot, Where } from '../domain/occasions/schedule.ts'
import type { Task } from '../domain/tasks/task.ts'
import { DAY_MS } from '../domain/time/calendar.ts'
import type { TimezoneTable } from '../domain/time/tzdb.ts'
import type { UserChanged } from '../domain/users/user.ts'
import type { Claim } from '../ports/claim.ts'
import type { NewOpenEvent, OccasionPlan, OpenChange, OpenEvent, Person, Reschedule } from '../ports/store.ts'

export type Planner = { ids: Ids; table: TimezoneTable }

/** The first event of a schedule; null if nothing is left of it. */
export function planFirst(planner: Planner, schedule: Schedule, from: From): PlannedEvent | null {
  const slot = seriesOf(schedule.occasion).first(schedule, from, planner.table)
  return slot && toEvent(planner, schedule, slot)
}

/** Today's occurrence, due at once because its time has passed; null if none fell due earlier today. */
export function planToday(planner: Planner, schedule: Schedule, now: number): PlannedEvent | null {
  const { midnight, offsetMs } = todayIn(planner.table, schedule.user.timezone, now)
  const event = planFirst(planner, schedule, { now: midnight, after: null })
  if (event === null || event.targetAt > now) return null
  return { ...event, id: planner.ids(now), targetAt: now, offsetSeconds: Math.round(offsetMs / 1000) }
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

type PersonChange = { person: Person; after: Where; changes: readonly UserChanged[]; now: number }

/** How a change of a user changes their open events. `reschedules` is null if it changes none. */
type UserPlan = { reschedules: Reschedule[] | null; inserts: NewOpenEvent[] }

/** An event in flight does not move. */
export function planUserChange(planner: Planner, change: PersonChange): UserPlan {
  const { plans } = change.person
  const isAffected = hasMoved(change) || plans.some((plan) => followsBirthDate(planner, plan, change))
  if (!isAffected) return { reschedules: null, inserts: [] }
  const open = plans.filter((plan) => plan.open !== null)
  return {
    reschedules: open.map((plan) => rescheduleOf(planner, plan, change)),
    inserts: plans.flatMap((plan) => aheadAgain(planner, plan, change)),
  }
}

/** An occasion whose last occurrence had passed when it was created gets its event if the change puts that occurrence ahead. */
function aheadAgain(planner: Planner, plan: OccasionPlan, { after, now }: PersonChange): NewOpenEvent[] {
  const { occasion, task, open, lastSettled } = plan
  // The reminder of a task is due at an instant, wherever its user is.
  if (open !== null || task !== null) return []
  const event = planFirst(planner, { occasion, user: after, task }, { now, after: lastSettled })
  return event === null ? [] : [{ event, lane: laneOf(occasion), occasionVersion: occasion.version }]
}

function hasMoved({ changes }: PersonChange): boolean {
  return changes.some(({ kind }) => kind === 'UserTimezoneChanged')
}

/** Whether a corrected date of birth can change this occurrence or the ones after it. */
function followsBirthDate(planner: Planner, plan: OccasionPlan, change: PersonChange): boolean {
  const corrected = change.changes.find(({ kind }) => kind === 'UserBirthdayChanged')
  if (corrected === undefined || plan.occasion.date !== null || plan.task !== null) return false
  // By the Gregorian calendar a corrected year moves nothing, unless this year becomes the year of birth.
  const sameDay = corrected.from?.slice(-5) === corrected.to?.slice(-5)
  return !sameDay || !isGregorianYearly(plan.occasion) || isOtherBirthday(planner, plan, change)
}

function isOtherBirthday(planner: Planner, { occasion, open }: OccasionPlan, change: PersonChange): boolean {
  // It may have an occurrence again.
  if (open === null) return true
  const { dateOfBirth } = change.person.user
  const schedules = [{ ...change.after, dateOfBirth }, change.after].map((user) => ({
    occasion,
    user,
    task: null,
  }))
  return isOtherDay(planner, schedules, open.occurrence)
}

function rescheduleOf(planner: Planner, plan: OccasionPlan, change: PersonChange): Reschedule {
  const { occasion, task, lastSettled } = plan
  const open = plan.open!
  const { id: eventId, version } = open
  const { after: where, now } = change
  if (open.status === 'PROCESSING') return { eventId, version, to: null }
  if (followsBirthDate(planner, plan, change) && isOtherBirthday(planner, plan, change)) {
    const event = planFirst(planner, { occasion, user: where, task }, { now, after: lastSettled })
    if (event === null) return { eventId, version, to: null, removed: true }
    return { eventId, version, to: { ...event, id: eventId }, cause: 'BIRTH_DATE_CHANGED' }
  }
  if (!hasMoved(change)) return { eventId, version, to: stay(occasion, open) }
  return { eventId, version, to: move(planner, plan, where, now) ?? stayIn(planner, plan, where) }
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
  const moved = move(planner, plan, where, now)
  const to = moved ?? (plan.task === null ? null : stayIn(planner, plan, where))
  return to && { eventId: open.id, version: open.version, to }
}

function move(planner: Planner, plan: OccasionPlan, where: Where, now: number): PlannedEvent | null {
  const open = plan.open!
  const schedule = { occasion: plan.occasion, user: where, task: plan.task }
  const from = { now, after: plan.lastSettled, pending: open.occurrence }
  const slot = seriesOf(plan.occasion).moved(schedule, from, planner.table)
  return slot && { ...toEvent(planner, schedule, slot), id: open.id }
}

/** The moved event. If an edit puts an event that was ahead before today, it is due at once: it is not late, its day is new. */
function notBeforeToday(
  { table }: Planner,
  { from, to, now }: { from: OpenEvent; to: PlannedEvent; now: number },
): PlannedEvent {
  const { midnight, offsetMs } = todayIn(table, to.timezone, now)
  if (from.targetAt <= now || to.targetAt >= midnight) return to
  return { ...to, targetAt: now, offsetSeconds: Math.round(offsetMs / 1000) }
}

function todayIn(
  table: TimezoneTable,
  timezone: string,
  now: number,
): { midnight: number; offsetMs: number } {
  const zone = table.zone(timezone)
  const offsetMs = zone.offsetMsAt(now)
  return { midnight: zone.instantOf(Math.floor((now + offsetMs) / DAY_MS) * DAY_MS).instant, offsetMs }
}

function stay(occasion: Occasion, open: OpenEvent): PlannedEvent {
  const { id, occurrence, targetAt, offsetSeconds, timezone, tzVersion } = open
  return { id, occasionId: occasion.id, occurrence, targetAt, offsetSeconds, timezone, tzVersion }
}

/** The event at its instant, with the local time of another place: a reminder is due at an instant, wherever its user is. */
function stayIn({ table }: Planner, { occasion, open }: OccasionPlan, { timezone }: Where): PlannedEvent {
  const event = stay(occasion, open!)
  const offsetSeconds = Math.round(table.zone(timezone).offsetMsAt(event.targetAt) / 1000)
  return { ...event, offsetSeconds, timezone, tzVersion: table.version }
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
  const kept =
    before === null || open === null || isEditedAway(planner, { before, after }, where) ? null : open
  if (kept !== null) {
    const moved = task === null ? move(planner, after, where, now) : null
    const to = moved === null ? stay(occasion, kept) : notBeforeToday(planner, { from: kept, to: moved, now })
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
function isEditedAway(
  planner: Planner,
  { before, after }: { before: OccasionPlan; after: OccasionPlan },
  where: Where,
): boolean {
  if (after.task !== null) return isOtherReminder(before.task!, after.task)
  const schedules = [before, after].map(({ occasion }) => ({ occasion, user: where, task: null }))
  return isOtherDay(planner, schedules, after.open!.occurrence)
}

/** Whether an occurrence is for different dates by two schedules, or is missing from one of them. */
function isOtherDay({ table }: Planner, schedules: readonly Schedule[], occurrence: string): boolean {
  const [was, is] = schedules.map((one) => seriesOf(one.occasion).named(one, occurrence, table))
  return !was || !is || was.date !== is.date
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
