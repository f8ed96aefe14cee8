// How far the clocks of two processes may differ. Instants of two processes are compared with it; a claim that is further in the
// future was made before the clock was set back, and its lease would hold until the old instant: it is void.

export const CLOCK_TOLERANCE_MS = 120_000
