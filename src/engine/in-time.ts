// Waits for something, but not beyond an instant: a store that hangs must not use up time that is not its own.
import type { Clock } from '../ports/clock.ts'

/** Rejects if it has not ended by then. It goes on, and nobody hears of its end. */
export function inTime<T>(clock: Clock, at: number, promise: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const deadline = clock.after(Math.max(0, at - clock.now()), () => reject(new Error('It took too long.')))
    promise.then(resolve, reject).finally(() => deadline.cancel())
  })
}
