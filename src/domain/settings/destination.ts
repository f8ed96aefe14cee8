// What the workers share about the destination of a channel: whether it responds, and whether an operator holds it.

/** The hold of an operator. Its events are not claimed. */
export type Hold = {
  /** Null if it is not held. */
  heldAt: number | null
  /** When the hold ends by itself; null for one that ends when the channel is released. */
  heldUntil: number | null
  /** The name of the operator's key; null for a caller without one. */
  heldBy: string | null
}

/** The state of one destination, which every process reads. The built-in channels have one too. */
export type DestinationState = Hold & {
  channelId: string
  /** When a process first found it down in this outage; null while it is up. */
  downSince: number | null
  /** Why the last attempt failed; null while it is up. */
  lastError: string | null
  /** When the next message may be sent, to find out whether it is up again; null while it is up. */
  nextProbeAt: number | null
  /** When a process last found it up after an outage, or an operator released its channel. */
  recoveredAt: number | null
}

/** Also after its end the hold stays stored, until the next one or until the channel is released. */
export function isHeld({ heldAt, heldUntil }: Hold, now: number): boolean {
  return heldAt !== null && (heldUntil === null || now < heldUntil)
}

export type DownDestination = DestinationState & { downSince: number; nextProbeAt: number }

/**
 * So long after a probe was due and nobody sent one, no message waits for the destination, and what is known of it is old.
 */
const OUTDATED_MS = 600_000

/** An outage that begins later than this from now was recorded before the clock was set back: nothing is known of the present. */
const AHEAD_MS = 60_000

export function isDown(state: DestinationState, now: number): state is DownDestination {
  const { downSince, nextProbeAt } = state
  return downSince !== null && downSince <= now + AHEAD_MS && now - nextProbeAt! <= OUTDATED_MS
}
