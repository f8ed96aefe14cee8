// The loop: claim what is due, deliver it, settle it, sleep until the next instant. Never reads a clock of its own.
import { createAlarm } from './alarm.ts'
import { backoffMs } from './backoff.ts'
import { takeDue } from './claim.ts'
import type { SendDeps } from './deliver.ts'
import { createHeld } from './leases.ts'
import type { BreakerSettings } from './sending/circuit-breaker.ts'
import { createSender } from './sending/sender.ts'
import { createSettler, type Ended, type SettlerDeps } from './settle.ts'
import { release } from './settlement.ts'

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

export function startEngine(deps: EngineDeps, settings: EngineSettings): Engine {
  const { store, clock, telemetry } = deps
  const alarm = createAlarm(clock)
  const held = createHeld(deps, settings.leaseMs)
  let behind = 0
  let stopped: Promise<void> | null = null
  let onRoom = () => {}

  const settler = createSettler(deps, {
    batchSize: settings.batchSize,
    onSettled: (batch) => {
      for (const { claim } of batch) held.letGo(claim)
      // Retries and successors may be due before the sleep that is under way ends.
      alarm.ring(batch.reduce((least, ended) => Math.min(least, nextWake(ended)), Number.POSITIVE_INFINITY))
      onRoom()
    },
  })

  const sender = createSender(deps, {
    concurrency: settings.concurrency,
    breaker: settings.breaker,
    onEnded: settler.add,
    stillOurs: held.has,
    onDropped: held.letGo,
    onIdle: () => {
      void settler.flush()
      onRoom()
    },
  })

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
    const { length: count } = taken.claims
    if (count > 0) telemetry({ kind: 'claimed', count })
    held.take(taken.claims)
    for (const ended of taken.ended) settler.add(ended)
    // Also when there are none: channels were read, and one may have been stopped.
    if (stopped === null) sender.take(taken.ready)
    else for (const { claim } of taken.ready) settler.add({ claim, settlement: release(claim, clock.now()) })
    return count
  }

  async function sleepUntilNext(): Promise<void> {
    const next = (await store.nextWakeAt()) ?? Number.POSITIVE_INFINITY
    const now = clock.now()
    // Due, and yet it could not be taken again and again: the store's own clock is behind ours.
    behind = next <= now ? behind + 1 : 0
    const againMs = BEHIND_MS[behind - 1] ?? BEHIND_MS.at(-1)!
    await alarm.sleepUntil(behind > 0 ? now + againMs : Math.min(next, now + settings.pollMs))
  }

  async function windDown(): Promise<void> {
    await looping
    await sender.finish(settings.graceMs)
    await settler.flush()
    held.close()
  }

  const looping = loop()
  return {
    wake: (at) => alarm.ring(at),
    stop: () => {
      if (stopped === null) {
        stopped = Promise.resolve().then(windDown)
        sender.giveBack()
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
