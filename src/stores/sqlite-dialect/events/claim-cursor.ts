// Where the claims of a run start to look for due events in each lane. A queue holds claimed events until they are delivered, and
// they stay in the index: a run that began at the first one each time read 56 million rows to claim 191,000 events.

/** The place of an event in the order of claims of its lane. */
export type ClaimPosition = readonly [wakeAt: number, id: string]

export const START: ClaimPosition = [Number.MIN_SAFE_INTEGER, '']

/** A lease that expired before the cursor is found again after this time at the latest. */
const RESTART_MS = 30_000

export type ClaimCursor = {
  /** The lanes that this run does not read from their start, each with its place. Begins another run if it is not the one that claimed last. */
  placesOf(claimedBy: string, now: number): [lane: number, ...ClaimPosition][]
  placeOf(lane: number): ClaimPosition
  /** After a claim of the lane: null if nothing more was due after its place. */
  move(run: { claimedBy: string; now: number; lane: number }, to: ClaimPosition | null): void
  /** Whether events before the place of a lane may be due again, and its end was reached. */
  hasSkipped(): boolean
  /** Makes the next claim look from the first event on. */
  restart(): void
}

/** Of one store, for the run that claimed last. */
export function createClaimCursor(): ClaimCursor {
  let run: { claimedBy: string; places: Map<number, ClaimPosition>; startedAt: number } | null = null
  let skipped = false

  return {
    placesOf(claimedBy, now) {
      // Math.abs: the clock may have been set back.
      if (run?.claimedBy !== claimedBy || Math.abs(now - run.startedAt) >= RESTART_MS) run = null
      skipped = run !== null && run.places.size > 0
      return [...(run?.places ?? [])].map(([lane, place]) => [lane, ...place])
    },
    placeOf: (lane) => run?.places.get(lane) ?? START,
    move({ claimedBy, now, lane }, to) {
      run ??= { claimedBy, places: new Map(), startedAt: now }
      if (to === null) run.places.delete(lane)
      else run.places.set(lane, to)
    },
    hasSkipped: () => skipped,
    restart() {
      run = null
    },
  }
}
