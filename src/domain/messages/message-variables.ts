// The variables of a message template. Pure: the time of sending is an argument.
import { CALENDARS, type CalendarName, toCalendar } from '../calendars/calendars.ts'
import type { PlannedEvent } from '../events/event.ts'
import { originalOf } from '../events/idempotency-key.ts'
import type { Task } from '../tasks/task.ts'
import { parseCivilDate } from '../time/calendar.ts'
import { formatLocal } from '../time/timestamp.ts'
import type { TimezoneTable } from '../time/tzdb.ts'
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
  occasion: { date: string | null; data?: string | null }
  /** The task of a reminder. */
  task?: (Pick<Task, 'id' | 'title' | 'dueAt'> & { data?: string | null }) | null
}
type MessagePerson = Pick<User, 'id' | 'firstName' | 'lastName' | 'language' | 'externalId'> & {
  dateOfBirth: string
}
export type Facts = {
  event: MessageEvent
  person: MessagePerson
  now: number
  /** Local times other than the event's own are computed with it. */
  table: TimezoneTable
}

type Occurrence = Pick<PlannedEvent, 'occurrence' | 'targetAt' | 'offsetSeconds'>

export function variableOf(name: VariableName, { event, person, now, table }: Facts): Scalar {
  switch (name) {
    case 'firstName':
    case 'lastName':
    case 'language':
    case 'externalId':
      return person[name]
    case 'fullName':
      return `${person.firstName} ${person.lastName}`
    case 'age':
      return ageOf(event, person)
    case 'years':
      return event.task ? null : yearsSince(event.occasion.date ?? person.dateOfBirth, event)
    case 'type':
      return event.eventType
    case 'occurrence':
    case 'timezone':
      return event[name]
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

function localDateOf({ targetAt, offsetSeconds }: Occurrence): string {
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

/**
 * A yearly occasion: the number of the anniversary, by the calendar that the occurrence is named after. Its name decides,
 * because a moved leap day or a skipped date can fall into another year. A rule or a single date: the completed years.
 */
export function yearsSince(date: string, event: Occurrence): number | null {
  const [, calendar = 'gregorian', year] = YEARLY_NAME.exec(originalOf(event.occurrence)) ?? []
  if (year === undefined) return completedYears(date, localDateOf(event))
  if (!isCalendar(calendar)) return null
  const origin = toCalendar(calendar, parseCivilDate(date)!)
  return origin && Number(year) - origin.year
}

/** `2026`, `hebrew-5787`, `2:2026`. */
const YEARLY_NAME = /^(?:\d+:)?(?:([a-z]+)-)?(\d{4})$/

function isCalendar(name: string): name is CalendarName {
  return (CALENDARS as readonly string[]).includes(name)
}

/** On a birthday the age reached, by its calendar, even if the day was moved; on other days the completed years. */
function ageOf(event: MessageEvent, { dateOfBirth }: MessagePerson): number | null {
  const { date } = event.occasion
  const isBirthday = event.eventType === 'BIRTHDAY' && (date === null || date === dateOfBirth)
  return isBirthday ? yearsSince(dateOfBirth, event) : completedYears(dateOfBirth, localDateOf(event))
}

/** Gregorian years. Null before the date. */
function completedYears(date: string, today: string): number | null {
  const thisYear = Number(today.slice(0, 4)) - Number(date.slice(0, 4))
  const years = today.slice(5) < date.slice(5) ? thisYear - 1 : thisYear
  return years < 0 ? null : years
}
