// Claims a batch of due events and renders each one once: every attempt sends the same body. Sends nothing.
import { TemplateError } from '../domain/errors.ts'
import { failureFrom } from '../domain/events/failure-reason.ts'
import { latenessOf } from '../domain/events/lateness.ts'
import { chooseText, renderBody, renderMailBody } from '../domain/messages/message.ts'
import { renderWithin } from '../domain/messages/render-budget.ts'
import type { Claim, ReadyClaim, Settlement } from '../ports/claim.ts'
import type { DueClaim } from '../ports/store/events.ts'
import type { EngineDeps, Outcome } from './engine-deps.ts'
import { failed, failIfObsolete, failUncorrected, forChannel, release, subjectOf } from './settlement.ts'
import { type Moment, momentOf } from './timing.ts'

/** Events in one call of `claimDue`, and of `settle`. */
export const BATCH_SIZE = 1_000

/**
 * CPU time after which the rest of a batch is released unrendered and claimed again at once. Rendering 1,000 built-in texts
 * takes 2 ms; costly templates must not hold up the leases, the API and the other events of this process.
 */
const RENDER_MS = 100

export type ClaimedBatch = {
  /** Before the claim. */
  began: Moment
  claims: Claim[]
  ready: ReadyClaim[]
  /** Failed or released without an attempt. */
  unsent: Outcome[]
}

/** The destinations were refreshed when the lanes were chosen. */
export async function claimBatch(
  deps: EngineDeps,
  how: Omit<DueClaim, 'now' | 'render'>,
): Promise<ClaimedBatch> {
  const { store, destinations, templates, telemetry } = deps
  await templates.refresh()
  const began = momentOf(deps.clock)
  const { now } = began
  // The store calls `render` inside its transaction and stores the text. The settlements of events without a text are kept here.
  const unrendered = new Map<string, Settlement>()
  let isTimeUp: (() => boolean) | null = null
  const claims = await store.claimDue({
    ...how,
    now,
    render: (claim) => {
      isTimeUp ??= limitCpu(deps.clock)
      const rendered = isTimeUp() ? release(claim, now) : render(deps, claim, now)
      if (typeof rendered === 'string') return rendered
      unrendered.set(claim.id, rendered)
      return null
    },
  })
  const repeated = claims.filter(({ reclaimed }) => reclaimed).map(({ id }) => id)
  if (repeated.length > 0) telemetry({ kind: 'unknown', eventIds: repeated })
  if (claims.length > 0) telemetry({ kind: 'claimed', count: claims.length })
  const batch: ClaimedBatch = { began, claims, ready: [], unsent: [] }
  for (const claim of claims) {
    const destination = destinations.of(claim.occasion.channelId)
    const settlement = unrendered.get(claim.id) ?? settleUnsent(deps, claim, now)
    if (settlement === null && isReady(claim)) batch.ready.push(claim)
    else batch.unsent.push({ claim, settlement: forChannel(settlement ?? release(claim, now), destination) })
  }
  return batch
}

export function isReady(claim: Claim): claim is ReadyClaim {
  return claim.body !== null
}

/** Reads the CPU clock before every eighth event only: a read takes 0.6 µs. */
function limitCpu({ cpuMs }: EngineDeps['clock']): () => boolean {
  if (cpuMs === undefined) return () => false
  const startedMs = cpuMs()
  let events = 0
  let isUp = false
  return () => {
    if (events++ % 8 === 0) isUp ||= cpuMs() - startedMs > RENDER_MS
    return isUp
  }
}

/** The settlement of an event that may not be sent now; null for one that may. */
function settleUnsent(deps: EngineDeps, claim: Claim, now: number): Settlement | null {
  // The channel is newer than the last refresh. Release the event until the next one: it must not go to the default channel.
  if (!deps.destinations.knows(claim.occasion.channelId)) return release(claim, now)
  return failIfObsolete(deps, claim, now)
}

/** The body of a claimed event, or the settlement of one that has none. */
function render(deps: EngineDeps, claim: Claim, now: number): string | Settlement {
  const uncorrected = (error: string) => failUncorrected(deps, claim, now, { error, statusCode: null })
  if (!deps.destinations.knows(claim.occasion.channelId)) return release(claim, now)
  const { kind, channel } = deps.destinations.of(claim.occasion.channelId)
  const lateMs = now - claim.targetAt
  const { belatedAfterMs, missedAfterMs } = latenessOf(deps.lateness, claim.eventType)
  // A replay was asked for, however late.
  if (missedAfterMs !== null && lateMs > missedAfterMs && claim.replayOf === null) {
    const allowed = Math.floor(missedAfterMs / 1000)
    const reason = `MISSED_WINDOW: ${Math.floor(lateMs / 1000)} s late, more than the ${allowed} s that ${claim.eventType} may be.`
    return failed(deps, claim, now, { ...failureFrom(reason), statusCode: null })
  }
  const belated = belatedAfterMs !== null && lateMs > belatedAfterMs
  try {
    const stored = deps.templates.choose(claim.eventType, claim.user.language)
    // A handler of an application writes its own message.
    const text = chooseText(claim, stored, { belated, isOptional: channel.settles === true })
    const facts = { event: claim, person: claim.user, now, table: deps.planner.table }
    const isMail = kind !== 'webhook'
    const { email } = claim.user
    if (isMail && email === null)
      return uncorrected('NO_ADDRESS: the channel is e-mail, and the person has no address.')
    return renderWithin(deps.clock, (budget) =>
      isMail ? renderMailBody(facts, email!, text, budget) : renderBody(facts, text, budget),
    )
  } catch (error) {
    if (error instanceof TemplateError) return uncorrected(`${error.code}: ${error.message}`)
    // A rendering bug would recur at every claim: fail the event, so that its successor is planned.
    deps.telemetry({ kind: 'error', operation: 'render', error, retryInMs: null, ...subjectOf(claim) })
    return uncorrected('RENDER_ERROR')
  }
}
