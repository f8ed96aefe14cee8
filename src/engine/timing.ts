// The engine's timers: an alarm, the back-off, a deadline. Each one gets its clock as an argument.
import type { Clock } from '../ports/clock.ts'

export type Alarm = {
  /**
   * Resolves after `maxMs`, at the instant `until`, or at an instant that was passed to `ring` before or during the sleep.
   * `maxMs` is measured by the timer, so a clock that is set back cannot prolong the sleep.
   */
  sleep(maxMs: number, until?: number): Promise<void>
  /** Something may be due at that instant. */
  ring(at: number): void
}

export function createAlarm(clock: Clock): Alarm {
  let rungFor = Number.POSITIVE_INFINITY
  let rearm: (() => void) | null = null

  function sleep(maxMs: number, until = Number.POSITIVE_INFINITY): Promise<void> {
    return new Promise((resolve) => {
      let timer: { cancel(): void } | null = null
      const limit = clock.after(maxMs, wake)

      function wake(): void {
        timer?.cancel()
        limit.cancel()
        rungFor = Number.POSITIVE_INFINITY
        rearm = null
        resolve()
      }

      // Reads the clock again when the timer fires: timers can be early.
      rearm = () => {
        timer?.cancel()
        const ms = Math.min(until, rungFor) - clock.now()
        if (ms <= 0) wake()
        else timer = ms < maxMs ? clock.after(ms, () => rearm?.()) : null
      }
      rearm()
    })
  }

  function ring(at: number): void {
    if (at >= rungFor) return
    rungFor = at
    rearm?.()
  }

  return { sleep, ring }
}

export function sleep(clock: Clock, ms: number): Promise<void> {
  return new Promise((resolve) => clock.after(ms, resolve))
}

/** An instant by both readings of a clock. The age of it is told by the elapsed time. */
export type Moment = { now: number; elapsedMs: number }

export function momentOf(clock: Clock): Moment {
  return { now: clock.now(), elapsedMs: clock.elapsedMs() }
}

export function ageMs(clock: Clock, since: Moment): number {
  return clock.elapsedMs() - since.elapsedMs
}

/** Rejects if the promise is still pending at `at`. The work behind it goes on, and its result is dropped. */
export function withDeadline<T>(
  clock: Clock,
  at: number,
  promise: Promise<T>,
  message = 'The deadline passed.',
): Promise<T> {
  return new Promise((resolve, reject) => {
    const deadline = clock.after(Math.max(0, at - clock.now()), () => reject(new Error(message)))
    promise.then(resolve, reject).finally(() => deadline.cancel())
  })
}

/** The wait after a failed call to the store: 1, 2, 4 … seconds, at most 30. */
export function backoffMs(failures: number): number {
  return Math.min(30_000, 1_000 * 2 ** (failures - 1))
}

/** The longest wait for a store whose clock is behind ours. */
export const MAX_BEHIND_MS = 25

/**
 * The wait after the store named a due event and then claimed none: 1, 2, 4 … ms. The first time, the event may have fallen
 * due between the two calls; after that the store's clock is behind ours.
 */
export function behindMs(times: number): number {
  return Math.min(MAX_BEHIND_MS, 2 ** (times - 1))
}

/** Never runs `work` twice at once. Calls during a run lead to one more run after it. */
export function oneAtATime(work: () => Promise<void>): () => Promise<void> {
  let isRunning = false
  let isAsked = false
  return async () => {
    isAsked = true
    if (isRunning) return
    isRunning = true
    try {
      while (isAsked) {
        isAsked = false
        await work()
      }
    } finally {
      isRunning = false
    }
  }
}
