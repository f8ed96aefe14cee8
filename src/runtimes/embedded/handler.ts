// What an application registers for an event. Types only, and the error that ends an event.
import type { Message } from '../../receiver/verify.ts'
import type { PgTransaction } from './transactions.ts'

export type HandlerContext<Tx = PgTransaction> = {
  /** A transaction that also settles the event. Terce commits it when the handler resolves, and rolls it back if it rejects. */
  tx: Tx
  /** Aborted when the handler takes too long, or the process stops. */
  signal: AbortSignal
  /** The number of the attempt, from 1. */
  attempt: number
  /** Constant over all attempts: for effects outside the database. */
  idempotencyKey: string
}

export type Handler<Tx = PgTransaction> = (event: Message, context: HandlerContext<Tx>) => unknown

/** Thrown by a handler to fail the event at once, without further attempts. */
export class PermanentError extends Error {
  override name = 'PermanentError'
}
