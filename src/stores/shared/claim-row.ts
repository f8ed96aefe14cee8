// A claimed event as every store selects and reads it: one row, its columns in one order.
import { TASK_REMINDER, type Task } from '../../domain/tasks/task.ts'
import type { Claim, HeldClaim, Render } from '../../ports/claim.ts'

/** Columns of the event (e), its user (u) and its occasion (o). Each dialect has its own expressions for the last three. */
const CLAIM_COLUMNS = [
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
  ...['attempt', 'body', 'task'],
] as const

type ClaimColumn = (typeof CLAIM_COLUMNS)[number]

const INSTANTS: readonly ClaimColumn[] = ['e.target_at', 'e.claimed_at', 'o.paused_at']

/** The SELECT list. `tasks` is the name of the table; `inMs` converts an instant of the dialect to epoch milliseconds. */
export function claimColumns(
  expressions: { attempt: string; body: string; taskAsJson: string; tasks: string },
  inMs: (column: string) => string = (column) => column,
): string {
  const { attempt, body, taskAsJson, tasks } = expressions
  const task = `CASE WHEN o.type = '${TASK_REMINDER}' THEN (SELECT ${taskAsJson} FROM ${tasks} AS t WHERE t.id = o.id) END`
  return CLAIM_COLUMNS.map((column) => {
    if (column === 'attempt') return attempt
    if (column === 'body') return body
    if (column === 'task') return task
    return INSTANTS.includes(column) ? inMs(column) : column
  }).join(', ')
}

const AT = Object.fromEntries(CLAIM_COLUMNS.map((column, i) => [column, i])) as Record<ClaimColumn, number>

/** A store may select one column more: whether the claim follows an expired lease. */
const RECLAIMED = CLAIM_COLUMNS.length

/** Reads by position: taking the row apart with patterns doubled the time of a claim. */
export function claimFromRow(row: readonly unknown[]): Claim {
  const occasionId = row[AT['e.occasion_id']]
  const userId = row[AT['u.id']]
  const eventType = row[AT['o.type']]
  const task = row[AT.task] as string | null
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
    attempt: row[AT.attempt],
    body: row[AT.body],
    replayOf: row[AT['e.replay_of']],
    ownKey: Boolean(row[AT['e.own_key']]),
    reclaimed: Boolean(row[RECLAIMED]),
    user: {
      id: userId,
      firstName: row[AT['u.first_name']],
      lastName: row[AT['u.last_name']],
      dateOfBirth: row[AT['u.date_of_birth']],
      timezone: row[AT['u.timezone']],
      email: row[AT['u.email']],
      language: row[AT['u.language']],
      externalId: row[AT['u.external_id']],
    },
    occasion: {
      id: occasionId,
      userId,
      type: eventType,
      date: row[AT['o.date']],
      localTime: row[AT['o.local_time']],
      leapDay: row[AT['o.leap_day']],
      template: row[AT['o.template']],
      channelId: row[AT['o.channel_id']],
      notAfter: row[AT['o.not_after']],
      repeats: row[AT['o.repeats']],
      calendar: row[AT['o.calendar']],
      ruleRevision: row[AT['o.rule_revision']],
      until: row[AT['o.until']],
      pausedAt: row[AT['o.paused_at']],
      version: row[AT['o.version']],
    },
    task: task === null ? null : taskFromJson(task),
  } as Claim
}

/** From a JSON array: the columns of a task, in the order of its table. */
function taskFromJson(json: string): Task {
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

/** The error of an attempt whose worker lost its lease before it settled. */
export const UNKNOWN_ERROR = 'LEASE_EXPIRED: the worker was not heard of again; it may have been delivered.'
