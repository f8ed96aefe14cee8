// The operations on everybody who matches a filter, as the OpenAPI document describes them.
import { z } from '@hono/zod-openapi'
import { typeFilter } from '../events/operations.ts'
import { counts } from '../server/audit.ts'
import { dryRun, dryRunInput } from '../server/fields.ts'
import type { Operation } from '../server/operation.ts'
import { BODY_PROBLEMS } from '../server/problem.ts'
import { cursorInput } from '../server/query.ts'
import { PeopleFilterJson } from './filter.ts'

const tag = 'Dashboard'

const DeletePeople = z.strictObject({ filter: PeopleFilterJson, dryRun: dryRunInput })

export const DELETE_PEOPLE = {
  operationId: 'deletePeople',
  method: 'post',
  path: '/people/delete',
  scope: 'admin',
  audit: { action: 'people.erased', read: counts('deleted') },
  tag,
  summary: 'Delete people by filter',
  description:
    'Permanently deletes the people who match, up to 10,000, and their history. An empty filter matches everyone. Count them with `dryRun` first.',
  body: { schema: DeletePeople.openapi('DeletePeople') },
  responses: {
    200: {
      description: 'The counts.',
      schema: z.object({
        matched: z.int(),
        deleted: z.int().openapi({ description: '0 in a dry run.' }),
        dryRun,
        more: z.boolean().openapi({
          description:
            'More people match: repeat the request to delete them. On D1 a request can end before 10,000.',
        }),
      }),
    },
  },
  problems: ['INVALID_INPUT', ...BODY_PROBLEMS],
} satisfies Operation

const MOST = 10_000

const SwitchPeople = z
  .strictObject({
    filter: PeopleFilterJson,
    type: typeFilter.openapi({ description: 'Only occasions of this type; all types by default.' }),
    dryRun: dryRunInput,
    limit: z
      .int()
      .min(1, `Must be a number from 1 to ${MOST}.`)
      .max(MOST, `Must be a number from 1 to ${MOST}.`)
      .default(500)
      .openapi({ description: 'How many people to process in this request.' }),
    cursor: cursorInput('Must be the cursor in "next" of a response, unchanged. Omit it to start.').openapi({
      description: 'Where to continue: from `next` of the previous response.',
    }),
  })
  .openapi('SwitchPeople', { example: { filter: { timezone: 'Asia/Tokyo' }, dryRun: true } })

const SwitchedJson = z
  .object({
    people: z.int().openapi({ description: 'How many people were processed.', example: 500 }),
    matched: z.int().openapi({ description: 'How many of their occasions match.', example: 512 }),
    changed: z
      .int()
      .openapi({ description: 'How many occasions were changed; 0 in a dry run.', example: 512 }),
    inFlight: z.int().openapi({
      description:
        'How many of the matching occasions have a message that was claimed. A pause stops it, unless it is being sent at that moment.',
      example: 0,
    }),
    dryRun,
    next: z.union([SwitchPeople, z.null()]).openapi({
      description: 'The next request to send; null at the end.',
    }),
  })
  .openapi('SwitchedPeople')

const SWITCH = {
  method: 'post',
  scope: 'write',
  tag,
  body: { schema: SwitchPeople },
  responses: { 200: { description: 'The counts.', schema: SwitchedJson } },
  problems: ['INVALID_INPUT', ...BODY_PROBLEMS],
} as const

const GO_ON =
  'Count them with `dryRun` first. Safe to repeat. If more people match than `limit`, send `next` of the response as the next request; on D1 a request can end before `limit`. Does not affect reminders of tasks.'

export const PAUSE_PEOPLE = {
  ...SWITCH,
  operationId: 'pausePeople',
  audit: { action: 'people.paused', read: counts('changed') },
  path: '/people/pause',
  summary: 'Pause occasions by filter',
  description: `Pauses the occasions of all people who match, like POST /occasion/{id}/pause. ${GO_ON}`,
} satisfies Operation

export const RESUME_PEOPLE = {
  ...SWITCH,
  operationId: 'resumePeople',
  audit: { action: 'people.resumed', read: counts('changed') },
  path: '/people/resume',
  summary: 'Resume occasions by filter',
  description: `Resumes the occasions of all people who match, like POST /occasion/{id}/resume. Missed messages are not sent. ${GO_ON}`,
} satisfies Operation
