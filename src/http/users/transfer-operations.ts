// What taking people in and handing them out promise, for the OpenAPI document and the reference page.
import { z } from '@hono/zod-openapi'
import { EXPORT_FORMATS } from '../../app/users/export-people.ts'
import { dryRunQuery } from '../server/fields.ts'
import type { Operation } from '../server/operation.ts'
import { FieldProblemJson } from '../server/problem.ts'

const tag = 'People'

export const IMPORT_LIMIT = 64 * 1024 * 1024

const PEOPLE_CSV = `firstName,lastName,dateOfBirth,timezone,email,language,externalId
Ada,Lovelace,1990-12-15,America/Vancouver,ada@example.com,en,crm-4711
`

const count = (description: string, example: number) => z.int().openapi({ description, example })

export const ImportJson = z
  .object({
    read: count('Rows, without the header and blank ones.', 3),
    created: count('How many people were created, or would be (dry run).', 1),
    unchanged: count('How many were there already, by external id. They stay as they are.', 1),
    differing: count('How many of these have other values than their row.', 0),
    refused: count('How many rows were refused. They are in `errors`.', 1),
    errors: z
      .array(
        FieldProblemJson.extend({
          line: z.int().openapi({ description: 'Where the row begins, from 1.', example: 4 }),
          field: z.string().openapi({ description: 'The column, as it is named; empty for the whole row.' }),
        }),
      )
      .openapi({ description: 'What is wrong with which line: the first hundred.' }),
  })
  .openapi('Import')

export const IMPORT_USERS = {
  operationId: 'importUsers',
  method: 'post',
  path: '/user/import',
  scope: 'write',
  tag,
  summary: 'Take in people from a table',
  description:
    'Creates a person for each row of comma-separated values in UTF-8, up to 64 MiB of them, read while they come. The first line names the columns. Each row is taken or refused on its own. Whoever is there already, by external id, stays as they are: to send a table again does no harm. A row without one gets one that is made of what it says.',
  query: dryRunQuery,
  body: {
    mediaType: 'text/csv',
    documentedAs: z.string().openapi({ example: PEOPLE_CSV, description: 'The table.' }),
  },
  responses: { 200: { description: 'Done; look into `errors` for what was refused.', schema: ImportJson } },
  problems: ['INVALID_INPUT', 'INVALID_QUERY', 'INCOMPLETE_BODY', 'BODY_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE'],
} satisfies Operation

export const exportQuery = z.strictObject({
  format: z
    .enum(EXPORT_FORMATS, `Give one of ${EXPORT_FORMATS.join(', ')}.`)
    .default('csv')
    .openapi({
      description:
        '`csv` can be taken in again; `json` is one object a line (application/x-ndjson), each as GET /user/{id} has it.',
      example: 'csv',
    }),
})

export const EXPORT_USERS = {
  operationId: 'exportUsers',
  method: 'get',
  path: '/user/export',
  scope: 'read',
  tag,
  summary: 'Hand out everybody',
  description:
    'All people in the order they were created, sent while they are read. A cell that a spreadsheet would take for a formula begins with a quote.',
  query: exportQuery,
  responses: { 200: { description: 'Everybody.', schema: z.string(), mediaType: 'text/csv' } },
  problems: ['INVALID_QUERY'],
} satisfies Operation
