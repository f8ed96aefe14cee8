// The registry: one object with channels, templates, API keys, sessions, the audit log and the number of shards. Its alarm
// pushes changed channels and templates to every shard, so that no delivery waits for the registry.
import { DurableObject } from 'cloudflare:workers'
import { pruneAudit } from '../../../app/access/audit.ts'
import { removeExpired } from '../../../app/access/expiry.ts'
import { keepEnvironmentChannel } from '../../../app/channels/environment-channel.ts'
import { backoffMs } from '../../../engine/timing.ts'
import type { Store } from '../../../ports/store.ts'
import type { Operation } from '../../../ports/telemetry.ts'
import { bundledMigrations, migrateObject } from '../../../stores/durable-object/migrate.ts'
import { openObjectStore } from '../../../stores/durable-object/object-store.ts'
import { inParallel } from '../../../stores/sharded/routes.ts'
import { type CloudflareHome, makeHome } from '../parts.ts'
import { replyTo } from './calls.ts'
import { createDoubling, type Doubling } from './doubling.ts'
import {
  databaseSizeOf,
  type ObjectContext,
  type RegistryStub,
  type Reply,
  type ShardedEnv,
  type Snapshot,
  shardAt,
} from './object.ts'
import { readSnapshot, setVersion, versionOf } from './snapshot.ts'

/** Calls that change what shards have a copy of, with the time for which a push waits for further changes. */
const PUSHED: Partial<Record<keyof Store, number>> = {
  saveChannel: 0,
  removeChannel: 0,
  setChannelStatus: 0,
  saveTemplate: 0,
  removeTemplate: 0,
  // When a receiver is up again, every shard finds it out.
  markRecovered: 2_000,
}

/** The shards that do not have the newest settings. */
const BEHIND = 'shards-behind'

export class Registry extends DurableObject<ShardedEnv, ObjectContext> implements RegistryStub {
  #store: Store
  #home: CloudflareHome
  #doubling: Doubling
  #failures = 0

  constructor(ctx: ObjectContext, env: ShardedEnv) {
    super(ctx, env)
    this.#store = this.#pushing(openObjectStore(ctx.storage))
    this.#doubling = createDoubling(ctx, env)
    this.#home = makeHome(env, { store: this.#store, databaseSize: () => databaseSizeOf(ctx) })
    void ctx.blockConcurrencyWhile(async () => {
      migrateObject(ctx.storage, bundledMigrations())
      const { storage } = ctx
      if (this.#doubling.applySetting(env.SHARDS)) await this.#wakeBy(Date.now())
      if (versionOf(storage) === 0) setVersion(storage, 1)
      const { webhookUrl: url, webhookSecrets: secrets } = this.#home.config
      await keepEnvironmentChannel(this.#home, url === null ? null : { url, secrets })
    })
  }

  call(method: keyof Store, args: readonly unknown[]): Promise<Reply> {
    return replyTo(this.#store, method, args)
  }

  async shardCount(): Promise<number> {
    return this.#doubling.count()
  }

  async settings(): Promise<Snapshot> {
    return readSnapshot(this.ctx.storage)
  }

  async ping(): Promise<number> {
    const { clock, config, telemetry } = this.#home
    await removeExpired({ store: this.#store, clock })
    const before = clock.now() - config.auditRetentionMs
    await pruneAudit({ store: this.#store, clock, telemetry }, before, null)
    return versionOf(this.ctx.storage)
  }

  /** Never throws: after six failures the platform would give the alarm up. */
  async alarm(): Promise<void> {
    const pushError = await this.#push().catch((failure: unknown) => failure)
    let splitError: unknown = null
    const next = await this.#doubling.step().catch((failure: unknown) => {
      splitError = failure
      return null
    })
    if (next !== null) await this.#wakeBy(next)
    await this.#retryAfter({ 'push-settings': pushError, 'split-shards': splitError })
  }

  async #retryAfter(errors: Partial<Record<Operation, unknown>>): Promise<void> {
    const found = Object.entries(errors).filter(([, error]) => error !== null)
    this.#failures = found.length === 0 ? 0 : this.#failures + 1
    const retryInMs = backoffMs(this.#failures)
    for (const [operation, error] of found)
      this.#home.telemetry({ kind: 'error', operation: operation as Operation, error, retryInMs })
    if (found.length > 0) await this.#wakeBy(Date.now() + retryInMs)
    this.#home.flushLog()
  }

  /** Moves the alarm, if it is later than this instant. */
  async #wakeBy(at: number): Promise<void> {
    const setTo = await this.ctx.storage.getAlarm()
    if (setTo === null || at < setTo) await this.ctx.storage.setAlarm(at)
  }

  /** Returns the first error; null if every shard has the newest settings. */
  async #push(): Promise<unknown> {
    const { kv } = this.ctx.storage
    const snapshot = readSnapshot(this.ctx.storage)
    const behind = kv.get<number[]>(BEHIND) ?? []
    const failed: number[] = []
    let error: unknown = null
    await inParallel(behind, (index) =>
      shardAt(this.env, index)
        .acceptSettings(snapshot)
        .catch((failure: unknown) => {
          failed.push(index)
          error ??= failure
        }),
    )
    // A change during the push has set the alarm again, and counts every shard as behind.
    if (versionOf(this.ctx.storage) === snapshot.version) kv.put(BEHIND, failed)
    return error
  }

  /** The store, which counts the shards as behind at every change, in the transaction of the change. */
  #pushing(store: Store): Store {
    const changes = Object.entries(PUSHED).map(([method, delayMs]) => [
      method,
      async (...args: unknown[]) => {
        const { storage } = this.ctx
        setVersion(storage, versionOf(storage) + 1)
        storage.kv.put(BEHIND, this.#doubling.indexes())
        void storage.setAlarm(Date.now() + delayMs)
        return (store[method as keyof Store] as (...args: unknown[]) => unknown)(...args)
      },
    ])
    return { ...store, ...Object.fromEntries(changes) }
  }
}
