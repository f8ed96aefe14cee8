// Parses path, query, headers and body of a request by the schemas that its operation declares. Handlers get the parsed
// values; only those of a body that is not JSON read the request.
import { z } from '@hono/zod-openapi'
import type { Context } from 'hono'
import { BODY_PROBLEMS, invalidInput, Problem, type ProblemCode } from '../../api/problem.ts'
import { parseQuery } from '../../api/query.ts'
import { type AsSent, checkShape } from '../../api/shape.ts'
import type { Scope } from '../../domain/access/api-key.ts'
import type { FieldProblem } from '../../domain/errors.ts'
import { BODY_LIMIT, parseJson, readJsonText, readOptionalJsonText } from './body.ts'

export type RequestShape = {
  /** The method and the path in OpenAPI's spelling: `GET /user/{id}`. */
  route: `${'GET' | 'POST' | 'PUT' | 'DELETE'} /${string}`
  /** The scope that the caller's key must have; `open` for operations that need no key. */
  scope: Scope | 'open'
  /** The path parameters. */
  params?: z.ZodObject
  query?: z.ZodObject
  headers?: z.ZodObject
  body?: RequestBody
  /** The problem of a path that cannot name a resource. Without it, bad path parameters are INVALID_INPUT. */
  notFound?: (params: Params) => Problem
}

export type RequestBody = {
  /** Parses the JSON. Left out where the handler reads the raw request: a table, a delivery. */
  schema?: z.ZodType
  /** Documents the body instead of `schema`, when `schema` leaves checks to the app. */
  documentedAs?: z.ZodType
  /** A body that is left out is an empty object. */
  optional?: true
  /** In bytes. */
  limit?: number
  mediaType?: string
}

type Params = Readonly<Record<string, string>>

type Part<O, K extends string> =
  O extends Record<K, infer S extends z.ZodType> ? AsSent<z.output<S>> : unknown

export type Input<O extends RequestShape> = {
  c: Context
  params: Part<O, 'params'>
  query: Part<O, 'query'>
  headers: Part<O, 'headers'>
  body: O extends { body: infer B } ? Part<B, 'schema'> : unknown
}

/** The input without the body. `problems`: bad path parameters, to be reported with those of the body. */
type Head = {
  c: Context
  params: unknown
  query: unknown
  headers: unknown
  problems: readonly FieldProblem[]
}

const NOTHING = z.strictObject({})

/**
 * A parameter or a field that an operation does not have, such as a dryRun in the wrong place, is rejected. Open operations ignore
 * both: probes, browsers and calendars add parameters.
 */
function querySchema({ query, scope }: RequestShape): z.ZodType | undefined {
  return query ?? (scope === 'open' ? undefined : NOTHING)
}

function bodySchema({ body, route, scope }: RequestShape): RequestBody | undefined {
  return (
    body ?? (route.startsWith('GET') || scope === 'open' ? undefined : { schema: NOTHING, optional: true })
  )
}

/** The problems of a path that names nothing, and of a query or a JSON body that the operation does not take. */
export function inputProblems(request: RequestShape): ProblemCode[] {
  return [
    ...(request.notFound ? [request.notFound({}).code] : []),
    ...(querySchema(request) ? ['INVALID_QUERY' as const] : []),
    ...(bodySchema(request)?.schema ? ['INVALID_INPUT' as const, ...BODY_PROBLEMS] : []),
  ]
}

export function readInput(c: Context, request: RequestShape): Head {
  const raw = paramsOf(c)
  const query = querySchema(request)
  const params = request.params && checkShape(request.params, raw)
  if (params?.ok === false && request.notFound) throw request.notFound(raw)
  return {
    c,
    params: params?.ok ? params.value : {},
    query: query && parseQuery(new URL(c.req.url).searchParams, query),
    headers: request.headers && parseHeaders(c, request.headers),
    problems: params?.ok === false ? params.problems : [],
  }
}

export async function readBody(operation: RequestShape, head: Head): Promise<unknown> {
  const request = head.c.req.raw
  const body = bodySchema(operation)
  if (body?.schema === undefined) return undefined
  const limit = body.limit ?? BODY_LIMIT
  const text = body.optional ? await readOptionalJsonText(request, limit) : await readJsonText(request, limit)
  return parseBody(text, body.schema, head)
}

/** Reports every problem of the body, and of the path, at once. */
function parseBody(text: string, schema: z.ZodType, { problems }: Head): unknown {
  const parsed = checkShape(schema, parseJson(text))
  if (parsed.ok && problems.length === 0) return parsed.value
  throw invalidInput([...problems, ...(parsed.ok ? [] : parsed.problems)])
}

/** The name of a Hono parameter goes on to the next slash: that of `/:token.ics` is `token.ics`. */
function paramsOf(c: Context): Record<string, string> {
  return Object.fromEntries(
    Object.entries(c.req.param() as Params).map(([name, value]) => [name.replace(/\..*$/, ''), value]),
  )
}

function parseHeaders(c: Context, schema: z.ZodObject): unknown {
  const given = Object.keys(schema.shape).flatMap((name) => {
    const value = c.req.header(name)
    return value === undefined ? [] : [[name, value]]
  })
  const parsed = checkShape(schema, Object.fromEntries(given))
  if (parsed.ok) return parsed.value
  throw new Problem('INVALID_HEADER', parsed.problems.map(({ message }) => message).join(' '))
}
