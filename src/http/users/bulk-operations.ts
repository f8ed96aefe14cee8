// The operations on everybody who matches a filter, as the OpenAPI document describes them.
import { z } from '@hono/zod-openapi'
import { typeFilter } from '../../api/events/query.ts'
import { dryRun, dryRunInput } from '../../api/fields.ts'
import { nextCursor, pageInput } from '../../api/query.ts'
import { PeopleFilterJson } from '../../api/users/filter.ts'
import { parseLocalTime } from '../../domain/time/local-time.ts'
import { counts } from '../server/audit.ts'
import type { Operation } from '../server/operation.ts'

const tag = 'Dashboard'

const DeletePeople = z.strictObject({ filter: PeopleFilterJson, dryRun: dryRunInput, ...pageInput(10_000) })

export const DELETE_PEOPLE = {
  operationId: 'deletePeople',
  route: 'POST /people/delete',
  scope: 'admin',
  audit: { action: 'people.erased', read: counts('deleted') },
  tag,
  summary: 'Delete people by filter',
  description:
    'Permanently deletes the people who match, and their history. An empty filter matches everyone. Count them with `dryRun` first. A request may end before `limit`; continue until `nextCursor` is null.',
  body: { schema: DeletePeople.openapi('DeletePeople') },
  responses: {
    200: {
      description: 'The counts.',
      schema: z.object({
        matched: z.int(),
        deleted: z.int().openapi({ description: '0 in a dry run.' }),
        dryRun,
        nextCursor,
      }),
    },
  },
} satisfies Operation

const which = {
  filter: PeopleFilterJson,
  type: typeFilter.openapi({ description: 'Only occasions of this type; all types by default.' }),
  dryRun: dryRunInput,
  ...pageInput(500),
}

const SwitchPeople = z
  .strictObject(which)
  .openapi('SwitchPeople', { example: { filter: { timezone: 'Asia/Tokyo' }, dryRun: true } })

const changes = {
  people: z.int().openapi({ description: 'How many people were processed.', example: 500 }),
  matched: z.int().openapi({ description: 'How many of their occasions match.', example: 512 }),
  changed: z
    .int()
    .openapi({ description: 'How many occasions were changed, or would be in a dry run.', example: 512 }),
}

const SwitchedJson = z
  .object({
    ...changes,
    inFlight: z.int().openapi({
      description:
        'How many of the matching occasions have a message that was claimed. A pause stops it, unless it is being sent at that moment.',
      example: 0,
    }),
    dryRun,
    nextCursor,
  })
  .openapi('SwitchedPeople')

const SWITCH = {
  scope: 'write',
  tag,
  body: { schema: SwitchPeople },
  responses: { 200: { description: 'The counts.', schema: SwitchedJson } },
} as const

const GO_ON =
  'Count them with `dryRun` first. Safe to repeat. A request may end before `limit`; continue until `nextCursor` is null. Does not affect reminders of tasks.'

export const PAUSE_PEOPLE = {
  ...SWITCH,
  operationId: 'pausePeople',
  audit: { action: 'people.paused', read: counts('changed') },
  route: 'POST /people/pause',
  summary: 'Pause occasions by filter',
  description: `Pauses the occasions of all people who match, like POST /occasion/{id}/pause. People named by \`ids\` are paused one by one: resuming everyone leaves them paused. ${GO_ON}`,
} satisfies Operation

export const RESUME_PEOPLE = {
  ...SWITCH,
  operationId: 'resumePeople',
  audit: { action: 'people.resumed', read: counts('changed') },
  route: 'POST /people/resume',
  summary: 'Resume occasions by filter',
  description: `Resumes the occasions of all people who match, like POST /occasion/{id}/resume: only those that POST /people/pause paused without \`ids\`, or with \`ids\` every paused occasion of these people. Missed messages are not sent. ${GO_ON}`,
} satisfies Operation

const localTime = (description: string, example: string) =>
  z
    .string()
    .refine((text) => parseLocalTime(text) !== null, {
      message: 'Must be a time of day such as 09:00.',
      params: { code: 'INVALID_TIME' },
    })
    .openapi({ description, example })

const MoveSendTime = z
  .strictObject({
    ...which,
    localTime: localTime('The new send time: HH:MM or HH:MM:SS in local time.', '08:30'),
    from: localTime('Only occasions with this send time; all of them by default.', '09:00').optional(),
  })
  .openapi('MoveSendTime', {
    example: { filter: {}, localTime: '08:30', from: '09:00', dryRun: true },
  })

export const MOVE_SEND_TIME = {
  ...SWITCH,
  operationId: 'moveSendTime',
  audit: { action: 'people.rescheduled', read: counts('changed') },
  route: 'POST /people/send-time',
  summary: 'Move the send time by filter',
  description: `Gives the occasions of all people who match another \`localTime\`, like PUT /occasion/{id}, and moves their pending messages. A message of today whose new time has passed is sent at once; one that was sent already is not sent again. Without \`from\` every occasion is moved, also those with a time of their own; one that is over is left as it is. DELIVER_AT, the send time of new people, stays. ${GO_ON}`,
  body: { schema: MoveSendTime },
  responses: {
    200: {
      description: 'The counts.',
      schema: z
        .object({
          ...changes,
          moved: z.int().openapi({
            description: 'How many pending messages are moved, or would be in a dry run.',
            example: 510,
          }),
          inFlight: z.int().openapi({
            description:
              'How many of the matching occasions have a message that was claimed and keeps its time.',
            example: 2,
          }),
          dryRun,
          nextCursor,
        })
        .openapi('MovedSendTime'),
    },
  },
} satisfies Operation
