// The clock and the timers of the machine.
import type { Clock } from '../../ports/clock.ts'

/** A timer with a longer delay fires after a millisecond. A capped one is early by days, and its caller checks the clock. */
const LONGEST_TIMER_MS = 2 ** 31 - 1

/** The two timers of a machine differ by less, unless one of them was set or stood still. */
const JITTER_MS = 100

/**
 * The elapsed time of a machine. Its wall clock can be set; its monotonic timer stands still while the machine is suspended.
 * A wall clock that is set back is ignored. One that is ahead counts: a suspended machine cannot be told from a clock set forward.
 */
export function createElapsed(wallMs: () => number, monotonicMs: () => number): () => number {
  let differenceMs: number | null = null
  let skippedMs = 0
  return () => {
    const monotonic = monotonicMs()
    const difference = wallMs() - monotonic
    const skipped = difference - (differenceMs ?? difference)
    if (differenceMs === null || Math.abs(skipped) > JITTER_MS) differenceMs = difference
    if (skipped > JITTER_MS) skippedMs += skipped
    return monotonic + skippedMs
  }
}

const wallMs = () => Date.now()

export const systemClock: Clock = {
  now: wallMs,
  elapsedMs: createElapsed(wallMs, () => performance.now()),
  after: (ms, callback) => {
    const timer = setTimeout(callback, Math.min(ms, LONGEST_TIMER_MS))
    return { cancel: () => clearTimeout(timer) }
  },
}
