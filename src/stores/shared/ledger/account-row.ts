// A row of an account: a person, one of their occasions and one of its events, as every store selects it. Read by position, as
// claims are: the account of a day reads everybody.
import type { AccountEvent, OccasionAccount } from '../../../domain/ledger/account/input.ts'
import { TASK_REMINDER } from '../../../domain/tasks/task.ts'
import { taskFromJson } from '../claim-row.ts'

const PERSON_COLUMNS = ['u.id', 'u.date_of_birth', 'u.timezone', 'u.created_at', 'u.version'] as const

const OCCASION_COLUMNS = [
  ...['o.id', 'o.type', 'o.date', 'o.local_time', 'o.leap_day', 'o.repeats', 'o.calendar', 'o.rule_revision'],
  ...['o.until', 'o.paused_at', 'o.template', 'o.channel_id', 'o.not_after', 'o.version', 'task', 'seen'],
] as const

/** The columns of an event (e), as a statement names them. */
export const EVENT_COLUMNS = [
  ...['id', 'occurrence', 'status', 'target_at', 'offset_seconds', 'timezone', 'tz_version', 'replay_of'],
  ...['wake_at', 'lease_until', 'claimed_by', 'claimed_at', 'executed_at', 'status_code', 'failure_code'],
  ...['park_count', 'retry_count', 'version', 'created_at', 'updated_at'],
] as const

const ALL = [...PERSON_COLUMNS, ...OCCASION_COLUMNS, ...EVENT_COLUMNS.map((name) => `e.${name}`)]
const at = (column: string) => {
  const index = ALL.indexOf(column)
  if (index < 0) throw new Error(`No column ${column}.`)
  return index
}

const [USER_ID, USER_VERSION] = [at('u.id'), at('u.version')]
export const OCCASION_ID = at('o.id')
export const EVENT_ID = at('e.id')

/** What the dialects write differently. `inMs` converts an instant to epoch milliseconds; `schema` precedes the name of a table. */
type Expressions = {
  taskAsJson: string
  schema: string
  inMs: (column: string) => string
  parkCount: string
}

/**
 * The SELECT lists over a user (u) and an occasion (o), and over an event (e), whose instants are epoch milliseconds. A row has
 * both. The event may be missing, and the occasion too.
 */
export function accountColumns({ taskAsJson, schema, inMs, parkCount }: Expressions) {
  // Not EXISTS, for which PostgreSQL may read the whole table into a hash table, for each page.
  const expressions: Record<string, string> = {
    'u.created_at': inMs('u.created_at'),
    'o.paused_at': inMs('o.paused_at'),
    task: `CASE WHEN o.type = '${TASK_REMINDER}' THEN (SELECT ${taskAsJson} FROM ${schema}tasks AS t WHERE t.id = o.id) END`,
    seen: `(SELECT 1 FROM ${schema}ledger_occasions AS l WHERE l.occasion_id = o.id)`,
    'e.park_count': parkCount,
  }
  const list = (columns: readonly string[]) => columns.map((column) => expressions[column] ?? column)
  const own = [
    // The body is stored when the event is claimed.
    `CASE WHEN e.status <> 'PENDING' THEN (SELECT 1 FROM ${schema}payloads AS p WHERE p.event_id = e.id) END`,
    `(SELECT count(*) FROM ${schema}attempts AS a WHERE a.event_id = e.id)`,
  ]
  return {
    person: list(ALL.slice(0, EVENT_ID)).join(', '),
    event: [...list(ALL.slice(EVENT_ID)), ...own].join(', '),
  }
}

type Row = readonly unknown[]

/** The accounts of some people, without changes and carried lines. */
export type Accounts = {
  items: OccasionAccount[]
  /** How many people there are, with an occasion or without. */
  people: number
  /** The greatest id. */
  lastUserId: string | null
  /** The people who were ever changed: the others have no entry in the journal. */
  changedUsers: ReadonlySet<string>
}

/** The rows of a person may lie apart. */
export function accountsFrom(rows: readonly Row[]): Accounts {
  const users = new Map<unknown, OccasionAccount['user']>()
  const accounts = new Map<unknown, OccasionAccount>()
  const changedUsers = new Set<string>()
  let user: OccasionAccount['user'] | undefined
  let account: OccasionAccount | undefined
  for (const row of rows) {
    if (user === undefined || user.id !== row[USER_ID]) {
      user = users.get(row[USER_ID])
      if (user === undefined) {
        user = userFrom(row)
        users.set(user.id, user)
        if ((row[USER_VERSION] as number) > 1) changedUsers.add(user.id)
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
  return {
    items,
    people: users.size,
    lastUserId: user === undefined ? null : lastOf(users.keys() as Iterable<string>),
    changedUsers,
  }
}

function lastOf(ids: Iterable<string>): string {
  let last = ''
  for (const id of ids) if (id > last) last = id
  return last
}

export const byTarget = (a: AccountEvent, b: AccountEvent) =>
  a.targetAt - b.targetAt || (a.occurrence < b.occurrence ? -1 : 1)

const [DATE_OF_BIRTH, TIMEZONE, CREATED_AT] = [at('u.date_of_birth'), at('u.timezone'), at('u.created_at')]

function userFrom(row: Row): OccasionAccount['user'] {
  return {
    id: row[USER_ID],
    dateOfBirth: row[DATE_OF_BIRTH],
    timezone: row[TIMEZONE],
    createdAt: row[CREATED_AT],
  } as OccasionAccount['user']
}

function accountFrom(row: Row, user: OccasionAccount['user']): OccasionAccount {
  const of = OCCASION_ID
  const task = row[of + 14] as string | null
  return {
    user,
    occasion: {
      id: row[of],
      userId: user.id,
      type: row[of + 1],
      date: row[of + 2],
      localTime: row[of + 3],
      leapDay: row[of + 4],
      repeats: row[of + 5],
      calendar: row[of + 6],
      ruleRevision: row[of + 7],
      until: row[of + 8],
      pausedAt: row[of + 9],
      template: row[of + 10],
      channelId: row[of + 11],
      notAfter: row[of + 12],
      version: row[of + 13],
    } as OccasionAccount['occasion'],
    task: task === null ? null : taskFromJson(task),
    seen: Boolean(row[of + 15]),
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
    id: row[of],
    occurrence: row[of + 1],
    status: row[of + 2],
    targetAt: row[of + 3],
    offsetSeconds: row[of + 4],
    timezone: row[of + 5],
    tzVersion: row[of + 6],
    replayOf: row[of + 7],
    wakeAt: row[of + 8],
    leaseUntil: row[of + 9],
    claimedBy: row[of + 10],
    claimedAt: row[of + 11],
    executedAt: row[of + 12],
    statusCode: row[of + 13],
    failureCode: row[of + 14],
    parkCount: row[of + 15],
    retryCount: row[of + 16],
    version: row[of + 17],
    createdAt: row[of + 18],
    updatedAt: row[of + 19],
    hasBody: Boolean(row[of + 20]),
    attempts: Number(row[of + 21]),
  } as AccountEvent
}
