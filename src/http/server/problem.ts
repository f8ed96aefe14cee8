// Every way the API says no: one table of stable codes, and the RFC 9457 document that carries them.
import { z } from '@hono/zod-openapi'
import { FIELD_CODES, type FieldCode, type FieldProblem } from '../../domain/errors.ts'

export const PROBLEMS = {
  INCOMPLETE_BODY: { status: 400, title: 'The body broke off.' },
  MALFORMED_JSON: { status: 400, title: 'The body is not JSON in UTF-8.' },
  INVALID_INPUT: { status: 400, title: 'The body has something wrong in it.' },
  NOTHING_TO_CHANGE: { status: 400, title: 'The body names no field to change.' },
  INVALID_QUERY: { status: 400, title: 'The query has something wrong in it.' },
  INVALID_HEADER: { status: 400, title: 'A header cannot be read.' },
  UNAUTHORIZED: { status: 401, title: 'This needs an API key.' },
  FORBIDDEN: { status: 403, title: 'This API key may not do that.' },
  FORBIDDEN_ORIGIN: { status: 403, title: 'Without API keys only this machine itself may call.' },
  USER_NOT_FOUND: { status: 404, title: 'There is no such user.' },
  EVENT_NOT_FOUND: { status: 404, title: 'There is no such event.' },
  OCCASION_NOT_FOUND: { status: 404, title: 'There is no such occasion.' },
  TASK_NOT_FOUND: { status: 404, title: 'There is no such task.' },
  FEED_NOT_FOUND: { status: 404, title: 'There is no such calendar feed.' },
  KEY_NOT_FOUND: { status: 404, title: 'There is no such API key in force.' },
  CHANNEL_NOT_FOUND: { status: 404, title: 'There is no such channel.' },
  TEMPLATE_NOT_FOUND: { status: 404, title: 'There is no such template.' },
  ROUTE_NOT_FOUND: { status: 404, title: 'There is nothing at this path.' },
  METHOD_NOT_ALLOWED: { status: 405, title: 'This path does not take this method.' },
  NOT_FAILED: { status: 409, title: 'The event has not failed.' },
  REPLAY_UNDER_WAY: { status: 409, title: 'The event is being sent again already.' },
  ALREADY_DELIVERED: { status: 409, title: 'The event was sent again and delivered.' },
  OCCASION_OWNED: { status: 409, title: 'The occasion goes with something else.' },
  EXTERNAL_ID_TAKEN: { status: 409, title: 'Another person has this external id.' },
  CHANNEL_NAME_TAKEN: { status: 409, title: 'Another channel has this name.' },
  CHANNEL_MANAGED: { status: 409, title: 'This channel is made by the environment.' },
  SECRET_KEY_MISSING: { status: 409, title: 'There is no key to keep secrets under.' },
  ANSWER_ERASED: { status: 410, title: 'The answer under this idempotency key was erased.' },
  OUTDATED: { status: 412, title: 'It has changed since you read it.' },
  BODY_TOO_LARGE: { status: 413, title: 'The body is too large.' },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, title: 'The body comes in a form that is not taken here.' },
  IDEMPOTENCY_KEY_REUSED: { status: 422, title: 'This idempotency key was used for another request.' },
  RATE_LIMITED: { status: 429, title: 'Too many requests.' },
  INTERNAL: { status: 500, title: 'Something went wrong on our side.' },
  NOT_READY: { status: 503, title: 'The service is not ready.' },
  INBOX_REFUSES: { status: 503, title: 'The inbox is set to refuse.' },
} as const satisfies Record<string, { status: number; title: string }>

export type ProblemCode = keyof typeof PROBLEMS

/** What any JSON body can be refused for before its fields are looked at. */
export const BODY_PROBLEMS = [
  'INCOMPLETE_BODY',
  'MALFORMED_JSON',
  'BODY_TOO_LARGE',
  'UNSUPPORTED_MEDIA_TYPE',
] as const satisfies ProblemCode[]

export const FieldProblemJson = z
  .object({
    field: z.string().openapi({ description: 'The field as you wrote it; empty when the whole is wrong.' }),
    code: z
      .enum(Object.keys(FIELD_CODES) as [FieldCode, ...FieldCode[]])
      .openapi({ description: 'Stable. More codes may be added.' }),
    message: z.string().openapi({ description: 'What is wrong and what to do, for people.' }),
  })
  .openapi('FieldProblem', {
    example: {
      field: 'timezone',
      code: 'UNKNOWN_TIMEZONE',
      message: 'Unknown timezone "Jakarta". It may mean Asia/Jakarta. Use an IANA name.',
    },
  })

export const ProblemJson = z
  .object({
    type: z.string().openapi({ description: 'Where the code is explained.' }),
    title: z.string().openapi({ description: 'The same for every problem of this code.' }),
    status: z.int().openapi({ description: 'The HTTP status.' }),
    code: z.enum(Object.keys(PROBLEMS) as [ProblemCode, ...ProblemCode[]]).openapi({
      description: 'Stable: decide by this.',
    }),
    detail: z.string().openapi({ description: 'What is wrong this time and what to do, for people.' }),
    problems: z.array(FieldProblemJson).optional().openapi({ description: 'One entry per bad field.' }),
  })
  .openapi('Problem', {
    description: 'A problem document (RFC 9457), sent as application/problem+json.',
    example: {
      type: '/docs#USER_NOT_FOUND',
      title: PROBLEMS.USER_NOT_FOUND.title,
      status: 404,
      code: 'USER_NOT_FOUND',
      detail: 'No user has the id "01990000-0000-7000-8000-000000000000". GET /user lists those there are.',
    },
  })

/** Rejects a request. A handler throws it, and the response is its problem document. */
export class Problem extends Error {
  readonly code: ProblemCode
  readonly problems: readonly FieldProblem[] | undefined
  readonly headers: Readonly<Record<string, string>>

  constructor(
    code: ProblemCode,
    detail: string,
    more: { problems?: readonly FieldProblem[]; headers?: Record<string, string> } = {},
  ) {
    super(detail)
    this.name = 'Problem'
    this.code = code
    this.problems = more.problems
    this.headers = more.headers ?? {}
  }
}

export function invalidInput(problems: readonly FieldProblem[]): Problem {
  return new Problem('INVALID_INPUT', 'See "problems" for each field that is wrong.', { problems })
}

export function invalidQuery(problems: readonly FieldProblem[]): Problem {
  return new Problem('INVALID_QUERY', 'See "problems" for each parameter that is wrong.', { problems })
}

export function problemResponse({ code, message: detail, problems, headers }: Problem): Response {
  const { status, title } = PROBLEMS[code]
  const body: z.infer<typeof ProblemJson> = { type: `/docs#${code}`, title, status, code, detail }
  if (problems !== undefined) body.problems = [...problems]
  return new Response(JSON.stringify(body), {
    status,
    headers: { 'Content-Type': 'application/problem+json', ...headers },
  })
}
