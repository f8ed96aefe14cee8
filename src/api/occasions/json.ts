// Occasions as JSON: stored, in requests, and in previews.
import { z } from '@hono/zod-openapi'
import type { AppDeps } from '../../app/app-deps.ts'
import { nextDue } from '../../app/occasions/next-due.ts'
import type { Move, Place } from '../../app/users/change.ts'
import { CALENDARS } from '../../domain/calendars/calendars.ts'
import { dataOf } from '../../domain/formats/data.ts'
import { NEXT_REASONS, whyNoNext } from '../../domain/occasions/next-reason.ts'
import type { Occasion } from '../../domain/occasions/occasion.ts'
import type { Slot } from '../../domain/occasions/schedule.ts'
import { formatShift, WEEKEND_RULES } from '../../domain/occasions/send-day.ts'
import { formatInstant, formatLocal, instantOrNull } from '../../domain/time/timestamp.ts'
import type { User } from '../../domain/users/user.ts'
import type { OccasionPlan, OpenChange } from '../../ports/store.ts'
import { data, eventType, externalIdOfUser, id, idInput, instant, version } from '../fields.ts'
import { Problem } from '../problem.ts'

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
    description:
      'The original date, as YYYY-MM-DD. YEARLY begins with the first anniversary of it; a rule, such as FREQ=YEARLY, can fall on the date itself.',
    format: 'date',
    example: '2019-03-01',
  }),
  localTime: z
    .string()
    .openapi({ description: 'HH:MM or HH:MM:SS in local time; DELIVER_AT by default.', example: '09:00' }),
  repeats: z.string().openapi({
    description:
      'YEARLY (the default), ONCE, or a rule of RFC 5545: FREQ (DAILY, WEEKLY, MONTHLY, YEARLY) with INTERVAL, BYDAY, BYMONTHDAY, BYMONTH, WKST, COUNT and UNTIL.',
    example: 'YEARLY',
  }),
  calendar: z.string().openapi({
    description: `The calendar of YEARLY occasions: ${CALENDARS.join(', ')}.`,
    example: 'gregorian',
  }),
  leapDay: z.string().openapi({
    description: 'The date of 29 February in non-leap years: MARCH_1 (the default) or FEBRUARY_28.',
    example: 'MARCH_1',
  }),
  shift: z.string().nullable().openapi({
    description:
      'When it is sent, in whole days or weeks from its date: -P3D for three days before, P1W for a week after; null for its date.',
    example: null,
  }),
  onWeekend: z.enum(WEEKEND_RULES).nullable().openapi({
    description:
      'What to do if the day of sending is a Saturday or Sunday: EXACT (send on it, as null does), BEFORE (on Friday), AFTER (on Monday) or SKIP (send nothing).',
    example: null,
  }),
  until: z.string().nullable().openapi({
    description: 'The last date it may fall on; null for no end.',
    format: 'date',
    example: null,
  }),
  template: z.string().nullable().openapi({
    description: 'A custom message in Liquid; null for the template of its type.',
    example: '{{ years }} years with us, {{ firstName }}!',
  }),
  channel: z.string().nullable().openapi({
    description: 'The id of the channel it goes to; null for the default one.',
    format: 'uuid',
    example: null,
  }),
  notAfter: z.string().nullable().openapi({
    description:
      'HH:MM in local time after which it is neither sent nor retried that day; null for no limit.',
    example: '21:00',
  }),
  data,
}

const { date, ...optional } = z.strictObject(fields).partial().shape
const sendTodayNow = z.boolean().optional().openapi({
  description: 'If today is the day of sending and the time has passed: send the message now.',
  example: false,
})

