// Limits how many sends start within any second.

export type RateLimiter = {
  /** When the next send may start. */
  nextStartAt(perSecond: number | null, now: number): number
  onStart(perSecond: number | null, now: number): void
}

export function createRateLimiter(): RateLimiter {
  /** When the latest sends started, at most as many as may start in one second. */
  let started: number[] = []

  return {
    nextStartAt(perSecond, now) {
      if (perSecond === null || started.length < perSecond) return 0
      // After the clock was set back these lie in the future, and the next send would wait for the clock to catch up.
      const aheadMs = Math.max(0, started.at(-1)! - now)
      if (aheadMs > 0) started = started.map((at) => at - aheadMs)
      return started.at(-perSecond)! + 1000
    },

    onStart(perSecond, now) {
      if (perSecond === null) return
      started.push(now)
      if (started.length > perSecond) started.shift()
    },
  }
}
