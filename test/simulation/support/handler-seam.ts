// The transactions of an application's handlers, and where a planted mistake replaces them.
import type { Store } from '../../../src/ports/store.ts'

/** A transaction of a process. */
export type ApplicationTransaction = {
  /** Runs as a call of the process, inside the transaction. */
  ask<T>(op: string, work: () => Promise<T>): Promise<T>
  commit(): Promise<void>
  rollback(): Promise<void>
  /** Its connection is gone: every later call fails. */
  abandon(): void
}

/** The parts of the handlers' channel that a mistake can replace. */
export type HandlerSeam = {
  begin(): HandlerTransaction
  /** The store inside the transaction. */
  storeIn(tx: HandlerTransaction): Pick<Store, 'settle' | 'readClaims' | 'findEvent'>
}

export type HandlerTransaction = ApplicationTransaction & { write(eventId: string): Promise<void> }
