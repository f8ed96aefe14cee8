// Changes that applications enqueue by SQL. PostgreSQL only.
import type { Store } from './store.ts'

/** By the id of the API's operation. */
export type EnqueuedOperation = 'upsertUser' | 'deleteUser' | 'createTask'

export type EnqueuedChange = {
  id: number
  operation: EnqueuedOperation
  externalId: string
  /** JSON; null for a deletion. */
  body: string | null
  /** How often applying it failed with an unexpected error. */
  failures: number
}

/** `problem`: a problem document of the API. */
export type EnqueuedOutcome = { kind: 'applied' } | { kind: 'rejected'; problem: Problem }

type Problem = { code: string; detail: string }

/** Calls back inside a transaction, with the store in it. One outcome for each change, in order. */
type ApplyChanges = (changes: readonly EnqueuedChange[], store: Store) => Promise<EnqueuedOutcome[]>

export type EnqueueStore = {
  /**
   * Claims up to `limit` changes, oldest first, and applies them in one transaction, which also removes them or stores their
   * problems. Rolls back if `apply` throws. No change is claimed before an earlier one of its external id is removed or rejected,
   * except together with it. `failed`: only a change that failed before and is due again, instead of changes that did not.
   */
  applyEnqueued(claim: { limit: number; failed: boolean }, apply: ApplyChanges): Promise<void>

  /** Counts a failure of a change. `retryInMs: null` rejects the change. */
  failEnqueued(id: number, failure: { problem: Problem; retryInMs: number | null }): Promise<void>

  /** `isPending`: a change can be claimed, or another worker holds it. `retryAt`: when a failed change is due again. */
  enqueuedState(): Promise<{ isPending: boolean; retryAt: number | null }>

  countEnqueued(): Promise<{ pending: number; rejected: number; oldestAt: number | null }>
}
