// Mounts an operation and documents it in one go, so that neither can be there without the other.
import type { OpenAPIHono, RouteConfig, z } from '@hono/zod-openapi'
import type { Context } from 'hono'
import type { Scope } from '../../domain/settings/api-key.ts'
import { API_KEY_SCHEME, turnAway } from './auth.ts'
import { PROBLEMS, Problem, type ProblemCode, ProblemJson, problemResponse } from './problem.ts'

export type Operation = {
  /** Names the call in generated clients. */
  operationId: string
  method: 'get' | 'post' | 'put' | 'delete'
  /** OpenAPI spelling: `/user/{id}`. */
  path: string
  /** What a caller's key must allow; `open` for what anybody may call. */
  scope: Scope | 'open'
  tag: string
  summary: string
  description: string
  request?: RouteConfig['request']
  responses: Record<
    number,
    { description: string; schema?: z.ZodType; mediaType?: string; headers?: z.ZodObject }
  >
  problems: readonly ProblemCode[]
}

type Answering = (c: Context) => Response | Problem | Promise<Response | Problem>

/**
 * Does without the validators of `app.openapi`: they read a body of any size and any bytes, stop at the first part
 * that is wrong, and would judge a repeated request before its first answer could be looked up.
 */
export function mount(app: OpenAPIHono, operation: Operation, answering: Answering): void {
  const { operationId, method, path, tag, summary, description, request } = operation
  app.openAPIRegistry.registerPath({
    operationId,
    method,
    path,
    tags: [tag],
    summary,
    description,
    ...(request && { request }),
    ...(operation.scope !== 'open' && { security: [{ [API_KEY_SCHEME]: [] }] }),
    responses: responsesOf(operation),
  })
  app.on(method, path.replaceAll(/\{(\w+)\}/g, ':$1'), async (c) => {
    const answer = (await turnAway(c, operation.scope)) ?? (await answering(c))
    return answer instanceof Problem ? problemResponse(answer) : answer
  })
}

/** What any operation that needs a key can be refused for. */
export const ACCESS_PROBLEMS = [
  'UNAUTHORIZED',
  'FORBIDDEN',
  'RATE_LIMITED',
  'FORBIDDEN_ORIGIN',
] as const satisfies ProblemCode[]

function responsesOf({
  responses: own,
  problems,
  scope: operationScope,
}: Operation): RouteConfig['responses'] {
  const responses: RouteConfig['responses'] = {}
  for (const [status, answer] of Object.entries(own)) {
    const { description, schema, mediaType = 'application/json', headers } = answer
    responses[status] = {
      description,
      ...(schema && { content: { [mediaType]: { schema } } }),
      ...(headers && { headers }),
    }
  }
  const guards = operationScope === 'open' ? [] : ACCESS_PROBLEMS
  const all = [...problems, ...guards, 'INTERNAL' as const]
  const codesByStatus = Map.groupBy(all, (code) => PROBLEMS[code].status)
  for (const [status, codes] of codesByStatus) {
    responses[status] = {
      description: codes.map((code) => `${code}: ${PROBLEMS[code].title}`).join(' '),
      content: { 'application/problem+json': { schema: ProblemJson } },
    }
  }
  return responses
}
