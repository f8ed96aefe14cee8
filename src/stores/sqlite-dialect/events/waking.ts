// When the next event can be claimed, how many are overdue, and the condition of a worker that claims some types only.
import type { NamedChannels, Overdue, WakeFilter } from '../../../ports/store.ts'
import type { Executor, Plain } from '../executor.ts'

/** Whether an event is of one of the types, which are a JSON array, or its occasion names a channel. */
export const isOfTypes = (types: string) =>
  `(SELECT o.channel_id IS NOT NULL OR o.type IN (SELECT value FROM json_each(${types})) FROM occasions AS o WHERE o.id = e.occasion_id)`

/** Whether the occasion of an event names one of the channels, which are a JSON array. */
export const isOfChannels = (names: string) =>
  `(SELECT coalesce(o.channel_id, '') IN (SELECT value FROM json_each(${names})) FROM occasions AS o WHERE o.id = e.occasion_id)`

/** The value for `isOfChannels`. */
export const channelNames = (names: NamedChannels) => JSON.stringify(names.map((name) => name ?? ''))

// The first event without a lease bounds the search: every event that wakes before it is leased, and those are few.
const nextWake = (filter = '') => `WITH free AS (SELECT min(wake_at) AS at FROM (
      SELECT wake_at FROM events AS e WHERE wake_at IS NOT NULL AND lease_until IS NULL${filter} ORDER BY wake_at LIMIT 1))
    SELECT min(at) FROM (
      SELECT at FROM free UNION ALL
      SELECT min(max(wake_at, lease_until)) FROM events AS e
        WHERE wake_at <= coalesce((SELECT at FROM free), 9e15) AND lease_until IS NOT NULL${filter})`

const NEXT_WAKE: Plain = { sql: nextWake(), params: [] }
const NEXT_WAKE_OF_TYPES = nextWake(` AND wake_at <= ?1 AND ${isOfTypes('?2')}`)

export async function nextWakeAt(executor: Executor, filter?: WakeFilter): Promise<number | null> {
  const [row] = await executor.read(
    filter ? { sql: NEXT_WAKE_OF_TYPES, params: [filter.before, JSON.stringify(filter.types)] } : NEXT_WAKE,
  )
  return (row?.[0] as number | null | undefined) ?? null
}

const COUNT_OVERDUE = `SELECT count(*), min(target_at), max(target_at) FROM events
  WHERE wake_at < ?1 AND (lease_until IS NULL OR lease_until <= ?1)`

export async function countOverdue(executor: Executor, now: number): Promise<Overdue> {
  const [row] = await executor.read({ sql: COUNT_OVERDUE, params: [now] })
  const [count, oldestAt, newestAt] = row as [number, number | null, number | null]
  return { count, oldestAt, newestAt }
}
