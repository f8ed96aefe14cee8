// The operations on timezones, as the OpenAPI document describes them.
import { z } from '@hono/zod-openapi'
import { dryRun, dryRunQuery, instant } from '../../api/fields.ts'
import { ZONES_STATES } from '../../app/timezones/zone-report.ts'
import type { Operation } from '../server/operation.ts'

const tag = 'Timezones'

const release = (description: string, example: string) => z.string().openapi({ description, example })
const zone = z.string().openapi({ description: 'The timezone.', example: 'America/Vancouver' })

const DifferenceJson = z
  .object({
    zone,
    from: release('The release that its events were planned with.', '2025c'),
    to: release('The release in use.', '2026f'),
    since: instant('The first instant at which the two releases differ.', '2026-11-01T09:00:00.000Z'),
    offsetFrom: z
      .string()
      .openapi({ description: 'The UTC offset then, by the earlier release.', example: '-08:00' }),
    offsetTo: z
      .string()
      .openapi({ description: 'The UTC offset then, by the release in use.', example: '-07:00' }),
    people: z.int().openapi({ description: 'How many people are in this timezone.', example: 1300 }),
  })
  .openapi('TimezoneDifference')

export const TimezonesJson = z
  .object({
    version: release('The IANA release in use by this process.', '2026f'),
    recorded: z.array(z.string()).openapi({
      description: 'The releases that the stored events were planned with, latest first.',
      example: ['2026f'],
    }),
    state: z.enum(ZONES_STATES).openapi({
      description:
        'CURRENT: nothing to do. REPLAN_DUE: the release in use is newer; a replan moves the events of the timezones in `differs`. UNRECORDED: no release is recorded yet; a replan checks all events. TABLE_OLDER: the events were planned with a later release; upgrade this process.',
    }),
    differs: z.array(DifferenceJson).openapi({
      description:
        'The timezones whose rules changed; a replan reschedules their pending events. POST /tz/replan?dryRun=true counts them.',
    }),
    notPlaces: z
      .array(
        z.object({
          zone: z.string().openapi({ example: 'EST' }),
          people: z.int().openapi({ description: 'How many people have it.', example: 12 }),
          suggestions: z.array(z.string()).openapi({ example: ['America/New_York', 'America/Panama'] }),
        }),
      )
      .openapi({
        description:
          'Timezones of people that are an abbreviation or a fixed offset, stored by an earlier release. They keep working; new people cannot have them.',
      }),
    lastChange: z
      .object({
        at: instant('When that replan or that process started.', '2026-11-15T04:00:00.000Z'),
        from: release('The earlier release.', '2025c'),
        zones: z.array(z.string()).openapi({ example: ['America/Vancouver'] }),
      })
      .nullable()
      .openapi({
        description:
          'The last time that a replan changed the rules of timezones, or that a process with an earlier release started to plan by other rules; null if there was none.',
      }),
  })
  .openapi('Timezones')

export const READ_TIMEZONES = {
  operationId: 'readTimezones',
  route: 'GET /tz',
  scope: 'read',
  tag,
  summary: 'Read timezone data',
  description:
    'Returns the IANA release in use, the release that events were planned with, and the zones that differ.',
  responses: { 200: { description: 'The timezone data.', schema: TimezonesJson } },
} satisfies Operation

const MovesJson = z
  .object({
    zone,
    people: z.int().openapi({ description: 'How many people are in this timezone.', example: 1300 }),
    moved: z.int().openapi({ description: 'Events that were rescheduled.', example: 1204 }),
    unmoved: z.int().openapi({
      description: 'Events whose due time did not change, now recorded with the new release.',
      example: 96,
    }),
    shiftMs: z.int().nullable().openapi({
      description: 'The most common shift in milliseconds; positive is later.',
      example: -3_600_000,
    }),
    exampleFrom: instant('The previous due time of an example event.', '2026-12-15T17:00:00.000Z').nullable(),
    exampleTo: instant('The new due time of that event.', '2026-12-15T16:00:00.000Z').nullable(),
  })
  .openapi('TimezoneMoves')

export const ReplanJson = z
  .object({
    version: release('The IANA release used.', '2026f'),
    dryRun,
    moved: z.int().openapi({ description: 'Events rescheduled, in all timezones.', example: 1204 }),
    unmoved: z.int().openapi({ example: 96 }),
    zones: z.array(MovesJson),
    ahead: z.string().nullable().openapi({
      description:
        'A later release that some events were planned with. These events were not changed. Null if there is none.',
      example: null,
    }),
    gone: z
      .array(z.string())
      .openapi({ description: 'Timezones of people that the release in use does not have.', example: [] }),
    errors: z.int().openapi({ description: 'Events that could not be planned; see the log.', example: 0 }),
    complete: z.boolean().openapi({
      description:
        'False on Cloudflare if people are left, or have to be checked once more: the following runs of the cron trigger do so. The counts are those of this call.',
      example: true,
    }),
  })
  .openapi('TimezoneReplan')

export const REPLAN_TIMEZONES = {
  operationId: 'replanTimezones',
  route: 'POST /tz/replan',
  scope: 'admin',
  audit: { action: 'timezones.replanned' },
  tag,
  summary: 'Replan after a timezone change',
  description:
    'Reschedules pending events by the timezone rules of this process. This also happens at startup; call it after a rollout during which an older release kept planning. Safe to repeat and beside running workers. Responds when it is finished, which can take minutes with many people. On Cloudflare it moves a part, and responds with `complete: false`; `GET /tz` shows which timezones still differ.',
  query: dryRunQuery,
  responses: { 200: { description: 'The result.', schema: ReplanJson } },
} satisfies Operation
