// What goes over the wire: users, events and attempts as JSON, with the words that document them.
import { z } from '@hono/zod-openapi'
import type { WholeStory } from '../../app/events/story.ts'
import { ATTEMPT_OUTCOMES, type Attempt, type Event, newEvent } from '../../domain/events/event.ts'
import { EVENT_STATUSES } from '../../domain/events/event-status.ts'
import { idempotencyKey } from '../../domain/events/idempotency-key.ts'
import { formatInstant, formatLocal } from '../../domain/time/timestamp.ts'
import type { User } from '../../domain/users/user.ts'
import type { NewPerson } from '../../ports/store.ts'

const instant = (description: string, example: string) =>
  z.string().openapi({ description, format: 'date-time', example })
const id = (description: string, example: string) =>
  z.string().openapi({ description, format: 'uuid', example })

const USER_ID = '019a84f1-8c00-7000-8000-2f6b1c9d3e4a'
const EVENT_ID = '019b2279-4400-7000-8000-2f6b1c9d3e4a'

export const userIdParam = z.object({ id: id('The id of the user.', USER_ID) })
export const eventIdParam = z.object({ id: id('The id of the event.', EVENT_ID) })

export const UserJson = z
  .object({
    id: id('Made by the service; never changes.', USER_ID),
    firstName: z.string().openapi({ example: 'Ada' }),
    lastName: z.string().openapi({ example: 'Lovelace' }),
    dateOfBirth: z.string().openapi({ format: 'date', example: '1990-12-15' }),
    timezone: z.string().openapi({ description: 'In IANA spelling.', example: 'America/Vancouver' }),
    email: z.string().nullable().openapi({ example: 'ada@example.com' }),
    language: z
      .string()
      .nullable()
      .openapi({ description: 'The language they are written to in.', example: 'en' }),
    externalId: z.string().nullable().openapi({
      description: 'What they are called in the system they come from.',
      example: 'crm-4711',
    }),
    createdAt: instant('When the user was created.', '2026-11-15T04:00:00.000Z'),
    updatedAt: instant('When the user last changed.', '2026-11-15T04:00:00.000Z'),
    version: z
      .int()
      .openapi({ description: 'Rises by one with every change; the ETag is made of it.', example: 1 }),
  })
  .openapi('User')

export function userJson(user: User): z.infer<typeof UserJson> {
  const { id, firstName, lastName, dateOfBirth, timezone, email, language, externalId, version } = user
  const [createdAt, updatedAt] = [formatInstant(user.createdAt), formatInstant(user.updatedAt)]
  const fields = { firstName, lastName, dateOfBirth, timezone, email, language, externalId }
  return { id, ...fields, createdAt, updatedAt, version }
}

export const EventJson = z
  .object({
    id: id('Made by the service; never changes.', EVENT_ID),
    userId: id('Whose event it is.', USER_ID),
    occasionId: id('What it is an occurrence of.', '019a84f1-8c00-7000-8000-2f6c1c9d3e4a'),
    eventType: z.string().openapi({ description: 'The kind of occasion.', example: 'BIRTHDAY' }),
    occurrence: z.string().openapi({
      description: 'Which one: the year of a yearly occasion, the date of one by a rule.',
      example: '2026',
    }),
    status: z.enum(EVENT_STATUSES).openapi({
      description:
        'PENDING until due, PROCESSING while it is delivered or waits to be retried, then COMPLETED or FAILED for good.',
    }),
    targetTimestampUTC: instant('When the message is due.', '2026-12-15T16:00:00.000Z'),
    targetTimestampLocal: instant('The same by the clock of the place.', '2026-12-15T09:00:00-07:00'),
    targetTimezone: z.string().openapi({ description: 'The place.', example: 'America/Vancouver' }),
    tzVersion: z.string().openapi({ description: 'The IANA release it was computed by.', example: '2026f' }),
    wakeAt: instant(
      'From when a worker may take it; null once it is settled.',
      '2026-12-15T16:00:00.000Z',
    ).nullable(),
    executedAt: instant('When it was settled.', '2026-12-15T16:00:00.412Z').nullable(),
    failureReason: z.string().nullable().openapi({ description: 'Why it is FAILED.' }),
    retryCount: z.int().openapi({ description: 'How many attempts had to be repeated.', example: 0 }),
    version: z.int().openapi({ description: 'Rises by one with every change.', example: 1 }),
    idempotencyKey: z.string().openapi({
      description: 'Sent with every attempt, always the same: by it the receiver knows a repetition.',
      example: 'event-4f1c0f2b8f9f4b0f9a7de1a2b3c4d5e6',
    }),
    replayOf: id('The failed event that this one sends again.', EVENT_ID).nullable(),
    deliveryPayload: z.record(z.string(), z.unknown()).nullable().openapi({
      description: 'The JSON that is sent, fixed at the first attempt; null before it.',
    }),
    createdAt: instant('When it was planned.', '2026-11-15T04:00:00.000Z'),
    updatedAt: instant('When it last changed.', '2026-11-15T04:00:00.000Z'),
  })
  .openapi('Event', { description: 'One occurrence of an occasion: when it is due and what became of it.' })

