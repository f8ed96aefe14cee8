// The Worker of the sharded home: serves the API over many Durable Objects, pings them every hour, closes the days of the ledger,
// and delivers what a shard has handed to the queue. The shards deliver the rest by themselves.
import { prunableBefore, pruneLedger } from '../../app/ledger/prunable.ts'
import { type ReplanOnRequest, replan } from '../../app/timezones/replan.ts'
import { createCloudflareQueue } from '../../queues/cloudflare.ts'
import { inParallel } from '../../stores/sharded/routes.ts'
import { openShardedStore } from '../../stores/sharded/sharded-store.ts'
import { engineDepsOf, guarded, reportRun } from '../serverless.ts'
import { type CloudflareApp, makeApp } from './app.ts'
import { type Batch, type ConsumerParts, consumeBatch, retryLater } from './consume.ts'
import { makeHome, readSettings, requireBindings } from './parts.ts'
import { ifSetUp, NOT_SET_UP, respondNotSetUp } from './set-up.ts'
import { rejectUnreachable, remoteStore } from './shards/calls.ts'
import { closeOverShards } from './shards/closing.ts'
import { COUNT_TTL_MS } from './shards/doubling.ts'
import { limitedSteps, registryOf, type ShardedEnv, type ShardStub, shardAt } from './shards/object.ts'

export { Registry } from './shards/registry.ts'
export { Shard } from './shards/shard.ts'

/** Of the registry, in a run of the cron. */
const OTHER_CALLS = 20

let parts: ConsumerParts | null = null
let app: CloudflareApp | null = null
/** The number of shards, and when it was read: it may be doubled. */
let known = { shards: 0, readAt: Number.NEGATIVE_INFINITY }

/** Null if a setting or a binding is missing. Requests share no promise: it is cancelled together with its request. */
async function partsOf(env: ShardedEnv): Promise<ConsumerParts | null> {
  if (parts !== null && Date.now() < known.readAt + COUNT_TTL_MS) return parts
  const isSetUp = ifSetUp(() => {
    requireBindings(env, ['SHARD', 'REGISTRY', 'DUE'], 'wrangler.sharded.jsonc')
    return readSettings(env)
  })
  if (isSetUp === null) return null
  const readAt = Date.now()
  known = { shards: await registryOf(env).shardCount(), readAt }
  if (parts !== null) return parts
  const store = openShardedStore({
    shards: {
      count: () => known.shards,
      store: (index) => remoteStore(() => shardAt(env, index), known.shards),
    },
    registry: remoteStore(() => registryOf(env)),
  })
  const home = makeHome(env, { store, databaseSize: () => null })
  const queue = createCloudflareQueue(env.DUE, home.clock)
  parts = { ...home, flow: { ...engineDepsOf(home), queue } }
  return parts
}

export default {
  async fetch(request: Request, env: ShardedEnv): Promise<Response> {
    const home = await partsOf(env)
    if (home === null) return respondNotSetUp()
    app ??= makeApp(home, createReplanOnRequest(home, env))
    const response = await app.fetch(request, env)
    home.flushLog()
    return response
  },

  /** Called every hour: a shard whose alarm was lost sets it again, every object prunes, and a day of the ledger is closed. */
  async scheduled(_: unknown, env: ShardedEnv): Promise<void> {
    const home = await partsOf(env)
    if (home === null) throw new Error(NOT_SET_UP)
    const run = { of: 'scheduler', runId: `cron-${crypto.randomUUID()}` } as const
    await guarded(home, 'schedule', async () => {
      await reportRun(home, run, async () => {
        const version = await registryOf(env).ping()
        const { store, clock, keepMs } = home
        const before = keepMs === null ? null : await prunableBefore(store, clock.now() - keepMs)
        // The registry first: from then on the days need no lines.
        const registry = remoteStore(() => registryOf(env))
        if (before !== null) await pruneLedger({ store: registry, clock }, before, limitedSteps())
        await callAll(env, (shard) => shard.ping(version, before))
        return { handedOver: 0 }
      })
      const { shards } = known
      // Each shard was asked for its overdue events, and pinged.
      const calls = 2 * shards + OTHER_CALLS
      await closeOverShards(home, (plan) => shardAt(env, plan.index).account(plan), { shards, calls })
    })
  },

  async queue(batch: Batch, env: ShardedEnv): Promise<void> {
    const home = await partsOf(env)
    if (home === null) retryLater(batch)
    else await consumeBatch(home, batch)
  },
}

/** Calls every shard, also after an error, and then throws the first error. */
async function callAll(env: ShardedEnv, call: (shard: ShardStub) => Promise<void>): Promise<void> {
  const errors: unknown[] = []
  await inParallel([...Array(known.shards).keys()], (index) =>
    call(shardAt(env, index)).catch((error: unknown) => void errors.push(error)),
  )
  if (errors.length > 0) throw errors[0]
}

/** Every shard moves the events of its own people. */
function createReplanOnRequest(home: ConsumerParts, env: ShardedEnv): ReplanOnRequest {
  const deps = { ...home, onPlanned: () => {} }
  return async ({ dryRun }) => {
    if (dryRun) return replan(deps, { dryRun, recheckMs: Number.POSITIVE_INFINITY })
    await callAll(env, (shard) => shard.replan()).catch(rejectUnreachable)
    const release = home.planner.table.version
    return { release, zones: [], ahead: null, gone: [], failed: 0, complete: false }
  }
}
