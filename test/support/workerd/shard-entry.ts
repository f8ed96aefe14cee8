// The objects of the sharded home, and a Worker that passes the calls of a test in Node on to them, and requests with a path to
// the API. A shard can be stopped at a statement, and its database and alarm can be read.
import type { Batch } from '../../../src/runtimes/cloudflare/consume.ts'
import worker from '../../../src/runtimes/cloudflare/sharded-worker.ts'
import {
  type ObjectContext,
  registryOf,
  type ShardedEnv,
  shardAt,
} from '../../../src/runtimes/cloudflare/shards/object.ts'
import { Registry } from '../../../src/runtimes/cloudflare/shards/registry.ts'
import { Shard } from '../../../src/runtimes/cloudflare/shards/shard.ts'
import type { RowsPart } from '../../../src/stores/durable-object/bucket-rows.ts'
import type { Value } from '../../../src/stores/sqlite-dialect/executor.ts'

export { Registry }

/** Kept in the isolate, which survives its objects. */
let statements = 0
let killAt = Number.POSITIVE_INFINITY
let counts: Counted = {}
let planted: SplitMistake | null = null
let refusals = 0
let queued = 0

/** The statements that count: those that begin with a text, from the first one that contains another text. */
type Counted = { only?: string; from?: string }

/** Mistakes in the division of a shard. */
export type SplitMistake = 'a table is forgotten' | 'no rows are copied' | 'old rows stay'

export class TestShard extends Shard {
  #storage: ObjectContext['storage']

  constructor(ctx: ObjectContext, env: ShardedEnv) {
    super(counted(ctx as ObjectContext & { abort(): void }), env)
    this.#storage = ctx.storage
  }

  override async acceptSettings(...args: Parameters<Shard['acceptSettings']>): Promise<void> {
    if (refusals-- > 0) throw new Error('refused by the test')
    return super.acceptSettings(...args)
  }

  override receive(...[bucket, first, parts]: Parameters<Shard['receive']>): Promise<void> {
    const arrives = ({ table }: RowsPart) =>
      planted === 'a table is forgotten' ? table !== 'attempts' : planted !== 'no rows are copied'
    return super.receive(bucket, first, parts.filter(arrives))
  }

  plant(mistake: SplitMistake | null): void {
    planted = mistake
  }

  read(sql: string, params: Value[] = []): unknown {
    return this.#storage.sql
      .exec(sql, ...params)
      .raw()
      .toArray()
  }

  alarmAt(): Promise<number | null> {
    return this.#storage.getAlarm()
  }

  /** Null deletes it. The object does not know of the change. */
  moveAlarm(at: number | null): Promise<void> {
    return at === null ? this.#storage.deleteAlarm() : this.#storage.setAlarm(at)
  }

  /** Stops the object before a statement, by its place among those that count; null for no stop. */
  killAfter(count: number | null, which: Counted = {}): void {
    statements = 0
    counts = which
    killAt = count ?? Number.POSITIVE_INFINITY
  }

  /** As if every push since the first start had been missed. */
  forgetSettings(): void {
    for (const table of ['channels', 'templates']) this.#storage.sql.exec(`DELETE FROM ${table}`)
    this.#storage.kv.put('settings-version', 0)
  }

  refusePushes(count: number): void {
    refusals = count
  }
}

/** In place: the platform accepts only its own context. */
function counted(ctx: ObjectContext & { abort(): void }): ObjectContext {
  const { sql } = ctx.storage
  const exec = sql.exec.bind(sql)
  sql.exec = (text, ...params) => {
    const isCounted = statements > 0 || text.includes(counts.from ?? '')
    if (isCounted && text.startsWith(counts.only ?? '')) {
      statements += 1
      if (statements === killAt) ctx.abort()
    }
    const stays = planted === 'old rows stay' && text.startsWith('DELETE') && text.includes('substr(id, -4)')
    return stays ? exec('SELECT 1') : exec(text, ...params)
  }
  return ctx
}

export type ShardCall = {
  /** The index of a shard, or the registry. `isolate` has the numbers of statements and of queue messages. */
  of: number | 'registry' | 'isolate'
  method: string
  args: unknown[]
}

export default {
  scheduled: worker.scheduled,

  queue(batch: Batch, env: ShardedEnv): Promise<void> {
    queued += batch.messages.length
    return worker.queue(batch, env)
  },

  async fetch(request: Request, env: ShardedEnv): Promise<Response> {
    if (new URL(request.url).pathname !== '/') return worker.fetch(request, env)
    const { of, method, args } = (await request.json()) as ShardCall
    if (of === 'isolate') return Response.json({ value: { statements, queued } })
    try {
      const stub = of === 'registry' ? registryOf(env) : shardAt(env, of)
      const call = (stub as unknown as Record<string, (...args: unknown[]) => Promise<unknown>>)[method]!
      return Response.json({ value: (await call(...args)) ?? null })
    } catch (error) {
      return new Response((error as Error).message, { status: 500 })
    }
  },
}
