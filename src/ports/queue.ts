// Carries claims from the scheduler to the consumers. Messages hold only references: the database is the source of truth,
// and the event of a lost message is claimed again when its lease expires.
import type { ClaimRef } from './claim.ts'

export type Queue = {
  /** Sends any number of references. Never rejects: a failed call is part of the result. */
  send(refs: readonly ClaimRef[]): Promise<SendResult>
}

export type SendResult = {
  /** References that were rejected, or may not have arrived. */
  failed: ClaimRef[]
  /** Why the first of them failed; null if none did. */
  error: unknown
}

/** A reference as it arrives. */
export type Message = ClaimRef & {
  /** 1 for the first time. */
  receives: number
}

/** Acknowledge the message, or redeliver it after a delay. */
export type Disposition = { kind: 'ack' } | { kind: 'retry'; delayMs: number }

/** Works on a batch, ends by `until` (by its own clock), and returns a disposition for each message, in order. Never throws. */
export type Consumer = (messages: readonly Message[], until: number) => Promise<Disposition[]>
