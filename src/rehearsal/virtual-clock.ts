// A clock that costs no time: it leaps from timer to timer. What a timer sets off comes to rest before the next.
import type { Clock } from '../ports/clock.ts'
import { createHeap } from './heap.ts'

export type VirtualClock = Clock & {
  /** Carries out every timer up to and including that instant, and stays there. */
  runUntil(at: number): Promise<void>
}

type Timer = { at: number; callback: (() => void) | null }

export function createVirtualClock(start: number): VirtualClock {
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

/** One turn of the event loop: all that waits on promises alone has happened after it. */
function rest(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
