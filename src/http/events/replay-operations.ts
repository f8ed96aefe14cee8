// The operations that send failed events again, as the OpenAPI document describes them.
import { z } from '@hono/zod-openapi'
import { idFilter, instantInput } from '../server/fields.ts'
import type { Operation } from '../server/operation.ts'
import { BODY_PROBLEMS } from '../server/problem.ts'
import { cursorInput } from '../server/query.ts'
import { EventJson, ofEvent } from './json.ts'
import { reasonFilters, typeFilter } from './operations.ts'

const tag = 'Events'
const MOST = 10_000

const newKey = z.boolean().default(false).openapi({
  description:
    'Render the message again and send it with a new idempotency key; receivers treat it as a new message. By default key and content stay the same, so that receivers recognise a duplicate.',
})

export const ReplayJson = z.strictObject({ newKey }).openapi('Replay', { example: { newKey: false } })

export const REPLAY_EVENT = {
  operationId: 'replayEvent',
  method: 'post',
  path: '/event/{id}/replay',
  scope: 'write',
  tag,
  summary: 'Replay a failed event',
  description:
    'Creates a new event, due now, that sends the message of a FAILED event again. The failed event does not change. Safe to repeat: there is no second replay while one is in progress or after one was delivered. The body is optional.',
  ...ofEvent,
  body: { schema: ReplayJson, optional: true },
  responses: {
    201: {
      description: 'The new event.',
      schema: EventJson,
      headers: z.object({ Location: z.string().openapi({ description: 'The path of the new event.' }) }),
    },
  },
  problems: [
    'EVENT_NOT_FOUND',
    'NOT_FAILED',
    'REPLAY_UNDER_WAY',
    'ALREADY_DELIVERED',
    'INVALID_INPUT',
    ...BODY_PROBLEMS,
  ],
} satisfies Operation

export const ReplaysJson = z
  .strictObject({
    ...reasonFilters,
    type: typeFilter,
    userId: idFilter('Only events of this person.'),
    failedFrom: instantInput('Only events that failed at this instant or later.'),
    failedBefore: instantInput('Only events that failed before this instant; by default, before now.'),
    dueFrom: instantInput('Only events due at this instant or later.'),
    dueBefore: instantInput('Only events due before this instant.'),
    newKey,
    pastCutOff: z.enum(['send', 'skip'], 'Give send or skip.').default('send').openapi({
      description:
        'What to do with those past the local time (`notAfter`) after which they were not to be tried on their day.',
    }),
    dryRun: z.boolean().default(false).openapi({ description: 'Only count.' }),
    limit: z
      .int()
      .min(1, `Give a number from 1 to ${MOST}.`)
      .max(MOST, `Give a number from 1 to ${MOST}.`)
      .default(1_000)
      .openapi({ description: 'How many events to process in this request.' }),
    cursor: cursorInput('Give the "next" of an answer as it was, or no cursor to begin.').openapi({
      description: 'Where to continue: from `next` of the previous response.',
    }),
  })
  .openapi('Replays', { example: { reason: 'RETRIES_EXHAUSTED', dryRun: true } })

const PartsJson = z
  .object({
    now: z.int().openapi({ description: 'How many would be sent now.', example: 31 }),
    pastCutOff: z
      .array(z.object({ notAfter: z.string().openapi({ example: '21:00' }), count: z.int() }))
      .openapi({
        description: 'How many are past the local time after which they were not to be tried on their day.',
      }),
    underWay: z.int().openapi({ description: 'How many have a replay in progress.', example: 0 }),
    delivered: z.int().openapi({ description: 'How many were delivered by a replay.', example: 2 }),
    repeated: z.int().openapi({
      description: 'How many are of an occurrence that was counted already: it failed more than once.',
      example: 0,
    }),
  })
  .openapi('ReplayParts')

export const REPLAY_EVENTS = {
  operationId: 'replayEvents',
  method: 'post',
  path: '/event/replay',
  scope: 'write',
  tag,
  summary: 'Replay failed events',
  description:
    'Replays all FAILED events that match, like POST /event/{id}/replay. An empty object matches all. Count them with `dryRun` first. If more match than `limit`, send `next` of the response as the next request.',
  body: { schema: ReplaysJson },
  responses: {
    200: {
      description: 'What was done.',
      schema: z.object({
        matched: z.int().openapi({ description: 'How many events matched.' }),
        replayed: z.int().openapi({ description: 'How many replays were created.' }),
        skipped: z.int().openapi({
          description:
            'How many were sent again before (under way, delivered, or matched twice) or left out by `pastCutOff`.',
        }),
        parts: z.union([PartsJson, z.null()]).openapi({
          description: 'Of a dry run: what would become of those that matched. Otherwise null.',
        }),
        // Not ReplaysJson.nullable(): that would make the body itself nullable in the document.
        next: z.union([ReplaysJson, z.null()]).openapi({
          description: 'The next request to send; null at the end.',
        }),
      }),
    },
  },
  problems: ['INVALID_INPUT', ...BODY_PROBLEMS],
} satisfies Operation
