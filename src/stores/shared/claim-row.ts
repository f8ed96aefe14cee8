// A claimed event as every store selects and reads it: one row, its columns in one order.
import { TASK_REMINDER, type Task } from '../../domain/tasks/task.ts'
import type { Claim, HeldClaim, Render } from '../../ports/claim.ts'
import type { DueClaim } from '../../ports/store/events.ts'

const EVENT_COLUMNS = [
  ...[
    'e.id',
    'e.occasion_id',
    'e.occurrence',
    'e.target_at',
    'e.offset_seconds',
    'e.timezone',
    'e.tz_version',
  ],
  ...[
    'e.version',
    'e.plan_revision',
    'e.retry_count',
    'e.park_count',
    'e.claimed_at',
    'e.replay_of',
    'e.own_key',
  ],
] as const

const PERSON_COLUMNS = [
  ...[
    'u.id',
    'u.first_name',
    'u.last_name',
    'u.date_of_birth',
    'u.timezone',
    'u.email',
    'u.language',
    'u.external_id',
  ],
  ...['o.type', 'o.date', 'o.local_time', 'o.leap_day', 'o.template', 'o.channel_id', 'o.not_after'],
  ...['o.repeats', 'o.calendar', 'o.rule_revision', 'o.until', 'o.paused_at', 'o.version'],
  'task',
] as const

const CLAIM_COLUMNS = [...EVENT_COLUMNS, ...PERSON_COLUMNS, 'attempt', 'body'] as const

type ClaimColumn = (typeof CLAIM_COLUMNS)[number]

const INSTANTS: readonly ClaimColumn[] = ['e.target_at', 'e.claimed_at', 'o.paused_at']

/** `tasks` is the name of the table; `inMs` converts an instant of the dialect to epoch milliseconds. */
type Expressions = { taskAsJson: string; tasks: string; inMs?: (column: string) => string }

/** The SELECT list, in two parts for a store that reads them by two statements. */
export function claimColumns({ taskAsJson, tasks, inMs = (column) => column }: Expressions) {
  const task = `CASE WHEN o.type = '${TASK_REMINDER}' THEN (SELECT ${taskAsJson} FROM ${tasks} AS t WHERE t.id = o.id) END`
  const list = (columns: readonly ClaimColumn[]) =>
    columns
      .map((column) => (column === 'task' ? task : INSTANTS.includes(column) ? inMs(column) : column))
      .join(', ')
  return {
    /** Of the event (e). */
    event: list(EVENT_COLUMNS),
    /** Of the user (u) and the occasion (o). */
    person: list(PERSON_COLUMNS),
    /** Of all three. */
    claim: ({ attempt, body }: { attempt: string; body: string }) =>
      `${list(EVENT_COLUMNS)}, ${list(PERSON_COLUMNS)}, ${attempt}, ${body}`,
  }
}

/** The position of each column in a row of all. */
export const AT = Object.fromEntries(CLAIM_COLUMNS.map((column, i) => [column, i])) as Record<
  ClaimColumn,
  number
>

/** A store may select one column more: `claimDue` whether a lease expired, `readClaims` whether the lease is provisional. */
export const AFTER_CLAIM = CLAIM_COLUMNS.length

/** Where a row of the event, and one of the person, have their next column. */
export const AFTER_EVENT = EVENT_COLUMNS.length
export const AFTER_PERSON = PERSON_COLUMNS.length

/** A new claim, from a row of all columns. */
export function claimFromRow(row: readonly unknown[]): Claim {
  const claim = claimFromColumns(row)
  claim.reclaimed = Boolean(row[AFTER_CLAIM])
  return claim
}

/** A claim that is read again, from a row of all columns. */
export function readClaimFromRow(row: readonly unknown[]): Claim {
  const claim = claimFromColumns(row)
  claim.provisional = Boolean(row[AFTER_CLAIM])
  return claim
}

function claimFromColumns(row: readonly unknown[]): Claim {
  const claim = claimFrom(row, row, 0)
  claim.attempt = row[AT.attempt] as number
  claim.body = row[AT.body] as string | null
  return claim
}

/** A first claim, from a row of the event and one of the person. */
export function claimFromRows(event: readonly unknown[], person: readonly unknown[]): Claim {
  return claimFrom(event, person, AFTER_EVENT)
}

