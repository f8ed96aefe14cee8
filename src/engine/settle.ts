// Gathers the ends of attempts and writes them in batches. A settlement is tried until the store takes or refuses it.

import type { Claim, Settlement } from '../ports/claim.ts'
import type { Clock } from '../ports/clock.ts'
import type { EventStore } from '../ports/store.ts'
import { backoffMs, pause } from './backoff.ts'
import { concludeAnew, type DeliverDeps } from './settlement.ts'

export type SettlerDeps = DeliverDeps & { store: EventStore; clock: Clock }

export type Settler = {
  add(ended: Ended): void
  /** Writes what was gathered and resolves when all of it is written. */
  flush(): Promise<void>
}

export type Ended = { claim: Claim; settlement: Settlement }

/** How long an outcome waits for company: one commit for many, at a delay nobody notices. */
const LINGER_MS = 5

export function createSettler(
  deps: SettlerDeps,
  settings: { batchSize: number; onSettled: (batch: readonly Ended[]) => void },
): Settler {
  let gathered: Ended[] = []
  let linger: { cancel(): void } | null = null
  const writing = new Set<Promise<void>>()

  function add(ended: Ended): void {
    gathered.push(ended)
    if (gathered.length >= settings.batchSize) write()
    else linger ??= deps.clock.after(LINGER_MS, write)
  }

  function write(): void {
    linger?.cancel()
    linger = null
    if (gathered.length === 0) return
    const batch = gathered
    gathered = []
    const written = settleAll(deps, batch).then(() => {
      writing.delete(written)
      settings.onSettled(batch)
    })
    writing.add(written)
  }

  async function flush(): Promise<void> {
    write()
    await Promise.all(writing)
  }

  return { add, flush }
}

/** Returns what could not be written, by then or after many tries: the lease heals it. */
export async function settleAll(
  deps: SettlerDeps,
  batch: readonly Ended[],
  giveUpAt = Number.POSITIVE_INFINITY,
): Promise<readonly Ended[]> {
  let left = batch
  for (let failures = 0; left.length > 0; ) {
    try {
      left = await settleOnce(deps, left)
    } catch (error) {
      failures += 1
      if (failures > 1 && left.length > 1) {
        // One event that the store chokes on must not hold up the others.
        return (await Promise.all(left.map((ended) => settleAll(deps, [ended], giveUpAt)))).flat()
      }
      const tooLate = deps.clock.now() + backoffMs(failures) >= giveUpAt
      const giveUp = failures > MAX_FAILURES || tooLate
      const retryInMs = giveUp ? null : backoffMs(failures)
      deps.telemetry({ kind: 'trouble', during: 'settle', error, retryInMs })
      // The event is taken again, under the same key and body.
      if (retryInMs === null) return left
      await pause(deps.clock, retryInMs)
    }
  }
  return []
}

const MAX_FAILURES = 8

/** Returns what must be settled again because its plan changed in flight. */
async function settleOnce(deps: SettlerDeps, batch: readonly Ended[]): Promise<Ended[]> {
  const result = await deps.store.settle(batch.map(({ settlement }) => settlement))
  const counts = { delivered: 0, retried: 0, failed: 0, released: 0 }
  const byId = new Map(batch.map((ended) => [ended.claim.id, ended]))
  for (const eventId of result.settled) counts[label(byId.get(eventId)!.settlement)] += 1
  deps.telemetry({ kind: 'settled', ...counts })
  if (result.stale.length > 0) deps.telemetry({ kind: 'stale', eventIds: result.stale })
  if (result.replan.length === 0) return []
  const refs = result.replan.map((eventId) => ({ eventId, version: byId.get(eventId)!.claim.version }))
  const fresh = await deps.store.readClaims(refs)
  return fresh.map((claim) => ({
    claim,
    settlement: concludeAnew(deps, claim, byId.get(claim.id)!.settlement),
  }))
}

function label(settlement: Settlement): 'delivered' | 'retried' | 'failed' | 'released' {
  switch (settlement.kind) {
    case 'terminal':
      return settlement.status === 'COMPLETED' ? 'delivered' : 'failed'
    case 'retry':
      return 'retried'
    case 'release':
      return 'released'
  }
}
