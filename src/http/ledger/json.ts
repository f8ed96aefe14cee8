// Days and lines of the ledger as JSON, and the path that names a day.
import { z } from '@hono/zod-openapi'
import type { DayResult, Evidence, ExplainedLine } from '../../app/ledger/read-ledger.ts'
import { JOURNAL_KINDS } from '../../domain/ledger/change-text.ts'
import { LEDGER_COLUMNS, type LedgerCounts, type LedgerLine } from '../../domain/ledger/line.ts'
import { reasonText } from '../../domain/ledger/reasons.ts'
import { parseCivilDate } from '../../domain/time/calendar.ts'
import { formatInstant, instantOrNull } from '../../domain/time/timestamp.ts'
import type { LedgerDay } from '../../ports/store.ts'
import { externalIdOfUser, id, instant } from '../server/fields.ts'
import { Problem } from '../server/problem.ts'

const DAY = '2026-12-15'
const HASH = '6b1f0f2b8f9f4b0f9a7de1a2b3c4d5e66b1f0f2b8f9f4b0f9a7de1a2b3c4d5e6'

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

export function dayOf(result: DayResult, name: string): LedgerDay {
  if (result.kind === 'found') return result.day
  const { closed } = result
  const known =
    closed === null ? 'No day is closed yet.' : `The days from ${closed.first} to ${closed.last} are closed.`
  if (result.kind === 'unknown')
    throw new Problem('DAY_NOT_FOUND', `The ledger does not have ${name}. ${known}`)
  const end = `${formatInstant(result.endsAt)}, when the day has ended in every timezone`
  throw new Problem('DAY_NOT_CLOSED', `The account of ${name} is closed soon after ${end}. ${known}`)
}

const count = (description: string, example: number) => z.int().openapi({ description, example })
const closing = (description: string, example: string) =>
  z
    .string()
    .nullable()
    .openapi({ description: `${description} Null until the day is closed.`, example })

const COUNTS = {
  owed: count('Messages that were owed: delivered, failed, excused, open and unexplained ones.', 1042),
  delivered: count('Delivered, on time, late or early.', 1030),
  late: count('Of the delivered, more than a minute after they were due.', 2),
  early: count('Of the delivered, claimed before they were due.', 0),
  failed: count('Failed for good.', 3),
  excused: count('Not sent, for a recorded reason: a change, a pause, a deletion, a limit.', 8),
  open: count('Not settled when the account was computed. The account of the next day has them again.', 1),
  unexplained: count('Owed, and nothing recorded explains what became of them. Must be 0.', 0),
  surplus: count('Sent, and not owed. Must be 0.', 0),
  carried: count(
    'Of the owed ones, those of an earlier day, which were open on its account or were settled after it was closed.',
    0,
  ),
} satisfies Record<keyof LedgerCounts, z.ZodType>

export const LedgerDayJson = z
  .object({
    day: z.string().openapi({ description: 'The local date.', format: 'date', example: DAY }),
    state: z.enum(['closed', 'closing', 'running']).openapi({
      description:
        '`closing` while the account is computed; its counts are those of the people so far. `running` only for GET /ledger/today.',
    }),
    closedAt: instant('When it was closed; null before.', '2026-12-16T12:00:05.000Z').nullable(),
    prunedAt: instant('When its lines were removed as too old; null while it has them.').nullable(),
    people: count('How many people were accounted for.', 250_000),
    ...COUNTS,
    hash: closing(
      'The SHA-256 of the counts and the lines of the day, and of the hash of the day before.',
      HASH,
    ),
    tzVersion: closing('The IANA release that the account was computed with.', '2026f'),
  })
  .openapi('LedgerDay', { description: 'The account of a local calendar day.' })

export function dayJson(day: LedgerDay): z.infer<typeof LedgerDayJson> {
  const { closedAt, prunedAt, cursor: _, startedAt: __, reportedAt: ___, ...rest } = day
  return {
    ...rest,
    state: closedAt === null ? 'closing' : 'closed',
    closedAt: instantOrNull(closedAt),
    prunedAt: instantOrNull(prunedAt),
  }
}

const EvidenceJson = z
  .object({
    number: z.int().openapi({ description: 'The number of the entry.', example: 17 }),
    at: instant('When the change was made.'),
    kind: z.enum(JOURNAL_KINDS),
    text: z.string().openapi({ description: 'The change in words.', example: 'Paused.' }),
    userId: id('The person that was changed.').optional(),
    occasionId: id('The occasion that was changed.').optional(),
    idHash: z.string().optional().openapi({
      description: 'The SHA-256 of the id of the person or occasion that was deleted.',
      example: HASH,
    }),
    before: z
      .record(z.string(), z.unknown())
      .optional()
      .openapi({ description: 'The state of the person or occasion before the change.' }),
  })
  .openapi('LedgerEvidence', { description: 'An entry of the journal.' })

