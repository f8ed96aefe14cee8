// From due to ready: takes a batch of due events and freezes what each will say, before anything is sent.
import type { Clock } from '../ports/clock.ts'
import type { Claim, Store } from '../ports/store.ts'
import { type DeliverDeps, prepare } from './deliver.ts'
import type { Ended } from './settle.ts'

export type ClaimDeps = DeliverDeps & { store: Store; clock: Clock }

/** A claim and the body that every attempt at it sends. */
export type Ready = { claim: Claim; body: string }

export type Made = {
  ready: Ready[]
  /** Ended before it was sent: too late, or nothing that could be rendered. */
  ended: Ended[]
  /** Not ours any more, or not writable now: the lease brings it back. */
  dropped: Claim[]
}

/** Renders first attempts and keeps their bodies: a crash after this cannot change what a retry says. */
export async function makeReady(deps: ClaimDeps, claims: readonly Claim[]): Promise<Made> {
  const made: Made = { ready: [], ended: [], dropped: [] }
  const rendered: Ready[] = []
  const now = deps.clock.now()
  for (const claim of claims) {
    const prepared = prepare(deps, claim, now)
    if (prepared.kind === 'fail') made.ended.push({ claim, settlement: prepared.settlement })
    else if (claim.body !== null) made.ready.push({ claim, body: claim.body })
    else rendered.push({ claim, body: prepared.body })
  }
  const kept = await freezeSafely(deps, rendered)
  for (const item of rendered) {
    if (kept.has(item.claim.id)) made.ready.push(item)
    else made.dropped.push(item.claim)
  }
  return made
}

async function freezeSafely(deps: ClaimDeps, rendered: readonly Ready[]): Promise<ReadonlySet<string>> {
  if (rendered.length === 0) return new Set()
  try {
    const bodies = rendered.map(({ claim, body }) => ({ eventId: claim.id, version: claim.version, body }))
    const kept = new Set(await deps.store.freeze(bodies))
    const lost = bodies.filter(({ eventId }) => !kept.has(eventId)).map(({ eventId }) => eventId)
    if (lost.length > 0) deps.telemetry({ kind: 'stale', eventIds: lost })
    return kept
  } catch (error) {
    deps.telemetry({ kind: 'trouble', during: 'freeze', error, retryInMs: null })
    return new Set()
  }
}
