// The state of destinations that all workers share. Few rows, written when a state changes and not with every message.
import type { DestinationState, Hold } from '../../domain/settings/destination.ts'

/** `seen`: the time of the next probe as the caller knows it; null for a destination that it knows to be up. */
export type DownReport = {
  channelId: string
  since: number
  error: string
  nextProbeAt: number
  seen: number | null
}

export type HeldDestination = Hold & { channelId: string; heldAt: number }

export type DestinationStore = {
  /** A destination that was never down or held may be missing. */
  listDestinations(): Promise<DestinationState[]>

  /**
   * Records that a destination is down, after its last message failed, and when it may be probed next. Changes nothing if another
   * process has recorded another time since: it may be probing.
   */
  markDown(down: DownReport): Promise<void>

  /** Records that a destination responds, so that every process sends to it. */
  markUp(channelId: string, at: number): Promise<void>

  /** Records the hold of an operator, in place of an earlier one. */
  holdDestination(hold: HeldDestination): Promise<void>

  /** Ends the hold of an operator, and lets every process send to the destination, also if it was down. */
  releaseDestination(channelId: string, at: number): Promise<void>

  /**
   * Lets one process probe a destination that is down, until `until`. `seen` is the time of the next probe as the caller knows it,
   * and which has come by its clock. False if another process was first, or if the destination is up.
   */
  claimProbe(probe: { channelId: string; seen: number; until: number }): Promise<boolean>
}
