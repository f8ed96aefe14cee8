// The operations on timezones, as the OpenAPI document describes them.
import { z } from '@hono/zod-openapi'
import { ZONES_STATES } from '../../app/timezones/zone-report.ts'
import { dryRunQuery, instant } from '../server/fields.ts'
import type { Operation } from '../server/operation.ts'

const tag = 'Timezones'

const release = (description: string, example: string) => z.string().openapi({ description, example })
const zone = z.string().openapi({ description: 'The timezone.', example: 'America/Vancouver' })

const DifferenceJson = z
  .object({
    zone,
    from: release('The release that its events were planned by.', '2025c'),
    to: release('The release of the table.', '2026f'),
    since: instant('The first instant at which the two say different things.', '2026-11-01T09:00:00.000Z'),
    offsetFrom: z.string().openapi({ description: 'What the earlier one says then.', example: '-08:00' }),
    offsetTo: z.string().openapi({ description: 'What the table says then.', example: '-07:00' }),
    people: z.int().openapi({ description: 'How many live there.', example: 1300 }),
  })
  .openapi('TimezoneDifference')

export const TimezonesJson = z
  .object({
    version: release('The IANA release that this process plans by.', '2026f'),
    recorded: z.array(z.string()).openapi({
      description: 'The releases that the events of this database were planned by, the latest first.',
      example: ['2026f'],
    }),
    state: z.enum(ZONES_STATES).openapi({
      description:
        'CURRENT: nothing to do. REPLAN_DUE: the table is newer, and a replan moves the events of the places in `differs`. UNRECORDED: nothing is recorded yet, and a replan looks at the events there are. TABLE_OLDER: the events were planned by a later release, and this process should be upgraded.',
    }),
    differs: z.array(DifferenceJson).openapi({
      description:
        'The places with other rules from now on, whose pending events a replan plans anew. POST /tz/replan?dryRun=true counts them.',
    }),
    lastChange: z
      .object({
        at: instant('When the events were moved.', '2026-11-15T04:00:00.000Z'),
        from: release('The release before.', '2025c'),
        zones: z.array(z.string()).openapi({ example: ['America/Vancouver'] }),
      })
      .nullable()
      .openapi({ description: 'The last time that places got other rules; null if they never did.' }),
  })
  .openapi('Timezones')

export const READ_TIMEZONES = {
  operationId: 'readTimezones',
  method: 'get',
  path: '/tz',
  scope: 'read',
  tag,
  summary: 'Read timezone data',
  description:
    'Returns the IANA release in use, the release that events were planned with, and the zones that differ.',
  responses: { 200: { description: 'How they stand.', schema: TimezonesJson } },
  problems: [],
} satisfies Operation

const MovesJson = z
  .object({
    zone,
    people: z.int().openapi({ description: 'How many live there.', example: 1300 }),
    moved: z.int().openapi({ description: 'Events that are due at another instant now.', example: 1204 }),
    restamped: z.int().openapi({ description: 'Events that stay, by the new release.', example: 96 }),
    shiftMs: z
      .int()
      .nullable()
      .openapi({ description: 'By how much most of them moved; later is positive.', example: -3_600_000 }),
    exampleFrom: instant('When one of them was due before.', '2026-12-15T17:00:00.000Z').nullable(),
    exampleTo: instant('When it is due now.', '2026-12-15T16:00:00.000Z').nullable(),
  })
  .openapi('TimezoneMoves')

export const ReplanJson = z
  .object({
    version: release('The IANA release that was planned by.', '2026f'),
    dryRun: z.boolean(),
    moved: z.int().openapi({ description: 'Events moved, in all places.', example: 1204 }),
    restamped: z.int().openapi({ example: 96 }),
    zones: z.array(MovesJson),
    ahead: z.string().nullable().openapi({
      description:
        'A later release that events were planned by, which were left alone; null if there is none.',
      example: null,
    }),
    gone: z
      .array(z.string())
      .openapi({ description: 'Places that people live in and the table does not have.', example: [] }),
    troubled: z
      .int()
      .openapi({ description: 'Events that could not be planned; the log says which.', example: 0 }),
  })
  .openapi('TimezoneReplan')

export const REPLAN_TIMEZONES = {
  operationId: 'replanTimezones',
  method: 'post',
  path: '/tz/replan',
  scope: 'admin',
  tag,
  summary: 'Re-plan after a timezone change',
  description:
    'Reschedules pending events by the timezone rules of this process. This also happens at startup; call it after a rollout during which an older release kept planning. Safe to repeat and beside running workers. Responds when all is done, which takes a while for many people.',
  query: z.strictObject({ dryRun: dryRunQuery.shape.dryRun.openapi({ type: 'boolean' }) }),
  responses: { 200: { description: 'What was done.', schema: ReplanJson } },
  problems: ['INVALID_QUERY'],
} satisfies Operation
