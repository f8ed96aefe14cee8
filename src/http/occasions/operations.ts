// The operations on occasions, as the OpenAPI document describes them.
import { z } from '@hono/zod-openapi'
import { dryRun, dryRunQuery, etag, ifMatch, instantInput } from '../../api/fields.ts'
import {
  MoveJson,
  NewOccasionJson,
  nextReason,
  OccasionChangeJson,
  OccasionJson,
  OccurrenceJson,
  ofOccasion,
} from '../../api/occasions/json.ts'
import { ofUser } from '../../api/users/json.ts'
import { idempotencyHeader, KEY_PROBLEMS } from '../server/idempotency.ts'
import type { Operation } from '../server/operation.ts'

const tag = 'Occasions'
const AddedJson = OccasionJson.extend({ dryRun })

export const CREATE_OCCASION = {
  operationId: 'createOccasion',
  route: 'POST /user/{id}/occasion',
  scope: 'write',
  audit: null,
  tag,
  summary: 'Add an occasion',
  description:
    'Adds an occasion to a person, such as a work anniversary. Messages go out at its local time in the timezone of the person. A person can have 100. With `dryRun=true`, nothing is stored and the idempotency key is ignored.',
  ...ofUser,
  query: dryRunQuery,
  headers: idempotencyHeader,
  body: { schema: NewOccasionJson },
  responses: {
    201: { description: 'Added.', schema: AddedJson, headers: z.object(etag) },
    200: {
      description:
        'The occasion that would be added (dry run); or the one that an earlier request with this `Idempotency-Key` added, as it is now.',
      schema: AddedJson,
    },
  },
  problems: [...KEY_PROBLEMS, 'LIMIT_REACHED'],
} satisfies Operation

export const LIST_OCCASIONS = {
  operationId: 'listOccasions',
  route: 'GET /user/{id}/occasion',
  scope: 'read',
  tag,
  summary: 'List the occasions of a person',
  description:
    'Lists the occasions of a person, at most 100, including the birthday, each with its next event. Reminders of tasks are under /task.',
  ...ofUser,
  responses: { 200: { description: 'All items.', schema: z.object({ items: z.array(OccasionJson) }) } },
} satisfies Operation

export const READ_OCCASION = {
  operationId: 'readOccasion',
  route: 'GET /occasion/{id}',
  scope: 'read',
  tag,
  summary: 'Read an occasion',
  description: 'One occasion with its next event.',
  ...ofOccasion,
  responses: { 200: { description: 'The occasion.', schema: OccasionJson, headers: z.object(etag) } },
} satisfies Operation

export const CHANGE_OCCASION = {
  operationId: 'changeOccasion',
  route: 'PUT /occasion/{id}',
  scope: 'write',
  audit: null,
  tag,
  summary: 'Change an occasion',
  description:
    'Changes the given fields. A pending message is rescheduled; a message that was claimed before (in flight or waiting for a retry) goes out as planned. An occurrence that was sent is not sent again. With `dryRun=true`, nothing is stored.',
  ...ofOccasion,
  query: dryRunQuery,
  headers: ifMatch,
  body: { schema: OccasionChangeJson },
  responses: {
    200: {
      description: 'The changed occasion, or the result of a dry run.',
      headers: z.object(etag),
      schema: z.object({
        occasion: OccasionJson,
        moves: z.array(MoveJson).openapi({
          description:
            'The rescheduled event, with its old and new time; `to` is null if it has no new time.',
        }),
        skipped: z
          .int()
          .openapi({ description: 'How many were claimed before and not rescheduled.', example: 0 }),
        dryRun,
      }),
    },
  },
  problems: ['NOTHING_TO_CHANGE', 'INVALID_HEADER', 'OCCASION_OWNED', 'OUTDATED'],
} satisfies Operation

export const DELETE_OCCASION = {
  operationId: 'deleteOccasion',
  route: 'DELETE /occasion/{id}',
  scope: 'write',
  audit: null,
  tag,
  summary: 'Delete an occasion',
  description:
    'Permanently deletes an occasion and its events. The birthday that a person is created with cannot be deleted: pause it instead. The occasion of a task is deleted with the task.',
  ...ofOccasion,
  responses: { 204: { description: 'Deleted.' } },
  problems: ['OCCASION_OWNED'],
} satisfies Operation

