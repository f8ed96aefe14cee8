// Reads what the accounts of people follow from. One statement for people, occasions and open events: they are of one instant. Raw
// rows: the account of a day reads everybody.
import { firstIdAt } from '../../../domain/events/uuid.ts'
import { eventValue } from '../../shared/columns/events.ts'
import { accountColumns, EVENT_COLUMNS, EVENT_ID, OCCASION_ID } from '../../shared/ledger/account-row.ts'
import type { ReadAccountRows } from '../../shared/ledger/accounts.ts'
import { BEFORE_ALL } from '../../shared/ledger/days.ts'
import { unaccountedSql } from '../../shared/ledger/unaccounted.ts'
import { uuids } from '../arrays.ts'
import type { Connection, Row } from '../connection.ts'
import { TASK_OF } from '../events/claim.ts'
import { atMs, inMs } from '../instant.ts'

const LIST = accountColumns({ task: TASK_OF, schema: 'terce.', inMs, parkCount: 'e.park_count' })

/** `instead` has the columns that the table does not have. */
function eventList(instead: Readonly<Record<string, string>>): string {
  return EVENT_COLUMNS.map((name) => `${instead[name] ?? eventValue('s', name, inMs)} AS ${name}`).join(', ')
}

const OPEN = eventList({
  status: `CASE WHEN s.claimed_at IS NULL THEN 'PENDING' ELSE 'PROCESSING' END`,
  executed_at: 'NULL::float8',
  status_code: 'NULL::int',
  failure_code: 'NULL::text',
})
const SETTLED = eventList({ wake_at: 'NULL::float8', lease_until: 'NULL::float8', park_count: '0' })

/** `people` begins the FROM clause with the users (u) and their occasions (o). */
const accountsOf = (people: string) => `SELECT ${LIST.person}, ${LIST.event} FROM ${people}
    LEFT JOIN LATERAL (SELECT ${OPEN} FROM terce.events AS s WHERE s.occasion_id = o.id) AS e ON true`

const PAGE = accountsOf(`(SELECT id, date_of_birth, timezone, created_at, version FROM terce.users
      WHERE id > $1 ORDER BY id LIMIT $2) AS u
    LEFT JOIN terce.occasions AS o ON o.user_id = u.id`)

const SOME = accountsOf(`(SELECT * FROM terce.occasions WHERE id = ANY ($1::uuid[]) LIMIT $2) AS o
    JOIN terce.users AS u ON u.id = o.user_id`)

/** The order of the index by occasion. Without it the planner may read all events of a month by their ids. */
const BY_OCCASION = 'ORDER BY s.occasion_id, s.occurrence'

// $2 is the instant from which events are read, and $3 a lower bound of the ids of events that were first due then: it leaves few
// months of the history. By an array, and not in the statement of the page: a search of each month for each person took half of it.
const SETTLED_SINCE = `SELECT e.occasion_id, ${LIST.event} FROM (
    SELECT s.occasion_id, ${SETTLED} FROM terce.settled_events AS s
    WHERE s.occasion_id = ANY ($1::uuid[]) AND s.id >= $3 AND s.target_at >= ${atMs('$2')} ${BY_OCCASION}) AS e`

// An event that was moved may lie in an earlier month.
const EVENTS = `SELECT e.occasion_id, ${LIST.event} FROM unnest($1::uuid[]) AS ref (id) CROSS JOIN LATERAL (
    SELECT s.occasion_id, ${SETTLED} FROM terce.settled_events AS s WHERE s.id = ref.id) AS e
  UNION ALL
  SELECT ref.id, ${LIST.event} FROM unnest($2::uuid[]) AS ref (id) CROSS JOIN LATERAL (
    (SELECT ${SETTLED} FROM terce.settled_events AS s
      WHERE s.occasion_id = ref.id AND s.id < $4 AND s.target_at >= ${atMs('$3')} ${BY_OCCASION})
    UNION ALL
    (SELECT ${SETTLED} FROM terce.settled_events AS s WHERE s.occasion_id = ref.id AND s.target_at < ${atMs('$3')}
      ORDER BY s.target_at DESC, s.replay_of IS NOT NULL, s.occurrence COLLATE "C" DESC LIMIT 1)) AS e`

const TYPES = ['float8', 'uuid', 'text', 'float8', 'int']
const UNACCOUNTED = unaccountedSql({
  schema: 'terce.',
  events: 'settled_events',
  inMs,
  atMs,
  parameter: (number) => `$${number}::${TYPES[number - 1]}`,
})

/** Another timezone table moves an event by less than this, and changes no version. */
const MARGIN_MS = 3 * 24 * 3_600_000

const firstIdSince = (eventsFrom: number) => firstIdAt(eventsFrom - MARGIN_MS)

export function accountRows(connection: Connection): ReadAccountRows {
  const read = (text: string, of: string | Buffer, limit: number, eventsFrom: number) =>
    connection.prepared(async (run, last) => {
      const rows = await run({ text, values: [of, limit] })
      const occasionIds = rows.flatMap((row) => (row[OCCASION_ID] as string | null) ?? [])
      const values = [uuids(occasionIds), eventsFrom, firstIdSince(eventsFrom)]
      return withSettled(rows, await last({ text: SETTLED_SINCE, values }))
    })
  return {
    page: ({ cursor, limit, eventsFrom }) => read(PAGE, cursor ?? BEFORE_ALL, limit, eventsFrom),
    some: ({ occasionIds, eventsFrom }) => read(SOME, uuids(occasionIds), occasionIds.length, eventsFrom),
    events: ({ eventIds, occasionIds, eventsFrom }) => {
      const values = [uuids(eventIds), uuids(occasionIds), eventsFrom, firstIdSince(eventsFrom)]
      return connection.prepared((_, last) => last({ text: EVENTS, values }))
    },
    unaccounted: (values) => connection.query({ text: UNACCOUNTED, values }),
  }
}

/** An event that was settled between the two statements stays open: its successor is not among the rows. */
function withSettled(rows: Row[], settled: readonly Row[]): Row[] {
  if (settled.length === 0) return rows
  const byOccasion = new Map(rows.map((row) => [row[OCCASION_ID], row]))
  const open = new Set(rows.map((row) => row[EVENT_ID]))
  const added = settled.filter(([, eventId]) => !open.has(eventId))
  return [
    ...rows,
    ...added.map(([occasionId, ...event]) => [...byOccasion.get(occasionId)!.slice(0, EVENT_ID), ...event]),
  ]
}
