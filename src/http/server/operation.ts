// Mounts an operation and documents it in one call, so that no route is undocumented.
import type { OpenAPIHono, RouteConfig, z } from '@hono/zod-openapi'
import type { Context } from 'hono'
import { PROBLEMS, type ProblemCode, ProblemJson } from '../../api/problem.ts'
import type { Tag } from '../reference/tags.ts'
import { type AuditedOperation, type AuditRule, audited, markDryRun } from './audit.ts'
import { API_KEY_HEADER_SCHEME, API_KEY_SCHEME, authorize, consumeRateLimit } from './auth.ts'
import { type Input, inputProblems, type RequestShape, readBody, readInput } from './input.ts'

/**
 * An operation that changes something says how it is audited. Null: not at all, for changes of people's data, which the history of each event
 * and the log cover, for previews and for the development inbox.
 */
type Audited = AuditedOperation &
  ({ route: `GET ${string}` } | { route: `${'POST' | 'PUT' | 'DELETE'} ${string}`; audit: AuditRule | null })

export type Operation = RequestShape &
  Audited & {
    /** True for an open operation that does not count against the rate limit of the caller's address. */
    unlimited?: true
    /** The requests that a call counts as: an estimate of its cost. */
    cost?: Cost
    tag: Tag
    summary: string
    description: string
    responses: Record<
      number,
      { description: string; schema?: z.ZodType; mediaType?: string; headers?: z.ZodObject }
    >
    /** Beside those of its input and of the caller's access. */
    problems?: readonly ProblemCode[]
  }

/** One request for each so many bytes of the body that are begun. A body of unknown length counts as `most` bytes. */
type Cost = number | { perBytes: number; most: number }

/** Query parameters that search texts of many rows. */
const SEARCHES = ['search', 'reason', 'exactReason']
const SEARCH_COST = 10

/** Mounts an operation. The handler gets parsed input and throws a `Problem` to reject the request. */
export function mount<O extends Operation>(
  api: OpenAPIHono,
  operation: O,
  handle: (input: Input<O>) => Response | Promise<Response>,
): void {
  register(api, operation, async (c) => {
    const input = readInput(c, operation)
    const body = await readBody(operation, input)
    markDryRun(c, input.query, body)
    return handle({ ...input, body } as Input<O>)
  })
}

/**
 * Documents an operation and routes to it after the caller was authorized. Does without the validators of `app.openapi`:
 * they read a body of any size and any bytes, and stop at the first part that is wrong.
 */
function register(api: OpenAPIHono, operation: Operation, respond: (c: Context) => Promise<Response>): void {
  const { operationId, route, scope, tag, summary, cost = 1 } = operation
  const [method, path] = route.split(' ') as ['GET' | 'POST' | 'PUT' | 'DELETE', string]
  const searches = SEARCHES.filter((name) => operation.query && name in operation.query.shape)
  api.openAPIRegistry.registerPath({
    operationId,
    method: method.toLowerCase() as 'get',
    path,
    tags: [tag],
    summary,
    description: operation.description + costNote(cost, searches),
    request: requestOf(operation),
    security: scope === 'open' ? [] : [{ [API_KEY_SCHEME]: [scope] }, { [API_KEY_HEADER_SCHEME]: [scope] }],
    responses: responsesOf(operation),
  })
  api.on(method, path.replaceAll(/\{(\w+)\}/g, ':$1'), async (c) => {
    return audited(c, operation, async () => {
      const isSearch = searches.some((name) => c.req.query(name) !== undefined)
      if (scope !== 'open') await authorize(c, scope, isSearch ? SEARCH_COST : requestsOf(cost, c))
      else if (!operation.unlimited) consumeRateLimit(c, null)
      return respond(c)
    })
  })
}

function requestsOf(cost: Cost, c: Context): number {
  if (typeof cost === 'number') return cost
  const given = c.req.header('Content-Length') ?? ''
  const length = /^\d{1,15}$/.test(given) ? Number(given) : cost.most
  return Math.max(1, Math.ceil(Math.min(length, cost.most) / cost.perBytes))
}

function costNote(cost: Cost, searches: readonly string[]): string {
  const named = searches.map((name) => `\`${name}\``).join(' or ')
  if (named !== '') return ` A call with ${named} counts as ${SEARCH_COST} requests against the rate limit.`
  if (typeof cost === 'object')
    return ` A call counts as one request against the rate limit for each ${cost.perBytes / 1024} KiB of its body; without Content-Length, as ${cost.most / cost.perBytes}.`
  return cost === 1 ? '' : ` A call counts as ${cost} requests against the rate limit.`
}

/** The problems of any operation that needs a key. */
export const ACCESS_PROBLEMS = [
  'UNAUTHORIZED',
  'FORBIDDEN',
  'RATE_LIMITED',
  'FORBIDDEN_ORIGIN',
  'FORBIDDEN_ADDRESS',
] as const satisfies ProblemCode[]

function requestOf({ params, query, headers, body }: Operation): NonNullable<RouteConfig['request']> {
  const schema = body?.documentedAs ?? body?.schema
  return {
    ...(params && { params }),
    ...(query && { query }),
    ...(headers && { headers }),
    ...(schema && {
      body: {
        required: body?.optional !== true,
        content: { [body?.mediaType ?? 'application/json']: { schema } },
      },
    }),
  }
}

function responsesOf(operation: Operation): RouteConfig['responses'] {
  const { responses: own, problems = [], scope: operationScope, unlimited } = operation
  const responses: RouteConfig['responses'] = {}
  for (const [status, response] of Object.entries(own)) {
    const { description, schema, mediaType = 'application/json', headers } = response
    responses[status] = {
      description,
      ...(schema && { content: { [mediaType]: { schema } } }),
      ...(headers && { headers }),
    }
  }
  // An open operation that reads the database names the problem itself.
  const open = unlimited ? [] : ['RATE_LIMITED' as const]
  const access = operationScope === 'open' ? open : [...ACCESS_PROBLEMS, 'DATABASE_UNAVAILABLE' as const]
  const all = new Set([...inputProblems(operation), ...problems, ...access, 'INTERNAL' as const])
  const codesByStatus = Map.groupBy(all, (code) => PROBLEMS[code].status)
  for (const [status, codes] of codesByStatus) {
    responses[status] = {
      description: codes.map((code) => `${code}: ${PROBLEMS[code].title}`).join(' '),
      content: { 'application/problem+json': { schema: ProblemJson } },
    }
  }
  return responses
}
