// The operations on the ledger, as the OpenAPI document describes them.
import { z } from '@hono/zod-openapi'
import { TODAY_LIMITS } from '../../app/ledger/account-now.ts'
import { LEDGER_COLUMNS } from '../../domain/ledger/line.ts'
import { parseCivilDate } from '../../domain/time/calendar.ts'
import { OccasionJson, ofOccasion } from '../occasions/json.ts'
import { instant } from '../server/fields.ts'
import type { Operation } from '../server/operation.ts'
import { pageCursor, pageQuery, pageSchema } from '../server/query.ts'
import { dayInput, LedgerDayJson, LedgerLineJson, ofDay } from './json.ts'

const tag = 'Ledger'
const MOST_DAYS = 366

export const LIST_LEDGER = {
  operationId: 'listLedger',
  route: 'GET /ledger',
  scope: 'read',
  tag,
  summary: 'List the daily accounts',
  description:
    'Returns the account of each local calendar day, the newest first: how many messages were owed, and what became of them. A day is closed soon after it has ended in every timezone, at 12:00 UTC of the next day.',
  query: z.strictObject({
    from: dayInput('Only this day and later ones.', '2026-12-01').optional(),
    to: dayInput('Only this day and earlier ones.').optional(),
    limit: z
      .string()
      .regex(/^(?:[1-9]\d?|[12]\d\d|3[0-5]\d|36[0-6])$/, `Must be a number from 1 to ${MOST_DAYS}.`)
      .default(String(MOST_DAYS))
      .transform(Number)
      .openapi({
        type: 'integer',
        minimum: 1,
        maximum: MOST_DAYS,
        default: MOST_DAYS,
        description: 'The maximum number of days.',
        example: 30,
      }),
    cursor: pageCursor((text) => (parseCivilDate(text) === null ? null : text)),
  }),
  responses: { 200: { description: 'One page of days.', schema: pageSchema(LedgerDayJson) } },
} satisfies Operation

export const READ_LEDGER_TODAY = {
  operationId: 'readLedgerToday',
  route: 'GET /ledger/today',
  scope: 'read',
  tag,
  summary: 'Read the account of today so far',
  description: `Computes the account of the running day by UTC, for messages that were due up to now. It is stored nowhere, and is up to two minutes old. It ends at ${TODAY_LIMITS.people.toLocaleString('en')} people or after ${TODAY_LIMITS.ms / 1000} seconds: then \`complete\` is false, and the counts are those of the people that were created first.`,
  responses: {
    200: {
      description: 'The account so far.',
      schema: z
        .object({
          at: instant('When it was computed.'),
          complete: z.boolean().openapi({ description: 'Whether everyone is accounted for.' }),
          day: LedgerDayJson,
          lines: z.array(LedgerLineJson).openapi({
            description: 'Up to 100 lines that are not plain deliveries, problems first.',
          }),
        })
        .openapi('LedgerToday'),
    },
  },
} satisfies Operation

const column = z.enum(LEDGER_COLUMNS, `Must be one of ${LEDGER_COLUMNS.join(', ')}.`)

/** Lines are in order of their rank and number. */
const parsePlace = (text: string) => (/^[0-7]-\d{1,9}$/.test(text) ? text : null)

export const READ_LEDGER_DAY = {
  operationId: 'readLedgerDay',
  route: 'GET /ledger/{day}',
  scope: 'read',
  tag,
  summary: 'Read the account of a day',
  description:
    'Returns the account of a day and its lines page by page, problems first: surplus, unexplained, failed, open, late or early, excused, delivered. Each line has its reason and the journal entry that explains it. Lines of people who were deleted have no ids and no instants. While the account is computed, the lines are those of the people so far.',
  ...ofDay,
  query: z.strictObject({
    ...pageQuery,
    cursor: pageCursor(parsePlace),
    column: column.optional().openapi({ description: 'Only lines of this column.', example: 'excused' }),
  }),
  responses: {
    200: {
      description: 'The account, and one page of its lines.',
      schema: pageSchema(LedgerLineJson).extend({ day: LedgerDayJson }),
    },
  },
  problems: ['DAY_NOT_CLOSED'],
} satisfies Operation

export const EXPLAIN_OCCASION = {
  operationId: 'explainOccasion',
  route: 'GET /occasion/{id}/explain',
  scope: 'read',
  tag: 'Occasions',
  summary: 'Explain an occasion',
  description:
    'Explains in words when an occasion is due, its next message or why there is none, and returns its newest lines of the ledger, newest first.',
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
          lines: z.array(
            LedgerLineJson.extend({ day: z.string().openapi({ format: 'date', example: '2026-12-15' }) }),
          ),
        })
        .openapi('OccasionExplanation'),
    },
  },
} satisfies Operation
