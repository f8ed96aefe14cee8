// The rate limiter of a destination: at most so many starts within any second.
import { describe, expect, it } from 'vitest'
import { createRateLimiter } from '../../../src/engine/deliver/rate-limiter.ts'

const T = 1_000_000

/** Starts a send as soon as it may start, `count` times; when each started, from the first on. */
function startAll(perSecond: number | null, count: number, times: readonly number[] = []) {
  const limiter = createRateLimiter()
  let now = T
  return Array.from({ length: count }, (_, i) => {
    now = Math.max(now, T + (times[i] ?? 0), limiter.nextStartAt(perSecond, now))
    limiter.onStart(perSecond, now)
    return now - T
  })
}

describe('the rate limiter', () => {
  it('lets the limit start at once, and the next one exactly a second after the first', () => {
    expect(startAll(3, 7)).toEqual([0, 0, 0, 1_000, 1_000, 1_000, 2_000])
  })

  it('counts any second, not seconds of the clock', () => {
    expect(startAll(2, 5, [0, 900])).toEqual([0, 900, 1_000, 1_900, 2_000])
  })

  it('gives an idle destination no more than the limit', () => {
    expect(startAll(2, 4, [0, 60_000])).toEqual([0, 60_000, 60_000, 61_000])
  })

  it('has no limit without a number', () => {
    expect(startAll(null, 4)).toEqual([0, 0, 0, 0])
  })

  it('does not wait for a clock that was set back', () => {
    const limiter = createRateLimiter()
    for (const at of [T, T + 400]) limiter.onStart(2, at)
    const setBack = T - 3_600_000
    expect(limiter.nextStartAt(2, setBack) - setBack).toBe(600)
  })
})
