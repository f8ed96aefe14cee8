// The import and export operations, as the OpenAPI document describes them.
import { z } from '@hono/zod-openapi'
import { EXPORT_FORMATS } from '../../app/users/export-people.ts'
import { dryRunQuery } from '../server/fields.ts'
import type { Operation } from '../server/operation.ts'
import { FIELD_PROBLEM_EXAMPLE, FieldProblemJson } from '../server/problem.ts'

const tag = 'People'

export const IMPORT_LIMIT = 64 * 1024 * 1024

const PEOPLE_CSV = `firstName,lastName,dateOfBirth,timezone,email,language,externalId
Ada,Lovelace,1990-12-15,America/Vancouver,ada@example.com,en,crm-4711
`

const count = (description: string, example: number) => z.int().openapi({ description, example })

const ImportJson = z
  .object({
    read: count('How many rows were read, without the header and blank rows.', 3),
    created: count('How many people were created, or would be (dry run).', 1),
    unchanged: count('How many exist already, by external id. They are not changed.', 1),
    differing: count('How many of the existing people differ from their row.', 0),
    refused: count('How many rows were rejected. `errors` says why.', 1),
    errors: z
      .array(
        FieldProblemJson.extend({
          line: z.int().openapi({ description: 'The line on which the row begins, from 1.', example: 4 }),
          field: z.string().openapi({ description: 'The name of the column; empty for the whole row.' }),
        }).openapi({ example: { line: 4, ...FIELD_PROBLEM_EXAMPLE } }),
      )
      .openapi({ description: 'The first hundred problems, by line.' }),
  })
  .openapi('Import')

export const IMPORT_USERS = {
  operationId: 'importUsers',
  method: 'post',
  path: '/user/import',
  scope: 'write',
  tag,
  summary: 'Import people (CSV)',
  description:
    'Creates a person for each row of a CSV file in UTF-8 of up to 64 MiB, while it is uploaded. The first line names the columns. Each row is accepted or rejected on its own. A person who exists already, by external id, is not changed, so a file can be imported again. A row without an external id gets one derived from its values.',
  query: dryRunQuery,
  body: {
    mediaType: 'text/csv',
    documentedAs: z.string().openapi({ example: PEOPLE_CSV, description: 'The CSV file.' }),
  },
  responses: {
    200: { description: 'Done; `errors` says which rows were rejected and why.', schema: ImportJson },
  },
  problems: ['INVALID_INPUT', 'INVALID_QUERY', 'INCOMPLETE_BODY', 'BODY_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE'],
} satisfies Operation

const exportQuery = z.strictObject({
  format: z
    .enum(EXPORT_FORMATS, `Must be one of ${EXPORT_FORMATS.join(', ')}.`)
    .default('csv')
    .openapi({
      description:
        '`csv` can be imported again; `json` is one object per line (application/x-ndjson), like GET /user/{id}.',
      example: 'csv',
    }),
})

export const EXPORT_USERS = {
  operationId: 'exportUsers',
  method: 'get',
  path: '/user/export',
  scope: 'read',
  tag,
  summary: 'Export people',
  description:
    'Exports all people in order of creation, as a stream. In CSV, a cell that a spreadsheet would read as a formula is prefixed with a quote.',
  query: exportQuery,
  responses: { 200: { description: 'All people.', schema: z.string(), mediaType: 'text/csv' } },
  problems: ['INVALID_QUERY'],
} satisfies Operation
