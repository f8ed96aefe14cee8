// Claims due events, stores their bodies, and extends their leases. The version is the fencing token.
import { EVERY_LANE } from '../../../domain/events/lane.ts'
import { CLOCK_TOLERANCE_MS } from '../../../domain/time/clock-tolerance.ts'
import type { Claim, ClaimRef, HeldClaim } from '../../../ports/claim.ts'
import type { EventStore } from '../../../ports/store.ts'
import {
  AFTER_EVENT,
  AFTER_PERSON,
  claimColumns,
  claimFrom,
  EVENT_AT,
  heldFromRow,
  IS_PROVISIONAL,
  MAY_HAVE_LEFT,
  readClaimFromRow,
  renderNew,
  stopped,
  UNKNOWN_ERROR,
} from '../../shared/claim-row.ts'
import type { Columns } from '../../shared/columns/columns.ts'
import { taskSql } from '../../shared/columns/people.ts'
import { ATTEMPT_COLUMNS, CLAIM_REF } from '../../shared/columns/settlements.ts'
import { arrays, byId, unnest, uuids } from '../arrays.ts'
import type { Connection, Row, Run } from '../connection.ts'
import { atMs, inMs } from '../instant.ts'
import { countOverdue, laneValues, nextWakeAt, openLanes } from './lanes.ts'

type ClaimOperations = Pick<
  EventStore,
  'claimDue' | 'readClaims' | 'extendLeases' | 'confirmClaims' | 'nextWakeAt' | 'countOverdue'
>

/** The clock that claims compare with the caller's: the database's own, or none in tests, where the caller's time is not real. */
export type ClockOfClaims = 'database' | 'caller'

export function claimOperations(connection: Connection, clock: ClockOfClaims = 'database'): ClaimOperations {
  const statements = STATEMENTS[clock]
  return {
    claimDue: (claim) => claimDue(connection, statements.claimDue, claim),
    readClaims: (refs) => readClaims(connection, refs),
    extendLeases: (refs, lease) => extendLeases(connection, statements.extendLeases, refs, lease),
    confirmClaims: (refs) => confirmClaims(connection, refs),
    nextWakeAt: (lanes = EVERY_LANE) => nextWakeAt(connection, lanes),
    countOverdue: (now) => countOverdue(connection, now),
  }
}

const TASK_OF = `(${taskSql({ object: 'json_build_object', inMs, schema: 'terce.' })})::text`
export const COLUMNS = claimColumns({ task: TASK_OF, inMs })

export const NEXT_NUMBER = '(SELECT count(*) + 1 FROM terce.attempts AS a WHERE a.event_id = e.id)'
const BODY_OF = '(SELECT p.body FROM terce.payloads AS p WHERE p.event_id = e.id)'

const plusMs = (parameter: string) => `${parameter}::float8 * interval '1 millisecond'`

/** SQL: the earlier of the two clocks: a worker whose clock runs ahead fires nothing early. */
const claimedAt = (clock: string) => `least(${atMs('$1')}, ${clock})`

