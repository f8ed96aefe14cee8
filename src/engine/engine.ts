// The loop: claim due events, deliver them, settle them, sleep until the next one is due. Never reads a clock of its own.
import type { LaneLimits } from '../domain/events/lane.ts'
import type { Overdue } from '../ports/store.ts'
import { claimBatch } from './claim.ts'
import type { BreakerSettings } from './deliver/circuit-breaker.ts'
import { RELOAD_MS } from './deliver/destinations.ts'
import { closedLanes, opensLane } from './deliver/lanes.ts'
import { createSender } from './deliver/sender.ts'
import { createDemands, type Demand } from './demand.ts'
import type { EngineDeps, Outcome } from './engine-deps.ts'
import { createLeaseKeeper } from './leases.ts'
import { createSettler } from './settle.ts'
import { release } from './settlement.ts'
import { backoffMs, behindMs, createAlarm } from './timing.ts'

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
  /** Of events without a channel, only those of these types are claimed. All events if not given. */
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
  let stopped: Promise<void> | null = null
  /** The lanes whose next event ends the sleep; null while awake. */
  let sleepsOn: LaneLimits | null = null

  const settler = createSettler(deps, {
    batchSize: settings.batchSize,
    isBusy: () => sender.isBusy(),
    onSettled: (batch) => {
      for (const { claim } of batch) leases.release(claim)
      // Retries and successors may be due before the current sleep ends.
      alarm.ring(batch.reduce((least, outcome) => Math.min(least, nextWake(outcome)), Infinity))
      wakeForRoom()
    },
  })

  const sender = createSender(deps, {
    concurrency: settings.concurrency,
    breaker: settings.breaker,
    onOutcome: settler.add,
    leases,
    onDropped: (claim) => leases.release(claim),
    onRoom: wakeForRoom,
    onIdle: () => void settler.flush(),
    types: settings.types,
  })

  const demands = createDemands({ sender, leases, clock }, settings.batchSize)

  async function loop(): Promise<void> {
    let failures = 0
    let most = FIRST_BATCH
    let isDue = true
    while (stopped === null) {
      try {
        await deps.destinations.refresh()
        await sender.queues.claimProbes(async (_, lanes) => isPast(await store.nextWakeAt(lanes)))
        if (stopped !== null) return
        const demand = demands.next(most)
        if (isDue || demands.findsMore(demand)) {
          // While full batches are due, claim two at once: one is rendered here while the database claims the other.
          const { batchSize } = settings
          const isDouble = demand.free >= 2 * batchSize && demands.findsMore(demand, batchSize)
          await Promise.all((isDouble ? [1, 2] : [1]).map(() => claimAndSend(demand)))
          await sender.queues.returnProbes()
          most *= BATCH_GROWTH
          isDue = false
        } else {
          await sleepUntilNext(demand.lanes)
          if (!demands.hasBacklog()) most = FIRST_BATCH
          isDue = true
        }
        failures = 0
      } catch (error) {
        failures += 1
        telemetry({ kind: 'error', operation: 'claim', error, retryInMs: backoffMs(failures) })
        await alarm.sleep(backoffMs(failures))
      }
    }
  }

  const isPast = (at: number | null) => at !== null && at <= clock.now()

  /** Sends have started or ended: events of a lane may be claimed that had no room. */
  function wakeForRoom(): void {
    if (sleepsOn !== null && opensLane(sleepsOn, demands.next(FIRST_BATCH).lanes)) alarm.ring(clock.now())
  }

  async function claimAndSend(demand: Demand): Promise<void> {
    const { leaseMs, workerId: claimedBy } = settings
    const { lanes, limit } = demand
    const batch = await claimBatch(deps, { limit, lanes, leaseMs, claimedBy })
    leases.add(batch.claims, batch.began)
    demands.onClaimed(demand, batch.claims, batch.began)
    for (const outcome of batch.unsent) settler.add(outcome)
    // Also for an empty batch: the claim refreshed the channels, and queued events of a held one must be released.
    if (stopped === null) sender.add(batch.ready)
    else for (const claim of batch.ready) settler.add({ claim, settlement: release(claim, clock.now()) })
  }

  async function sleepUntilNext(lanes: LaneLimits): Promise<void> {
    sleepsOn = lanes
    try {
      const next = (await store.nextWakeAt(lanes)) ?? Number.POSITIVE_INFINITY
      const now = clock.now()
      behind = next <= now ? behind + 1 : 0
      if (behind > 0) return await alarm.sleep(behindMs(behind))
      const soon = clock.after(Math.max(0, next - now - PREPARE_MS), () => void prepare(next))
      await alarm.sleep(settings.pollMs, Math.min(next, await lookAt(lanes, now)))
      soon.cancel()
    } finally {
      sleepsOn = null
    }
  }

  /** While an event waits for a closed lane: another process may open it. */
  async function lookAt(lanes: LaneLimits, now: number): Promise<number> {
    const at = sender.queues.nextLookAt(now, RELOAD_MS)
    if (at === Number.POSITIVE_INFINITY) return at
    const dueAt = await store.nextWakeAt(closedLanes(lanes, settings.types))
    return dueAt === null ? Number.POSITIVE_INFINITY : Math.max(at, dueAt)
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
    reload: () => {
      if (stopped === null) void sender.reload().then(() => alarm.ring(clock.now()))
    },
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
    case 'release':
      return settlement.wakeAt ?? settlement.at
  }
}
