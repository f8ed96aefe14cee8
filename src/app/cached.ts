// Read-through caches. `cached` may return an old value, which suits the figures of a dashboard. `createTtlCache` never
// does: it suits API keys and health.
import type { Clock } from '../ports/clock.ts'

/** A value, and when its query started. */
export type Cached<T> = { at: number; value: T }

/** Cached for 60 times the query's own duration, so that one query uses at most 1/60 of a thread. */
const TIMES_AS_LONG = 60
const LONGEST_MS = 60_000
/** A caller waits for a query that takes up to this long; for a slower one it gets the expired value. */
const PATIENCE_MS = 100

/** The instants are of the elapsed time. */
type Entry<T> = { startedAt: number; expiresAt: number; tookMs: number; value: Cached<T> }

/**
 * Caches the result for `minTtlMs`, or longer if the query is slow, but for at most a minute. After that callers wait for a
 * new result; if the query is slow, they get the expired value once more while it runs. Errors are not cached.
 *
 * With `onDemand` each caller waits for its own query: such a runtime cancels a query together with the request that started
 * it, and another request that waits for it would never get a response.
 */
export function cached<T>(
  { clock, onDemand = false }: { clock: Clock; onDemand?: boolean | undefined },
  minTtlMs: number,
  query: () => Promise<T>,
): () => Promise<Cached<T>> {
  let entry: Entry<T> | null = null
  let running: Promise<Cached<T>> | null = null

  function run(startedAt: number): Promise<Cached<T>> {
    const at = clock.now()
    const value = query().then((result) => ({ at, value: result }))
    running = value
    value.then(
      (result) => {
        const endedAt = clock.elapsedMs()
        const tookMs = endedAt - startedAt
        const ttlMs = Math.min(LONGEST_MS, tookMs * TIMES_AS_LONG)
        entry = {
          startedAt,
          expiresAt: Math.max(startedAt + minTtlMs, endedAt + ttlMs),
          tookMs,
          value: result,
        }
        running = null
      },
      () => {
        running = null
      },
    )
    return value
  }

  return async () => {
    const now = clock.elapsedMs()
    const last = entry
    if (last !== null && now < last.expiresAt) return last.value
    if (onDemand) return run(now)
    const fresh = running ?? run(now)
    const servesExpired = last !== null && last.tookMs > PATIENCE_MS && now < last.startedAt + 2 * LONGEST_MS
    return servesExpired ? last.value : fresh
  }
}

type TtlCache<T> = {
  /** The value, at most `maxAgeMs` old; the TTL unless given. Concurrent callers share one query. */
  get(maxAgeMs?: number): Promise<T>
  /** The next `get` queries again, and a query in flight is not cached: it may be from before a change. */
  clear(): void
}

/** Caches the result for `ttlMs`. Errors are not cached. */
export function createTtlCache<T>(clock: Clock, ttlMs: number, query: () => Promise<T>): TtlCache<T> {
  let entry: { readAt: number | null; value: Promise<T> } | null = null

  function run(): Promise<T> {
    const own: typeof entry = { readAt: null, value: query() }
    entry = own
    own.value.then(
      () => {
        own.readAt = clock.elapsedMs()
      },
      () => {
        if (entry === own) entry = null
      },
    )
    return own.value
  }

  return {
    get(maxAgeMs = ttlMs) {
      if (entry === null) return run()
      const isFresh = entry.readAt === null || clock.elapsedMs() - entry.readAt < maxAgeMs
      return isFresh ? entry.value : run()
    },
    clear() {
      entry = null
    },
  }
}
