// The clock and the timers of the machine.
import type { MonotonicClock } from '../../ports/clock.ts'

/** A timer with a longer delay fires after a millisecond. A capped one is early by days, and its caller checks the clock. */
const LONGEST_TIMER_MS = 2 ** 31 - 1

export const systemClock: MonotonicClock = {
  now: () => Date.now(),
  elapsedMs: () => performance.now(),
  after: (ms, callback) => {
    const timer = setTimeout(callback, Math.min(ms, LONGEST_TIMER_MS))
    return { cancel: () => clearTimeout(timer) }
  },
}
