// The operations on the ledger, as the OpenAPI document describes them.
import { z } from '@hono/zod-openapi'
import { dryRun, dryRunInput, idInput, instant } from '../../api/fields.ts'
import { pageCursor, pageSchema } from '../../api/query.ts'
import { parseCivilDate } from '../../domain/time/calendar.ts'
import { counts } from '../server/audit.ts'
import type { Operation } from '../server/operation.ts'
import { dayInput, LedgerDayJson, LedgerLineJson, MissedJson, ofDay } from './json.ts'

const tag = 'Ledger'
const MOST_DAYS = 366

export const LIST_LEDGER = {
  operationId: 'listLedger',
  route: 'GET /ledger',
  scope: 'read',
  tag,
  summary: 'List the closed days',
  description:
    'Returns the account of each local calendar day, the newest first: how many messages were due, and what became of them. A day is closed when it has ended in every timezone, at 12:00 UTC of the next day.',
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

const lines = z
  .array(LedgerLineJson)
  .openapi({ description: 'Up to 100 problems, then up to 100 failures that were not delivered since.' })

export const READ_LEDGER_TODAY = {
  operationId: 'readLedgerToday',
  route: 'GET /ledger/today',
  scope: 'read',
  tag,
  summary: 'Read the account of today so far',
  description:
    'Returns the account of the running day by UTC, for messages that were due up to now, and the problems that are there now. Up to a minute old.',
  responses: {
    200: {
      description: 'The account so far.',
      schema: z
        .object({ at: instant('When it was computed.'), day: LedgerDayJson, missed: MissedJson, lines })
        .openapi('LedgerToday'),
    },
  },
} satisfies Operation

export const READ_LEDGER_DAY = {
  operationId: 'readLedgerDay',
  route: 'GET /ledger/{day}',
  scope: 'read',
  tag,
  summary: 'Read the account of a day',
  description:
    'Returns the account of a day with its problems and failures. Of a day that is not closed yet, the account so far. A delivered message has no line: its event is its record.',
  ...ofDay,
  responses: {
    200: { description: 'The account and its lines.', schema: z.object({ day: LedgerDayJson, lines }) },
  },
} satisfies Operation

export const REPAIR_LEDGER = {
  operationId: 'repairLedger',
  route: 'POST /ledger/repair',
  scope: 'write',
  audit: { action: 'ledger.repaired', read: counts('planned', 'left') },
  tag,
  summary: 'Plan again what the ledger found',
  description:
    'Plans the next message of each occasion that is UNPLANNED or MISPLANNED, as a change of the occasion does; at most 1,000. An occasion that is TWO_PLANNED is left: delete the occasion and add it again.',
  body: {
    schema: z
      .strictObject({
        occasionId: idInput('Only this occasion.').optional(),
        dryRun: dryRunInput,
      })
      .openapi('RepairLedger', { example: { dryRun: true } }),
  },
  responses: {
    200: {
      description: 'The counts.',
      schema: z.object({
        planned: z.int().openapi({ description: 'Planned again, or would be in a dry run.' }),
        right: z.int().openapi({ description: 'Planned meanwhile, or in flight.' }),
        left: z.int().openapi({ description: 'Not repaired.' }),
        dryRun,
      }),
    },
  },
} satisfies Operation

const ReportTargetJson = z
  .object({
    to: z.string().min(1).nullable().openapi({
      description: 'An e-mail address, or the name of a webhook channel; null if the report is sent nowhere.',
      example: 'ops@example.com',
    }),
    setBy: z.enum(['environment', 'settings']).nullable().openapi({
      description: 'Where it is set: REPORT_TO in the environment precedes it; null if nowhere.',
      example: 'settings',
    }),
  })
  .openapi('ReportTarget', { description: 'Where the report of each closed day goes.' })

const reportTarget = { 200: { description: 'The target.', schema: ReportTargetJson } }

export const READ_REPORT_TARGET = {
  operationId: 'readReportTarget',
  route: 'GET /ledger/report',
  scope: 'admin',
  tag,
  summary: 'Read where the daily report goes',
  description: 'Returns the target of the report of each closed day. An address in REPORT_TO is masked.',
  responses: reportTarget,
} satisfies Operation

export const SET_REPORT_TARGET = {
  operationId: 'setReportTarget',
  route: 'PUT /ledger/report',
  scope: 'admin',
  audit: { action: 'report.redirected' },
  tag,
  summary: 'Set where the daily report goes',
  description: 'The report of each closed day is one message, also when all is well. Null sends none.',
  body: {
    schema: ReportTargetJson.pick({ to: true })
      .strict()
      .openapi('SetReportTarget', { example: { to: 'ops@example.com' } }),
  },
  problems: ['SETTING_MANAGED'],
  responses: reportTarget,
} satisfies Operation
