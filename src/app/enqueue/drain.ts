// Applies the changes that applications enqueue by SQL, in batches, until none is left. A batch commits as a whole; if it fails,
// its changes are applied one by one, so that a bad one delays no other.
import { RowsLockedError, StoreUnavailableError } from '../../domain/errors.ts'
import { backoffMs } from '../../engine/timing.ts'
import type { EnqueuedChange, EnqueuedOutcome, EnqueueStore } from '../../ports/enqueue.ts'
import type { Notice } from '../../ports/telemetry.ts'
import type { Audit } from '../access/audit.ts'
import type { AppDeps } from '../app-deps.ts'

export type DrainDeps = {
  enqueued: EnqueueStore
  app: AppDeps
  audit: Pick<Audit, 'record'>
  /** Applies changes as the API does. Throws on an unexpected error. */
  apply: (app: AppDeps, changes: readonly EnqueuedChange[]) => Promise<EnqueuedOutcome[]>
  /** The problem document of an unexpected error. */
  problemOf: (error: unknown) => { code: string; detail: string }
}

/** More would save nothing for new people, and hold the locks on changed ones longer. */
const BATCH = 200
/** About eight minutes. */
const MAX_FAILURES = 20

export async function drainEnqueued(deps: DrainDeps, isTimeUp: () => boolean): Promise<void> {
  // A change that failed before goes after the others, and may have held up later ones of its person.
  let count: number
  do {
    count = await applyBatch(deps, isTimeUp)
    if (count === 0 && !isTimeUp()) count = await applyOne(deps, { failed: true })
  } while (count > 0 && !isTimeUp())
}

/** Returns how many changes were applied or rejected. */
async function applyBatch(deps: DrainDeps, isTimeUp: () => boolean): Promise<number> {
  try {
    return await apply(deps, { limit: BATCH, failed: false }, () => {})
  } catch (error) {
    if (error instanceof StoreUnavailableError) throw error
  }
  let applied = 0
  while (applied < BATCH && !isTimeUp() && (await applyOne(deps, { failed: false })) > 0) applied += 1
  return applied
}

/** Counts an unexpected error as a failure of the change. Returns 0 if there was no change. */
async function applyOne(deps: DrainDeps, { failed }: { failed: boolean }): Promise<number> {
  let claimed: EnqueuedChange | null = null
  try {
    return await apply(deps, { limit: 1, failed }, ([change]) => {
      claimed = change ?? null
    })
  } catch (error) {
    if (error instanceof StoreUnavailableError || claimed === null) throw error
    const { id, failures } = claimed as EnqueuedChange
    const isLast = failures + 1 >= MAX_FAILURES && !(error instanceof RowsLockedError)
    const retryInMs = isLast ? null : backoffMs(failures + 1)
    await deps.enqueued.failEnqueued(id, { problem: deps.problemOf(error), retryInMs })
    deps.app.telemetry({ kind: 'error', operation: 'apply-enqueued', error, retryInMs })
    return 1
  }
}

type Changes = readonly EnqueuedChange[]

/** Reports events, erasures and notices after the commit: a batch that rolls back has done nothing. */
async function apply(
  { enqueued, app, audit, apply }: DrainDeps,
  claim: { limit: number; failed: boolean },
  onClaimed: (changes: Changes) => void,
): Promise<number> {
  const planned: number[] = []
  const erased: string[] = []
  const notices: Notice[] = []
  let [claimed, outcomes]: [Changes, EnqueuedOutcome[]] = [[], []]
  await enqueued.applyEnqueued(claim, async (changes, store) => {
    onClaimed(changes)
    const inTransaction: AppDeps = {
      ...app,
      store,
      telemetry: (notice) => void notices.push(notice),
      onPlanned: (at) => void planned.push(at),
      onErased: (userId) => void erased.push(userId),
    }
    claimed = changes
    outcomes = await apply(inTransaction, changes)
    return outcomes
  })
  if (claimed.length === 0) return 0
  for (const notice of notices) app.telemetry(notice)
  const rejected = claimed.filter((_, i) => outcomes[i]!.kind === 'rejected').map(({ id }) => id)
  app.telemetry({ kind: 'enqueued', applied: claimed.length - rejected.length, rejected })
  if (planned.length > 0) app.onPlanned(planned.reduce((least, at) => Math.min(least, at)))
  for (const id of erased) {
    app.onErased?.(id)
    const record = {
      actor: 'sql',
      address: null,
      action: 'person.erased',
      object: { kind: 'user', id },
    } as const
    await audit.record(record)
  }
  return claimed.length
}
