// The operations that send failed events again, as the OpenAPI document describes them.
import { z } from '@hono/zod-openapi'
import { EventJson, ofEvent } from '../../api/events/json.ts'
import { reasonFilters, typeFilter } from '../../api/events/query.ts'
import { dryRun, dryRunInput, idFilter, idInput, instantInput } from '../../api/fields.ts'
import { nextCursor, pageInput } from '../../api/query.ts'
import { PeopleFilterJson } from '../../api/users/filter.ts'
import { parseUuid } from '../../domain/events/uuid.ts'
import { counts } from '../server/audit.ts'
import type { Operation } from '../server/operation.ts'

const tag = 'Events'
const MOST_IDS = 200

const newKey = z.boolean().default(false).openapi({
  description:
    'Render the message again and send it with a new idempotency key; receivers treat it as a new message. By default key and content stay the same, so that receivers recognise a duplicate.',
})

const ReplayJson = z.strictObject({ newKey }).openapi('Replay', { example: { newKey: false } })

export const REPLAY_EVENT = {
  operationId: 'replayEvent',
  route: 'POST /event/{id}/replay',
  scope: 'write',
  audit: { action: 'event.replayed', kind: 'event' },
  tag,
  summary: 'Replay a failed event',
  description:
    'Creates a new event that sends the message of a FAILED event again, at once. The failed event does not change. Safe to repeat: there is no second replay while one is in progress or after one was delivered. The body is optional.',
  ...ofEvent,
  body: { schema: ReplayJson, optional: true },
  responses: {
    201: {
      description: 'The new event.',
      schema: EventJson,
      headers: z.object({ Location: z.string().openapi({ description: 'The path of the new event.' }) }),
    },
  },
  problems: ['NOT_FAILED', 'REPLAY_IN_FLIGHT', 'ALREADY_DELIVERED'],
} satisfies Operation

/** The end of the period that the first request fixed, in epoch milliseconds, and the last event. */
const parsePlace = (text: string) => {
  const [, before, id] = /^(\d{1,15})\/(.+)$/.exec(text) ?? []
  return before !== undefined && parseUuid(id!) === id ? text : null
}

const ReplaysJson = z
  .strictObject({
    ids: z
      .array(idInput('The id of an event.'))
      .min(1, 'Must have at least one id.')
      .max(MOST_IDS, `Must have at most ${MOST_IDS} ids.`)
      .optional()
      .openapi({ description: 'Only these events.' }),
    ...reasonFilters,
    type: typeFilter,
    userId: idFilter('Only events of this person.'),
    people: PeopleFilterJson.optional(),
    failedFrom: instantInput('Only events that failed at this instant or later.'),
    failedBefore: instantInput('Only events that failed before this instant; by default, before now.'),
    dueFrom: instantInput('Only events due at this instant or later.'),
    dueBefore: instantInput('Only events due before this instant.'),
    newKey,
    pastCutOff: z.enum(['send', 'skip'], 'Must be send or skip.').default('send').openapi({
      description: 'What to do with events whose latest local time (`notAfter`) has passed.',
    }),
    dryRun: dryRunInput,
    ...pageInput(1_000, parsePlace),
  })
  .openapi('Replays', { example: { reason: 'RETRIES_EXHAUSTED', dryRun: true } })

const PartsJson = z
  .object({
    now: z.int().openapi({ description: 'How many would be sent now.', example: 31 }),
    pastCutOff: z
      .array(z.object({ notAfter: z.string().openapi({ example: '21:00' }), count: z.int() }))
      .openapi({
        description: 'How many are past their latest local time (`notAfter`).',
      }),
    inFlight: z.int().openapi({ description: 'How many have a replay in progress.', example: 0 }),
    delivered: z.int().openapi({ description: 'How many were delivered by a replay.', example: 2 }),
    repeated: z.int().openapi({
      description:
        'How many repeat an occurrence that was already counted, because it failed more than once.',
      example: 0,
    }),
  })
  .openapi('ReplayParts')

export const REPLAY_EVENTS = {
  operationId: 'replayEvents',
  route: 'POST /event/replay',
  scope: 'write',
  audit: { action: 'events.replayed', read: counts('replayed') },
  tag,
  summary: 'Replay failed events',
  description:
    'Replays all FAILED events that match, like POST /event/{id}/replay. An empty object matches all; `people` selects the people as GET /user does. Count them with `dryRun` first. If more match than `limit`, continue with `nextCursor`: events that fail meanwhile are not replayed.',
  body: { schema: ReplaysJson },
  responses: {
    200: {
      description: 'What was done.',
      schema: z.object({
        matched: z.int().openapi({ description: 'How many events matched.' }),
        replayed: z.int().openapi({ description: 'How many replays were created.' }),
        skipped: z.int().openapi({
          description:
            'How many were skipped: a replay is in progress or delivered, the occurrence matched twice, or `pastCutOff` excluded them.',
        }),
        parts: z.union([PartsJson, z.null()]).openapi({
          description: 'What a replay would do with the events that matched; null unless this is a dry run.',
        }),
        dryRun,
        nextCursor,
      }),
    },
  },
} satisfies Operation
