// Creates something once per idempotency key: the first answer is kept with it and given again to the same request.
import { z } from '@hono/zod-openapi'
import { findEarlierAnswer } from '../../app/access/idempotency.ts'
import type { AppDeps } from '../../app/app-deps.ts'
import { sha256Hex } from '../../domain/formats/sha256.ts'
import type { ResponseExists, StoredResponse } from '../../ports/store.ts'
import { parseJson, readJsonText } from './body.ts'
import { Problem } from './problem.ts'

/** The header as documented. */
export const idempotencyHeader = z.object({
  'Idempotency-Key': z.string().min(1).max(255).optional().openapi({
    description:
      'Makes the request safe to repeat: the first answer is kept for a day and given again to the same key and body. 1 to 255 visible ASCII characters.',
    example: 'signup-2026-11-15-0042',
  }),
})

export const replayedHeader = {
  'Idempotent-Replayed': z.literal('true').optional().openapi({
    description: 'Present when this is the kept answer to an earlier request with the same key.',
  }),
}

/** What refuses a request for its key. */
export const KEY_PROBLEMS = ['INVALID_HEADER', 'ANSWER_ERASED', 'IDEMPOTENCY_KEY_REUSED'] as const

/** The answer to be kept with what it tells of, before either is written; undefined without a key. */
type Keep = (json: object) => StoredResponse | undefined
/** Something new, and what is told of it; or another request with the key came between, and its answer stands. */
export type Creation = { kind: 'created'; json: object } | ResponseExists
type Created = { status: number; body: string; headers: Record<string, string> }

const HEADERS = { 'Content-Type': 'application/json' }

export async function createOnce(
  users: AppDeps,
  request: Request,
  how: {
    status: number
    bodyLimit: number
    create: (json: unknown, keep: Keep) => Promise<Creation | Problem>
  },
): Promise<Created | Problem> {
  const { status } = how
  const text = await readJsonText(request, how.bodyLimit)
  if (text instanceof Problem) return text
  const keyed = readKey(request, text)
  if (keyed instanceof Problem) return keyed
  // Before the body is judged: what was right when it was first sent may be wrong by now.
  const first = keyed && (await findEarlierAnswer(users, keyed.key))
  if (keyed && first) return replay(first, keyed)
  const parsed = parseJson(text)
  if (parsed instanceof Problem) return parsed
  const keep: Keep = (json) => (keyed ? { ...keyed, status, body: JSON.stringify(json) } : undefined)
  const creation = await how.create(parsed.json, keep)
  if (creation instanceof Problem) return creation
  if (creation.kind === 'created') return { status, body: JSON.stringify(creation.json), headers: HEADERS }
  return replay(creation.response, keyed!)
}

type Keyed = { key: string; fingerprint: string }

function readKey(request: Request, body: string): Keyed | null | Problem {
  const key = request.headers.get('Idempotency-Key')
  if (key === null) return null
  if (!/^[\x21-\x7e]{1,255}$/.test(key)) {
    return new Problem('INVALID_HEADER', 'Idempotency-Key must be 1 to 255 visible ASCII characters.')
  }
  const { pathname } = new URL(request.url)
  return { key, fingerprint: sha256Hex(`${request.method} ${pathname}\n${body}`) }
}

function replay(answer: StoredResponse, keyed: Keyed): Created | Problem {
  if (answer.body === null) {
    return new Problem(
      'ANSWER_ERASED',
      'What the first answer told of was deleted, and the answer with it. Use a new key to create anew.',
    )
  }
  if (answer.fingerprint !== keyed.fingerprint) {
    return new Problem('IDEMPOTENCY_KEY_REUSED', 'Use a new key for a new request, or send the same body.')
  }
  return { status: answer.status, body: answer.body, headers: { ...HEADERS, 'Idempotent-Replayed': 'true' } }
}
