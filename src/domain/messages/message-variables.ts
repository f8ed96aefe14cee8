// The variables of a message template. Pure: the time of sending is an argument.
import { toCalendar } from '../calendars/calendars.ts'
import type { PlannedEvent } from '../events/event.ts'
import type { LeapDay } from '../occasions/next-occurrence.ts'
import { dateOfOccurrence, namedYear } from '../occasions/occurrence-date.ts'
import type { Task } from '../tasks/task.ts'
import { dayNumber, parseCivilDate } from '../time/calendar.ts'
import { formatLocal } from '../time/timestamp.ts'
import type { TimezoneTable } from '../time/tzdb.ts'
import { hasYear } from '../users/date-of-birth.ts'
import { fullName } from '../users/full-name.ts'
import type { User } from '../users/user.ts'

/** Every name that a template may use. */
export const VARIABLES = [
  'firstName',
  'lastName',
  'fullName',
  'age',
  'years',
  'type',
  'occurrence',
  'date',
  'daysUntil',
  'localDate',
  'localTime',
  'timezone',
  'lateBySeconds',
  'belated',
  'language',
  'externalId',
  'title',
  'dueDate',
  'dueTime',
] as const
export type VariableName = (typeof VARIABLES)[number]
export type Scalar = string | number | boolean | null

/** The part of an event that templates can read. `date` is the original date; null for the date of birth. */
export type MessageEvent = PlannedEvent & {
  eventType: string
  occasion: { date: string | null; leapDay?: LeapDay; data?: string | null }
  /** The task of a reminder. */
  task?: (Pick<Task, 'id' | 'title' | 'dueAt'> & { data?: string | null }) | null
}
type MessagePerson = Pick<User, 'id' | 'firstName' | 'lastName' | 'language' | 'externalId'> & {
  dateOfBirth: string | null
}
export type Facts = {
  event: MessageEvent
  person: MessagePerson
  now: number
  /** Local times other than the event's own are computed with it. */
  table: TimezoneTable
}

export function variableOf(name: VariableName, { event, person, now, table }: Facts): Scalar {
  switch (name) {
    case 'firstName':
    case 'lastName':
    case 'language':
    case 'externalId':
      return person[name]
    case 'fullName':
      return fullName(person)
    case 'age':
      return ageOf(event, person, table)
    case 'years':
      return event.task ? null : yearsSince(event.occasion.date ?? person.dateOfBirth, event)
    case 'type':
      return event.eventType
    case 'occurrence':
    case 'timezone':
      return event[name]
    case 'date':
      return dateOf(event, person, table)
    case 'daysUntil':
      return daysUntil(event, person, { now, table })
    case 'localDate':
      return localDateOf(event)
    case 'localTime':
      return formatLocal(event.targetAt, event.offsetSeconds).slice(11, 16)
    case 'lateBySeconds':
      return lateBySeconds(event, now)
    case 'belated':
      return isBelated(event, now, table)
    case 'title':
      return event.task?.title ?? null
    case 'dueDate':
      return dueLocal(event, table)?.slice(0, 10) ?? null
    case 'dueTime':
      return dueLocal(event, table)?.slice(11, 16) ?? null
  }
}

export function lateBySeconds(event: PlannedEvent, now: number): number {
  return Math.max(0, Math.floor((now - event.targetAt) / 1000))
}

/** True once the local day has ended: late in the evening of a birthday is late, but it is still the birthday. */
function isBelated(event: PlannedEvent, now: number, table: TimezoneTable): boolean {
  return now > event.targetAt && localAt(event, now, table).slice(0, 10) !== localDateOf(event)
}

function localDateOf({ targetAt, offsetSeconds }: PlannedEvent): string {
  return formatLocal(targetAt, offsetSeconds).slice(0, 10)
}

function dueLocal(event: MessageEvent, table: TimezoneTable): string | null {
  return event.task ? localAt(event, event.task.dueAt, table) : null
}

/** The local time at another instant than the event's: the clocks may change in between. */
function localAt({ timezone, offsetSeconds }: PlannedEvent, instant: number, table: TimezoneTable): string {
  // A timezone that a later release dropped has the offset by which the event was planned.
  const isKnown = table.canonicalName(timezone) !== null
  const offset = isKnown ? Math.round(table.zone(timezone).offsetMsAt(instant) / 1000) : offsetSeconds
  return formatLocal(instant, offset)
}

/** The date that the message is about: the birthday, the date of the occasion or the due date of the task. */
function dateOf(event: MessageEvent, { dateOfBirth }: MessagePerson, table: TimezoneTable): string {
  const { date, leapDay } = event.occasion
  const due = event.task && dueLocal(event, table)!.slice(0, 10)
  return (
    due ?? dateOfOccurrence(event.occurrence, { date: date ?? dateOfBirth, leapDay }) ?? localDateOf(event)
  )
}

/** From the local day of sending; negative after the date. */
function daysUntil(
  event: MessageEvent,
  person: MessagePerson,
  { now, table }: Pick<Facts, 'now' | 'table'>,
): number {
  const today = localAt(event, Math.max(now, event.targetAt), table).slice(0, 10)
  return dayOf(dateOf(event, person, table)) - dayOf(today)
}

const dayOf = (date: string) => dayNumber(parseCivilDate(date)!)

/**
 * A yearly occasion: the number of the anniversary, by the calendar that the occurrence is named after. Its name decides,
 * because the message can be sent in another year. A rule or a single date: the years completed on the date.
 */
export function yearsSince(
  date: string | null,
  { occurrence }: Pick<PlannedEvent, 'occurrence'>,
): number | null {
  if (!hasYear(date)) return null
  const named = namedYear(occurrence)
  if (named === null) return completedYears(date, dateOfOccurrence(occurrence, { date })!)
  const origin = toCalendar(named.calendar, parseCivilDate(date)!)
  return origin && named.year - origin.year
}

/** On a birthday the age reached, by its calendar; on other days the years completed on the date of the message. */
function ageOf(event: MessageEvent, person: MessagePerson, table: TimezoneTable): number | null {
  const { dateOfBirth } = person
  const { date } = event.occasion
  const isBirthday = event.eventType === 'BIRTHDAY' && (date === null || date === dateOfBirth)
  return isBirthday
    ? yearsSince(dateOfBirth, event)
    : completedYears(dateOfBirth, dateOf(event, person, table))
}

/** Gregorian years. Null before the date, and without its year. */
function completedYears(date: string | null, today: string): number | null {
  if (!hasYear(date)) return null
  const thisYear = Number(today.slice(0, 4)) - Number(date.slice(0, 4))
  const years = today.slice(5) < date.slice(5) ? thisYear - 1 : thisYear
  return years < 0 ? null : years
}
