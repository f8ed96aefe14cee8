// Reads what the accounts of people follow from. One statement for people, occasions and events: they are of one instant. Raw rows:
// the account of a day reads everybody.
import { accountColumns } from '../../shared/ledger/account-row.ts'
import type { ReadAccountRows } from '../../shared/ledger/accounts.ts'
import { unaccountedSql } from '../../shared/ledger/unaccounted.ts'
import { TASK_OF } from '../events/claim.ts'
import type { Executor, SqliteRow } from '../executor.ts'

const LIST = accountColumns({
  // As text: JSON would become a part of the array around it.
  task: `${TASK_OF} || ''`,
  schema: '',
  inMs: (column) => column,
  // Settling leaves the count as it was.
  parkCount: 'iif(e.wake_at IS NULL, 0, e.park_count)',
})

// Two values instead of 43: copying a row out of the thread of the database took 14 µs, and reading it 14; this takes 1 and 10, and
// 2 to parse it. Two, because a function has at most 32 arguments on D1.
const ROW = `json_array(${LIST.person}), json_array(${LIST.event})`

const rowFrom = ([person, event]: SqliteRow): unknown[] =>
  JSON.parse(`${(person as string).slice(0, -1)},${(event as string).slice(1)}`)

/** `people` begins the FROM clause with the users (u) and their occasions (o); ?3 is the instant from which events are read. */
const accountsOf = (people: string) => `SELECT ${ROW} FROM ${people}
    LEFT JOIN events AS e ON e.occasion_id = o.id AND (e.wake_at IS NOT NULL OR e.target_at >= ?3)`

// The sign keeps SQLite from preparing the statement again at every run.
const PAGE =
  accountsOf(`(SELECT id, date_of_birth, timezone, created_at, version FROM users WHERE id > ?1 ORDER BY id LIMIT +?2) AS u
    LEFT JOIN occasions AS o ON o.user_id = u.id`)

const SOME = accountsOf(
  `(SELECT * FROM occasions WHERE id IN (SELECT value FROM json_each(?1)) LIMIT +?2) AS o JOIN users AS u ON u.id = o.user_id`,
)

const EVENTS = `SELECT e.occasion_id, ${LIST.event} FROM json_each(?1) AS ref CROSS JOIN events AS e ON e.id = ref.value
  UNION ALL
  SELECT e.occasion_id, ${LIST.event} FROM json_each(?2) AS ref CROSS JOIN events AS e ON e.id = (
    SELECT last.id FROM events AS last WHERE last.occasion_id = ref.value AND last.wake_at IS NULL AND last.target_at < ?3
    ORDER BY last.target_at DESC, last.replay_of IS NOT NULL, last.occurrence DESC LIMIT 1)`

const UNACCOUNTED = unaccountedSql({
  schema: '',
  events: 'events',
  inMs: (column) => column,
  atMs: (parameter) => parameter,
  parameter: (number) => `?${number}`,
})

export function accountRows({ read }: Pick<Executor, 'read'>): ReadAccountRows {
  return {
    page: async ({ cursor, limit, eventsFrom }) =>
      (await read({ sql: PAGE, params: [cursor ?? '', limit, eventsFrom] })).map(rowFrom),
    some: async ({ occasionIds, eventsFrom }) =>
      (await read({ sql: SOME, params: [JSON.stringify(occasionIds), occasionIds.length, eventsFrom] })).map(
        rowFrom,
      ),
    events: ({ eventIds, occasionIds, eventsFrom }) =>
      read({ sql: EVENTS, params: [JSON.stringify(eventIds), JSON.stringify(occasionIds), eventsFrom] }),
    unaccounted: (params) => read({ sql: UNACCOUNTED, params }),
  }
}
