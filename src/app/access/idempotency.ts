// Stored responses of requests with an idempotency key. Each is written with the resource it describes, and expires after a day.
import type { Bucket } from '../../domain/events/bucket.ts'
import { HASHED, storedKey } from '../../domain/formats/stored-key.ts'
import type { Clock } from '../../ports/clock.ts'
import type { NewStoredResponse, ResponseToStore, StoredResponse, UserStore } from '../../ports/store.ts'

/** How long a request with an idempotency key can be repeated. */
const STORED_FOR_MS = 24 * 60 * 60 * 1000

/** The stored response of a caller's idempotency key, unless it has expired. */
export async function findStoredResponse(
  { store, clock }: { store: UserStore; clock: Clock },
  key: string,
  { caller, bucket }: { caller: string | null; bucket: Bucket | undefined },
): Promise<StoredResponse | null> {
  const notBefore = clock.now() - STORED_FOR_MS
  // Earlier releases stored the key without the caller, or in clear. The request may be repeated for a day after the update.
  const names = [storedKey(key, caller), storedKey(key, null), ...(key.startsWith(HASHED) ? [] : [key])]
  for (const name of new Set(names)) {
    const found = await store.findResponse(name, notBefore, bucket)
    if (found !== null) return found
  }
  return null
}

export function removeOldResponses({ store, clock }: { store: UserStore; clock: Clock }): Promise<number> {
  return store.removeOldResponses(clock.now() - STORED_FOR_MS)
}

/** Adds the times that the store needs to expire the response. */
export function withExpiry(now: number, response: ResponseToStore): NewStoredResponse {
  return { ...response, createdAt: now, forgetBefore: now - STORED_FOR_MS }
}

/** Builds the response stored under the idempotency key; undefined without a key. */
export type BuildResponse<Saved> = (saved: Saved) => ResponseToStore | undefined
