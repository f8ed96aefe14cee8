// The loop: claim due events, deliver them, settle them, sleep until the next one is due. Never reads a clock of its own.
import type { Overdue } from '../ports/store.ts'
import { claimBatch } from './claim.ts'
import type { BreakerSettings } from './deliver/circuit-breaker.ts'
import { createDeferrals } from './deliver/deferrals.ts'
import { createSender } from './deliver/sender.ts'
import type { EngineDeps, Outcome } from './engine-deps.ts'
import { createLeaseKeeper } from './leases.ts'
import { createSettler } from './settle.ts'
import { release } from './settlement.ts'
import { ageMs, backoffMs, behindMs, createAlarm } from './timing.ts'

export type EngineSettings = {
  /** Recorded with each claim; unique among running engines. */
  workerId: string
  leaseMs: number
  /** Sends in flight at once. */
  concurrency: number
  /** Events in one call of `claimDue`, and of `settle`. */
  batchSize: number
  /** The longest sleep: covers a lost wake-up, and a clock that was set. */
  pollMs: number
  /** How long `stop` waits for sends in flight. */
  graceMs: number
  /** When a destination counts as down. */
  breaker: BreakerSettings
  /** Only events of these types are claimed, and those that go to a stored channel. All events if not given. */
  types?: readonly string[] | undefined
}

export type Engine = {
  /** Something new may be due at that instant. */
  wake(at: number): void
  /** Stops claiming, waits for sends in flight, releases the rest, and resolves when everything is settled. */
  stop(): Promise<void>
}

export type ResumableEngine = Engine & {
  /** A channel, or the state of its destination, has changed. */
  reload(): void
  /** Runs again after `stop` has resolved. */
  resume(): void
  /** Whether many events are due at once. */
  isBusy(): boolean
}

/**
 * The first claim after a sleep is small, so that its messages leave at once; each further one may be this much larger. The code is cold
 * then: with a first claim of 32, no message was on the wire before all of them were prepared.
 */
const FIRST_BATCH = 4
const BATCH_GROWTH = 8

/** Holding more events than this means that many are due at once. */
const BUSY = 32

/** Channels and templates are reloaded so long before the next event is due, so that its claim need not wait for them. */
const PREPARE_MS = 250
/** Reports, at start-up, the events that fell due while nothing ran. Only reports: the first claims catch up. */
export async function reportOverdue({
  store,
  clock,
  telemetry,
}: Pick<EngineDeps, 'store' | 'clock' | 'telemetry'>): Promise<Overdue> {
  telemetry({ kind: 'recovery-started' })
  const overdue = await store.countOverdue(clock.now())
  const { count: missed, oldestAt, newestAt } = overdue
  telemetry({ kind: 'recovery', missed, oldestAt, newestAt })
  return overdue
}

