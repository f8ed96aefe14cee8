// Occasions as JSON: as they are stored, as they come in, and as they are tried out.
import { z } from '@hono/zod-openapi'
import type { Move, Place } from '../../app/users/change.ts'
import { CALENDARS } from '../../domain/calendars/calendars.ts'
import type { Occasion } from '../../domain/occasions/occasion.ts'
import type { Slot } from '../../domain/occasions/schedule.ts'
import { formatInstant, formatLocal } from '../../domain/time/timestamp.ts'
import type { OccasionPlan, OpenChange } from '../../ports/store.ts'
import { id, idInput, instant, version } from '../server/fields.ts'
import { Problem } from '../server/problem.ts'
import { eventType } from '../templates/json.ts'

const OCCASION_ID = '019a84f1-8c00-7000-8000-2f6c1c9d3e4a'

/** For operations on `/occasion/{id}`. */
export const ofOccasion = {
  params: z.object({ id: idInput('The id of the occasion.', OCCASION_ID) }),
  notFound: occasionNotFound,
}

export function occasionNotFound({ id = '' }: { id?: string }): Problem {
  return new Problem(
    'OCCASION_NOT_FOUND',
    `No occasion has the id "${id.slice(0, 60)}". GET /user/:id/occasion lists a person's.`,
  )
}

const fields = {
  date: z.string().openapi({
    description: 'The day it recalls, as YYYY-MM-DD; also the first day that a rule can fall on.',
    format: 'date',
    example: '2019-03-01',
  }),
  localTime: z
    .string()
    .openapi({ description: 'HH:MM where the person lives; DELIVER_AT by default.', example: '09:00' }),
  repeats: z.string().openapi({
    description:
      'YEARLY (the default), ONCE, or a rule of RFC 5545: FREQ (DAILY, WEEKLY, MONTHLY, YEARLY) with INTERVAL, BYDAY, BYMONTHDAY, BYMONTH, COUNT and UNTIL.',
    example: 'YEARLY',
  }),
  calendar: z.string().openapi({
    description: `By which calendar a year is counted, for YEARLY occasions: ${CALENDARS.join(', ')}.`,
    example: 'gregorian',
  }),
  leapDay: z.string().openapi({
    description: 'Where 29 February goes in other years: MARCH_1 (the default) or FEBRUARY_28.',
    example: 'MARCH_1',
  }),
  until: z.string().nullable().openapi({
    description: 'The last date it may fall on; null for no end.',
    format: 'date',
    example: null,
  }),
  template: z.string().nullable().openapi({
    description: 'Its own text, in Liquid; null for the text of its type.',
    example: '{{ years }} years with us, {{ firstName }}!',
  }),
  channel: z.string().nullable().openapi({
    description: 'The id of the channel it goes to; null for the default one.',
    format: 'uuid',
    example: null,
  }),
  notAfter: z.string().nullable().openapi({
    description: 'HH:MM where the person lives, after which it is not tried again that day; null for no end.',
    example: '21:00',
  }),
}

const { date, ...optional } = z.strictObject(fields).partial().shape
const sendTodayNow = z.boolean().optional().openapi({
  description:
    'If today is the day and its time has passed: send today’s at once, and not only from next time on.',
  example: false,
})

export const NewOccasionJson = z
  .strictObject({
    type: z.string().openapi({
      description: 'What it is, in capitals: WORK_ANNIVERSARY, or any name you like.',
      example: 'WORK_ANNIVERSARY',
    }),
    date,
    ...optional,
    sendTodayNow,
  })
  .openapi('NewOccasion', { example: { type: 'WORK_ANNIVERSARY', date: '2019-03-01' } })

export const OccasionChangeJson = z
  .strictObject({ ...fields, type: z.string() })
  .partial()
  .openapi('OccasionChange', { example: { localTime: '10:30' } })

const NextJson = z.object({
  eventId: z.string().openapi({ format: 'uuid' }),
  occurrence: z.string().openapi({ description: 'Which one.', example: '2027' }),
  targetTimestampUTC: instant('When it is due.', '2027-03-01T17:00:00.000Z'),
  targetTimestampLocal: instant('The same by the clock of the place.', '2027-03-01T09:00:00-08:00'),
})

