// Claims due events, stores their bodies, and extends their leases. The version is the fencing token.
import { EVERY_LANE } from '../../../domain/events/lane.ts'
import { CLOCK_TOLERANCE_MS } from '../../../domain/time/clock-tolerance.ts'
import type { Claim, ClaimRef, HeldClaim, Render } from '../../../ports/claim.ts'
import type { DueClaim, EventStore } from '../../../ports/store.ts'
import {
  claimColumns,
  claimFromRow,
  heldFromRow,
  IS_PROVISIONAL,
  MAY_HAVE_LEFT,
  readClaimFromRow,
  renderNew,
  stopped,
  UNKNOWN_ERROR,
} from '../../shared/claim-row.ts'
import { type Columns, rowsOf } from '../../shared/columns/columns.ts'
import { taskSql } from '../../shared/columns/people.ts'
import { ATTEMPT_COLUMNS } from '../../shared/columns/settlements.ts'
import { type Executor, overRows, type Value } from '../executor.ts'
import { jsonTable } from '../json-rows.ts'
import { type ClaimCursor, type ClaimPosition, createClaimCursor, START } from './claim-cursor.ts'
import { countOverdue, laneValues, nextWakeAt, openLanes } from './lanes.ts'

type ClaimOperations = Pick<
  EventStore,
  'claimDue' | 'readClaims' | 'extendLeases' | 'confirmClaims' | 'nextWakeAt' | 'countOverdue'
>

export function claimOperations(executor: Executor): ClaimOperations {
  const cursor = createClaimCursor()
  return {
    claimDue: (claim) => claimDue(executor, cursor, claim),
    readClaims: (refs) => readClaims(executor, refs),
    extendLeases: (refs, lease) => extendLeases(executor, refs, lease),
    confirmClaims: (refs) => confirmClaims(executor, refs),
    nextWakeAt: (lanes = EVERY_LANE) => nextWakeAt(executor, lanes),
    countOverdue: (now) => countOverdue(executor, now),
  }
}

const inMs = (column: string) => column
const TASK_OF = taskSql({ object: 'json_object', inMs, schema: '' })
export const COLUMNS = claimColumns({ task: TASK_OF, inMs })
const claimWith = (attempt: string) => COLUMNS.claim({ attempt, body: 'p.body' })

const WITH_PERSON = `JOIN occasions AS o ON o.id = e.occasion_id JOIN users AS u ON u.id = o.user_id
  LEFT JOIN payloads AS p ON (e.claimed_at IS NOT NULL OR e.replay_of IS NOT NULL) AND p.event_id = e.id`

/** A claim takes events of so many lanes at most; the next one finds the others. */
const MOST_LANES = 10

export const NEXT_NUMBER = '(SELECT count(*) + 1 FROM attempts AS a WHERE a.event_id = e.id)'

// ?1 now; ?2 how many, with a sign, because SQLite prepares a statement with a bare LIMIT ? again at every run (128 µs); ?3 and ?4
// the place to start after; ?5 this batch, which a failed call may have claimed, or null; ?6 claims from after this
// instant are void; ?7 the claimer; ?8 the lane. A leased event costs a look at its row. Moving leased events in the index instead cost a
// third more.
const IS_FREE =
  'e.lease_until IS NULL OR e.lease_until <= ?1 OR e.claimed_at > ?6 OR (e.claimed_by = ?7 AND e.lease_batch = ?5)'
const DUE = `e.lane = ?8 AND (e.wake_at, e.id) > (?3, ?4) AND e.wake_at <= ?1 AND (${IS_FREE}) ORDER BY e.wake_at, e.id LIMIT +?2`

// An event that is claimed for the first time has no attempts to count. Before the claim it is at version 1, and an expired
// lease is not an attempt yet.
const ATTEMPT_DUE = `CASE WHEN e.version > 1 THEN ${NEXT_NUMBER} + (${MAY_HAVE_LEFT}) ELSE 1 END`
const ATTEMPT = `CASE WHEN e.version > 2 THEN ${NEXT_NUMBER} ELSE 1 END`

// Chosen before the join: an event without its person, however it came about, must not shift the others.
const READ_DUE = `SELECT ${claimWith(ATTEMPT_DUE)}, ${MAY_HAVE_LEFT}, e.wake_at FROM (SELECT * FROM events AS e WHERE ${DUE}) AS e ${WITH_PERSON}`

