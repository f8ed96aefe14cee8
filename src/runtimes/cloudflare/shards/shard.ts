// A shard: a part of the people with their events, and the engine that delivers them. Its alarm is set to the next event.
import { DurableObject } from 'cloudflare:workers'
import { removeExpired } from '../../../app/access/expiry.ts'
import { pruneLedger } from '../../../app/ledger/prunable.ts'
import type { Bucket } from '../../../domain/events/bucket.ts'
import { RELOAD_MS } from '../../../engine/sending/destinations.ts'
import type { Store } from '../../../ports/store.ts'
import { insertArrival, type RowsPart, storeArrival } from '../../../stores/durable-object/bucket-rows.ts'
import { bundledMigrations, migrateObject } from '../../../stores/durable-object/migrate.ts'
import { openObjectStore } from '../../../stores/durable-object/object-store.ts'
import { createShardAccount, type ShardAccount } from './account.ts'
import { mayPlan, replyTo } from './calls.ts'
import { createDelivery, type Delivery } from './delivery.ts'
import {
  type AccountPlan,
  limitedSteps,
  type ObjectContext,
  type Reply,
  registryOf,
  type ShardedEnv,
  type ShardStub,
  type ShardTotals,
  type Snapshot,
  type SplitPlan,
} from './object.ts'
import { versionOf, writeSnapshot } from './snapshot.ts'
import { createSplitting, type Splitting } from './splitting.ts'

/** An object that is stopped while its alarm runs wakes up after this time: leases have expired by then. */
const BACKSTOP_MS = 45_000
/** After an error. */
const RETRY_MS = 5_000
/** Settled events that are removed in an hour. */
const PRUNE_LIMIT = 50_000

export class Shard extends DurableObject<ShardedEnv, ObjectContext> implements ShardStub {
  #store: Store
  #splitting: Splitting
  #delivery: Delivery | null = null
  #account: ShardAccount | null = null
  /** What `getAlarm` would return: kept, so that a write and its alarm are committed together. */
  #alarmAt: number | null = null

  constructor(ctx: ObjectContext, env: ShardedEnv) {
    super(ctx, env)
    this.#store = openObjectStore(ctx.storage)
    this.#splitting = createSplitting(ctx, env, this.#store)
    void ctx.blockConcurrencyWhile(async () => {
      migrateObject(ctx.storage, bundledMigrations())
      this.#alarmAt = await ctx.storage.getAlarm()
    })
  }

  call(method: keyof Store, args: readonly unknown[], shards?: number): Promise<Reply> {
    return this.#splitting.run(shards, async (store) => {
      const reply = await replyTo(store, method, args)
      if (mayPlan(method)) await this.#wakeBy(await this.#store.nextWakeAt())
      return reply
    })
  }

  async account(plan: AccountPlan): Promise<ShardTotals | null> {
    const account = this.#accounting()
    if (!(await account.begin(plan))) await this.#wakeBy(Date.now())
    return account.totals(plan)
  }

  async split(plan: SplitPlan): Promise<boolean> {
    const isComplete = this.#splitting.begin(plan)
    if (!isComplete) await this.#wakeBy(Date.now())
    return isComplete
  }

  async receive(bucket: Bucket, first: number, parts: readonly RowsPart[]): Promise<void> {
    storeArrival(this.ctx.storage, bucket, first, parts)
  }

  async admit(bucket: Bucket, shards: number): Promise<void> {
    this.ctx.storage.transactionSync(() => insertArrival(this.ctx.storage, bucket, shards))
    await this.#wakeBy(await this.#store.nextWakeAt())
  }

  async acceptSettings(snapshot: Snapshot): Promise<void> {
    if (!writeSnapshot(this.ctx.storage, snapshot)) return
    // Events may be parked for a channel that was resumed. By then the engine reads the channels again.
    if ((await this.#store.nextWakeAt()) !== null) await this.#wakeBy(Date.now() + RELOAD_MS)
  }

  async ping(registryVersion: number, settledBefore: number | null): Promise<void> {
    // Also if an alarm is set: the platform gives it up after six failures.
    this.#alarmAt = null
    await this.#wakeBy(await this.#store.nextWakeAt())
    if (versionOf(this.ctx.storage) < registryVersion) await this.#readSettings()
    const { home, replan } = this.#deliver()
    const { clock } = home
    if (!replan.isDone()) await this.#wakeBy(clock.now())
    await this.#splitting.runOwn(async (store) => {
      await removeExpired({ store, clock })
      if (settledBefore === null) return
      await store.prune({ before: settledBefore, limit: PRUNE_LIMIT })
      await pruneLedger({ store, clock }, settledBefore, limitedSteps())
    })
  }

  async replan(): Promise<void> {
    const { replan, home } = this.#deliver()
    await replan.begin()
    await this.#wakeBy(home.clock.now())
  }

  /** Never throws: after six failures the platform would give the alarm up. */
  async alarm(): Promise<void> {
    let nextAt: number | null = Date.now() + RETRY_MS
    try {
      await this.#setAlarm(Date.now() + BACKSTOP_MS)
      if (versionOf(this.ctx.storage) === 0) await this.#readSettings()
      const goesOnAt = await this.#deliver().run()
      const accountsAt = await this.#accounting().part(await this.#store.nextWakeAt())
      nextAt = earlier(earlier(await this.#moveBuckets(goesOnAt), goesOnAt), accountsAt)
    } catch (error) {
      this.#report(error)
    }
    await this.#setAlarm(nextAt).catch((error) => this.#report(error))
  }

  /** Returns when the alarm has to fire again. Buckets stay until a replan has moved all of their events. */
  async #moveBuckets(replanGoesOnAt: number | null): Promise<number | null> {
    const isReplanning = replanGoesOnAt !== null && replanGoesOnAt <= Date.now()
    const isDone = isReplanning || (await this.#splitting.moveBuckets())
    return isDone ? this.#store.nextWakeAt() : Date.now()
  }

  #deliver(): Delivery {
    this.#delivery ??= createDelivery(this.env, this.ctx, this.#store)
    return this.#delivery
  }

  #accounting(): ShardAccount {
    this.#account ??= createShardAccount(this.ctx, this.#splitting, this.#deliver().home)
    return this.#account
  }

  async #readSettings(): Promise<void> {
    writeSnapshot(this.ctx.storage, await registryOf(this.env).settings())
  }

  /** Moves the alarm, if it is later than this instant. */
  async #wakeBy(at: number | null): Promise<void> {
    if (at === null) return
    this.#delivery?.wake(at)
    if (this.#alarmAt === null || at < this.#alarmAt) await this.#setAlarm(at)
  }

  async #setAlarm(at: number | null): Promise<void> {
    this.#alarmAt = at
    await (at === null ? this.ctx.storage.deleteAlarm() : this.ctx.storage.setAlarm(at))
  }

  #report(error: unknown): void {
    try {
      const { telemetry, flushLog } = this.#deliver().home
      telemetry({ kind: 'error', operation: 'schedule', error, retryInMs: RETRY_MS })
      flushLog()
    } catch {
      // biome-ignore lint/suspicious/noConsole: the settings are not usable, so there is no logger
      console.error('The alarm of a shard failed, and its log cannot be opened.')
    }
  }
}

function earlier(a: number | null, b: number | null): number | null {
  return a === null || b === null ? (a ?? b) : Math.min(a, b)
}
