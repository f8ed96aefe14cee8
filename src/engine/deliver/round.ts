// What a sender was given between two drains, and the signal that aborts it.

/** The events added since the last drain: `open` counts queued events and those in flight. */
export type Round = { open: number; inFlight: number; abort: AbortController | null }

export function newRound(): Round {
  return { open: 0, inFlight: 0, abort: null }
}

/** Created by the call that sends: on Workers only the call that created a signal can use it. */
export function signalOf(round: Round): AbortSignal {
  round.abort ??= new AbortController()
  return round.abort.signal
}
