// First answers to requests that carry an idempotency key. Each is kept for a day, in the same step as what it tells of.
import type { Clock } from '../../ports/clock.ts'
import type { Answer, NewAnswer, Store } from '../../ports/store.ts'

/** How long a request with an idempotency key can be repeated. */
const ANSWERS_KEPT_MS = 24 * 60 * 60 * 1000

/** What a request with this key was answered, if that is not too long ago. */
export function findEarlierAnswer(
  { store, clock }: { store: Store; clock: Clock },
  key: string,
): Promise<Answer | null> {
  return store.findAnswer(key, clock.now() - ANSWERS_KEPT_MS)
}

/** The answer as it is kept from now on. */
export function keptFrom(now: number, answer: Answer): NewAnswer {
  return { ...answer, createdAt: now, forgetBefore: now - ANSWERS_KEPT_MS }
}

/** What is to be kept as the answer once this is saved; undefined for nothing. */
export type Tell<Saved> = (saved: Saved) => Answer | undefined