/** `clock` is the SQL for the time of the database. */
function claimStatement(clock: string): string {
  const now = claimedAt(clock)
  // By the database's clock alone: a caller whose clock is behind must not claim the events of the others.
  const isVoid = `claimed_at > ${clock} + ${plusMs(`${CLOCK_TOLERANCE_MS}`)}`
  // A lease that expired unsettled is an attempt with the outcome UNKNOWN: its worker may have sent the message.
  return `WITH ${openLanes(6, `front.wake_at <= ${now}`)}, due AS MATERIALIZED (
    SELECT e.* FROM open CROSS JOIN LATERAL (
      SELECT id, claimed_by, claimed_at, lease_until, lease_batch FROM terce.events
      WHERE lane = open.lane AND wake_at <= ${now} AND (lease_until IS NULL OR lease_until <= ${now} OR ${isVoid}
        OR (claimed_by = $4 AND lease_batch = $5))
      ORDER BY wake_at LIMIT open.most FOR UPDATE SKIP LOCKED) AS e
    LIMIT $2
  ), unknown AS (
    INSERT INTO terce.attempts (${ATTEMPT_COLUMNS})
    SELECT e.id, ${NEXT_NUMBER}, e.claimed_by, least(e.claimed_at, ${clock}), least(e.lease_until, ${clock}),
      NULL, '${UNKNOWN_ERROR}', 'UNKNOWN', NULL, NULL
    FROM due AS e WHERE ${MAY_HAVE_LEFT}
  )
  UPDATE terce.events AS e
  SET version = e.version + 1, claimed_by = $4, lease_batch = $5, claimed_at = ${now}, updated_at = ${now},
    lease_until = ${now} + ${plusMs('$3')}
  WHERE e.id = ANY (ARRAY (SELECT id FROM due))
  RETURNING ${COLUMNS.event}, CASE WHEN e.wake_at <> e.target_at THEN ${inMs('e.wake_at')} END,
    e.id IN (SELECT e.id FROM due AS e WHERE ${MAY_HAVE_LEFT})`
}

// Separate statements, after the locks are held. A join in the UPDATE would read a person who moved during the lock wait as
// before the move, and the successor would get the old timezone; and it would miss a body stored during the wait.
const READ_PEOPLE = `SELECT ${COLUMNS.person}, o.id FROM terce.occasions AS o JOIN terce.users AS u ON u.id = o.user_id
  WHERE o.id = ANY ($1::uuid[])`

const READ_TRIED = `SELECT e.id, ${NEXT_NUMBER}::int, ${BODY_OF} FROM unnest($1::uuid[]) AS e (id)`

const BODY: Columns<Claim> = {
  event_id: ['uuid', (claim) => claim.id],
  body: ['text', (claim) => claim.body],
}

const STORE_BODIES = `INSERT INTO terce.payloads (event_id, body) SELECT event_id, body FROM ${unnest(BODY)}`

// One transaction: a crash cannot separate a claim from its body, and a deletion of the person waits for both.
async function claimDue(
  connection: Connection,
  text: string,
  claim: Parameters<EventStore['claimDue']>[0],
): Promise<Claim[]> {
  const { now, limit, leaseMs, claimedBy, batch, lanes = EVERY_LANE, render } = claim
  const values = [now, limit, leaseMs, claimedBy, batch ?? null, ...laneValues(lanes)]
  return connection.prepared(async (run, last) => {
    const claimed = await run({ text, values })
    if (claimed.length === 0) return []
    const claims = await readClaimed(run, claimed.toSorted(byWake))
    const rendered = renderNew(claims, render)
    if (rendered.length > 0) await last({ text: STORE_BODIES, values: arrays(BODY, rendered) })
    return claims
  })
}

/** The columns that a claim returns after the event. */
const WAKE_AT = AFTER_EVENT
const RECLAIMED = AFTER_EVENT + 1

const wakeAt = (row: Row) => (row[WAKE_AT] ?? row[EVENT_AT.target_at]) as number
const byWake = (a: Row, b: Row) => wakeAt(a) - wakeAt(b)

async function readClaimed(run: Run, events: readonly Row[]): Promise<Claim[]> {
  const people = new Map<unknown, Row>()
  const occasionIds = events.map((event) => event[EVENT_AT.occasion_id] as string)
  for (const row of await run({ text: READ_PEOPLE, values: [uuids(occasionIds)] }))
    people.set(row[AFTER_PERSON], row)
  const claims: Claim[] = []
  for (const event of events) {
    const person = people.get(event[EVENT_AT.occasion_id])
    if (person === undefined) continue
    const claim = claimFrom(event, person)
    claim.reclaimed = event[RECLAIMED] === true
    claims.push(claim)
  }
  // At version 2 an event is claimed for the first time: it has no attempts and, unless it is a replay, no body.
  const tried = claims.filter(({ version, replayOf }) => version > 2 || replayOf !== null)
  if (tried.length === 0) return claims
  const byId = new Map(tried.map((claim) => [claim.id, claim]))
  for (const [id, attempt, body] of await run({ text: READ_TRIED, values: [uuids([...byId.keys()])] })) {
    const claim = byId.get(id as string)!
    claim.attempt = attempt as number
    claim.body = body as string | null
  }
  return claims
}

