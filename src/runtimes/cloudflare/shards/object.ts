// The parts of the Durable Object API that are used here, and the bindings of deploy/cloudflare/wrangler.sharded.jsonc.
import type { Bucket } from '../../../domain/events/bucket.ts'
import type { EntryOf } from '../../../domain/ledger/journal.ts'
import type { LedgerCounts } from '../../../domain/ledger/line.ts'
import type { LedgerDay, Store } from '../../../ports/store.ts'
import type { QueueBinding } from '../../../queues/cloudflare.ts'
import type { RowsPart } from '../../../stores/durable-object/bucket-rows.ts'
import type { ObjectStorage } from '../../../stores/durable-object/storage.ts'
import type { Dataset } from '../../../telemetry/data-points.ts'
import { ConfigError } from '../../config/config.ts'
import { MOST_BYTES } from '../parts.ts'

/** The state of an object. Writes without an I/O operation between them are committed together, the alarm included. */
export type ObjectContext = {
  storage: ObjectStorage & {
    sql: { readonly databaseSize: number }
    kv: {
      get<T>(key: string): T | undefined
      put(key: string, value: unknown): void
      delete(key: string): void
    }
    /** Null if none is set, and while the alarm runs. */
    getAlarm(): Promise<number | null>
    setAlarm(at: number): Promise<void>
    deleteAlarm(): Promise<void>
  }
  /** No other call is delivered until the promise settles. */
  blockConcurrencyWhile<T>(run: () => Promise<T>): Promise<T>
}

export type Namespace<Stub> = { idFromName(name: string): unknown; get(id: unknown): Stub }

/** An error travels as a value: as a thrown one it would arrive without its class and code. */
export type Reply = { value: unknown } | { error: { name: string; message: string; code: string | null } }

/** A store that is called by RPC. `shards` is the number of shards that the caller divides people by. */
export type StoreStub = {
  call(method: keyof Store, args: readonly unknown[], shards?: number): Promise<Reply>
}

type Rows = Record<string, string | number | null>[]

/** The settings that a shard has a copy of. The registry numbers each state of them. */
export type Snapshot = { version: number; channels: Rows; templates: Rows }

/** `index` is the place of a shard among `to` shards; its new shard is at `index + to / 2`. */
export type SplitPlan = { index: number; to: number }

/** What a shard has to account for. The day before and the limits of lateness are in the registry. */
export type AccountPlan = {
  day: string
  /** How many shards people are divided by, and which of them this one is. */
  shards: number
  index: number
  previous: LedgerDay | null
  limits: EntryOf<'limits-changed'>[]
}

/** `leaves`: src/domain/ledger/packed-leaves.ts */
export type ShardTotals = { counts: LedgerCounts; people: number; leaves: Uint8Array }

export type ShardStub = StoreStub & {
  acceptSettings(snapshot: Snapshot): Promise<void>
  /** Sets a lost alarm, reads newer settings, and removes events settled before the instant; none if it is null. */
  ping(registryVersion: number, settledBefore: number | null): Promise<void>
  /** Begins another check of the events of timezones whose rules changed. The alarm continues it. */
  replan(): Promise<void>
  /** Begins or continues the account of a day. Null until it is complete. */
  account(plan: AccountPlan): Promise<ShardTotals | null>
  /** Begins or continues the division of this shard. True when all of its buckets have moved. */
  split(plan: SplitPlan): Promise<boolean>
  /** Keeps rows of a bucket that arrives, from this part on, beside the tables. */
  receive(bucket: Bucket, first: number, parts: readonly RowsPart[]): Promise<void>
  /** The bucket has left the other shard: its rows belong to this one, of `shards`. */
  admit(bucket: Bucket, shards: number): Promise<void>
}

export type RegistryStub = StoreStub & {
  shardCount(): Promise<number>
  settings(): Promise<Snapshot>
  /** Prunes, and returns the version of the settings. */
  ping(): Promise<number>
}

export type ShardedEnv = {
  SHARD: Namespace<ShardStub>
  REGISTRY: Namespace<RegistryStub>
  DUE: QueueBinding
  METRICS?: Dataset
} & Readonly<Record<string, unknown>>

/** The number of shards in the setting SHARDS: a power of two, so that it can be doubled. */
export function readShards(setting: unknown): number {
  const count = setting === undefined ? 256 : Number(setting)
  if (Number.isInteger(Math.log2(count)) && count >= 1 && count <= 4_096) return count
  throw new ConfigError([`SHARDS=${setting} is not usable. Give a power of two from 1 to 4096.`])
}

/** Ends the pruning of the ledger in one object after 50 steps of 1,000 rows. */
export function limitedSteps(): () => boolean {
  let steps = 50
  return () => --steps === 0
}

/** A stub that failed stays broken, so each call gets a new one. */
export function registryOf({ REGISTRY }: ShardedEnv): RegistryStub {
  return REGISTRY.get(REGISTRY.idFromName('registry'))
}

export function shardAt({ SHARD }: ShardedEnv, index: number): ShardStub {
  return SHARD.get(SHARD.idFromName(`shard-${index}`))
}

export function databaseSizeOf({ storage }: ObjectContext): { bytes: number; limitBytes: number } {
  return { bytes: storage.sql.databaseSize, limitBytes: MOST_BYTES }
}
