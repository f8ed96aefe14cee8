// A row of an account: a person, one of their occasions and one of its events, as every store selects it. Read by position, as
// claims are: the account of a day reads everybody.
import type { AccountEvent, OccasionAccount } from '../../../domain/ledger/account/input.ts'
import { positions, selectList } from '../columns/columns.ts'
import { OCCASION_DETAILS, occasionFrom, taskFrom } from '../columns/people.ts'

const AT = positions('u.id u.date_of_birth u.timezone u.created_at u.version o.id')
export const OCCASION_ID = AT['o.id']
/** Where the details of the occasion begin. */
const OCCASION_START = OCCASION_ID + 1
const TASK_AT = OCCASION_START + Object.keys(OCCASION_DETAILS).length
const SEEN_AT = TASK_AT + 1
export const EVENT_ID = SEEN_AT + 1

const EVENT_AT = positions(
  'id occurrence status target_at offset_seconds timezone tz_version replay_of wake_at lease_until claimed_by claimed_at executed_at status_code failure_code park_count retry_count version created_at updated_at body attempts',
)

/** The columns of an event (e), as a statement names them. */
export const EVENT_COLUMNS = Object.keys(EVENT_AT).filter((name) => !['body', 'attempts'].includes(name))

/** What the dialects write differently. `inMs` converts an instant to epoch milliseconds; `schema` precedes the name of a table. */
type Expressions = {
  /** The SQL of `taskSql`. */
  task: string
  schema: string
  inMs: (column: string) => string
  parkCount: string
}

/**
 * The SELECT lists over a user (u) and an occasion (o), and over an event (e), whose instants are epoch milliseconds. A row has
 * both. The event may be missing, and the occasion too.
 */
export function accountColumns({ task, schema, inMs, parkCount }: Expressions) {
  // Not EXISTS, for which PostgreSQL may read the whole table into a hash table, for each page.
  const seen = `(SELECT 1 FROM ${schema}ledger_occasions AS l WHERE l.occasion_id = o.id)`
  const user = Object.keys(AT).map((name) => (name === 'u.created_at' ? inMs(name) : name))
  const instead: Readonly<Record<string, string>> = {
    park_count: parkCount,
    // A pending event has neither: the body is stored when the event is claimed.
    body: `CASE WHEN e.status <> 'PENDING' THEN (SELECT 1 FROM ${schema}payloads AS p WHERE p.event_id = e.id) END`,
    attempts: `CASE WHEN e.status <> 'PENDING' THEN (SELECT count(*) FROM ${schema}attempts AS a WHERE a.event_id = e.id) ELSE 0 END`,
  }
  return {
    person: [...user, selectList(OCCASION_DETAILS, 'o.', inMs), task, seen].join(', '),
    event: Object.keys(EVENT_AT)
      .map((name) => instead[name] ?? `e.${name}`)
      .join(', '),
  }
}

type Row = readonly unknown[]

/** The accounts of some people, without changes and carried lines. */
export type Accounts = {
  items: OccasionAccount[]
  /** How many people there are, with an occasion or without. */
  people: number
  /** The greatest id of a person. */
  lastUserId: string | null
  /** The people who were ever changed: the others have no entry in the journal. */
  changedUsers: ReadonlySet<string>
}

/** The rows of a person may lie apart. */
export function accountsFrom(rows: readonly Row[]): Accounts {
  const users = new Map<unknown, OccasionAccount['user']>()
  const accounts = new Map<unknown, OccasionAccount>()
  const changedUsers = new Set<string>()
  let lastUserId: string | null = null
  let user: OccasionAccount['user'] | undefined
  let account: OccasionAccount | undefined
  for (const row of rows) {
    if (user === undefined || user.id !== row[AT['u.id']]) {
      user = users.get(row[AT['u.id']])
      if (user === undefined) {
        user = userFrom(row)
        users.set(user.id, user)
        if (lastUserId === null || user.id > lastUserId) lastUserId = user.id
        if ((row[AT['u.version']] as number) > 1) changedUsers.add(user.id)
      }
    }
    if (row[OCCASION_ID] === null) continue
    if (account === undefined || account.occasion.id !== row[OCCASION_ID]) {
      account = accounts.get(row[OCCASION_ID])
      if (account === undefined) {
        account = accountFrom(row, user)
        accounts.set(account.occasion.id, account)
      }
    }
    if (row[EVENT_ID] !== null) account.events.push(eventFrom(row, EVENT_ID))
  }
  const items = [...accounts.values()]
  for (const { events } of items) if (events.length > 1) events.sort(byTarget)
  return { items, people: users.size, lastUserId, changedUsers }
}

export const byTarget = (a: AccountEvent, b: AccountEvent) =>
  a.targetAt - b.targetAt || (a.occurrence < b.occurrence ? -1 : 1)

function userFrom(row: Row): OccasionAccount['user'] {
  return {
    id: row[AT['u.id']],
    dateOfBirth: row[AT['u.date_of_birth']],
    timezone: row[AT['u.timezone']],
    createdAt: row[AT['u.created_at']],
  } as OccasionAccount['user']
}

function accountFrom(row: Row, user: OccasionAccount['user']): OccasionAccount {
  const id = row[OCCASION_ID] as string
  return {
    user,
    occasion: occasionFrom(row, OCCASION_START, { id, userId: user.id }),
    task: taskFrom(row[TASK_AT] as string | null),
    seen: Boolean(row[SEEN_AT]),
    events: [],
    changes: [],
    isReadable: true,
    moves: [],
    carried: [],
  }
}

/** `of` is the position of the event's first column. */
export function eventFrom(row: Row, of: number): AccountEvent {
  return {
    id: row[of + EVENT_AT.id],
    occurrence: row[of + EVENT_AT.occurrence],
    status: row[of + EVENT_AT.status],
    targetAt: row[of + EVENT_AT.target_at],
    offsetSeconds: row[of + EVENT_AT.offset_seconds],
    timezone: row[of + EVENT_AT.timezone],
    tzVersion: row[of + EVENT_AT.tz_version],
    replayOf: row[of + EVENT_AT.replay_of],
    wakeAt: row[of + EVENT_AT.wake_at],
    leaseUntil: row[of + EVENT_AT.lease_until],
    claimedBy: row[of + EVENT_AT.claimed_by],
    claimedAt: row[of + EVENT_AT.claimed_at],
    executedAt: row[of + EVENT_AT.executed_at],
    statusCode: row[of + EVENT_AT.status_code],
    failureCode: row[of + EVENT_AT.failure_code],
    parkCount: row[of + EVENT_AT.park_count],
    retryCount: row[of + EVENT_AT.retry_count],
    version: row[of + EVENT_AT.version],
    createdAt: row[of + EVENT_AT.created_at],
    updatedAt: row[of + EVENT_AT.updated_at],
    hasBody: Boolean(row[of + EVENT_AT.body]),
    attempts: Number(row[of + EVENT_AT.attempts]),
  } as AccountEvent
}
