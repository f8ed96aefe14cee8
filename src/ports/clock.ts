// Time as an argument: the only clock the flow may look at.

export type Clock = {
  /** Epoch milliseconds. */
  now(): number
  /** CPU milliseconds used so far by this thread. Missing where the runtime cannot measure them, as on Workers. */
  cpuMs?: () => number
  /** Calls back once after the given time, unless cancelled first. */
  after(ms: number, callback: () => void): { cancel(): void }
}

/** A clock that also measures intervals, for leases: its other time is set back now and then. */
export type MonotonicClock = Clock & {
  /** Milliseconds since an arbitrary instant. Nothing sets them, but they may stand still while the machine is suspended. */
  elapsedMs(): number
}

/** A number in [0, 1). */
export type Dice = () => number