/** A version is given twice if a failover loses its first claim. */
export const IS_THIS_CLAIM =
  'e.version = ref.version AND (ref.claimed_at IS NULL OR e.claimed_at = ref.claimed_at)'
// Fencing is done by `version`; claimed_at stays set after a release. isfinite instead of IS NOT NULL: before a spike no row
// is claimed, so the planner estimates one row and scans the table (750 ms a batch against 20 ms). It cannot estimate
// isfinite, and uses the key.
export const WAS_CLAIMED = 'isfinite(e.claimed_at)'

const STILL_CLAIMED = `JOIN terce.events AS e ON e.id = ref.id AND ${IS_THIS_CLAIM} AND ${WAS_CLAIMED}`

const ATTEMPT = `CASE WHEN e.version > 2 THEN ${NEXT_NUMBER}::int ELSE 1 END`

const READ_CLAIMS = `SELECT ${COLUMNS.claim({ attempt: ATTEMPT, body: BODY_OF })}, ${IS_PROVISIONAL} FROM ${unnest(CLAIM_REF)} ${STILL_CLAIMED}
  JOIN terce.occasions AS o ON o.id = e.occasion_id JOIN terce.users AS u ON u.id = o.user_id`

async function readClaims(connection: Connection, refs: readonly ClaimRef[]): Promise<Claim[]> {
  const rows = await connection.batch({ text: READ_CLAIMS, values: arrays(CLAIM_REF, refs) })
  return rows.map(readClaimFromRow)
}

/** `clock` is the SQL for the time of the database. */
function extendStatement(clock: string): string {
  const until = `least(${atMs('$4')}, ${clock}) + ${plusMs('$5')}`
  return `UPDATE terce.events AS e SET lease_until = greatest(e.lease_until, ${until}), lease_batch = NULL
  FROM ${unnest(CLAIM_REF)} WHERE e.id = ref.id AND ${IS_THIS_CLAIM} AND isfinite(e.lease_until)
  RETURNING e.id`
}

const statementsBy = (claimClock: string, extendClock: string) => ({
  claimDue: claimStatement(claimClock),
  extendLeases: extendStatement(extendClock),
})

const STATEMENTS = {
  database: statementsBy('now()', 'now()'),
  caller: statementsBy(atMs('$1'), atMs('$4')),
}

async function extendLeases(
  connection: Connection,
  text: string,
  refs: readonly ClaimRef[],
  { now, leaseMs }: { now: number; leaseMs: number },
): Promise<string[]> {
  const values = [...arrays(CLAIM_REF, byId(refs)), now, leaseMs]
  return ids(await connection.prepared((_, last) => last({ text, values })))
}

const CONFIRM_CLAIMS = `SELECT e.id, ${stopped('terce.tasks')} FROM ${unnest(CLAIM_REF)}
  JOIN terce.events AS e ON e.id = ref.id AND ${IS_THIS_CLAIM} AND isfinite(e.lease_until)
  JOIN terce.occasions AS o ON o.id = e.occasion_id`

async function confirmClaims(connection: Connection, refs: readonly ClaimRef[]): Promise<HeldClaim[]> {
  const values = arrays(CLAIM_REF, refs)
  const rows = await connection.prepared((_, last) => last({ text: CONFIRM_CLAIMS, values }))
  return rows.map(heldFromRow)
}

export function ids(rows: readonly Row[]): string[] {
  return rows.map((row) => row[0] as string)
}