const CLAIM = `UPDATE events SET status = 'PROCESSING', version = version + 1, lease_until = ?9, lease_batch = ?10, claimed_by = ?7,
    claimed_at = ?1, updated_at = ?1
  WHERE id IN (SELECT e.id FROM events AS e WHERE ${DUE})`

// A lease that expired unsettled is an attempt with the outcome UNKNOWN: its worker may have sent the message.
const RECORD_UNKNOWN = `INSERT INTO attempts (${ATTEMPT_COLUMNS})
  SELECT e.id, ${NEXT_NUMBER}, e.claimed_by, min(e.claimed_at, ?1), min(e.lease_until, ?1), NULL, '${UNKNOWN_ERROR}',
    'UNKNOWN', NULL, NULL
  FROM (SELECT * FROM events AS e WHERE ${DUE}) AS e WHERE ${MAY_HAVE_LEFT}`

// ?2 to ?4 the lanes of the claim; ?8 the places to start after.
const FIND_LANES = `WITH ${openLanes(2)}
  SELECT lane, most FROM (SELECT open.lane, most, rank, (SELECT e.wake_at FROM events AS e
      WHERE e.lane = open.lane AND e.wake_at <= ?1 AND (${IS_FREE})
        AND (e.wake_at, e.id) > (coalesce(place.at, ${START[0]}), coalesce(place.id, ''))
      ORDER BY e.wake_at LIMIT 1) AS at
    FROM open LEFT JOIN (SELECT value->>0 AS lane, value->>1 AS at, value->>2 AS id FROM json_each(?8)) AS place
      ON place.lane = open.lane WHERE most > 0)
  WHERE at IS NOT NULL ORDER BY rank, at LIMIT ${MOST_LANES}`

/** One lane after the other: SQLite has no limit by the row of another table, and a union of them took twice as long. */
async function claimDue(executor: Executor, cursor: ClaimCursor, claim: DueClaim): Promise<Claim[]> {
  const { now, limit, claimedBy, batch = null } = claim
  const lanes = laneValues(claim.lanes ?? EVERY_LANE)
  // Not in the second call: the events of the first one are of the batch by now, and if the process was suspended since the
  // first one, the time of the call is old and the claims of others look as if they were from the future.
  const due = (isSecond: boolean): Value[] =>
    isSecond ? [null, Number.MAX_SAFE_INTEGER] : [batch, now + CLOCK_TOLERANCE_MS]
  const find = (isSecond: boolean) => {
    const places = JSON.stringify(isSecond ? [] : cursor.placesOf(claimedBy, now))
    return executor.read({ sql: FIND_LANES, params: [now, ...lanes, ...due(isSecond), claimedBy, places] })
  }
  const claims: Claim[] = []
  const taken = new Map<number, number>()
  for (const isSecond of [false, true]) {
    if (isSecond && !cursor.hasSkipped()) break
    for (const [lane, most] of (await find(isSecond)) as [number, number][]) {
      const wanted = Math.min(most - (taken.get(lane) ?? 0), limit - claims.length)
      if (wanted === 0) continue
      const after = isSecond ? START : cursor.placeOf(lane)
      const { claimed, last } = await claimLane(
        executor,
        [now, wanted, ...after, ...due(isSecond), claimedBy, lane],
        claim,
      )
      claims.push(...claimed)
      taken.set(lane, claimed.length)
      if (!isSecond) cursor.move({ claimedBy, now, lane }, claimed.length < wanted ? null : last)
    }
    if (claims.length >= limit) break
  }
  try {
    return await storeBodies(executor, claims, claim.render)
  } catch (error) {
    // These events lie before the cursor, and a call that repeats the batch has to find them.
    cursor.restart()
    throw error
  }
}

async function claimLane(
  executor: Executor,
  due: readonly Value[],
  { now, leaseMs, batch }: DueClaim,
): Promise<{ claimed: Claim[]; last: ClaimPosition | null }> {
  // Nobody writes between the two, so both see the same events; reading first is what a batch without variables allows.
  const [read] = await executor.batch(
    [
      { sql: READ_DUE, params: due, returns: true },
      { sql: RECORD_UNKNOWN, params: due },
      { sql: CLAIM, params: [...due, now + leaseMs, batch ?? null] },
    ],
    { durable: false },
  )
  const claimed = read!.rows.map(claimFromRow)
  for (const claim of claimed) {
    claim.version += 1
    claim.claimedAt = now
  }
  const last = read!.rows.at(-1)
  return { claimed, last: last === undefined ? null : [last.at(-1) as number, claimed.at(-1)!.id] }
}

