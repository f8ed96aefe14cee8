// Counts the work that the clock of a test waits for: statements, deliveries and handlers.
import { decorateEach } from '../../domain/decorate.ts'
import { turn } from './virtual-clock.ts'

export type Activity = {
  /** Counts the work until it ends. */
  during<T>(work: () => Promise<T>): Promise<T>
  /** Resolves when no counted work is left, and none has followed from it. */
  rest(): Promise<void>
}

export function createActivity(): Activity {
  let pending = 0
  let onIdle = () => {}

  async function during<T>(work: () => Promise<T>): Promise<T> {
    pending += 1
    try {
      return await work()
    } finally {
      pending -= 1
      if (pending === 0) onIdle()
    }
  }

  async function rest(): Promise<void> {
    for (;;) {
      // After a turn, all that waits for promises alone has run, and has started its own work.
      await turn()
      if (pending === 0) return
      await new Promise<void>((resolve) => {
        onIdle = resolve
      })
    }
  }

  return { during, rest }
}

/** Every operation of the store counted. */
export const counted = <S extends object>(activity: Activity, store: S): S =>
  decorateEach(
    store,
    (operation) =>
      (...args) =>
        activity.during(() => operation(...args)),
  )
