// The readiness of a process, with a result that is reused for a moment: /readyz needs no key, and each check is a write.
import type { Clock } from '../ports/clock.ts'
import { createTtlCache } from './cached.ts'

/** How long a result is reused, whether good or bad. */
const READINESS_TTL_MS = 2_000

/** Throws the error of the check. Concurrent callers share one check, so that a flood of requests is one write. */
export function createReadiness(clock: Clock, check: () => Promise<void>): () => Promise<void> {
  const outcome = createTtlCache(clock, READINESS_TTL_MS, () =>
    check().then(
      () => null,
      (error: unknown) => ({ error }),
    ),
  )
  return async () => {
    const failure = await outcome.get()
    if (failure !== null) throw failure.error
  }
}

/** For a runtime that cancels a query together with the request that started it: only results are shared. */
export function createRequestReadiness(clock: Clock, check: () => Promise<void>): () => Promise<void> {
  let last: { at: number; failure: { error: unknown } | null } | null = null
  return async () => {
    const now = clock.now()
    if (last === null || Math.abs(now - last.at) >= READINESS_TTL_MS) {
      const failure = await check().then(
        () => null,
        (error: unknown) => ({ error }),
      )
      last = { at: now, failure }
    }
    if (last.failure !== null) throw last.failure.error
  }
}
