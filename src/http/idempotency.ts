// Requests that may be repeated: the first answer is kept under the caller's key and given again.
import { z } from '@hono/zod-openapi'
import { sha256Hex } from '../domain/sha256.ts'
import type { Answer, Store } from '../ports/store.ts'
import { Refusal } from './problem.ts'

/** The header as documented. */
export const idempotencyHeader = z.object({
  'Idempotency-Key': z.string().min(1).max(255).optional().openapi({
    description:
      'Makes the request safe to repeat: the first answer is kept for a day and given again to the same key and body. 1 to 255 visible ASCII characters.',
    example: '7f0c1c52-6f0b-4a3b-9a51-1d2f6a0e8f11',
  }),
})

/** The key and what it stands for; null if the caller gave none. */
export type Repeatable = { key: string; fingerprint: string }

export function readRepeatable(request: Request, body: string): Repeatable | null | Refusal {
  const key = request.headers.get('Idempotency-Key')
  if (key === null) return null
  if (!/^[\x21-\x7e]{1,255}$/.test(key)) {
    return new Refusal('INVALID_HEADER', 'Idempotency-Key must be 1 to 255 visible ASCII characters.')
  }
  const { pathname } = new URL(request.url)
  return { key, fingerprint: sha256Hex(`${request.method} ${pathname}\n${body}`) }
}

/** The first answer to this request, if there was one. */
export async function findFirstAnswer(
  store: Store,
  request: Repeatable | null,
): Promise<ReplayedAnswer | Refusal | null> {
  const answer = request && (await store.findAnswer(request.key))
  return request && answer ? replayOf(answer, request) : null
}

export type ReplayedAnswer = { status: number; body: string }

export function replayOf(answer: Answer, request: Repeatable): ReplayedAnswer | Refusal {
  // Erased comes first: nothing that could tell of the person is compared any more.
  if (answer.body === null) {
    return new Refusal(
      'ANSWER_ERASED',
      'A person in the first answer was deleted, and the answer with them. Use a new key to create anew.',
    )
  }
  if (answer.fingerprint !== request.fingerprint) {
    return new Refusal('IDEMPOTENCY_KEY_REUSED', 'Use a new key for a new request, or send the same body.')
  }
  return { status: answer.status, body: answer.body }
}
