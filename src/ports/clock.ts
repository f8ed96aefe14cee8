// Time as an argument: the only clock the flow may look at.

export type Clock = {
  /** Epoch milliseconds. May be set back: the age of something in memory is measured with `elapsedMs`. */
  now(): number
  /** Milliseconds since an arbitrary instant, also while the machine is suspended. Never goes back. */
  elapsedMs(): number
  /** CPU milliseconds used so far by this thread. Missing where the runtime cannot measure them, as on Workers. */
  cpuMs?: () => number
  /** Calls back once after the given time, unless cancelled first. */
  after(ms: number, callback: () => void): { cancel(): void }
}

/** The name of Clock in `engine/deliver`. */
export type MonotonicClock = Clock

/** A number in [0, 1). */
export type Dice = () => number
