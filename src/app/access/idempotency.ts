// Stored responses of requests with an idempotency key. Each is written with the resource it describes, and expires after a day.
import type { Clock } from '../../ports/clock.ts'
import type { NewStoredResponse, StoredResponse, UserStore } from '../../ports/store.ts'

/** How long a request with an idempotency key can be repeated. */
const STORED_FOR_MS = 24 * 60 * 60 * 1000

/** The response stored under a key, unless it has expired. */
export function findStoredResponse(
  { store, clock }: { store: UserStore; clock: Clock },
  storedAs: string,
): Promise<StoredResponse | null> {
  return store.findResponse(storedAs, clock.now() - STORED_FOR_MS)
}

export function removeOldResponses({ store, clock }: { store: UserStore; clock: Clock }): Promise<number> {
  return store.removeOldResponses(clock.now() - STORED_FOR_MS)
}

/** Adds the times that the store needs to expire the response. */
export function withExpiry(now: number, response: StoredResponse): NewStoredResponse {
  return { ...response, createdAt: now, forgetBefore: now - STORED_FOR_MS }
}

/** Builds the response stored under the idempotency key; undefined without a key. */
export type BuildResponse<Saved> = (saved: Saved) => StoredResponse | undefined
