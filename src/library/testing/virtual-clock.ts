// A clock that costs no time: it moves from timer to timer, and waits for the work of each before the next.

import { createHeap } from '../../domain/heap.ts'
import type { Clock } from '../../ports/clock.ts'

export type VirtualClock = Clock & {
  /** Runs every timer up to and including that instant, and stays there. */
  runUntil(at: number): Promise<void>
}

type Timer = { at: number; callback: (() => void) | null }

/** `rest` resolves when the work that a timer has started is done. */
export function createVirtualClock(start: number, rest: () => Promise<void> = turn): VirtualClock {
  let now = start
  const timers = createHeap<Timer>()

  async function runUntil(at: number): Promise<void> {
    await rest()
    while (timers.leastKey() <= at) {
      const timer = timers.pop()!
      // Cancelled ones stay in the heap until their time: finding them there would cost more.
      if (timer.callback === null) continue
      now = timer.at
      timer.callback()
      await rest()
    }
    now = Math.max(now, at)
  }

  return {
    now: () => now,
    elapsedMs: () => now,
    after(ms, callback) {
      const timer: Timer = { at: now + Math.max(0, ms), callback }
      timers.push(timer.at, timer)
      return {
        cancel: () => {
          timer.callback = null
        },
      }
    },
    runUntil,
  }
}

// Read once: a test that replaces the timers of the machine must not stop this clock.
const { setImmediate: afterTurn } = globalThis

/** One turn of the event loop: work that waits for promises alone is done after it. */
export function turn(): Promise<void> {
  return new Promise((resolve) => afterTurn(resolve))
}
