// Delivers the due events of a shard: the engine sends on the connections of the object, and the queue takes a large backlog.
import { BATCH_SIZE } from '../../../engine/claim.ts'
import { type ResumableEngine, startEngine } from '../../../engine/engine.ts'
import { dispatch } from '../../../engine/queue/dispatcher.ts'
import { BREAKER } from '../../../engine/sending/circuit-breaker.ts'
import type { Store } from '../../../ports/store.ts'
import { createCloudflareQueue } from '../../../queues/cloudflare.ts'
import { dispatchSettingsOf, engineDepsOf } from '../../serverless.ts'
import { MOST_CONNECTIONS } from '../consume.ts'
import { type CloudflareHome, makeHome } from '../parts.ts'
import { watchActivity } from './activity.ts'
import { remoteStore } from './calls.ts'
import { databaseSizeOf, type ObjectContext, readShards, registryOf, type ShardedEnv } from './object.ts'
import { queueShare } from './queue-share.ts'
import { createShardReplan, type ShardReplan } from './replan.ts'

export type Delivery = {
  home: CloudflareHome
  replan: ShardReplan
  /** Delivers until nothing is due for a while. Returns when other work goes on; null if there is none. */
  run(): Promise<number | null>
  /** An event may be due at that instant. */
  wake(at: number): void
}

/** A backlog above this is handed to the queue, whose consumers have connections of their own. */
const MOST_OWN = 1_000
/** Short, because no other process extends it: an object that was stopped is the only one that could settle the event. */
const LEASE_MS = 30_000
/** A run waits for an event that falls due so soon, such as a retry after a second. */
const STAY_MS = 2_000
/** An object has one disk write at a time, and every send waits for the write of its claim: few large claims. */
const CLAIM_AHEAD = 500
/** For that reason also few large settlements. An object that is stopped sends again what it sent in this time. */
const LINGER_MS = 250
/** The platform ends an alarm after fifteen minutes. */
const RUN_MS = 120_000
/** Longer than a request to a receiver may take. */
const GRACE_MS = 15_000

export function createDelivery(env: ShardedEnv, ctx: ObjectContext, own: Store): Delivery {
  const registry = remoteStore(() => registryOf(env))
  const store: Store = {
    ...own,
    // The registry passes a change of a channel on to every shard.
    setChannelStatus: (change) => registry.setChannelStatus(change),
    markRecovered: (id, at) => registry.markRecovered(id, at),
  }
  const home = makeHome(env, { store, databaseSize: () => databaseSizeOf(ctx) })
  const { clock, config } = home
  const activity = watchActivity(home.store, clock)
  const deps = engineDepsOf({ ...home, store: activity.store })
  const workerId = `shard-${crypto.randomUUID()}`
  const settings = {
    workerId,
    leaseMs: LEASE_MS,
    concurrency: Math.min(config.concurrency, MOST_CONNECTIONS),
    batchSize: BATCH_SIZE,
    claimAhead: CLAIM_AHEAD,
    busyLingerMs: LINGER_MS,
    pollMs: LEASE_MS,
    graceMs: GRACE_MS,
    breaker: BREAKER,
  }
  const replan = createShardReplan({ ...home, store: own })
  const { share, batchSize } = queueShare(readShards(env.SHARDS))
  const queue = createCloudflareQueue(env.DUE, clock, share)
  let engine: ResumableEngine | null = null
  let isRunning = false

  async function run(): Promise<number | null> {
    await replan.soonest()
    const idle = activity.whenIdle({ stayMs: STAY_MS, mostMs: RUN_MS })
    isRunning = true
    if (engine === null) engine = startEngine(deps, settings)
    else engine.resume()
    try {
      await handOver()
      await idle
    } finally {
      isRunning = false
      await engine.stop()
      home.flushLog()
    }
    return replan.part()
  }

  async function handOver(): Promise<void> {
    const now = clock.now()
    const { count } = await own.countOverdue(now)
    if (count <= MOST_OWN) return
    const run = { claimedBy: `queue-${crypto.randomUUID()}`, until: now + RUN_MS }
    const settings = { ...dispatchSettingsOf(home, run), batchSize }
    await dispatch({ ...deps, store: home.store, queue }, settings)
  }

  return {
    home,
    replan,
    run,
    wake: (at) => {
      if (isRunning) engine?.wake(at)
    },
  }
}
