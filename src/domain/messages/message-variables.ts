// The variables of a message template. Pure: the time of sending is an argument.
import type { PlannedEvent } from '../events/event.ts'
import type { Task } from '../tasks/task.ts'
import { formatLocal } from '../time/timestamp.ts'
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
  'title',
  'dueDate',
  'dueTime',
] as const
export type VariableName = (typeof VARIABLES)[number]
export type Scalar = string | number | boolean | null

/** The part of an event that templates can read. `date` is the original date; null for the date of birth. */
export type MessageEvent = PlannedEvent & {
  eventType: string
  occasion: { date: string | null }
  /** The task of a reminder. */
  task?: Pick<Task, 'id' | 'title' | 'dueAt'> | null
}
export type MessagePerson = Pick<User, 'id' | 'firstName' | 'lastName' | 'language'> & { dateOfBirth: string }
export type Facts = { event: MessageEvent; person: MessagePerson; now: number }

export function variableOf(name: VariableName, { event, person, now }: Facts): Scalar {
  switch (name) {
    case 'firstName':
    case 'lastName':
    case 'language':
      return person[name]
    case 'fullName':
      return `${person.firstName} ${person.lastName}`
    case 'age':
      return ageOf(event, person)
    case 'years':
      return yearsSince(event.occasion.date ?? person.dateOfBirth, event)
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
      return isBelated(event, now)
    case 'title':
      return event.task?.title ?? null
    case 'dueDate':
      return dueLocal(event)?.slice(0, 10) ?? null
    case 'dueTime':
      return dueLocal(event)?.slice(11, 16) ?? null
  }
}

export function lateBySeconds(event: PlannedEvent, now: number): number {
  return Math.max(0, Math.floor((now - event.targetAt) / 1000))
}

/** True once the local day has ended: late in the evening of a birthday is late, but it is still the birthday. */
function isBelated({ targetAt, offsetSeconds }: PlannedEvent, now: number): boolean {
  const dateAt = (instant: number) => formatLocal(instant, offsetSeconds).slice(0, 10)
  return now > targetAt && dateAt(now) !== dateAt(targetAt)
}

function localDateOf({ targetAt, offsetSeconds }: PlannedEvent): string {
  return formatLocal(targetAt, offsetSeconds).slice(0, 10)
}

/** With the offset at the time of the reminder, even if the clocks change before the task is due. */
function dueLocal({ task, offsetSeconds }: MessageEvent): string | null {
  return task ? formatLocal(task.dueAt, offsetSeconds) : null
}

/** Uses the year the occurrence belongs to: a moved leap day or skipped date can fall into another year. */
function yearsSince(date: string, event: PlannedEvent): number {
  const named = /^(?:\d+:)?(\d{4})/.exec(event.occurrence)?.[1] ?? localDateOf(event).slice(0, 4)
  return Number(named) - Number(date.slice(0, 4))
}

/** On a birthday the age reached, even if the day was moved; on other days the completed years. */
function ageOf(event: MessageEvent, { dateOfBirth }: MessagePerson): number {
  if (event.eventType === 'BIRTHDAY') return yearsSince(dateOfBirth, event)
  const today = localDateOf(event)
  const thisYear = Number(today.slice(0, 4)) - Number(dateOfBirth.slice(0, 4))
  return today.slice(5) < dateOfBirth.slice(5) ? thisYear - 1 : thisYear
}
