// Events that were settled and are on no account: replays after the close of their day, days that a clock ahead of time closed, and
// rows that were moved.
import { DAY_MS } from '../../../domain/time/calendar.ts'
import type { LedgerStore, UnaccountedEvent } from '../../../ports/store.ts'
import { BEFORE_ALL } from './days.ts'

type Query = Parameters<LedgerStore['listUnaccounted']>[0]

/** How a dialect writes the table of settled events, instants and parameters. */
type Expressions = {
  schema: '' | 'terce.'
  events: string
  inMs(column: string): string
  atMs(parameter: string): string
  parameter(number: number): string
}

/**
 * One search of the index by settlement; the rows before the end of the local day are then looked up in the lines. A scalar
 * subquery, and not NOT EXISTS, for which PostgreSQL may read all lines while its statistics are old.
 */
export function unaccountedSql({ schema, events, inMs, atMs, parameter }: Expressions): string {
  const [from, after, day, end, limit] = [1, 2, 3, 4, 5].map(parameter) as [string, ...string[]]
  const executedAt = inMs('e.executed_at')
  return `SELECT e.id, e.occasion_id, ${inMs('e.target_at')}, ${executedAt} FROM ${schema}${events} AS e
    WHERE e.executed_at >= ${atMs(from)} AND (e.executed_at > ${atMs(from)} OR e.id > ${after})
      AND ${inMs('e.target_at')} + e.offset_seconds * 1000 < ${end}
      AND (SELECT 1 FROM ${schema}ledger_lines AS l
        WHERE l.event_id = e.id AND (l.settled_at IS NOT NULL OR l.day = ${day}) LIMIT 1) IS NULL
    ORDER BY e.executed_at, e.id LIMIT ${limit}`
}

/** From an instant and an id on, the day, the end of the day, the limit. */
export type UnaccountedParameters = [number, string, string, number, number]

/** A cursor is the settlement and the id of the last event of the page before. */
export function unaccountedParameters({ day, settledFrom, limit, cursor }: Query): UnaccountedParameters {
  const [from = '', after = ''] = (cursor ?? `${settledFrom} ${BEFORE_ALL}`).split(' ')
  return [Number(from), after, day, Date.parse(day) + DAY_MS, limit]
}

export function unaccountedPage(
  rows: readonly (readonly unknown[])[],
  limit: number,
): { items: UnaccountedEvent[]; nextCursor: string | null } {
  const last = rows.at(-1)
  return {
    items: rows.map(([id, occasionId, targetAt]) => ({ id, occasionId, targetAt }) as UnaccountedEvent),
    nextCursor: rows.length < limit || last === undefined ? null : `${last[3]} ${last[0]}`,
  }
}
