// How claims travel to whoever delivers them. Only references travel: the database stays the truth, and what is lost on
// the way is healed by the lease.
import type { ClaimRef } from './claim.ts'

export type Queue = {
  /** Hands references over, however many. Resolves whatever happens to the service behind it. */
  send(refs: readonly ClaimRef[]): Promise<SendResult>
}

export type SendResult = {
  /** Those that were not taken, or of which nobody can tell. */
  failed: ClaimRef[]
  /** Why, for the first of them; null if there are none. */
  error: unknown
}

/** A reference as it arrives. */
export type Message = ClaimRef & {
  /** 1 for the first time. */
  receives: number
}

/** What becomes of a message: it is done with, or it comes again after a while. */
export type Disposition = { kind: 'ack' } | { kind: 'again'; delayMs: number }

/** Takes a batch, ends by `until` (an instant of its own clock), and answers for each message, in their order. Never throws. */
export type Consumer = (messages: readonly Message[], until: number) => Promise<Disposition[]>
