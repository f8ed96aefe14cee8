// Doubles the number of shards until it is the one of the setting. The registry has the number; each shard divides itself.
import { inParallel } from '../../../stores/sharded/routes.ts'
import { type ObjectContext, readShards, type ShardedEnv, shardAt } from './object.ts'

const SHARDS = 'shards'
/** Twice the number of shards, while every shard is split. */
const SPLIT_TO = 'split-to'
/** Not before this instant: a shard knows the callers of one earlier number only. */
const SPLIT_AT = 'split-at'

/** For how long a caller may divide people by the number of shards that it has read. */
export const COUNT_TTL_MS = 60_000
/** How often the shards are asked whether they are split. */
const ASK_MS = 1_000

export type Doubling = {
  count(): number
  /** All shards, with the new ones while the number is doubled. */
  indexes(): number[]
  /** Sets the number at the first start. True if the setting is larger, so that the number is doubled. It cannot be lowered. */
  applySetting(setting: unknown): boolean
  /** Returns when to continue; null if there is nothing to do. */
  step(): Promise<number | null>
}

export function createDoubling({ storage }: ObjectContext, env: ShardedEnv): Doubling {
  const { kv } = storage
  const count = () => kv.get<number>(SHARDS)!

  function applySetting(setting: unknown): boolean {
    if (kv.get(SHARDS) === undefined) kv.put(SHARDS, readShards(setting))
    const isLarger = setting !== undefined && readShards(setting) > count()
    if (isLarger && kv.get(SPLIT_TO) === undefined) kv.put(SPLIT_TO, 2 * count())
    return kv.get(SPLIT_TO) !== undefined
  }

  async function step(): Promise<number | null> {
    const to = kv.get<number>(SPLIT_TO)
    if (to === undefined) return null
    const now = Date.now()
    const notBefore = kv.get<number>(SPLIT_AT) ?? 0
    if (now < notBefore) return notBefore
    const olds = [...Array(to / 2).keys()]
    const complete = await inParallel(olds, (index) => shardAt(env, index).split({ index, to }))
    if (complete.includes(false)) return now + ASK_MS
    kv.put(SHARDS, to)
    kv.delete(SPLIT_TO)
    kv.put(SPLIT_AT, Date.now() + 2 * COUNT_TTL_MS)
    return applySetting(env.SHARDS) ? Date.now() : null
  }

  return {
    count,
    indexes: () => [...Array(kv.get<number>(SPLIT_TO) ?? count()).keys()],
    applySetting,
    step,
  }
}