export function startEngine(deps: EngineDeps, settings: EngineSettings): ResumableEngine {
  const { store, clock, telemetry } = deps
  const alarm = createAlarm(clock)
  const leases = createLeaseKeeper(deps, {
    leaseMs: () => settings.leaseMs,
    heartbeatMs: settings.leaseMs / 3,
  })
  let behind = 0
  /** How long a claim takes: the mean of the last few. */
  let claimMs = 0
  let stopped: Promise<void> | null = null
  let onRoom = () => {}

  const settler = createSettler(deps, {
    batchSize: settings.batchSize,
    isBusy: () => sender.isBusy(),
    onSettled: (batch) => {
      for (const { claim } of batch) leases.release(claim)
      // Retries and successors may be due before the current sleep ends.
      alarm.ring(batch.reduce((least, outcome) => Math.min(least, nextWake(outcome)), Infinity))
      onRoom()
    },
  })

  const sender = createSender(deps, {
    concurrency: settings.concurrency,
    breaker: settings.breaker,
    onOutcome: settler.add,
    leases,
    onDropped: (claim) => leases.release(claim),
    onRoom: () => onRoom(),
    onWoken: () => alarm.ring(clock.now()),
    onIdle: () => void settler.flush(),
  })

  const deferrals = createDeferrals(deps, settings)

  async function loop(): Promise<void> {
    let failures = 0
    let most = FIRST_BATCH
    let full = false
    while (stopped === null) {
      try {
        const free = await waitForRoom()
        if (stopped !== null) return
        const limit = Math.min(most, settings.batchSize, free)
        // While full batches are due, claim two at once: one is rendered here while the database claims the other.
        const length: 1 | 2 = full && free >= 2 * settings.batchSize ? 2 : 1
        const [deferred, ...counts] = await Promise.all([
          deferrals.next(),
          ...Array.from({ length }, () => claimAndSend(limit)),
        ])
        full = counts.every((count) => count === settings.batchSize)
        most *= BATCH_GROWTH
        // A claim that was not filled has found all that was due, unless it left out a backlog.
        if (!deferred && counts.some((count) => count < limit)) {
          await sleepUntilNext()
          most = FIRST_BATCH
        }
        failures = 0
      } catch (error) {
        failures += 1
        telemetry({ kind: 'error', operation: 'claim', error, retryInMs: backoffMs(failures) })
        await alarm.sleep(backoffMs(failures))
      }
    }
  }

  /**
   * How many events to claim: the number that can start soon, or null while the worker holds enough. Also limits the worker
   * to four batches, two in flight or being settled and two being claimed, beside those that wait for the limit of a destination:
   * these must not hold up the other destinations.
   */
  function room(): number | null {
    const { events, atLeast, limited } = sender.room(claimMs)
    const held = leases.size() - limited
    return held > 2 * settings.batchSize || events < atLeast ? null : Math.floor(events)
  }

  async function waitForRoom(): Promise<number> {
    await new Promise<void>((resolve) => {
      onRoom = () => {
        if (stopped !== null || room() !== null) resolve()
      }
      onRoom()
    })
    onRoom = () => {}
    return room() ?? 0
  }

  /** Returns how many events were claimed. */
  async function claimAndSend(limit: number): Promise<number> {
    const { leaseMs, workerId: claimedBy, types } = settings
    const except = deferrals.except()
    const batch = await claimBatch(deps, { limit, leaseMs, claimedBy, types, except })
    leases.add(batch.claims, batch.began)
    if (batch.claims.length > 0) claimMs += (ageMs(clock, batch.began) - claimMs) / 4
    await sender.prepare(batch.ready)
    for (const outcome of batch.unsent) settler.add(outcome)
    // Also for an empty batch: the claim refreshed the channels, and queued events of a held one must be parked.
    if (stopped === null)
      deferrals.onBatch(sender.add(batch.ready, batch.parkings), batch.claims.length === limit)
    else for (const claim of batch.ready) settler.add({ claim, settlement: release(claim, clock.now()) })
    return batch.claims.length
  }

  async function sleepUntilNext(): Promise<void> {
    const { types, pollMs } = settings
    // Events of other types may lie before the first of these: the search ends at the end of this sleep.
    const filter = types && { types, before: clock.now() + pollMs }
    const next = (await store.nextWakeAt(filter)) ?? Number.POSITIVE_INFINITY
    behind = next <= clock.now() ? behind + 1 : 0
    if (behind > 0) return alarm.sleep(behindMs(behind))
    const soon = clock.after(Math.max(0, next - clock.now() - PREPARE_MS), () => void prepare(next))
    await alarm.sleep(pollMs, next)
    soon.cancel()
  }

  /** Errors are left to the claim, which reloads again. */
  async function prepare(at: number): Promise<void> {
    await Promise.allSettled([deps.destinations.refresh(at), deps.templates.refresh(at)])
  }

  async function windDown(): Promise<void> {
    await looping
    await sender.drain(settings.graceMs)
    await settler.flush()
    leases.close()
    telemetry({ ...run, state: 'ended', durationMs: clock.now() - startedAt })
  }

  function start(): void {
    startedAt = clock.now()
    telemetry({ ...run, state: 'started' })
    looping = loop()
  }

  const run = { kind: 'run', of: 'worker', runId: settings.workerId } as const
  let startedAt: number
  let looping: Promise<void>
  start()
  return {
    wake: (at) => alarm.ring(at),
    reload: () => void (stopped === null && sender.reload()),
    isBusy: () => leases.size() > BUSY,
    resume: () => {
      stopped = null
      start()
    },
    stop: () => {
      if (stopped === null) {
        stopped = Promise.resolve().then(windDown)
        sender.releaseQueued()
        alarm.ring(clock.now())
        onRoom()
      }
      return stopped
    },
  }
}

/** When the settlement makes an event due: the retry, the released event, the successor. */
function nextWake({ settlement }: Outcome): number {
  switch (settlement.kind) {
    case 'terminal':
      return settlement.successor?.targetAt ?? Number.POSITIVE_INFINITY
    case 'retry':
    case 'parked':
    case 'release':
      return settlement.wakeAt
  }
}