export const NewOccasionJson = z
  .strictObject({
    type: z.string().openapi({
      description: 'The type in capitals, such as WORK_ANNIVERSARY or a name of your own.',
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
  occurrence: z.string().openapi({ description: 'The year, or the date of a rule.', example: '2027' }),
  targetTimestampUTC: instant('When it is due.', '2027-03-01T17:00:00.000Z'),
  targetTimestampLocal: instant('The due time in the local timezone.', '2027-03-01T09:00:00-08:00'),
})

/** Also of a preview without occurrences. */
export const nextReason = z.enum(NEXT_REASONS).nullable().openapi({
  description:
    'Why there is no next event: PAUSED, NO_DATE (the date of birth is missing, or its year), IN_FLIGHT (being sent; the next one is planned afterwards), SENT (ONCE, and its message was sent or failed; another date is sent again), PAST (ONCE, whose day of sending has passed), SKIPPED (ONCE, on a weekend on which it is not sent), ENDED (its rule or its last date is over) or NOT_PLANNED (an occurrence is owed and has no event, which is an error: pause and resume the occasion). Null if there is a next event.',
  example: null,
})

export const OccasionJson = z
  .object({
    id: id('Generated by the service; never changes.', OCCASION_ID),
    userId: id('The user.'),
    externalId: externalIdOfUser,
    type: eventType,
    ...fields,
    date: fields.date.nullable().openapi({ description: 'The original date; null for the date of birth.' }),
    pausedAt: instant('When it was paused; null while it is active.', '2026-11-15T04:00:00.000Z').nullable(),
    version,
    next: NextJson.nullable().openapi({ description: 'The next event; null if there is none.' }),
    nextReason,
  })
  .openapi('Occasion')

export function occasionJson(
  occasion: Occasion,
  user: Pick<User, 'externalId' | 'dateOfBirth'>,
  next: Next | null,
  { inFlight = false, isOwed = false, isSettled = false } = {},
): z.infer<typeof OccasionJson> {
  const { id, userId, type, date, localTime, repeats, calendar, leapDay, until, template, notAfter } =
    occasion
  const { channelId: channel, version } = occasion
  const pausedAt = instantOrNull(occasion.pausedAt)
  const shift = occasion.shiftDays === null ? null : formatShift(occasion.shiftDays)
  const send = { shift, onWeekend: occasion.onWeekend }
  const rule = { type, date, localTime, repeats, calendar, leapDay, ...send, until }
  const planned = {
    next: next && nextJson(next),
    nextReason:
      next !== null
        ? null
        : inFlight
          ? ('IN_FLIGHT' as const)
          : whyNoNext(occasion, user, { isOwed, isSettled }),
  }
  const own = { template, channel, notAfter, data: dataOf(occasion) }
  return { id, userId, externalId: user.externalId, ...rule, ...own, pausedAt, version, ...planned }
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

export function planJson(
  deps: Pick<AppDeps, 'planner' | 'clock'>,
  plan: OccasionPlan,
  user: User,
): z.infer<typeof OccasionJson> {
  const { occasion, open, lastSettled } = plan
  const isOwed = open === null && nextDue(deps, plan, user) !== null
  return occasionJson(occasion, user, open, { isOwed, isSettled: lastSettled !== null })
}

/** The pending event after a change; an event in flight is not included. */
export function nextAfter(open: OpenChange): Next | null {
  if (open.kind === 'insert') return open.event
  return open.kind === 'reschedule' ? open.to : null
}

const PlaceJson = z.object({
  utc: instant('When it is due.', '2026-12-15T16:00:00.000Z'),
  local: instant('The due time in the local timezone.', '2026-12-15T09:00:00-07:00'),
  timezone: z.string().openapi({ description: 'The timezone.', example: 'America/Vancouver' }),
})

export const MoveJson = z
  .object({
    eventId: z.string().openapi({ format: 'uuid' }),
    type: z.string().openapi({ example: 'BIRTHDAY' }),
    from: PlaceJson,
    to: PlaceJson.nullable().openapi({
      description: 'Null for an event without a new time: claimed before, or cancelled.',
    }),
  })
  .openapi('Move', { description: 'An open event that a change concerns, with its old and new time.' })

export function moveJson({ eventId, eventType: type, from, to }: Move): z.infer<typeof MoveJson> {
  return { eventId, type, from: placeJson(from), to: to && placeJson(to) }
}

function placeJson({ targetAt, offsetSeconds, timezone }: Place): z.infer<typeof PlaceJson> {
  return { utc: formatInstant(targetAt), local: formatLocal(targetAt, offsetSeconds), timezone }
}

export const OccurrenceJson = z
  .object({
    occurrence: z.string().openapi({ description: 'The year, or the date of a rule.', example: '2027' }),
    utc: instant('When it would be due.', '2027-03-01T17:00:00.000Z'),
    local: instant('The due time in the local timezone.', '2027-03-01T09:00:00-08:00'),
    occursOn: z
      .string()
      .openapi({ description: 'The local date on which it is sent.', format: 'date', example: '2027-03-01' }),
    date: z
      .string()
      .openapi({ description: 'The date that it is for.', format: 'date', example: '2027-03-01' }),
    note: z.string().optional().openapi({
      description:
        'Why the time or date was adjusted: LEAP_DAY_MOVED, CLOCK_GAP, CLOCK_OVERLAP, DATE_SKIPPED, CALENDAR_MOVED, MOVED_FROM_WEEKEND or SHIFTED. Absent without an adjustment.',
    }),
    reason: z.string().optional().openapi({ description: 'All adjustments in words.' }),
  })
  .openapi('Occurrence')

export function occurrenceJson(slot: Slot & { reason?: string }): z.infer<typeof OccurrenceJson> {
  const { occurrence, instant, offsetSeconds, occursOn, date, note, reason } = slot
  const placed = {
    occurrence,
    utc: formatInstant(instant),
    local: formatLocal(instant, offsetSeconds),
    occursOn,
    date,
  }
  return { ...placed, ...(note && { note }), ...(reason && { reason }) }
}
