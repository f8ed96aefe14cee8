// What a sender is given, and what it calls back.
import type { Claim } from '../../ports/claim.ts'
import type { Outcome } from '../engine-deps.ts'
import type { LeaseKeeper } from '../leases.ts'
import type { BreakerSettings } from './circuit-breaker.ts'

export type SenderSettings = {
  /** Sends in flight at once. */
  concurrency: number
  /** When a destination counts as down. */
  breaker: BreakerSettings
  onOutcome: (outcome: Outcome) => void
  /** An event is sent only while its claim is held and was confirmed just now. */
  leases: Pick<LeaseKeeper, 'stateOf' | 'confirm'>
  /** Not sent, or the attempt threw: there is no outcome to settle, and the event is claimed again when its lease expires. */
  onDropped?: (claim: Claim) => void
  /** Called after sends have started or ended: there may be room for more events. */
  onRoom?: () => void
  /** Called whenever nothing is in flight. */
  onIdle?: () => void
  /** Of events without a channel, only those of these types are claimed. */
  types?: readonly string[] | undefined
  /** The events are those of a batch of messages: they are claimed again by another process, which knows only stored states. */
  isBatch?: boolean
}
