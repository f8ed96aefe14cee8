// Days and lines of the ledger as JSON.
import { z } from '@hono/zod-openapi'
import { externalIdOfUser, id, instant } from '../../api/fields.ts'
import { Problem } from '../../api/problem.ts'
import { fieldSchemas } from '../../api/users/fields.ts'
import type { DayAccount, LedgerLine } from '../../app/ledger/read-ledger.ts'
import { reasonInWords } from '../../domain/events/failure-reason.ts'
import { MISSED_REASONS, REASON_TEXT } from '../../domain/ledger/problem.ts'
import { parseCivilDate } from '../../domain/time/calendar.ts'
import { instantOrNull } from '../../domain/time/timestamp.ts'

const DAY = '2026-12-15'

/** A local date in a path or a query. */
export const dayInput = (description: string, example = DAY) =>
  z
    .string()
    .refine((text) => parseCivilDate(text) !== null, `Must be a date, such as ${DAY}.`)
    .openapi({ description, format: 'date', example })

/** For operations on `/ledger/{day}`. */
export const ofDay = {
  params: z.object({ day: dayInput('The local date, in the timezone of each person.') }),
  notFound: ({ day = '' }: { day?: string }) =>
    new Problem('DAY_NOT_FOUND', `"${day.slice(0, 60)}" is not a date such as ${DAY}.`),
}

const count = (description: string, example: number) => z.int().openapi({ description, example })

export const LedgerDayJson = z
  .object({
    day: z.string().openapi({ description: 'The local date.', format: 'date', example: DAY }),
    closedAt: instant(
      'When it was closed, after which it does not change; null before.',
      '2026-12-16T12:00:05.000Z',
    ).nullable(),
    due: count('Messages that were due: the sum of the next five counts.', 1204),
    onTime: count('Delivered within a minute.', 1201),
    late: count('Delivered later, or by a replay.', 2),
    failed: count('Failed for good.', 1),
    notSent: count('Not sent by a rule: a limit of lateness, a cut-off, a pause, a completed task.', 0),
    waiting: count('In flight, or waiting for a channel or a retry.', 0),
    missed: count(
      'Problems that can miss a person: those that were there when the day was closed, or are there now. Must be 0.',
      0,
    ),
    codes: z.record(z.string(), z.int()).openapi({
      description: 'The failed, not sent and waiting messages by code.',
      example: { 'HTTP 410': 1 },
    }),
  })
  .openapi('LedgerDay', { description: 'The account of a local calendar day.' })

export function dayJson(account: DayAccount & { reportedAt?: number | null }): z.infer<typeof LedgerDayJson> {
  const { reportedAt: _, closedAt, ...day } = account
  return { ...day, closedAt: instantOrNull(closedAt) }
}

export const MissedJson = z
  .record(z.enum(MISSED_REASONS), z.int())
  .openapi('Missed', { description: 'How many problems there are now, by reason.' })

export const LedgerLineJson = z
  .object({
    kind: z.enum(['problem', 'failure']),
    reason: z.string().openapi({
      description: `Of a problem: ${MISSED_REASONS.join(', ')}. Of a failure: its code.`,
      example: 'UNPLANNED',
    }),
    reasonText: z.string().openapi({ description: 'Why, in words.', example: REASON_TEXT.UNPLANNED }),
    occasionId: id('The occasion.'),
    eventId: id('The event; null if there is none.').nullable(),
    userId: id('The person.'),
    externalId: externalIdOfUser,
    firstName: fieldSchemas.firstName,
    lastName: fieldSchemas.lastName,
    occasionType: z.string().openapi({ description: 'The type of the occasion.', example: 'BIRTHDAY' }),
    dueAt: instant('When the event is or was due; null without one.').nullable(),
    expectedAt: instant('Where the occasion puts it; null if that is nowhere, and for a failure.').nullable(),
    foundAt: instant('When a check found the problem; null for an event.').nullable(),
    goneAt: instant('When it was repaired; null while it is there.').nullable(),
  })
  .openapi('LedgerLine', { description: 'A problem that can miss a person, or a message that failed.' })

export function lineJson(of: LedgerLine): z.infer<typeof LedgerLineJson> {
  const { foundAt, goneAt, dueAt, expectedAt, ...line } = of
  const texts: Readonly<Record<string, string>> = REASON_TEXT
  return {
    ...line,
    reasonText: texts[line.reason] ?? `It failed: ${reasonInWords(line.reason, null)}.`,
    dueAt: instantOrNull(dueAt),
    expectedAt: instantOrNull(expectedAt),
    foundAt: instantOrNull(foundAt),
    goneAt: instantOrNull(goneAt),
  }
}

export function unknownDay(day: string, closed: { first: string; last: string } | null): Problem {
  const known = closed === null ? 'No day is closed yet.' : `It has ${closed.first} to ${closed.last}.`
  return new Problem('DAY_NOT_FOUND', `The ledger does not have ${day}. ${known}`)
}
