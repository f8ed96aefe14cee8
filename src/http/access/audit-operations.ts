// Reading the audit log, as the OpenAPI document describes it.
import { z } from '@hono/zod-openapi'
import { instant, instantInput } from '../../api/fields.ts'
import { pageCursor, pageQuery, pageSchema, parseNumber } from '../../api/query.ts'
import { AUDIT_ACTIONS } from '../../domain/access/audit.ts'
import type { Operation } from '../server/operation.ts'

const action = z.enum(AUDIT_ACTIONS, `Must be one of ${AUDIT_ACTIONS.join(', ')}.`)

export const AuditEntryJson = z
  .object({
    id: z.int().openapi({ description: 'Grows with each entry.', example: 42 }),
    at: instant('When it was recorded.'),
    actor: z.string().nullable().openapi({
      description:
        '`key:` or `session:` with an id, `environment:` with the name of a key, `host:` with the name of a caller that the application identified, or `cli`; null for a caller without a key.',
      example: 'key:019a84f1-8c00-7000-8000-5b1d7c2e9f30',
    }),
    address: z.string().nullable().openapi({
      description:
        'The network address of the caller; null if it is unknown, or for rejections from many addresses.',
      example: '203.0.113.7',
    }),
    action,
    object: z
      .object({ kind: z.string(), id: z.string() })
      .nullable()
      .openapi({ description: 'The object of the action; null if it is not a single one.' }),
    result: z.enum(['ok', 'rejected']),
    status: z.int().nullable().openapi({ description: 'The HTTP status of a rejection.' }),
    count: z.int().openapi({
      description:
        'How many rejections or exports the entry stands for: there is at most one entry for each address, action and minute.',
    }),
    details: z
      .record(z.string(), z.union([z.string(), z.number()]))
      .nullable()
      .openapi({ description: 'Counts and ids; no personal data.' }),
  })
  .openapi('AuditEntry')

export const LIST_AUDIT = {
  operationId: 'listAudit',
  route: 'GET /audit',
  scope: 'admin',
  tag: 'Audit',
  summary: 'List the audit log',
  description:
    'Returns security-relevant actions and rejected requests, the newest first. Entries contain ids, no names of people.',
  query: z.strictObject({
    ...pageQuery,
    cursor: pageCursor(parseNumber),
    action: action.optional().openapi({ description: 'Only this action.' }),
    actor: z.string().max(200).optional().openapi({ description: 'Only this actor, as `actor` has it.' }),
    object: z.string().max(200).optional().openapi({ description: 'Only the object with this id.' }),
    from: instantInput('Only entries from this instant on.'),
    to: instantInput('Only entries before this instant.'),
  }),
  responses: { 200: { description: 'One page.', schema: pageSchema(AuditEntryJson) } },
} satisfies Operation
