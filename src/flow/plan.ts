// Turns occasions into events: the first, the successor, the rescheduled. Pure but for the ids it is handed.
import type { PlannedEvent } from '../domain/event.ts'
import type { YearlyOccurrence } from '../domain/next-occurrence.ts'
import { firstOccurrence, movedOccurrence, type Occasion, ruleOf } from '../domain/occasion.ts'
import type { TimezoneTable } from '../domain/tzdb.ts'
import type { User, UserChanged } from '../domain/user.ts'
import type { Ids } from '../domain/uuid.ts'
import type { Claim, Person, Reschedule } from '../ports/store.ts'

export type Planner = { ids: Ids; table: TimezoneTable }
type Where = Pick<User, 'dateOfBirth' | 'timezone'>

export function planFirst(planner: Planner, occasion: Occasion, user: Where, now: number): PlannedEvent {
  const occurrence = firstOccurrence(ruleOf(occasion, user), { now, after: null }, planner.table)
  return toEvent(planner, occasion, user, occurrence)
}

/** The first later occurrence that is still ahead: after long downtime the years between are not made up. */
export function planSuccessor(planner: Planner, claim: Claim, now: number): PlannedEvent | null {
  const { occasion, user } = claim
  // The event it repeats has left its successor.
  if (claim.replayOf !== null) return null
  const occurrence = firstOccurrence(ruleOf(occasion, user), { now, after: claim.occurrence }, planner.table)
  return toEvent(planner, occasion, user, occurrence)
}

/** What a change of the user does to their open events; null for nothing. An event in flight runs as it is. */
export function planReschedules(
  planner: Planner,
  change: { person: Person; after: Where; changes: readonly UserChanged[]; now: number },
): Reschedule[] | null {
  if (change.changes.length === 0) return null
  const bornAnew = change.changes.some(({ kind }) => kind === 'UserBirthdayChanged')
  const reschedules: Reschedule[] = []
  for (const { occasion, open, lastSettled } of change.person.plans) {
    if (open === null) continue
    if (open.status === 'PROCESSING') {
      reschedules.push({ eventId: open.id, version: open.version, to: null })
      continue
    }
    const rule = ruleOf(occasion, change.after)
    const from = { now: change.now, after: lastSettled, pending: open.occurrence }
    const occurrence =
      bornAnew && occasion.date === null
        ? firstOccurrence(rule, from, planner.table)
        : movedOccurrence(rule, from, planner.table)
    const planned = toEvent(planner, occasion, change.after, occurrence)
    reschedules.push({ eventId: open.id, version: open.version, to: { ...planned, id: open.id } })
  }
  return reschedules
}

function toEvent(
  planner: Planner,
  occasion: Occasion,
  where: Where,
  occurrence: YearlyOccurrence,
): PlannedEvent {
  return {
    id: planner.ids(occurrence.instant),
    occasionId: occasion.id,
    occurrence: String(occurrence.year),
    targetAt: occurrence.instant,
    offsetSeconds: Math.round(occurrence.offsetMinutes * 60),
    timezone: where.timezone,
    tzVersion: planner.table.version,
  }
}
