// All problems of the API: one table of stable codes, and the RFC 9457 document that carries them.
import { z } from '@hono/zod-openapi'
import {
  FIELD_CODES,
  type FieldCode,
  type FieldProblem,
  FROZEN,
  StoreUnavailableError,
} from '../domain/errors.ts'

export const PROBLEMS = {
  INCOMPLETE_BODY: { status: 400, title: 'The request body was cut off.' },
  MALFORMED_JSON: { status: 400, title: 'The request body is not valid JSON in UTF-8.' },
  INVALID_INPUT: { status: 400, title: 'Invalid request body.' },
  NOTHING_TO_CHANGE: { status: 400, title: 'No field to change.' },
  INVALID_QUERY: { status: 400, title: 'Invalid query.' },
  INVALID_HEADER: { status: 400, title: 'Invalid header.' },
  UNAUTHORIZED: { status: 401, title: 'A valid API key is required.' },
  FORBIDDEN: { status: 403, title: 'The API key lacks the required scope.' },
  FORBIDDEN_ORIGIN: { status: 403, title: 'Without API keys, only this computer has access.' },
  FORBIDDEN_ADDRESS: { status: 403, title: 'The API key is not accepted from this address.' },
  USER_NOT_FOUND: { status: 404, title: 'User not found.' },
  EVENT_NOT_FOUND: { status: 404, title: 'Event not found.' },
  OCCASION_NOT_FOUND: { status: 404, title: 'Occasion not found.' },
  TASK_NOT_FOUND: { status: 404, title: 'Task not found.' },
  FEED_NOT_FOUND: { status: 404, title: 'Calendar feed not found.' },
  KEY_NOT_FOUND: { status: 404, title: 'API key not found or revoked.' },
  CHANNEL_NOT_FOUND: { status: 404, title: 'Channel not found.' },
  DAY_NOT_FOUND: { status: 404, title: 'The ledger does not have this day.' },
  TEMPLATE_NOT_FOUND: { status: 404, title: 'Template not found.' },
  ROUTE_NOT_FOUND: { status: 404, title: 'Not found.' },
  METHOD_NOT_ALLOWED: { status: 405, title: 'Method not allowed.' },
  NOT_FAILED: { status: 409, title: 'The event has not failed.' },
  REPLAY_IN_FLIGHT: { status: 409, title: 'A replay of the event is in progress.' },
  ALREADY_DELIVERED: { status: 409, title: 'A replay of the event was delivered.' },
  OCCASION_OWNED: { status: 409, title: 'The occasion belongs to a user or a task.' },
  EXTERNAL_ID_TAKEN: { status: 409, title: 'Another person has this external id.' },
  CHANNEL_NAME_TAKEN: { status: 409, title: 'Another channel has this name.' },
  SETTING_MANAGED: { status: 409, title: 'The setting is managed by an environment variable.' },
  CHANNEL_MANAGED: { status: 409, title: 'The channel is managed by environment variables.' },
  CHANNEL_DISABLED: { status: 409, title: 'The channel is disabled.' },
  CHANNEL_IN_USE: { status: 409, title: 'The channel is in use.' },
  LIMIT_REACHED: { status: 409, title: 'There are as many as there can be.' },
  SECRET_KEY_MISSING: { status: 409, title: 'No encryption key for secrets is set.' },
  CHANNEL_UNUSABLE: { status: 409, title: 'The channel cannot be used with its settings and secrets.' },
  RECORD_DELETED: { status: 410, title: 'What this idempotency key created was deleted.' },
  OUTDATED: { status: 412, title: 'The resource has changed since you read it.' },
  BODY_TOO_LARGE: { status: 413, title: 'The request body is too large.' },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, title: 'Unsupported content type or encoding.' },
  IDEMPOTENCY_KEY_REUSED: { status: 409, title: 'The idempotency key was used to create something else.' },
  RATE_LIMITED: { status: 429, title: 'Too many requests.' },
  INTERNAL: { status: 500, title: 'Internal error.' },
  DATABASE_UNAVAILABLE: { status: 503, title: 'The database is not available.' },
  NOT_READY: { status: 503, title: 'The service is not ready.' },
  INBOX_REJECTS: { status: 503, title: 'The inbox is set to reject deliveries.' },
} as const satisfies Record<string, { status: number; title: string }>

export type ProblemCode = keyof typeof PROBLEMS

/** The problems of any JSON body, before its fields are checked. */
export const BODY_PROBLEMS = [
  'INCOMPLETE_BODY',
  'MALFORMED_JSON',
  'BODY_TOO_LARGE',
  'UNSUPPORTED_MEDIA_TYPE',
] as const satisfies ProblemCode[]

export const FIELD_PROBLEM_EXAMPLE = {
  field: 'timezone',
  code: 'UNKNOWN_TIMEZONE',
  message: 'Unknown timezone "Jakarta". It may mean Asia/Jakarta. Use an IANA name.',
}

