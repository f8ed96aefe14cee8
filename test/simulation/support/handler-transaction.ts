// The transactions of an application's handlers.

/** A transaction of a process. */
export type ApplicationTransaction = {
  /** Runs as a call of the process, inside the transaction. */
  ask<T>(op: string, work: () => Promise<T>): Promise<T>
  commit(): Promise<void>
  rollback(): Promise<void>
  /** Its connection is gone: every later call fails. */
  abandon(): void
}

export type HandlerTransaction = ApplicationTransaction & { write(eventId: string): Promise<void> }