export const OccasionJson = z
  .object({
    id: id('Made by the service; never changes.', OCCASION_ID),
    userId: id('Whose it is.'),
    type: eventType,
    ...fields,
    date: fields.date.nullable().openapi({ description: 'The day it recalls; null for the date of birth.' }),
    pausedAt: instant(
      'Since when it makes no events; null while it does.',
      '2026-11-15T04:00:00.000Z',
    ).nullable(),
    version,
    next: NextJson.nullable().openapi({ description: 'The event that comes next; null if there is none.' }),
  })
  .openapi('Occasion')

export function occasionJson(occasion: Occasion, next: Next | null): z.infer<typeof OccasionJson> {
  const { id, userId, type, date, localTime, repeats, calendar, leapDay, until, template, notAfter } =
    occasion
  const { channelId: channel, version } = occasion
  const pausedAt = occasion.pausedAt === null ? null : formatInstant(occasion.pausedAt)
  const rule = { type, date, localTime, repeats, calendar, leapDay, until }
  return { id, userId, ...rule, template, channel, notAfter, pausedAt, version, next: next && nextJson(next) }
}

type Next = { id: string; occurrence: string; targetAt: number; offsetSeconds: number }

function nextJson({ id, occurrence, targetAt, offsetSeconds }: Next): z.infer<typeof NextJson> {
  return {
    eventId: id,
    occurrence,
    targetTimestampUTC: formatInstant(targetAt),
    targetTimestampLocal: formatLocal(targetAt, offsetSeconds),
  }
}

export function planJson({ occasion, open }: OccasionPlan): z.infer<typeof OccasionJson> {
  return occasionJson(occasion, open)
}

/** The event that a change leaves open; one in flight is left to tell of itself. */
export function nextAfter(open: OpenChange): Next | null {
  if (open.kind === 'insert') return open.event
  return open.kind === 'reschedule' ? open.to : null
}

const PlaceJson = z.object({
  utc: instant('When it is due.', '2026-12-15T16:00:00.000Z'),
  local: instant('The same by the clock of the place.', '2026-12-15T09:00:00-07:00'),
  timezone: z.string().openapi({ description: 'The place.', example: 'America/Vancouver' }),
})

export const MoveJson = z
  .object({
    eventId: z.string().openapi({ format: 'uuid' }),
    type: z.string().openapi({ example: 'BIRTHDAY' }),
    from: PlaceJson,
    to: PlaceJson.nullable().openapi({ description: 'Null for one that is on its way and stays.' }),
  })
  .openapi('Move', { description: 'An event that a change moves.' })

export function moveJson({ eventId, eventType: type, from, to }: Move): z.infer<typeof MoveJson> {
  return { eventId, type, from: placeJson(from), to: to && placeJson(to) }
}

function placeJson({ targetAt, offsetSeconds, timezone }: Place): z.infer<typeof PlaceJson> {
  return { utc: formatInstant(targetAt), local: formatLocal(targetAt, offsetSeconds), timezone }
}

export const OccurrenceJson = z
  .object({
    occurrence: z.string().openapi({ description: 'Which one.', example: '2027' }),
    utc: instant('When it would be due.', '2027-03-01T17:00:00.000Z'),
    local: instant('The same by the clock of the place.', '2027-03-01T09:00:00-08:00'),
    occursOn: z.string().openapi({ description: 'The date there.', format: 'date', example: '2027-03-01' }),
    note: z.string().optional().openapi({
      description:
        'What is odd about it: LEAP_DAY_MOVED, CLOCK_GAP, CLOCK_OVERLAP, DATE_SKIPPED or CALENDAR_MOVED. Absent if nothing is.',
    }),
    reason: z.string().optional().openapi({ description: 'The same in words.' }),
  })
  .openapi('Occurrence')

export function occurrenceJson(slot: Slot & { reason?: string }): z.infer<typeof OccurrenceJson> {
  const { occurrence, instant, offsetSeconds, occursOn, note, reason } = slot
  const told = {
    occurrence,
    utc: formatInstant(instant),
    local: formatLocal(instant, offsetSeconds),
    occursOn,
  }
  return { ...told, ...(note && { note }), ...(reason && { reason }) }
}
