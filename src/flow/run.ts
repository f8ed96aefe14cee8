// The loop: claim what is due, deliver it, settle it, sleep until the next instant. Never reads a clock of its own.
import { createAlarm } from './alarm.ts'
import { backoffMs } from './backoff.ts'
import { type Ready, takeDue } from './claim.ts'
import { attempt, release, type SendDeps } from './deliver.ts'
import { createHeld } from './held.ts'
import { createSettler, type Ended, type SettlerDeps } from './settle.ts'

export type EngineDeps = SettlerDeps & SendDeps

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
}

export type Engine = {
  /** Something new may be due at that instant. */
  wake(at: number): void
  /** Claims no more, lets sends under way end, gives back the rest, and resolves when all is written. */
  stop(): Promise<void>
}

/** How soon to ask a store again whose clock is behind. */
const BEHIND_MS = 25
/** How long sends that were told to give up may take to do so. */
const AFTER_ABORT_MS = 1_000

export function startEngine(deps: EngineDeps, settings: EngineSettings): Engine {
  const { store, clock, telemetry } = deps
  const alarm = createAlarm(clock)
  const abort = new AbortController()
  const held = createHeld(deps, settings.leaseMs)
  let ready: Ready[] = []
  let sending = 0
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
    if (taken.claims.length === 0) return 0
    telemetry({ kind: 'claimed', count: taken.claims.length })
    held.take(taken.claims)
    for (const ended of taken.ended) settler.add(ended)
    // Reversed, so that the oldest is taken off the end.
    ready = taken.ready.reverse().concat(ready)
    pump()
    return taken.claims.length
  }

  async function sleepUntilNext(): Promise<void> {
    const next = (await store.nextWakeAt()) ?? Number.POSITIVE_INFINITY
    const now = clock.now()
    // Due, and yet it could not be taken: the store's own clock is behind ours. Ask again soon, not at once.
    await alarm.sleepUntil(next <= now ? now + BEHIND_MS : Math.min(next, now + settings.pollMs))
  }

  function pump(): void {
    while (sending < settings.concurrency && ready.length > 0 && stopped === null) void send(ready.pop()!)
    if (sending === 0) {
      void settler.flush()
      onQuiet()
      onRoom()
    }
  }

  async function send({ claim, body }: Ready): Promise<void> {
    // Lost while it waited: another worker has it.
    if (!held.has(claim)) return
    sending += 1
    const settlement = await attempt(deps, claim, body, abort.signal)
    sending -= 1
    settler.add({ claim, settlement })
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
    for (const { claim } of ready) settler.add({ claim, settlement: release(claim, clock.now()) })
    ready = []
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
