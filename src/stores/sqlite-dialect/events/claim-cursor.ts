// Where the next claim of a run starts to look for due events. A queue holds claimed events until they are delivered, and
// they stay in the index: a run that began at the first one each time read 56 million rows to claim 191,000 events.

/** The place of an event in the order of claims. */
export type ClaimPosition = readonly [wakeAt: number, id: string]

export const START: ClaimPosition = [Number.MIN_SAFE_INTEGER, '']

/** A lease that expired before the cursor is found again after this time at the latest. */
const RESTART_MS = 30_000

export type ClaimCursor = {
  /**
   * Calls `claim` with the place to start after. Calls it again, with `isSecond`, if there is too little due after the place of
   * the run.
   */
  next<T>(
    run: { claimedBy: string; now: number; limit: number },
    claim: (
      after: ClaimPosition,
      limit: number,
      isSecond: boolean,
    ) => Promise<{ claimed: T[]; last: ClaimPosition | null }>,
  ): Promise<T[]>
  /** Makes the next claim look from the first event on. */
  restart(): void
}

/** Of one store, for the run that claimed last. */
export function createClaimCursor(): ClaimCursor {
  let run: {
    claimedBy: string
    last: ClaimPosition
    startedAt: number
  } | null = null

  /** Math.abs: the clock may have been set back. */
  function startOf(claimedBy: string, now: number): ClaimPosition {
    if (run?.claimedBy !== claimedBy || Math.abs(now - run.startedAt) >= RESTART_MS) run = null
    return run?.last ?? START
  }

  return {
    async next({ claimedBy, now, limit }, claim) {
      const after = startOf(claimedBy, now)
      const { claimed, last } = await claim(after, limit, false)
      if (claimed.length < limit) {
        run = null
        if (after === START) return claimed
        return [...claimed, ...(await claim(START, limit - claimed.length, true)).claimed]
      }
      run = { claimedBy, last: last!, startedAt: run?.startedAt ?? now }
      return claimed
    },
    restart() {
      run = null
    },
  }
}
