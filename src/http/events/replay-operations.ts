// What the operations that send failed events again promise, for the OpenAPI document and the reference page.
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
    'Send under a new key, rendered afresh: for a receiver that should take it as news. By default the key and the content are those of the failed event, so that a receiver which has seen it takes it for a repetition.',
})

export const ReplayJson = z.strictObject({ newKey }).openapi('Replay', { example: { newKey: false } })

export const REPLAY_EVENT = {
  operationId: 'replayEvent',
  method: 'post',
  path: '/event/{id}/replay',
  scope: 'write',
  tag,
  summary: 'Send a failed event again',
  description:
    'Plans a new event, due at once, that sends again what a FAILED one could not bring. The failed one stays as it is. Safe to repeat: while a replay is under way, and once one was delivered, there is no other. The body may be left out.',
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
      .openapi({ description: 'How many events to look at in this request.' }),
    cursor: cursorInput('Give the "next" of an answer as it was, or no cursor to begin.').openapi({
      description: 'Where to continue: from `next` of the previous response.',
    }),
  })
  .openapi('Replays', { example: { reason: 'RETRIES_EXHAUSTED', dryRun: true } })

const PartsJson = z
  .object({
    now: z.int().openapi({ description: 'How many would go at once.', example: 31 }),
    pastCutOff: z
      .array(z.object({ notAfter: z.string().openapi({ example: '21:00' }), count: z.int() }))
      .openapi({
        description: 'How many are past the local time after which they were not to be tried on their day.',
      }),
    underWay: z.int().openapi({ description: 'How many are being sent again already.', example: 0 }),
    delivered: z.int().openapi({ description: 'How many were delivered since.', example: 2 }),
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
  summary: 'Send many failed events again',
  description:
    'Does for all FAILED events that match what POST /event/{id}/replay does for one. An empty object matches all. Count them with `dryRun` first. If there are more than `limit`, send the `next` of the answer as the next request.',
  body: { schema: ReplaysJson },
  responses: {
    200: {
      description: 'What was done.',
      schema: z.object({
        matched: z.int().openapi({ description: 'How many events matched.' }),
        replayed: z.int().openapi({ description: 'For how many a new event was planned.' }),
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
