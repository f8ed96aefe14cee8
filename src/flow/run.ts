// The loop: claim what is due, deliver it, settle it, sleep until the next instant. Never reads a clock of its own.
import type { Claim } from '../ports/store.ts'
import { createAlarm } from './alarm.ts'
import { backoffMs } from './backoff.ts'
import { makeReady, type Ready } from './claim.ts'
import { attempt, release, type SendDeps } from './deliver.ts'
import { createSettler, type SettlerDeps } from './settle.ts'

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

export function startEngine(deps: EngineDeps, settings: EngineSettings): Engine {
  const { store, clock, telemetry } = deps
  const alarm = createAlarm(clock)
  const abort = new AbortController()
  /** In our hands, from claim to settlement: the events whose leases we keep alive. */
  const held = new Map<string, Claim>()
  let ready: Ready[] = []
  let sending = 0
  let preparing = 0
  let stopped: Promise<void> | null = null
  let onRoom = () => {}
  let onQuiet = () => {}

  const settler = createSettler(deps, {
    batchSize: settings.batchSize,
    onSettled: (claims) => {
      for (const claim of claims) held.delete(claim.id)
      onRoom()
    },
  })

  async function loop(): Promise<void> {
    let failures = 0
    while (stopped === null) {
      try {
        await room()
        if (stopped === null && !(await claimBatch())) await sleepUntilNext()
        failures = 0
      } catch (error) {
        failures += 1
        telemetry({ kind: 'trouble', during: 'claim', error, retryInMs: backoffMs(failures) })
        await alarm.sleepUntil(clock.now() + backoffMs(failures))
      }
    }
  }

  /** Holds two batches at most: one under way while the next is made ready. More could outlive their leases. */
  async function room(): Promise<void> {
    while (held.size > settings.batchSize && stopped === null) {
      await new Promise<void>((resolve) => {
        onRoom = resolve
      })
    }
  }

  /** False when nothing is due. */
  async function claimBatch(): Promise<boolean> {
    const { batchSize: limit, leaseMs, workerId: claimedBy } = settings
    const claims = await store.claimDue({ now: clock.now(), limit, leaseMs, claimedBy })
    if (claims.length === 0) return false
    telemetry({ kind: 'claimed', count: claims.length })
    for (const claim of claims) held.set(claim.id, claim)
    void deliver(claims)
    return true
  }

  async function sleepUntilNext(): Promise<void> {
    const next = await store.nextWakeAt()
    const latest = clock.now() + settings.pollMs
    await alarm.sleepUntil(next === null ? latest : Math.min(next, latest))
  }

  async function deliver(claims: readonly Claim[]): Promise<void> {
    preparing += 1
    const made = await makeReady(deps, claims)
    preparing -= 1
    for (const claim of made.dropped) held.delete(claim.id)
    for (const ended of made.ended) settler.add(ended)
    // Reversed, so that the oldest is taken off the end.
    ready = made.ready.reverse().concat(ready)
    pump()
  }

  function pump(): void {
    while (sending < settings.concurrency && ready.length > 0 && stopped === null) void send(ready.pop()!)
    if (sending === 0 && preparing === 0) {
      void settler.flush()
      onQuiet()
      onRoom()
    }
  }

  async function send({ claim, body }: Ready): Promise<void> {
    // Lost while it waited: another worker has it.
    if (!held.has(claim.id)) return
    sending += 1
    const settlement = await attempt(deps, claim, body, abort.signal)
    sending -= 1
    settler.add({ claim, settlement })
    pump()
  }

  /** Moves the ends of our leases, long before they run out. */
  async function keepLeases(): Promise<void> {
    const refs = [...held.values()].map(({ id, version }) => ({ eventId: id, version }))
    if (refs.length === 0) return
    const ours = new Set(await store.extendLeases(refs, clock.now() + settings.leaseMs))
    for (const { eventId } of refs) if (!ours.has(eventId)) held.delete(eventId)
  }

  let heartbeat = { cancel() {} }
  function beat(): void {
    const everyMs = settings.leaseMs / 3
    heartbeat = clock.after(everyMs, () => {
      keepLeases()
        .catch((error) => telemetry({ kind: 'trouble', during: 'extend leases', error, retryInMs: everyMs }))
        .finally(beat)
    })
  }

  async function windDown(): Promise<void> {
    await looping
    const deadline = clock.after(settings.graceMs, () => abort.abort())
    await quiet()
    deadline.cancel()
    for (const { claim } of ready) settler.add({ claim, settlement: release(claim, clock.now()) })
    await settler.flush()
    heartbeat.cancel()
  }

  function quiet(): Promise<void> {
    return new Promise((resolve) => {
      onQuiet = resolve
      pump()
    })
  }

  beat()
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
