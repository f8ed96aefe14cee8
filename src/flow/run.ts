// The loop: claim what is due, deliver it, settle it, sleep until the next instant. Never reads a clock of its own.
import { createAlarm } from './alarm.ts'
import { backoffMs } from './backoff.ts'
import type { BreakerSettings } from './breaker.ts'
import { type Ready, takeDue } from './claim.ts'
import { refuse, release } from './conclude.ts'
import { attempt, type SendDeps } from './deliver.ts'
import { createHeld } from './held.ts'
import { createOutbox, type Verdict } from './outbox.ts'
import { createSettler, type Ended, type SettlerDeps } from './settle.ts'

export type EngineDeps = SettlerDeps & Omit<SendDeps, 'outbox'>

export type EngineSettings = {
  /** Who claims: a name that no other running engine has. */
  workerId: string
  leaseMs: number
  /** Sends under way at once. */
  concurrency: number
  /** Events claimed, and settled, in one go. */
  batchSize: number
  /** The longest sleep: heals a missed wake-up and a clock that was set. */
  pollMs: number
  /** How long `stop` waits for sends under way. */
  graceMs: number
  /** When a destination counts as down. */
  breaker: BreakerSettings
}

export type Engine = {
  /** Something new may be due at that instant. */
  wake(at: number): void
  /** Claims no more, lets sends under way end, gives back the rest, and resolves when all is written. */
  stop(): Promise<void>
}

/** How soon to ask again for what is due and could not be taken: at first it may have fallen due between two questions. */
const BEHIND_MS = [1, 2, 4, 8, 16, 25]
/** How long sends that were told to give up may take to do so. */
const AFTER_ABORT_MS = 1_000

