// Creates a resource once per idempotency key: the first response is stored with it and returned to repeated requests.
import { type OpenAPIHono, z } from '@hono/zod-openapi'
import { findStoredResponse } from '../../app/access/idempotency.ts'
import type { AppDeps } from '../../app/app-deps.ts'
import { sha256Hex } from '../../domain/formats/sha256.ts'
import { storedKey } from '../../domain/formats/stored-key.ts'
import type { ResponseExists, StoredResponse } from '../../ports/store.ts'
import { markDryRun } from './audit.ts'
import { BODY_LIMIT, readJsonText } from './body.ts'
import { type Input, parseBody, type RequestBody, readInput } from './input.ts'
import { type Operation, register } from './operation.ts'
import { Problem } from './problem.ts'

/** The header as documented. */
export const idempotencyHeader = z.object({
  'Idempotency-Key': z.string().optional().openapi({
    minLength: 1,
    maxLength: 255,
    description:
      'Makes the request safe to repeat: the first response is stored for a day and returned to requests with the same key and body, from the same API key. 1 to 255 visible ASCII characters.',
    example: 'signup-2026-11-15-0042',
  }),
})

export const replayedHeader = {
  'Idempotent-Replayed': z.literal('true').optional().openapi({
    description: 'Present on the stored response to an earlier request with the same key.',
  }),
}

/** The problems of an idempotency key. */
export const KEY_PROBLEMS = ['INVALID_HEADER', 'RESPONSE_ERASED', 'IDEMPOTENCY_KEY_REUSED'] as const

/** The new resource as JSON; or the stored response of a request with the same key that came first. */
type Creation<J> = { kind: 'created'; json: J } | ResponseExists

type CreateOperation = Operation & { body: RequestBody & { schema: z.ZodType } }

type JsonOf<R> = R extends { schema: infer S extends z.ZodType } ? z.output<S> : never
/** The JSON that a create operation documents. */
type CreatedJson<O extends CreateOperation> = O['responses'] extends { 201: infer R }
  ? JsonOf<R>
  : O['responses'] extends { 200: infer R }
    ? JsonOf<R>
    : never

/**
 * Mounts an operation that creates something. `create` stores the result of `respond` in the transaction that creates
 * the resource; it is undefined without a key. A dry run stores nothing and ignores the key.
 */
export function mountCreate<O extends CreateOperation, J extends CreatedJson<O> = CreatedJson<O>>(
  api: OpenAPIHono,
  operation: O,
  deps: AppDeps,
  how: {
    create: (input: Input<O>, respond: (json: J) => StoredResponse | undefined) => Promise<Creation<J>>
    /** Computed from the JSON, because a stored response has nothing else. */
    headers?: (json: J) => Record<string, string>
  },
): void {
  const responseOf = (status: number, body: string, headers: Record<string, string> = {}) =>
    new Response(body, { status, headers: { 'Content-Type': 'application/json', ...headers } })

  function replay(stored: StoredResponse, keyed: Keyed): Response {
    const body = bodyOf(stored, keyed)
    const headers = how.headers?.(JSON.parse(body))
    return responseOf(stored.status, body, { ...headers, 'Idempotent-Replayed': 'true' })
  }

  register(api, operation, async (c) => {
    const head = readInput(c, operation)
    const text = await readJsonText(c.req.raw, operation.body.limit ?? BODY_LIMIT)
    const isDryRun = (head.query as { dryRun?: boolean } | undefined)?.dryRun === true
    markDryRun(c, head.query)
    const status = 201 in operation.responses && !isDryRun ? 201 : 200
    // A key belongs to its caller: another API key does not get the response.
    const caller = c.get('keyId') ?? null
    const keyed = isDryRun ? null : readKey(c.req.raw, text, caller)
    // Before the body is parsed: a body that was valid when it was first sent may be invalid by now.
    const first = keyed && (await findStoredResponse(deps, keyed.storedAs))
    if (keyed && first) return replay(first, keyed)
    const input = { ...head, body: parseBody(text, operation.body.schema, head) } as Input<O>
    const respond = (json: J): StoredResponse | undefined => {
      if (keyed === null) return undefined
      const { storedAs: key, fingerprint } = keyed
      return { key, fingerprint, status, body: JSON.stringify(json) }
    }
    const creation = await how.create(input, respond)
    if (creation.kind === 'response-exists') return replay(creation.response, keyed!)
    return responseOf(status, JSON.stringify(creation.json), how.headers?.(creation.json))
  })
}

type Keyed = { storedAs: string; fingerprint: string }

function readKey(request: Request, body: string, caller: string | null): Keyed | null {
  const key = request.headers.get('Idempotency-Key')
  if (key === null) return null
  if (!/^[\x21-\x7e]{1,255}$/.test(key)) {
    throw new Problem('INVALID_HEADER', 'Idempotency-Key must be 1 to 255 visible ASCII characters.')
  }
  const { pathname } = new URL(request.url)
  const fingerprint = sha256Hex(`${request.method} ${pathname}\n${body}`)
  return { storedAs: storedKey(key, caller), fingerprint }
}

function bodyOf(stored: StoredResponse, keyed: Keyed): string {
  if (stored.body === null) {
    throw new Problem(
      'RESPONSE_ERASED',
      'The resource was deleted, and the stored response with it. Use a new key to create it again.',
    )
  }
  if (stored.fingerprint !== keyed.fingerprint) {
    throw new Problem('IDEMPOTENCY_KEY_REUSED', 'Use a new key for a new request, or send the same body.')
  }
  return stored.body
}
