// Writes settlements in batches. A settlement is retried until the store has written it or reports the claim as lost.
import type { Settlement } from '../ports/claim.ts'
import type { SettledCounts } from '../ports/telemetry.ts'
import type { EngineDeps, Outcome } from './engine-deps.ts'
import { refOf, replanSettlement } from './settlement.ts'
import { backoffMs, sleep } from './timing.ts'

type Settler = {
  add(outcome: Outcome): void
  /** Writes the current batch and resolves when every batch is written. */
  flush(): Promise<void>
}

/** How long a batch lingers for more outcomes: many share one commit, at a delay nobody notices. */
const LINGER_MS = 5
/** While events wait for a free slot: larger batches took PostgreSQL 60 instead of 84 µs of CPU for each event. */
const LINGER_BUSY_MS = 50

export function createSettler(
  deps: EngineDeps,
  settings: {
    batchSize: number
    onSettled: (batch: readonly Outcome[]) => void
    /** True while the sender is behind: then a batch lingers longer. */
    isBusy?: () => boolean
  },
): Settler {
  const { isBusy = () => false } = settings
  let batch: Outcome[] = []
  let linger: { cancel(): void } | null = null
  const writing = new Set<Promise<void>>()

  function add(outcome: Outcome): void {
    if (outcome.isWritten) return reportWritten(outcome)
    batch.push(outcome)
    if (batch.length >= settings.batchSize) write()
    else linger ??= deps.clock.after(isBusy() ? LINGER_BUSY_MS : LINGER_MS, write)
  }

  function reportWritten(outcome: Outcome): void {
    deps.telemetry({ kind: 'settled', ...countsOf([outcome]) })
    settings.onSettled([outcome])
  }

  function write(): void {
    linger?.cancel()
    linger = null
    if (batch.length === 0) return
    const full = batch
    batch = []
    const written = settleAll(deps, full).then(() => {
      writing.delete(written)
      settings.onSettled(full)
    })
    writing.add(written)
  }

  async function flush(): Promise<void> {
    write()
    await Promise.all(writing)
  }

  return { add, flush }
}

/**
 * Returns the outcomes not written by `giveUpAt` or after 8 failures. Their leases expire, and the events are claimed again. An
 * outcome that its channel has written is skipped: the claim is gone.
 */
export async function settleAll(
  deps: EngineDeps,
  batch: readonly Outcome[],
  giveUpAt = Number.POSITIVE_INFINITY,
): Promise<readonly Outcome[]> {
  let left = batch.filter(({ isWritten }) => !isWritten)
  for (let failures = 0; left.length > 0; ) {
    try {
      left = await settleOnce(deps, left)
    } catch (error) {
      failures += 1
      if (failures > 1 && left.length > 1) {
        // One by one: an event that the store cannot write must not hold up the others.
        return (await Promise.all(left.map((outcome) => settleAll(deps, [outcome], giveUpAt)))).flat()
      }
      const tooLate = deps.clock.now() + backoffMs(failures) >= giveUpAt
      const giveUp = failures > MAX_FAILURES || tooLate
      const retryInMs = giveUp ? null : backoffMs(failures)
      deps.telemetry({ kind: 'error', operation: 'settle', error, retryInMs })
      if (retryInMs === null) return left
      await sleep(deps.clock, retryInMs)
    }
  }
  return []
}

const MAX_FAILURES = 8

/** Returns the outcomes to settle again because their plans changed in flight. */
async function settleOnce(deps: EngineDeps, batch: readonly Outcome[]): Promise<Outcome[]> {
  const result = await deps.store.settle(batch.map(({ settlement }) => settlement))
  const byId = new Map(batch.map((outcome) => [outcome.claim.id, outcome]))
  deps.telemetry({ kind: 'settled', ...countsOf(result.settled.map((eventId) => byId.get(eventId)!)) })
  if (result.stale.length > 0) {
    const claims = result.stale.map((eventId) => refOf(byId.get(eventId)!.claim))
    deps.telemetry({ kind: 'stale', claims })
  }
  if (result.replan.length === 0) return []
  const fresh = await deps.store.readClaims(result.replan.map((eventId) => refOf(byId.get(eventId)!.claim)))
  return fresh.map((claim) => ({
    claim,
    settlement: replanSettlement(deps, claim, byId.get(claim.id)!.settlement),
  }))
}

function countsOf(outcomes: readonly Outcome[]) {
  const counts = noneSettled()
  const byType: Record<string, SettledCounts> = {}
  for (const { claim, settlement } of outcomes) {
    const outcome = label(settlement)
    counts[outcome] += 1
    byType[claim.eventType] ??= noneSettled()
    byType[claim.eventType]![outcome] += 1
  }
  return { ...counts, byType }
}

function noneSettled(): SettledCounts {
  return { delivered: 0, retried: 0, failed: 0, released: 0 }
}

function label(settlement: Settlement): keyof SettledCounts {
  switch (settlement.kind) {
    case 'terminal':
      return settlement.status === 'COMPLETED' ? 'delivered' : 'failed'
    case 'retry':
      return 'retried'
    case 'release':
      return 'released'
  }
}