function evidenceJson({ entry, text }: Evidence): z.infer<typeof EvidenceJson> {
  const { number, kind } = entry
  const json = { number, at: formatInstant(entry.at), kind, text }
  switch (entry.kind) {
    case 'person-changed':
      return { ...json, userId: entry.userId, before: entry.before }
    case 'occasion-changed':
      return { ...json, occasionId: entry.occasionId, before: entry.before }
    case 'person-deleted':
    case 'occasion-deleted':
      return { ...json, idHash: entry.idHash }
    default:
      return json
  }
}

const EVENT_ID = '019b2279-4400-7000-8000-2f6b1c9d3e4a'
const OCCASION_ID = '019a84f1-8c00-7000-8000-2f6c1c9d3e4a'

export const LedgerLineJson = z
  .object({
    column: z.enum(LEDGER_COLUMNS),
    reason: z
      .string()
      .nullable()
      .openapi({ description: 'Why, as a code; null for a plain delivery.', example: 'PAUSED' }),
    occasionId: id('Null once the person or occasion is deleted.', OCCASION_ID).nullable(),
    eventId: id('Null if there is no event, or once the person or occasion is deleted.', EVENT_ID).nullable(),
    userId: id('The person.').nullable(),
    externalId: externalIdOfUser,
    firstName: z.string().nullable().openapi({ example: 'Ada' }),
    lastName: z.string().nullable().openapi({ example: 'Lovelace' }),
    occasionType: z
      .string()
      .nullable()
      .openapi({ description: 'The type of the occasion.', example: 'BIRTHDAY' }),
    localTime: z.string().nullable().openapi({
      description: 'The local time at which it was due, in the timezone it was planned for.',
      example: '2026-12-15T09:00',
    }),
    occurrence: z
      .string()
      .nullable()
      .openapi({ description: 'As `occurrence` of an event.', example: '2026' }),
    attempt: z
      .int()
      .nullable()
      .openapi({ description: 'The number of the attempt that settled it.', example: 1 }),
    because: id('The other event of the occasion that explains the line.', EVENT_ID).nullable(),
    carriedFrom: z.string().nullable().openapi({
      description: 'The day that owed it; null for a line of this day.',
      format: 'date',
      example: null,
    }),
    dueAt: instant('When it was due.', '2026-12-15T16:00:00.000Z').nullable(),
    expectedAt: instant(
      'When the present state of the occasion puts it, or the next occurrence in its place; null unless that differs from `dueAt`.',
      '2026-12-15T17:00:00.000Z',
    ).nullable(),
    settledAt: instant('When it was settled.', '2026-12-15T16:00:00.412Z').nullable(),
    lateSeconds: z
      .number()
      .nullable()
      .openapi({ description: 'Of a delivery: how long after it was due.', example: 0.412 }),
    number: z.int().openapi({ description: 'The number of the line within its day, from 1.', example: 204 }),
    reasonText: z.string().openapi({
      description: 'Why, in words.',
      example: reasonText({ column: 'excused', reason: 'PAUSED' }),
    }),
    evidence: EvidenceJson.nullable().openapi({
      description: 'The journal entry that explains the line; null if it names none, or once it is erased.',
    }),
  })
  .openapi('LedgerLine', {
    description:
      'One message that was owed on the day, or one that was not and was sent. The fields about the person and the occasion are read when the line is shown, and null once either is deleted.',
  })

export function lineJson(line: ExplainedLine): z.infer<typeof LedgerLineJson> {
  const { column, reason, occasionId, eventId, occurrence, attempt, because, carriedFrom } = line
  const { dueAt, expectedAt, settledAt, number, evidence, subject, localTime } = line
  return {
    userId: subject?.userId ?? null,
    externalId: subject?.externalId ?? null,
    firstName: subject?.firstName ?? null,
    lastName: subject?.lastName ?? null,
    occasionType: subject?.occasionType ?? null,
    localTime,
    ...{ column, reason, occasionId, eventId, occurrence, attempt, because, carriedFrom },
    dueAt: instantOrNull(dueAt),
    expectedAt: instantOrNull(expectedAt),
    settledAt: instantOrNull(settledAt),
    lateSeconds: lateSeconds(line),
    number,
    reasonText: reasonText(line),
    evidence: evidence === null ? null : evidenceJson(evidence),
  }
}

function lateSeconds({ column, dueAt, settledAt }: LedgerLine): number | null {
  if (column !== 'delivered' || dueAt === null || settledAt === null) return null
  return Math.max(0, settledAt - dueAt) / 1000
}