const BODY: Columns<Claim> = {
  id: ['uuid', (claim) => claim.id],
  version: ['int', (claim) => claim.version],
  body: ['text', (claim) => claim.body],
}

/** Joins the rows named in a source to the events still claimed at that version. */
export const STILL_CLAIMED = `CROSS JOIN events AS e ON e.id = ref.id AND e.version = ref.version AND e.status = 'PROCESSING'`

const STORE_BODIES = `INSERT INTO payloads (event_id, body) SELECT e.id, ref.body FROM {rows} AS ref ${STILL_CLAIMED}
  WHERE true ON CONFLICT DO NOTHING`

/** Returns the claims that are still ours: without a transaction over both, one may be lost before its body is kept. */
async function storeBodies(executor: Executor, claims: readonly Claim[], render: Render): Promise<Claim[]> {
  const rendered = renderNew(claims, render)
  if (rendered.length === 0) return [...claims]
  const [kept] = await executor.batch([overRows(STORE_BODIES, BODY, rendered)])
  if (kept!.changes === rendered.length) return [...claims]
  const ours = new Set(await readKept(executor, rendered))
  const lost = new Set(rendered.filter(({ id }) => !ours.has(id)))
  return claims.filter((claim) => !lost.has(claim))
}

const READ_KEPT = `SELECT e.id FROM ${jsonTable(Object.keys(BODY))} AS ref
  ${STILL_CLAIMED} JOIN payloads AS p ON p.event_id = e.id AND p.body = ref.body`

/** Read only when a write stored fewer bodies than it was given. */
async function readKept(executor: Executor, rendered: readonly Claim[]): Promise<string[]> {
  const params = [JSON.stringify(rowsOf(BODY, rendered))]
  return (await executor.read({ sql: READ_KEPT, params })).map((row) => row[0] as string)
}

/** The events with these ids and versions, which are one parameter: a JSON array of pairs. */
const OF_REFS =
  'FROM json_each(?) AS j CROSS JOIN events AS e ON e.id = j.value->>0 AND e.version = j.value->>1'
const refsJson = (refs: readonly ClaimRef[]) => JSON.stringify(refs.map((ref) => [ref.eventId, ref.version]))

const READ_CLAIMS = `SELECT ${claimWith(ATTEMPT)}, ${IS_PROVISIONAL} ${OF_REFS} ${WITH_PERSON} WHERE e.status = 'PROCESSING'`

async function readClaims(executor: Executor, refs: readonly ClaimRef[]): Promise<Claim[]> {
  return (await executor.read({ sql: READ_CLAIMS, params: [refsJson(refs)] })).map(readClaimFromRow)
}

const CONFIRM_CLAIMS = `SELECT e.id, ${stopped('tasks')} ${OF_REFS}
  JOIN occasions AS o ON o.id = e.occasion_id WHERE e.lease_until IS NOT NULL`

const EXTENDED: Columns<ClaimRef & { leaseUntil: number }> = {
  id: ['uuid', (ref) => ref.eventId],
  version: ['int', (ref) => ref.version],
  lease_until: ['instant', (ref) => ref.leaseUntil],
}

const EXTEND_LEASES = `UPDATE events SET lease_until = max(events.lease_until, ref.lease_until), lease_batch = NULL FROM {rows} AS ref
  WHERE events.id = ref.id AND events.version = ref.version AND events.lease_until IS NOT NULL`

async function extendLeases(
  executor: Executor,
  refs: readonly ClaimRef[],
  { now, leaseMs }: { now: number; leaseMs: number },
): Promise<string[]> {
  if (refs.length === 0) return []
  const leased = refs.map((ref) => ({ ...ref, leaseUntil: now + leaseMs }))
  const [extended] = await executor.batch([overRows(EXTEND_LEASES, EXTENDED, leased)], { durable: false })
  if (extended!.changes === refs.length) return refs.map(({ eventId }) => eventId)
  return (await confirmClaims(executor, refs)).map(({ eventId }) => eventId)
}

async function confirmClaims(executor: Executor, refs: readonly ClaimRef[]): Promise<HeldClaim[]> {
  return (await executor.read({ sql: CONFIRM_CLAIMS, params: [refsJson(refs)] })).map(heldFromRow)
}
