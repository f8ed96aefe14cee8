// Measures how fast sends end, to claim no more events than can start soon.

type Pace = {
  /** A send took that long. */
  onEnd(ms: number): void
  /** How many queued events can start within that time, while every slot is in use. 0 until the first send has ended. */
  startsWithin(ms: number): number
}

/** The mean follows the last few dozen sends. */
const WEIGHT = 1 / 32

export function createPace(concurrency: number): Pace {
  let meanMs: number | null = null
  return {
    onEnd(ms) {
      // At least 1: a clock that is set back makes a time negative.
      const tookMs = Math.max(1, ms)
      meanMs = meanMs === null ? tookMs : meanMs + (tookMs - meanMs) * WEIGHT
    },
    startsWithin: (ms) => (meanMs === null ? 0 : Math.floor((concurrency * ms) / meanMs)),
  }
}
