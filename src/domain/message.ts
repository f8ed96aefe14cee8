// Writes what an event says: the text, and the body that every attempt sends byte for byte.
import { TemplateError } from './errors.ts'
import type { PlannedEvent } from './event.ts'
import { formatInstant, formatLocal } from './timestamp.ts'

export const DEFAULT_TEMPLATES: Readonly<Record<string, string>> = {
  BIRTHDAY: "Hey, {firstName} {lastName} it's your birthday",
}

type Person = { firstName: string; lastName: string }

/** Fills `{firstName}` and `{lastName}`. Any other `{word}` is a mistake in the template, and said to be. */
export function renderMessage(template: string, person: Person): string {
  return template.replace(/\{(\w*)\}/g, (_, name: string) => {
    if (name === 'firstName' || name === 'lastName') return person[name]
    throw new TemplateError(`The template has an unknown variable {${name}}. Use {firstName} or {lastName}.`)
  })
}

/** The body of an event's delivery. Made once, at the first attempt, from the user as they are then. */
export function renderBody(
  event: PlannedEvent & { userId: string; eventType: string },
  person: Person & { template: string | null },
  now: number,
): string {
  const template = person.template ?? DEFAULT_TEMPLATES[event.eventType]
  if (template === undefined) {
    throw new TemplateError(`There is no default text for ${event.eventType}. Give the occasion a template.`)
  }
  return JSON.stringify({
    eventId: event.id,
    type: event.eventType,
    message: renderMessage(template, person),
    userId: event.userId,
    occurrence: event.occurrence,
    targetTimestampUTC: formatInstant(event.targetAt),
    targetTimestampLocal: formatLocal(event.targetAt, event.offsetSeconds),
    timezone: event.timezone,
    lateBySeconds: Math.max(0, Math.floor((now - event.targetAt) / 1000)),
  })
}
