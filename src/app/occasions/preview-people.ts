// Everything that will be sent to many people in a period, in order of time. Holds one occurrence of each occasion, never
// all of them: many years need no more memory than one.
import { createHeap } from '../../domain/heap.ts'
import { explainOccurrence } from '../../domain/occasions/explain.ts'
import { occasionType } from '../../domain/occasions/occasion-types.ts'
import { isGregorianYearly } from '../../domain/occasions/recurring.ts'
import { type LastSettled, ruleOf, type Slot } from '../../domain/occasions/schedule.ts'
import type { TimezoneTable } from '../../domain/time/tzdb.ts'
import type { User } from '../../domain/users/user.ts'
import type { OccasionPlan } from '../../ports/store.ts'
import { slotNotes } from './preview-occasion.ts'

type PreviewOptions = {
  startsAt: number
  /** Exclusive. */
  endsAt: number
  /** Nothing is planned before it. */
  now: number
  table: TimezoneTable
}

type PersonOccasion = Pick<OccasionPlan, 'occasion' | 'task'> & {
  /** Where the person is listed, such as `line 7`; in a database, the id. */
  who: string
  user: Pick<User, 'firstName' | 'lastName' | 'dateOfBirth' | 'timezone'>
}

/** An occasion of a person with its open event and its last settled one. */
export type PersonPlan = PersonOccasion & Pick<OccasionPlan, 'open' | 'lastSettled'>

export type PreviewedSlot = {
  of: PersonOccasion
  slot: Pick<Slot, 'occurrence' | 'instant' | 'offsetSeconds'> & Partial<Slot>
}

/** The first message of an occasion in the period; null if there is none. */
export function firstDue(plan: PersonPlan, options: PreviewOptions): PreviewedSlot | null {
  const { who, occasion, task, open, lastSettled } = plan
  const { firstName, lastName, dateOfBirth, timezone } = plan.user
  const of = { who, user: { firstName, lastName, dateOfBirth, timezone }, occasion, task }
  const { startsAt, endsAt, now } = options
  // An overdue event is sent as soon as possible.
  if (open === null || open.targetAt >= endsAt || Math.max(open.targetAt, now) < startsAt)
    return dueAfter(of, open ?? lastSettled, options)
  const { occurrence, targetAt: instant, offsetSeconds } = open
  const { series } = occasionType(occasion.type)
  const named = isKnown(timezone, options.table) ? series.named(of, occurrence, options.table) : null
  return { of, slot: named?.instant === instant ? named : { occurrence, instant, offsetSeconds } }
}

/** Each of these messages and all that follow it in the period, in order of time. */
export function* dueInOrder(
  firsts: Iterable<PreviewedSlot>,
  options: PreviewOptions,
): Generator<PreviewedSlot> {
  const ahead = createHeap<PreviewedSlot>()
  for (const due of firsts) ahead.push(due.slot.instant, due)
  for (let due = ahead.pop(); due !== undefined; due = ahead.pop()) {
    const { occurrence, instant: targetAt } = due.slot
    const next = dueAfter(due.of, { occurrence, targetAt }, options)
    if (next !== null) ahead.push(next.slot.instant, next)
    yield due
  }
}

function dueAfter(
  of: PersonOccasion,
  after: LastSettled | null,
  options: PreviewOptions,
): PreviewedSlot | null {
  const { startsAt, endsAt, now, table } = options
  if (!isKnown(of.user.timezone, table)) return null
  const notBefore = Math.max(startsAt, now, after?.targetAt ?? startsAt)
  const slot = occasionType(of.occasion.type).series.first(of, { now: notBefore, after }, table)
  return slot !== null && slot.instant < endsAt ? { of, slot } : null
}

/** False for a stored timezone that the table does not have: then only the open event is known. */
function isKnown(timezone: string, table: TimezoneTable): boolean {
  return table.canonicalName(timezone) !== null
}

/** Why a message is at an unusual time: a code, and a sentence. */
export function notesOf(
  { of: { occasion, user }, slot }: PreviewedSlot,
  table: TimezoneTable,
): { code: string; text: string }[] {
  const year = /^(?:\d+:)?(\d{4})$/.exec(slot.occurrence)?.[1]
  const { date } = slot
  // An open event that was planned by another rule.
  if (date === undefined) return []
  const rule = ruleOf(occasion, user)
  if (rule !== null && isGregorianYearly(occasion) && year !== undefined)
    return explainOccurrence(rule, Number(year), table).notes
  return slotNotes({ ...slot, date }, occasion)
}
