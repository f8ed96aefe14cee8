// Token bucket: limits the requests per minute of each caller. Drops the least recent callers.
import type { Clock } from '../../ports/clock.ts'

export type Limited = {
  limit: number
  left: number
  /** How long to wait; 0 for a request that is allowed. */
  waitMs: number
}

/**
 * Counts a request of the caller as `cost` requests. With a cost of 0 it counts nothing and says whether a request would be
 * allowed.
 */
export type RequestLimiter = (caller: string, cost?: number) => Limited

/** Bounds memory: beyond this many callers, the least recent are dropped. */
const MAX_CALLERS = 10_000

/** After a minute without requests, a caller may use the whole limit at once. */
export function createRateLimiter(clock: Clock, perMinute: number): RequestLimiter {
  const perMs = perMinute / 60_000
  const buckets = new Map<string, { left: number; at: number }>()

  return (caller, cost = 1) => {
    const now = clock.elapsedMs()
    const known = buckets.get(caller)
    const had = known === undefined ? perMinute : Math.min(perMinute, known.left + (now - known.at) * perMs)
    // A request that costs more than the whole limit is allowed once a minute.
    const needed = Math.min(Math.max(cost, 1), perMinute)
    const passes = had >= needed
    const left = passes ? had - Math.min(cost, perMinute) : had
    buckets.delete(caller)
    buckets.set(caller, { left, at: now })
    if (buckets.size > MAX_CALLERS) buckets.delete(buckets.keys().next().value!)
    return { limit: perMinute, left: Math.floor(left), waitMs: passes ? 0 : (needed - had) / perMs }
  }
}
