// A claimed event as every store selects and reads it: one row, its columns in one order.
import type { Claim, HeldClaim, Render } from '../../ports/claim.ts'
import { pick, positions, positionsOf, selectList } from './columns/columns.ts'
import { eventValue } from './columns/events.ts'
import { OCCASION_DETAILS, occasionFrom, taskFrom, USER } from './columns/people.ts'

/** The position of each column of the event, which are the first in a row of all. */
export const EVENT_AT = positions(
  'id occasion_id occurrence target_at offset_seconds timezone tz_version version plan_revision retry_count claimed_at replay_of own_key',
)
const EVENT_NAMES = Object.keys(EVENT_AT)

const CLAIM_USER = pick(USER, 'id first_name last_name date_of_birth timezone email language external_id')
export const USER_AT = positionsOf(CLAIM_USER)

/** Where the details of the occasion begin in a row of the person, the task, and where such a row has its next column. */
const OCCASION_START = Object.keys(CLAIM_USER).length
const TASK_AT = OCCASION_START + Object.keys(OCCASION_DETAILS).length
export const AFTER_PERSON = TASK_AT + 1

/** Where the person begins in a row of all; also the next column of a row of the event. */
export const AFTER_EVENT = EVENT_NAMES.length
const ATTEMPT_AT = AFTER_EVENT + AFTER_PERSON
const BODY_AT = ATTEMPT_AT + 1

/** A store may select one column more: `claimDue` whether a lease expired, `readClaims` whether the lease is provisional. */
export const AFTER_CLAIM = BODY_AT + 1

/** `task` is the SQL of `taskSql`; `inMs` converts an instant of the dialect to epoch milliseconds. */
type Expressions = { task: string; inMs: (column: string) => string }

/** The SELECT list, in two parts for a store that reads them by two statements. */
export function claimColumns({ task, inMs }: Expressions) {
  const event = EVENT_NAMES.map((name) => eventValue('e', name, inMs)).join(', ')
  const person = `${selectList(CLAIM_USER, 'u.', inMs)}, ${selectList(OCCASION_DETAILS, 'o.', inMs)}, ${task}`
  return {
    /** Of the event (e). */
    event,
    /** Of the user (u) and the occasion (o). */
    person,
    /** Of all three. */
    claim: ({ attempt, body }: { attempt: string; body: string }) =>
      `${event}, ${person}, ${attempt}, ${body}`,
  }
}

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
  const claim = claimFrom(row, row, AFTER_EVENT)
  claim.attempt = row[ATTEMPT_AT] as number
  claim.body = row[BODY_AT] as string | null
  return claim
}

/** A first claim, from a row of the event and one of the person, whose columns begin at `start`. */
export function claimFrom(row: readonly unknown[], person: readonly unknown[], start = 0): Claim {
  const occasionId = row[EVENT_AT.occasion_id] as string
  const user = userFrom(person, start)
  const occasion = occasionFrom(person, start + OCCASION_START, { id: occasionId, userId: user.id })
  return {
    id: row[EVENT_AT.id],
    occasionId,
    occurrence: row[EVENT_AT.occurrence],
    targetAt: row[EVENT_AT.target_at],
    offsetSeconds: row[EVENT_AT.offset_seconds],
    timezone: row[EVENT_AT.timezone],
    tzVersion: row[EVENT_AT.tz_version],
    eventType: occasion.type,
    version: row[EVENT_AT.version],
    planRevision: row[EVENT_AT.plan_revision],
    retryCount: row[EVENT_AT.retry_count],
    claimedAt: row[EVENT_AT.claimed_at],
    attempt: 1,
    body: null,
    replayOf: row[EVENT_AT.replay_of],
    ownKey: Boolean(row[EVENT_AT.own_key]),
    reclaimed: false,
    provisional: false,
    user,
    occasion,
    task: taskFrom(person[start + TASK_AT] as string | null),
  } as Claim
}

export function userFrom(row: readonly unknown[], start: number): Claim['user'] {
  return {
    id: row[start + USER_AT.id],
    firstName: row[start + USER_AT.first_name],
    lastName: row[start + USER_AT.last_name],
    dateOfBirth: row[start + USER_AT.date_of_birth],
    timezone: row[start + USER_AT.timezone],
    email: row[start + USER_AT.email],
    language: row[start + USER_AT.language],
    externalId: row[start + USER_AT.external_id],
  } as Claim['user']
}

/** Renders every claim without a body, and returns those that have one now. A claim that cannot be rendered keeps none. */
export function renderNew(claims: readonly Claim[], render: Render): Claim[] {
  const rendered: Claim[] = []
  for (const claim of claims) {
    if (claim.body !== null) continue
    claim.body = render(claim)
    if (claim.body !== null) rendered.push(claim)
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

/** Whether the lease of an event (e) is provisional. */
export const IS_PROVISIONAL = 'e.lease_batch IS NOT NULL'

/** Whether the message of an event (e) may have been sent under the lease that it has or had. */
export const MAY_HAVE_LEFT = `e.lease_until IS NOT NULL AND e.lease_batch IS NULL`

/** The error of an attempt whose worker lost its lease before it settled. */
export const UNKNOWN_ERROR = 'LEASE_EXPIRED: the worker was not heard of again; it may have been delivered.'
