// First answers to requests that carry an idempotency key. Each is kept for a day, in the same step as what it tells of.
import type { Clock } from '../../ports/clock.ts'
import type { NewStoredResponse, StoredResponse, UserStore } from '../../ports/store.ts'

/** How long a request with an idempotency key can be repeated. */
const ANSWERS_KEPT_MS = 24 * 60 * 60 * 1000

/** What a request with this key was answered, if that is not too long ago. */
export function findEarlierAnswer(
  { store, clock }: { store: UserStore; clock: Clock },
  key: string,
): Promise<StoredResponse | null> {
  return store.findResponse(key, clock.now() - ANSWERS_KEPT_MS)
}

/** The answer as it is kept from now on. */
export function withExpiry(now: number, answer: StoredResponse): NewStoredResponse {
  return { ...answer, createdAt: now, forgetBefore: now - ANSWERS_KEPT_MS }
}

/** What is to be kept as the answer once this is saved; undefined for nothing. */
export type BuildResponse<Saved> = (saved: Saved) => StoredResponse | undefined
