// A row of an account: a person, one of their occasions and one of its events, as every store selects it. Read by position, as
// claims are: the account of a day reads everybody.
import type { AccountEvent, OccasionAccount } from '../../../domain/ledger/account/input.ts'
import { TASK_REMINDER } from '../../../domain/tasks/task.ts'
import { taskFromJson } from '../claim-row.ts'

const PERSON_COLUMNS = [
  ...(['u.id', 'u.date_of_birth', 'u.timezone', 'u.created_at', 'u.version'] as const),
  ...(['o.id', 'o.type', 'o.date', 'o.local_time', 'o.leap_day', 'o.repeats', 'o.calendar'] as const),
  ...(['o.rule_revision', 'o.until', 'o.paused_at', 'o.template', 'o.channel_id', 'o.not_after'] as const),
  ...(['o.version', 'task', 'seen'] as const),
]

/** The columns of an event (e), as a statement names them. */
export const EVENT_COLUMNS = [
  ...(['id', 'occurrence', 'status', 'target_at', 'offset_seconds', 'timezone', 'tz_version'] as const),
  ...(['replay_of', 'wake_at', 'lease_until', 'claimed_by', 'claimed_at', 'executed_at'] as const),
  ...(['status_code', 'failure_code', 'park_count', 'retry_count', 'version'] as const),
  ...(['created_at', 'updated_at'] as const),
]

function positions<C extends string>(columns: readonly C[]): Readonly<Record<C, number>> {
  return Object.fromEntries(columns.map((column, i) => [column, i])) as Record<C, number>
}

const AT = positions(PERSON_COLUMNS)
const EVENT_AT = positions([...EVENT_COLUMNS, 'body', 'attempts'])
export const OCCASION_ID = AT['o.id']
export const EVENT_ID = PERSON_COLUMNS.length

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
  const expressions: Record<string, string> = {
    'u.created_at': inMs('u.created_at'),
    'o.paused_at': inMs('o.paused_at'),
    task: `CASE WHEN o.type = '${TASK_REMINDER}' THEN (SELECT ${taskAsJson} FROM ${schema}tasks AS t WHERE t.id = o.id) END`,
    // Not EXISTS, for which PostgreSQL may read the whole table into a hash table, for each page.
    seen: `(SELECT 1 FROM ${schema}ledger_occasions AS l WHERE l.occasion_id = o.id)`,
    'e.park_count': parkCount,
    // A pending event has neither: the body is stored when the event is claimed.
    'e.body': `CASE WHEN e.status <> 'PENDING' THEN (SELECT 1 FROM ${schema}payloads AS p WHERE p.event_id = e.id) END`,
    'e.attempts': `CASE WHEN e.status <> 'PENDING' THEN (SELECT count(*) FROM ${schema}attempts AS a WHERE a.event_id = e.id) ELSE 0 END`,
  }
  const list = (columns: readonly string[]) =>
    columns.map((column) => expressions[column] ?? column).join(', ')
  return { person: list(PERSON_COLUMNS), event: list(Object.keys(EVENT_AT).map((name) => `e.${name}`)) }
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
  const task = row[AT.task] as string | null
  return {
    user,
    occasion: {
      id: row[AT['o.id']],
      userId: user.id,
      type: row[AT['o.type']],
      date: row[AT['o.date']],
      localTime: row[AT['o.local_time']],
      leapDay: row[AT['o.leap_day']],
      repeats: row[AT['o.repeats']],
      calendar: row[AT['o.calendar']],
      ruleRevision: row[AT['o.rule_revision']],
      until: row[AT['o.until']],
      pausedAt: row[AT['o.paused_at']],
      template: row[AT['o.template']],
      channelId: row[AT['o.channel_id']],
      notAfter: row[AT['o.not_after']],
      version: row[AT['o.version']],
    } as OccasionAccount['occasion'],
    task: task === null ? null : taskFromJson(task),
    seen: Boolean(row[AT.seen]),
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