export function eventJson(event: Event): z.infer<typeof EventJson> {
  return {
    id: event.id,
    userId: event.userId,
    occasionId: event.occasionId,
    eventType: event.eventType,
    occurrence: event.occurrence,
    status: event.status,
    targetTimestampUTC: formatInstant(event.targetAt),
    targetTimestampLocal: formatLocal(event.targetAt, event.offsetSeconds),
    targetTimezone: event.timezone,
    tzVersion: event.tzVersion,
    wakeAt: event.wakeAt === null ? null : formatInstant(event.wakeAt),
    executedAt: event.executedAt === null ? null : formatInstant(event.executedAt),
    failureReason: event.failureReason,
    retryCount: event.retryCount,
    version: event.version,
    idempotencyKey: idempotencyKey(event),
    replayOf: event.replayOf,
    deliveryPayload: event.deliveryPayload === null ? null : JSON.parse(event.deliveryPayload),
    createdAt: formatInstant(event.createdAt),
    updatedAt: formatInstant(event.updatedAt),
  }
}

export const CreatedJson = z.object({ user: UserJson, nextBirthdayEvent: EventJson })

/** A new user and their birthday as the store will have them: the answer is written before they are read back. */
export function createdJson({ user, occasions, events }: NewPerson): z.infer<typeof CreatedJson> {
  const birthday = occasions.find(({ type }) => type === 'BIRTHDAY')!
  const planned = events.find(({ occasionId }) => occasionId === birthday.id)!
  const event = newEvent(planned, { userId: user.id, eventType: birthday.type, now: user.createdAt })
  return { user: userJson(user), nextBirthdayEvent: eventJson(event) }
}

const AttemptJson = z
  .object({
    number: z.int().openapi({ description: '1 for the first.', example: 1 }),
    workerId: z.string().openapi({ description: 'Who tried.', example: 'worker-7c1f' }),
    startedAt: instant('When it was taken.', '2026-12-15T16:00:00.120Z'),
    finishedAt: instant('When its end was known.', '2026-12-15T16:00:00.412Z'),
    outcome: z.enum(ATTEMPT_OUTCOMES).openapi({
      description:
        'How it ended. PARKED: it failed because its destination was down, and does not count against the retries. UNKNOWN: the worker died or lost its lease; it may have been delivered.',
    }),
    statusCode: z
      .int()
      .nullable()
      .openapi({ description: 'What the receiver answered, if it did.', example: 200 }),
    error: z.string().nullable().openapi({ description: 'What went wrong.' }),
  })
  .openapi('Attempt', { description: 'One try at delivering an event.' })

const RelatedEventJson = EventJson.pick({
  id: true,
  occurrence: true,
  status: true,
  targetTimestampUTC: true,
  executedAt: true,
  failureReason: true,
  replayOf: true,
}).openapi('RelatedEvent', { description: 'An event in brief; read it by its id for the whole.' })

export const EventWithAttemptsJson = EventJson.extend({
  attempts: z.array(AttemptJson).openapi({ description: 'Every try, oldest first.' }),
  replays: z
    .array(RelatedEventJson)
    .openapi({ description: 'The events that sent this one again, oldest first.' }),
  successor: RelatedEventJson.nullable().openapi({
    description: 'The next occurrence, if it is planned; null otherwise.',
  }),
}).openapi('EventWithAttempts')

export function storyJson(story: WholeStory): z.infer<typeof EventWithAttemptsJson> {
  return {
    ...eventJson(story.event),
    attempts: story.attempts.map(attemptJson),
    replays: story.replays.map(relatedJson),
    successor: story.successor && relatedJson(story.successor),
  }
}

function relatedJson(event: Event): z.infer<typeof RelatedEventJson> {
  const { id, occurrence, status, targetTimestampUTC, executedAt, failureReason, replayOf } = eventJson(event)
  return { id, occurrence, status, targetTimestampUTC, executedAt, failureReason, replayOf }
}

function attemptJson(attempt: Attempt): z.infer<typeof AttemptJson> {
  const { number, outcome, statusCode, error } = attempt
  const [startedAt, finishedAt] = [formatInstant(attempt.startedAt), formatInstant(attempt.finishedAt)]
  return { number, workerId: attempt.claimedBy, startedAt, finishedAt, outcome, statusCode, error }
}
