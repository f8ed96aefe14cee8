// What the operations on everybody who matches a filter promise, for the OpenAPI document and the reference page.
import { z } from '@hono/zod-openapi'
import { typeFilter } from '../events/operations.ts'
import type { Operation } from '../server/operation.ts'
import { BODY_PROBLEMS } from '../server/problem.ts'
import { cursorInput } from '../server/query.ts'

const tag = 'Dashboard'

const filter = z
  .strictObject({
    search: z
      .string()
      .regex(/^\P{Cc}{1,100}$/u, 'Give 1 to 100 characters, none of them control characters.')
      .optional(),
    timezone: z.string().optional(),
  })
  .openapi({ description: 'As for the list. Empty for everybody.' })

const dryRun = z.boolean().default(true).openapi({ description: 'Only count them. So by default.' })

export const DeletePeople = z.strictObject({ filter, dryRun })

export const DELETE_PEOPLE = {
  operationId: 'deletePeople',
  method: 'post',
  path: '/people/delete',
  scope: 'admin',
  tag,
  summary: 'Delete people by filter',
  description:
    'Counts the people that match or, with `dryRun: false`, deletes up to 10,000 of them with all that tells of them. For good.',
  body: { schema: DeletePeople.openapi('DeletePeople') },
  responses: {
    200: {
      description: 'How many.',
      schema: z.object({
        matched: z.int(),
        deleted: z.int(),
        more: z.boolean().openapi({ description: 'There are more: ask again.' }),
      }),
    },
  },
  problems: ['INVALID_INPUT', ...BODY_PROBLEMS],
} satisfies Operation

const MOST = 10_000

export const SwitchPeople = z
  .strictObject({
    filter,
    type: typeFilter.openapi({ description: 'Only occasions of this type; all kinds if it is left out.' }),
    dryRun,
    limit: z
      .int()
      .min(1, `Give a number from 1 to ${MOST}.`)
      .max(MOST, `Give a number from 1 to ${MOST}.`)
      .default(500)
      .openapi({ description: 'How many people to look at in this request.' }),
    cursor: cursorInput('Give the "next" of an answer as it was, or no cursor to begin.').openapi({
      description: 'Where to go on, as `next` of the answer before has it.',
    }),
  })
  .openapi('SwitchPeople', { example: { filter: { timezone: 'Asia/Tokyo' }, dryRun: true } })

const SwitchedJson = z
  .object({
    people: z.int().openapi({ description: 'How many people were looked at.', example: 500 }),
    matched: z.int().openapi({ description: 'How many of their occasions were not so yet.', example: 512 }),
    changed: z.int().openapi({ description: 'How many are so now; none in a dry run.', example: 512 }),
    underWay: z.int().openapi({
      description: 'How many of the matched had a message on its way. It goes out.',
      example: 0,
    }),
    next: z.union([SwitchPeople, z.null()]).openapi({
      description: 'The request that goes on where this one ended; null if that was all.',
    }),
  })
  .openapi('SwitchedPeople')

const SWITCH = {
  method: 'post',
  scope: 'write',
  tag,
  body: { schema: SwitchPeople },
  responses: { 200: { description: 'How many.', schema: SwitchedJson } },
  problems: ['INVALID_INPUT', ...BODY_PROBLEMS],
} as const

const GO_ON =
  'Only counts unless `dryRun: false`. Safe to repeat. If there are more people than `limit`, send the `next` of the answer as the next request. The reminders of tasks are left alone.'

export const PAUSE_PEOPLE = {
  ...SWITCH,
  operationId: 'pausePeople',
  path: '/people/pause',
  summary: 'Pause occasions by filter',
  description: `Does for the occasions of everybody who matches what POST /occasion/{id}/pause does for one. ${GO_ON}`,
} satisfies Operation

export const RESUME_PEOPLE = {
  ...SWITCH,
  operationId: 'resumePeople',
  path: '/people/resume',
  summary: 'Resume occasions by filter',
  description: `Does for the occasions of everybody who matches what POST /occasion/{id}/resume does for one. What passed while they were paused is not made up. ${GO_ON}`,
} satisfies Operation
