// When the next event can be claimed, how many are overdue, and the condition of a worker that claims some types only.
import { NO_CHANNEL } from '../../../domain/settings/channel.ts'
import type { NamedChannels, Overdue, WakeFilter } from '../../../ports/store.ts'
import type { Columns } from '../../shared/columns/columns.ts'
import { arrays, uuids } from '../arrays.ts'
import type { Connection } from '../connection.ts'
import { atMs, inMs } from '../instant.ts'

/**
 * SQL: whether an event is of one of the types, or its occasion names a channel. A scalar subquery, which PostgreSQL cannot turn into a
 * join: it is computed for each due event by the key, and the events are still read in order of the index.
 */
export const isOfTypes = (types: string) =>
  `(SELECT o.channel_id IS NOT NULL OR o.type = ANY (${types}::text[]) FROM terce.occasions AS o WHERE o.id = events.occasion_id)`

/** SQL: whether the occasion of an event names one of the channels. A subquery for the same reason. */
export const isOfChannels = (names: string) =>
  `(SELECT coalesce(o.channel_id, '${NO_CHANNEL}') = ANY (${names}::uuid[]) FROM terce.occasions AS o WHERE o.id = events.occasion_id)`

/** The value for `isOfChannels`. */
export const channelNames = (names: NamedChannels) => uuids(names.map((name) => name ?? NO_CHANNEL))

export const TYPE: Columns<string> = { type: ['text', (type) => type] }

// The first event without a lease bounds the search: events that wake before it all have leases, and are few.
const nextWake = (
  filter = '',
) => `WITH free AS (SELECT wake_at AS at FROM terce.events WHERE lease_until IS NULL${filter} ORDER BY wake_at LIMIT 1)
  SELECT ${inMs('min(at)')} FROM (
    SELECT at FROM free UNION ALL
    SELECT min(greatest(wake_at, lease_until)) FROM terce.events
      WHERE wake_at <= coalesce((SELECT at FROM free), 'infinity') AND lease_until IS NOT NULL${filter}) AS waking`

const NEXT_WAKE = nextWake()
const NEXT_WAKE_OF_TYPES = nextWake(` AND wake_at <= ${atMs('$1')} AND ${isOfTypes('$2')}`)

export async function nextWakeAt(connection: Connection, filter?: WakeFilter): Promise<number | null> {
  const query = filter
    ? { text: NEXT_WAKE_OF_TYPES, values: [filter.before, ...arrays(TYPE, filter.types)] }
    : { text: NEXT_WAKE, values: [] }
  const [row] = await connection.prepared((_, last) => last(query))
  return (row?.[0] as number | null | undefined) ?? null
}

const COUNT_OVERDUE = `SELECT count(*)::int, ${inMs('min(target_at)')}, ${inMs('max(target_at)')} FROM terce.events
  WHERE wake_at < ${atMs('$1')} AND (lease_until IS NULL OR lease_until <= ${atMs('$1')})`

export async function countOverdue(connection: Connection, now: number): Promise<Overdue> {
  const [row] = await connection.query({ text: COUNT_OVERDUE, values: [now] })
  const [count, oldestAt, newestAt] = row as [number, number | null, number | null]
  return { count, oldestAt, newestAt }
}
