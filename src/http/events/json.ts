// Events and their attempts as JSON, and the path that names an event.
import { z } from '@hono/zod-openapi'
import type { WholeStory } from '../../app/events/story.ts'
import { ATTEMPT_OUTCOMES, type Attempt, type Event } from '../../domain/events/event.ts'
import { EVENT_STATUSES } from '../../domain/events/event-status.ts'
import { failureReason } from '../../domain/events/failure-reason.ts'
import { idempotencyKey } from '../../domain/events/idempotency-key.ts'
import { formatInstant, formatLocal } from '../../domain/time/timestamp.ts'
import { id, idInput, instant } from '../server/fields.ts'
import { Problem } from '../server/problem.ts'

const EVENT_ID = '019b2279-4400-7000-8000-2f6b1c9d3e4a'

/** For operations on `/event/{id}`. */
export const ofEvent = {
  params: z.object({ id: idInput('The id of the event.', EVENT_ID) }),
  notFound: eventNotFound,
}

export function eventNotFound({ id = '' }: { id?: string }): Problem {
  return new Problem(
    'EVENT_NOT_FOUND',
    `No event has the id "${id.slice(0, 60)}". GET /event lists those there are.`,
  )
}

export const EventJson = z
  .object({
    id: id('Made by the service; never changes.', EVENT_ID),
    userId: id('Whose event it is.', '019a84f1-8c00-7000-8000-2f6b1c9d3e4a'),
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
    failureReason: z.string().nullable().openapi({
      description: 'Why it is FAILED.',
      example: 'RETRIES_EXHAUSTED: 4 attempts, the last: HTTP 503',
    }),
    failureCode: z
      .string()
      .nullable()
      .openapi({ description: 'Why it is FAILED, as a code.', example: 'RETRIES_EXHAUSTED' }),
    lastError: z
      .string()
      .nullable()
      .openapi({ description: 'The error that made it FAILED.', example: 'HTTP 503' }),
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
    failureReason: failureReason(event),
    failureCode: event.failureCode,
    lastError: event.lastError,
    retryCount: event.retryCount,
    version: event.version,
    idempotencyKey: idempotencyKey(event),
    replayOf: event.replayOf,
    deliveryPayload: event.deliveryPayload === null ? null : JSON.parse(event.deliveryPayload),
    createdAt: formatInstant(event.createdAt),
    updatedAt: formatInstant(event.updatedAt),
  }
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