/** Reads by position: taking the row apart with patterns doubled the time of a claim. */
function claimFrom(row: readonly unknown[], person: readonly unknown[], before: number): Claim {
  const occasionId = row[AT['e.occasion_id']]
  const userId = person[AT['u.id'] - before]
  const eventType = person[AT['o.type'] - before]
  const task = person[AT.task - before] as string | null
  return {
    id: row[AT['e.id']],
    occasionId,
    occurrence: row[AT['e.occurrence']],
    targetAt: row[AT['e.target_at']],
    offsetSeconds: row[AT['e.offset_seconds']],
    timezone: row[AT['e.timezone']],
    tzVersion: row[AT['e.tz_version']],
    eventType,
    version: row[AT['e.version']],
    planRevision: row[AT['e.plan_revision']],
    retryCount: row[AT['e.retry_count']],
    parkCount: row[AT['e.park_count']],
    claimedAt: row[AT['e.claimed_at']],
    attempt: 1,
    body: null,
    replayOf: row[AT['e.replay_of']],
    ownKey: Boolean(row[AT['e.own_key']]),
    reclaimed: false,
    provisional: false,
    user: {
      id: userId,
      firstName: person[AT['u.first_name'] - before],
      lastName: person[AT['u.last_name'] - before],
      dateOfBirth: person[AT['u.date_of_birth'] - before],
      timezone: person[AT['u.timezone'] - before],
      email: person[AT['u.email'] - before],
      language: person[AT['u.language'] - before],
      externalId: person[AT['u.external_id'] - before],
    },
    occasion: {
      id: occasionId,
      userId,
      type: eventType,
      date: person[AT['o.date'] - before],
      localTime: person[AT['o.local_time'] - before],
      leapDay: person[AT['o.leap_day'] - before],
      template: person[AT['o.template'] - before],
      channelId: person[AT['o.channel_id'] - before],
      notAfter: person[AT['o.not_after'] - before],
      repeats: person[AT['o.repeats'] - before],
      calendar: person[AT['o.calendar'] - before],
      ruleRevision: person[AT['o.rule_revision'] - before],
      until: person[AT['o.until'] - before],
      pausedAt: person[AT['o.paused_at'] - before],
      version: person[AT['o.version'] - before],
    },
    task: task === null ? null : taskFromJson(task),
  } as Claim
}

/** From a JSON array: the columns of a task, in the order of its table. */
export function taskFromJson(json: string): Task {
  const [id, userId, title, dueAt, dueRevision, remindBeforeMs, quietHours, ...rest] = JSON.parse(json)
  const [completedAt, reminderSentAt, createdAt, updatedAt, version] = rest
  const task = { id, userId, title, dueAt, dueRevision, remindBeforeMs, quietHours }
  return { ...task, completedAt, reminderSentAt, createdAt, updatedAt, version }
}

/** Renders every claim without a body, and returns the bodies to store. A claim that cannot be rendered keeps none. */
export function renderNew(claims: readonly Claim[], render: Render): [eventId: string, body: string][] {
  const rendered: [string, string][] = []
  for (const claim of claims) {
    if (claim.body !== null) continue
    claim.body = render(claim)
    if (claim.body !== null) rendered.push([claim.id, claim.body])
  }
  return rendered
}

/** Why a held claim (e), with its occasion (o), must not be sent. An operator asked for a replay, paused occasion or not. */
export const stopped = (
  tasks: string,
) => `CASE WHEN EXISTS (SELECT 1 FROM ${tasks} AS t WHERE t.id = o.id AND t.completed_at IS NOT NULL) THEN 'task'
    WHEN o.paused_at IS NOT NULL AND e.replay_of IS NULL THEN 'occasion' END`

export function heldFromRow([eventId, stopped]: readonly unknown[]): HeldClaim {
  return { eventId, stopped } as HeldClaim
}

/**
 * How far the clocks of two processes may differ. A claim that is further in the future was made before the clock was set
 * back, and its lease would hold until the old instant: it is void.
 */
export const CLOCK_TOLERANCE_MS = 120_000

/** Marks a provisional lease, in `claimed_by` rather than in a column of its own: a lease is provisional for seconds. */
export const BATCH_MARK = ' (batch '

/** Whether the lease of an event (e) is provisional. */
export const IS_PROVISIONAL = `e.claimed_by LIKE '%${BATCH_MARK}%'`

/** Whether the message of an event (e) may have been sent under the lease that it has or had. */
export const MAY_HAVE_LEFT = `e.lease_until IS NOT NULL AND NOT ${IS_PROVISIONAL}`

/** The value of `claimed_by` for a provisional lease; null for a final one. */
export function markedBatch({ claimedBy, batch }: Pick<DueClaim, 'claimedBy' | 'batch'>): string | null {
  return batch === undefined ? null : `${claimedBy}${BATCH_MARK}${batch})`
}

/** The error of an attempt whose worker lost its lease before it settled. */
export const UNKNOWN_ERROR = 'LEASE_EXPIRED: the worker was not heard of again; it may have been delivered.'