export function startEngine(deps: EngineDeps, settings: EngineSettings): Engine {
  const { store, clock, telemetry, destinations } = deps
  const alarm = createAlarm(clock)
  const abort = new AbortController()
  const held = createHeld(deps, settings.leaseMs)
  const outbox = createOutbox({
    destinations,
    dice: deps.dice,
    breaker: settings.breaker,
    onBreaker: ({ id: channelId, name: channelName }, state) =>
      telemetry({ kind: 'breaker', channelId, channelName, state }),
  })
  let sending = 0
  let behind = 0
  let pacing: { cancel(): void } | null = null
  let stopped: Promise<void> | null = null
  let onRoom = () => {}
  let onQuiet = () => {}

  const settler = createSettler(deps, {
    batchSize: settings.batchSize,
    onSettled: (batch) => {
      for (const { claim } of batch) held.letGo(claim)
      // Retries and successors may be due before the sleep that is under way ends.
      alarm.ring(batch.reduce((least, ended) => Math.min(least, nextWake(ended)), Number.POSITIVE_INFINITY))
      onRoom()
    },
  })

  const sendDeps: SendDeps = { ...deps, outbox }

  async function loop(): Promise<void> {
    let failures = 0
    let atOnce = 1
    while (stopped === null) {
      try {
        await room()
        if (stopped !== null) return
        const taken = await Promise.all(Array.from({ length: atOnce }, claimBatch))
        // While more is due than a batch holds, the next is rendered here as the one after it is taken there.
        atOnce = taken.every((count) => count === settings.batchSize) ? 2 : 1
        if (taken.includes(0)) await sleepUntilNext()
        failures = 0
      } catch (error) {
        failures += 1
        telemetry({ kind: 'trouble', during: 'claim', error, retryInMs: backoffMs(failures) })
        await alarm.sleepUntil(clock.now() + backoffMs(failures))
      }
    }
  }

  /** Holds four batches at most: two under way while two are taken. More could outlive their leases. */
  async function room(): Promise<void> {
    while (held.size() > 2 * settings.batchSize && stopped === null) {
      await new Promise<void>((resolve) => {
        onRoom = resolve
      })
    }
  }

  /** Returns how many were due and free. */
  async function claimBatch(): Promise<number> {
    const { batchSize: limit, leaseMs, workerId: claimedBy } = settings
    const taken = await takeDue(deps, { limit, leaseMs, claimedBy })
    const now = clock.now()
    // Channels were read: one may have been stopped.
    turnAway(now)
    if (taken.claims.length === 0) return 0
    telemetry({ kind: 'claimed', count: taken.claims.length })
    held.take(taken.claims)
    for (const ended of taken.ended) settler.add(ended)
    for (const ready of taken.ready) heed(ready, outbox.admit(ready, now), now)
    pump()
    return taken.claims.length
  }

  function heed(ready: Ready, verdict: Verdict, now: number): void {
    const { claim } = ready
    if (verdict.kind === 'park') settler.add({ claim, settlement: release(claim, now, verdict.until) })
    if (verdict.kind === 'refuse') settler.add({ claim, settlement: refuse(deps, claim, now) })
  }

  /** What stands in line for a destination that went down or was switched off does not wait here. */
  function turnAway(now: number): void {
    for (const { ready, verdict } of outbox.turnedAway(now)) heed(ready, verdict, now)
  }

  async function sleepUntilNext(): Promise<void> {
    const next = (await store.nextWakeAt()) ?? Number.POSITIVE_INFINITY
    const now = clock.now()
    // Due, and yet it could not be taken again and again: the store's own clock is behind ours.
    behind = next <= now ? behind + 1 : 0
    const againMs = BEHIND_MS[behind - 1] ?? BEHIND_MS.at(-1)!
    await alarm.sleepUntil(behind > 0 ? now + againMs : Math.min(next, now + settings.pollMs))
  }

  function pump(): void {
    const now = clock.now()
    while (sending < settings.concurrency && stopped === null) {
      const ready = outbox.next(now)
      if (ready === null) break
      void send(ready)
    }
    keepPace(now)
    if (sending === 0) {
      void settler.flush()
      onQuiet()
      onRoom()
    }
  }

  /** Comes back when a destination with a rate may have its next. */
  function keepPace(now: number): void {
    pacing?.cancel()
    const at = stopped === null ? outbox.nextAt(now) : null
    pacing = at === null ? null : clock.after(at - now, pump)
  }

  async function send(ready: Ready): Promise<void> {
    // Lost while it waited: another worker has it.
    if (!held.has(ready.claim)) {
      outbox.onEnd(ready, { kind: 'lost' }, clock.now())
      return
    }
    sending += 1
    const settlement = await attempt(sendDeps, ready, abort.signal)
    sending -= 1
    settler.add({ claim: ready.claim, settlement })
    if (settlement.kind !== 'terminal' || settlement.status === 'FAILED') turnAway(clock.now())
    pump()
  }

  async function windDown(): Promise<void> {
    await looping
    giveBack()
    await quietWithin(settings.graceMs)
    abort.abort()
    // What ignores that it was told to give up is left to its lease.
    await quietWithin(AFTER_ABORT_MS)
    giveBack()
    await settler.flush()
    held.close()
  }

  function giveBack(): void {
    for (const { claim } of outbox.empty()) settler.add({ claim, settlement: release(claim, clock.now()) })
    void settler.flush()
  }

  /** Resolves when nothing is being sent, or when the time is up. */
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

  const looping = loop()
  return {
    wake: (at) => alarm.ring(at),
    stop: () => {
      if (stopped === null) {
        stopped = Promise.resolve().then(windDown)
        alarm.ring(clock.now())
        onRoom()
      }
      return stopped
    },
  }
}

/** When the end of an attempt makes something due: its retry, its return, its successor. */
function nextWake({ settlement }: Ended): number {
  switch (settlement.kind) {
    case 'terminal':
      return settlement.successor?.targetAt ?? Number.POSITIVE_INFINITY
    case 'retry':
    case 'release':
      return settlement.wakeAt
  }
}