export const FieldProblemJson = z
  .object({
    field: z.string().openapi({ description: 'The field name as sent; empty if the whole body is wrong.' }),
    code: z
      .enum(Object.keys(FIELD_CODES) as [FieldCode, ...FieldCode[]])
      .openapi({ description: 'A stable code. Codes may be added.' }),
    message: z.string().openapi({ description: 'What is wrong and how to fix it, for humans.' }),
  })
  .openapi('FieldProblem', { example: FIELD_PROBLEM_EXAMPLE })

const count = (description: string, example: number) => z.int().openapi({ description, example })

export const ImportCountsJson = z
  .object({
    read: count('How many rows were read, without the header and blank rows.', 3),
    created: count('How many people were created, or would be (dry run).', 1),
    unchanged: count('How many exist already, by external id. They are not changed.', 1),
    different: count('How many of the existing people differ from their row.', 0),
    rejected: count('How many rows were rejected.', 1),
    next: z.int().nullable().openapi({
      description:
        'The row to continue with: send the table again with `from` set to it. Null if the table was read to its end.',
      example: null,
    }),
  })
  .openapi('ImportCounts')

export const ProblemJson = z
  .object({
    type: z.string().openapi({ description: 'The documentation of the code.' }),
    title: z.string().openapi({ description: 'A summary, equal for all problems with this code.' }),
    status: z.int().openapi({ description: 'The HTTP status.' }),
    code: z.enum(Object.keys(PROBLEMS) as [ProblemCode, ...ProblemCode[]]).openapi({
      description: 'A stable code for programs.',
    }),
    detail: z
      .string()
      .openapi({ description: 'What is wrong with this request and how to fix it, for humans.' }),
    problems: z.array(FieldProblemJson).optional().openapi({ description: 'One entry per bad field.' }),
    soFar: ImportCountsJson.optional().openapi({
      description: 'What an import wrote before it stopped, and where to continue.',
    }),
  })
  .openapi('Problem', {
    description: 'A problem document (RFC 9457), sent as application/problem+json.',
    example: {
      type: '/docs#USER_NOT_FOUND',
      title: PROBLEMS.USER_NOT_FOUND.title,
      status: 404,
      code: 'USER_NOT_FOUND',
      detail: 'No user has the id "01990000-0000-7000-8000-000000000000". GET /user lists the users.',
    },
  })

export type ImportCounts = z.infer<typeof ImportCountsJson>

/** Rejects a request. A handler throws it, and the response is its problem document. `cause` is an unexpected error. */
export class Problem extends Error {
  readonly code: ProblemCode
  readonly problems: readonly FieldProblem[] | undefined
  readonly soFar: ImportCounts | undefined
  readonly headers: Readonly<Record<string, string>>

  constructor(
    code: ProblemCode,
    detail: string,
    more: {
      problems?: readonly FieldProblem[]
      soFar?: ImportCounts
      headers?: Readonly<Record<string, string>>
      cause?: unknown
    } = {},
  ) {
    super(detail, 'cause' in more ? { cause: more.cause } : {})
    this.name = 'Problem'
    this.code = code
    this.problems = more.problems
    this.soFar = more.soFar
    this.headers = more.headers ?? {}
  }
}

/** The problem of an error that a handler did not expect. No part of an unknown error is in it. */
export function unexpected(cause: unknown): Problem {
  if (!(cause instanceof StoreUnavailableError))
    return new Problem('INTERNAL', 'The error was logged. Try again later.', { cause })
  const { code, message, headers } = databaseUnavailable()
  return new Problem(code, message, { headers, cause })
}

export function invalidInput(problems: readonly FieldProblem[]): Problem {
  return new Problem('INVALID_INPUT', 'See "problems" for each invalid field.', { problems })
}

export function invalidQuery(problems: readonly FieldProblem[]): Problem {
  return new Problem('INVALID_QUERY', 'See "problems" for each invalid parameter.', { problems })
}

/** When a client may try again after an outage, in seconds. */
const RETRY_AFTER = { 'Retry-After': '5' }

/** The outage may end at any time, so the response asks the client to repeat the request. */
export function databaseUnavailable(): Problem {
  return new Problem(
    'DATABASE_UNAVAILABLE',
    'Try again in a few seconds. With an Idempotency-Key a request that creates something can be repeated safely.',
    { headers: RETRY_AFTER },
  )
}

/** The response of a readiness check. Names the outage, and neither another error, which may quote a row, nor where a copy went. */
export function notReady(error: unknown): Problem {
  const isOutage = error instanceof StoreUnavailableError && error.code !== FROZEN
  return new Problem(
    'NOT_READY',
    `${isOutage ? error.message : 'A readiness check failed.'} See the log, and try again soon.`,
    { headers: RETRY_AFTER },
  )
}

export function problemJson(
  { code, message: detail, problems, soFar }: Problem,
  basePath = '',
): z.infer<typeof ProblemJson> {
  const { status, title } = PROBLEMS[code]
  const document = { type: `${basePath}/docs#${code}`, title, status, code, detail }
  return { ...document, ...(problems && { problems: [...problems] }), ...(soFar && { soFar }) }
}

export function problemResponse(problem: Problem, basePath = ''): Response {
  return new Response(JSON.stringify(problemJson(problem, basePath)), {
    status: PROBLEMS[problem.code].status,
    headers: { 'Content-Type': 'application/problem+json', ...problem.headers },
  })
}
