// Sends what is ready: to each destination what it can bear, to all together no more at once than told.
import type { Claim, Settlement } from '../../ports/claim.ts'
import type { Ready } from '../claim.ts'
import { attempt, type SendDeps } from '../deliver.ts'
import type { Ended } from '../settle.ts'
import { refuse, release } from '../settlement.ts'
import type { BreakerSettings } from './circuit-breaker.ts'
import { createOutbox, type Verdict } from './destination-queues.ts'

export type Sender = {
  /** Each of these ends once, by `onEnded` or `onDropped`. */
  take(ready: readonly Ready[]): void
  /** Resolves when nothing stands in line or is under way, or when the time is up. */
  quietWithin(ms: number): Promise<void>
  /** Gives back what stands in line. */
  giveBack(): void
  /** The same, lets what is under way end for so long, and cuts short the rest. What ignores that is left to its lease. */
  finish(graceMs: number): Promise<void>
}

/** How long sends that were told to give up may take to do so. */
const AFTER_ABORT_MS = 1_000

export type SenderSettings = {
  /** Sends under way at once. */
  concurrency: number
  /** When a destination counts as down. */
  breaker: BreakerSettings
  onEnded: (ended: Ended) => void
  /** What was lost while it stood in line is not sent. */
  stillOurs?: (claim: Claim) => boolean
  /** Not sent, or something threw at the attempt: there is no end to be written, and the lease heals it. */
  onDropped?: (claim: Claim) => void
  /** Whenever nothing is under way. */
  onIdle?: () => void
}

export function createSender(deps: Omit<SendDeps, 'outbox'>, settings: SenderSettings): Sender {
  const { clock, telemetry } = deps
  const { concurrency, onEnded, stillOurs = () => true, onDropped = () => {}, onIdle = () => {} } = settings
  const outbox = createOutbox({
    destinations: deps.destinations,
    dice: deps.dice,
    breaker: settings.breaker,
    onBreaker: ({ id: channelId, name: channelName }, state) =>
      telemetry({ kind: 'breaker', channelId, channelName, state }),
  })
  const sendDeps: SendDeps = { ...deps, outbox }
  let round = newRound()
  let pacing: { cancel(): void } | null = null
  let onQuiet = () => {}

  function end(ended: Ended, of = round): void {
    of.open -= 1
    onEnded(ended)
  }

  function drop(ready: Ready, of = round): void {
    outbox.onEnd(ready, { kind: 'lost' }, clock.now())
    of.open -= 1
    onDropped(ready.claim)
  }

  function heed({ claim }: Ready, verdict: Verdict, now: number): void {
    if (verdict.kind === 'park') end({ claim, settlement: release(claim, now, verdict.until) })
    if (verdict.kind === 'refuse') end({ claim, settlement: refuse(deps, claim, now) })
  }

  /** What stands in line for a destination that went down or was switched off does not wait here. */
  function turnAway(now: number): void {
    for (const { ready, verdict } of outbox.turnedAway(now)) heed(ready, verdict, now)
  }

  function pump(): void {
    const now = clock.now()
    while (round.sending < concurrency) {
      const ready = outbox.next(now)
      if (ready === null) break
      if (stillOurs(ready.claim)) void send(ready)
      else drop(ready)
    }
    // Comes back when a destination with a rate may have its next.
    pacing?.cancel()
    const at = outbox.nextAt(now)
    pacing = at === null ? null : clock.after(at - now, pump)
    if (round.sending === 0) onIdle()
    if (round.open === 0) onQuiet()
  }

  async function send(ready: Ready): Promise<void> {
    const own = round
    own.sending += 1
    let settlement: Settlement | null = null
    try {
      settlement = await attempt(sendDeps, ready, signalOf(own))
    } catch (error) {
      telemetry({ kind: 'trouble', during: `sending ${ready.claim.id}`, error, retryInMs: null })
    }
    own.sending -= 1
    if (settlement === null) drop(ready, own)
    else end({ claim: ready.claim, settlement }, own)
    // Only what failed can have closed a destination.
    if (settlement?.kind !== 'terminal' || settlement.status === 'FAILED') turnAway(clock.now())
    pump()
  }

  function giveBack(): void {
    const now = clock.now()
    for (const { claim } of outbox.empty()) end({ claim, settlement: release(claim, now) })
  }

  function quietWithin(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const deadline = clock.after(ms, resolve)
      onQuiet = () => {
        deadline.cancel()
        resolve()
      }
      pump()
    })
  }

  return {
    take(ready) {
      const now = clock.now()
      round.open += ready.length
      turnAway(now)
      for (const one of ready) heed(one, outbox.admit(one, now), now)
      pump()
    },

    quietWithin,

    giveBack,

    async finish(graceMs) {
      giveBack()
      if (graceMs > 0) await quietWithin(graceMs)
      round.abort?.abort()
      await quietWithin(AFTER_ABORT_MS)
      round = newRound()
    },
  }
}

/** What was taken since the last finish: in line or under way, and of that under way. */
type Round = { open: number; sending: number; abort: AbortController | null }

function newRound(): Round {
  return { open: 0, sending: 0, abort: null }
}

/** Made by the call that sends: on Workers a signal cannot be used by another than the one that made it. */
function signalOf(round: Round): AbortSignal {
  round.abort ??= new AbortController()
  return round.abort.signal
}