const switched = (verb: 'pause' | 'resume', summary: string, description: string) =>
  ({
    operationId: `${verb}Occasion`,
    audit: null,
    route: `POST /occasion/{id}/${verb}` as const,
    scope: 'write',
    tag,
    summary,
    description,
    ...ofOccasion,
    responses: { 200: { description: 'The occasion.', schema: OccasionJson, headers: z.object(etag) } },
    problems: ['OCCASION_OWNED'],
  }) satisfies Operation

export const PAUSE_OCCASION = switched(
  'pause',
  'Pause an occasion',
  'Pauses an occasion and deletes its pending message. A second after the response, no message of it starts; a message in flight still arrives. Safe to repeat.',
)
export const RESUME_OCCASION = switched(
  'resume',
  'Resume a paused occasion',
  'Resumes an occasion with the next occurrence. Missed messages are not sent. Safe to repeat.',
)

/** The timezone table is complete from 1970 to 2049. */
function isInTable(instant: number | undefined): boolean {
  return instant === undefined || (instant >= 0 && instant < Date.UTC(2050, 0, 1))
}

const TypeJson = z.object({
  type: z.string().openapi({ example: 'WORK_ANNIVERSARY' }),
  builtInText: z
    .string()
    .nullable()
    .openapi({ description: 'The text without a template; null if the type needs a template.' }),
})

export const LIST_TYPES = {
  operationId: 'listOccasionTypes',
  route: 'GET /occasion-type',
  scope: 'read',
  tag,
  summary: 'List types of occasions',
  description:
    'Lists the types that have a built-in text, and the types of all stored occasions, in order of name.',
  responses: { 200: { description: 'All items.', schema: z.object({ items: z.array(TypeJson) }) } },
} satisfies Operation

const OccasionPreview = NewOccasionJson.omit({ sendTodayNow: true })
  .extend({
    userId: z.string().optional().openapi({ description: 'A stored user.', format: 'uuid' }),
    timezone: z
      .string()
      .optional()
      .openapi({ description: 'A timezone, in place of a user.', example: 'America/Vancouver' }),
    from: instantInput('The earliest instant, from 1970 to 2049; now by default.', 'INVALID_INSTANT').refine(
      isInTable,
      { error: 'Must be an instant from 1970 to 2049.', params: { code: 'DATE_OUT_OF_RANGE' } },
    ),
    count: z
      .int('Must be a whole number.')
      .min(1, 'Must be at least 1.')
      .max(100, 'Must be at most 100.')
      .default(10)
      .openapi({ description: 'How many: 1 to 100.', example: 10 }),
  })
  .openapi('OccasionPreview', {
    example: {
      type: 'STANDUP',
      date: '2026-01-05',
      repeats: 'FREQ=WEEKLY;BYDAY=MO',
      timezone: 'Europe/Berlin',
    },
  })

export const PREVIEW_OCCASION = {
  operationId: 'previewOccasion',
  route: 'POST /occasion/preview',
  scope: 'read',
  audit: null,
  tag,
  summary: 'Preview an occasion',
  description:
    'Returns the next occurrences of an occasion without storing it. Notes a moved leap day, a clock change, a skipped date, or a day that another calendar lacks.',
  body: {
    schema: OccasionPreview,
  },
  responses: {
    200: {
      description:
        'The next occurrences, soonest first; fewer than `count` if the occasion ends, or after 400 years.',
      schema: z.object({
        rule: z.string().openapi({ description: 'The rule in words.' }),
        occurrences: z.array(OccurrenceJson),
        nextReason,
      }),
    },
  },
  problems: ['USER_NOT_FOUND'],
} satisfies Operation

export const EXPLAIN_OCCASION = {
  operationId: 'explainOccasion',
  route: 'GET /occasion/{id}/explain',
  scope: 'read',
  tag,
  summary: 'Explain an occasion',
  description: 'Explains in words when an occasion is due, and its next message or why there is none.',
  ...ofOccasion,
  responses: {
    200: {
      description: 'The explanation.',
      schema: z
        .object({
          summary: z.string().openapi({
            description: 'Plain text.',
            example:
              'This BIRTHDAY occasion is due every year on 12 March at 09:00 local time, in Europe/Berlin. Its next message, 2027, is due at 2027-03-12T08:00:00.000Z (09:00 local).',
          }),
          rule: z.string().openapi({ description: 'The current rule.' }),
          timezone: z.string().openapi({ description: 'Of the person.', example: 'Europe/Berlin' }),
          occasion: OccasionJson,
        })
        .openapi('OccasionExplanation'),
    },
  },
} satisfies Operation
