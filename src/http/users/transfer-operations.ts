// The import and export operations, as the OpenAPI document describes them.
import { z } from '@hono/zod-openapi'
import { dryRun, dryRunQuery } from '../../api/fields.ts'
import { FIELD_PROBLEM_EXAMPLE, FieldProblemJson, ImportCountsJson } from '../../api/problem.ts'
import { cursorInput } from '../../api/query.ts'
import { EXPORT_FORMATS, MOST_IN_PAGE } from '../../app/users/export-people.ts'
import { counts } from '../server/audit.ts'
import type { Operation } from '../server/operation.ts'

const tag = 'People'

export const IMPORT_LIMIT = 64 * 1024 * 1024
/** The most rows in one call of a function: at most 250 of the 1,000 queries that a Worker may send to D1. */
export const IMPORT_ON_DEMAND = 20_000
/** Rejected rows of one request. */
export const IMPORT_REJECTED = 5_000

const PEOPLE_CSV = `firstName,lastName,dateOfBirth,timezone,email,language,externalId
Ada,Lovelace,1990-12-15,America/Vancouver,ada@example.com,en,crm-4711
`

const ImportJson = ImportCountsJson.extend({
  errors: z
    .array(
      FieldProblemJson.extend({
        line: z.int().openapi({ description: 'The line on which the row begins, from 1.', example: 4 }),
        field: z.string().openapi({ description: 'The name of the column; empty for the whole row.' }),
      }).openapi({ example: { line: 4, ...FIELD_PROBLEM_EXAMPLE } }),
    )
    .openapi({ description: 'The first hundred problems, by line.' }),
  sharedDates: z
    .array(z.object({ date: z.string().openapi({ example: '1900-01-01' }), people: z.int() }))
    .optional()
    .openapi({
      description:
        'Dates of birth that more than 1 % of the rows of this request share, and at least ten: they may stand for a missing date. Absent if there is none.',
    }),
  dryRun,
}).openapi('Import')

const importQuery = dryRunQuery.extend({
  from: z
    .string()
    .regex(/^[1-9]\d{0,8}$/, 'Must be the number of a row, from 1.')
    .default('1')
    .transform(Number)
    .openapi({
      type: 'integer',
      minimum: 1,
      default: 1,
      description: 'The row to begin with: `next` of the previous response. Rows before it are skipped.',
      example: 1,
    }),
})

export const IMPORT_USERS = {
  operationId: 'importUsers',
  route: 'POST /user/import',
  scope: 'write',
  audit: { action: 'people.imported', read: counts('created') },
  cost: { perBytes: 64 * 1024, most: IMPORT_LIMIT },
  tag,
  summary: 'Import people (CSV)',
  description:
    'Creates a person for each row of a CSV file in UTF-8 of up to 64 MiB, while it is uploaded. The first line names the columns. Each row is accepted or rejected on its own. A person who exists already, by external id, is not changed, so a file can be imported again. A row without an external id gets one derived from its values. A request stops after 5,000 rejected rows, on Cloudflare and AWS Lambda also after 20,000 rows; then `next` is the row to continue with. A caller can run one import at a time; another one gets 429. It ends when the caller closes the connection. If an error occurs after some rows, the problem has `soFar`.',
  query: importQuery,
  body: {
    mediaType: 'text/csv',
    documentedAs: z.string().openapi({ example: PEOPLE_CSV, description: 'The CSV file.' }),
  },
  responses: {
    200: { description: 'Done; `errors` says which rows were rejected and why.', schema: ImportJson },
  },
  problems: ['INVALID_INPUT', 'INCOMPLETE_BODY', 'BODY_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE'],
} satisfies Operation

/** The header of a page of an export that is not the last. */
export const NEXT_CURSOR = 'Terce-Next-Cursor'

const exportQuery = z.strictObject({
  format: z
    .enum(EXPORT_FORMATS, `Must be one of ${EXPORT_FORMATS.join(', ')}.`)
    .default('csv')
    .openapi({
      description:
        '`csv` can be imported again; `json` is one object per line (application/x-ndjson), like GET /user/{id}.',
      example: 'csv',
    }),
  limit: z
    .string()
    .regex(/^(?:[1-9]\d{0,3}|10000)$/, `Must be a number from 1 to ${MOST_IN_PAGE}.`)
    .optional()
    .transform((text) => (text === undefined ? null : Number(text)))
    .openapi({
      type: 'integer',
      minimum: 1,
      maximum: MOST_IN_PAGE,
      description:
        'The maximum number of people in the response. Without it, all people; on Cloudflare and AWS Lambda 10,000.',
      example: 10_000,
    }),
  cursor: cursorInput(
    `Must be the header ${NEXT_CURSOR} of a response, unchanged. Omit it for the first page.`,
  ).openapi({ description: `Where to continue: the header \`${NEXT_CURSOR}\` of the previous page.` }),
})

export const EXPORT_USERS = {
  operationId: 'exportUsers',
  route: 'GET /user/export',
  scope: 'read',
  audit: { action: 'people.exported', counted: true },
  cost: 50,
  tag,
  summary: 'Export people',
  description: `Exports all people, in order of creation. The last line marks the end: \`#end\` in the first cell, or \`{"end":true}\`; without it the export is incomplete. A page that ends before has the header \`${NEXT_CURSOR}\`, and all pages joined are one file. In CSV, a cell that a spreadsheet would read as a formula is prefixed with a quote.`,
  query: exportQuery,
  responses: {
    200: {
      description: 'All people, or a page of them.',
      schema: z.string(),
      mediaType: 'text/csv',
      headers: z.object({
        [NEXT_CURSOR]: z.string().optional().openapi({ description: 'The `cursor` of the next page.' }),
      }),
    },
  },
} satisfies Operation
