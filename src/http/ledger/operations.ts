// The operations on the ledger, as the OpenAPI document describes them.
import { z } from '@hono/zod-openapi'
import { MOST_IN_FILE } from '../../app/ledger/export-ledger.ts'
import { LEDGER_COLUMNS } from '../../domain/ledger/line.ts'
import { ofEvent } from '../events/json.ts'
import type { Operation } from '../server/operation.ts'
import { pageCursor, pageQuery, pageSchema } from '../server/query.ts'
import { dayInput, LedgerDayJson, LedgerLineJson, LedgerProofJson, ofDay } from './json.ts'

const tag = 'Ledger'
const MOST_DAYS = 366

export const LIST_LEDGER = {
  operationId: 'listLedger',
  method: 'get',
  path: '/ledger',
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
        description: 'The maximum number of days. Continue with `to` set to the day before the last one.',
        example: 30,
      }),
  }),
  responses: { 200: { description: 'The days.', schema: z.object({ days: z.array(LedgerDayJson) }) } },
  problems: ['INVALID_QUERY'],
} satisfies Operation

const column = z.enum(LEDGER_COLUMNS, `Must be one of ${LEDGER_COLUMNS.join(', ')}.`)

/** Lines are in order of their commitment, so a cursor is one. */
const parseCommitment = (text: string) => (/^[0-9a-f]{64}$/.test(text) ? text : null)

export const READ_LEDGER_DAY = {
  operationId: 'readLedgerDay',
  method: 'get',
  path: '/ledger/{day}',
  scope: 'read',
  tag,
  summary: 'Read the account of a day',
  description:
    'Returns the account of a day and its lines page by page, each with its reason and the journal entry that explains it. Lines of people who were deleted have no ids and no instants. While the account is computed, the lines are those of the people so far.',
  ...ofDay,
  query: z.strictObject({
    ...pageQuery,
    cursor: pageCursor(parseCommitment),
    column: column.optional().openapi({ description: 'Only lines of this column.', example: 'excused' }),
  }),
  responses: {
    200: {
      description: 'The account, and one page of its lines.',
      schema: z.object({
        day: LedgerDayJson,
        lines: z.array(LedgerLineJson),
        nextCursor: pageSchema(LedgerLineJson).shape.nextCursor,
      }),
    },
  },
  problems: ['INVALID_QUERY', 'DAY_NOT_FOUND', 'DAY_NOT_CLOSED'],
} satisfies Operation

export const EXPORT_LEDGER = {
  operationId: 'exportLedger',
  method: 'get',
  path: '/ledger/{day}/file',
  scope: 'read',
  tag,
  summary: 'Export closed days',
  description:
    'Returns closed days as one JSON file that can be verified without the database: the signed header of each day, and the column and the commitment of each line, about 80 bytes. The lines of a pruned day are null. Contains no personal data. AWS Lambda returns at most 6 MB.',
  ...ofDay,
  query: z.strictObject({
    from: dayInput(
      `The first day of the file, up to ${MOST_IN_FILE - 1} days before the last; without it, one day.`,
      '2026-12-01',
    ).optional(),
  }),
  responses: {
    200: {
      description: 'The file. Verify it with `terce ledger verify`.',
      schema: z.object({
        format: z.literal('terce-ledger/1'),
        publicKey: z.string(),
        days: z.array(
          z.object({
            header: z.string(),
            signature: z.string(),
            publicKey: z
              .string()
              .optional()
              .openapi({ description: 'If it is another one than that of the file.' }),
            lines: z.array(z.array(z.string())).nullable(),
          }),
        ),
      }),
    },
  },
  problems: ['INVALID_QUERY', 'DAY_NOT_FOUND', 'DAY_NOT_CLOSED'],
} satisfies Operation

export const PROVE_EVENT = {
  operationId: 'proveEvent',
  method: 'get',
  path: '/event/{id}/proof',
  scope: 'read',
  tag,
  summary: 'Prove an event',
  description:
    'Returns the newest line of the event, or that of a day, with the hashes that lead from it to the signed root of the day. An event that was open when its day was closed has lines on several days. Verify it with `terce ledger verify`. Reads all lines of the day.',
  ...ofEvent,
  query: z.strictObject({ day: dayInput('The line of this day.').optional() }),
  responses: { 200: { description: 'The proof.', schema: LedgerProofJson } },
  problems: ['INVALID_QUERY', 'EVENT_NOT_FOUND', 'LINE_NOT_FOUND', 'LEDGER_ALTERED'],
} satisfies Operation
