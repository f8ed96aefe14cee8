// Claims due events, stores their bodies, and extends their leases. The version is the fencing token.
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
import { deferDue } from './defer.ts'
import { channelNames, countOverdue, isOfChannels, isOfTypes, nextWakeAt } from './waking.ts'

type ClaimOperations = Pick<
  EventStore,
  | 'claimDue'
  | 'readClaims'
  | 'extendLeases'
  | 'confirmClaims'
  | 'wakeParked'
  | 'deferDue'
  | 'nextWakeAt'
  | 'countOverdue'
>

export function claimOperations(executor: Executor): ClaimOperations {
  const cursor = createClaimCursor()
  return {
    claimDue: (claim) => claimDue(executor, cursor, claim),
    readClaims: (refs) => readClaims(executor, refs),
    extendLeases: (refs, lease) => extendLeases(executor, refs, lease),
    confirmClaims: (refs) => confirmClaims(executor, refs),
    wakeParked: (parked) => wakeParked(executor, parked),
    deferDue: (deferral) => deferDue(executor, deferral),
    nextWakeAt: (filter) => nextWakeAt(executor, filter),
    countOverdue: (now) => countOverdue(executor, now),
  }
}

const inMs = (column: string) => column
const TASK_OF = taskSql({ object: 'json_object', inMs, schema: '' })
export const COLUMNS = claimColumns({ task: TASK_OF, inMs })
const claimWith = (attempt: string) => COLUMNS.claim({ attempt, body: 'p.body' })

const WITH_PERSON = `JOIN occasions AS o ON o.id = e.occasion_id JOIN users AS u ON u.id = o.user_id
  LEFT JOIN payloads AS p ON (e.claimed_at IS NOT NULL OR e.replay_of IS NOT NULL) AND p.event_id = e.id`

export const NEXT_NUMBER = '(SELECT count(*) + 1 FROM attempts AS a WHERE a.event_id = e.id)'

// ?1 now; ?2 how many, with a sign, because SQLite prepares a statement with a bare LIMIT ? again at every run (128 µs); ?3 and ?4
// the place to start after; ?5 this batch, which a failed call may have claimed, or null; ?6 claims from after this
// instant are void; ?7 the claimer. A leased event costs a look at its row. Moving leased events in the index instead cost a third more.
const due = (filter: string, wakeAt = 'e.wake_at') => `(${wakeAt}, e.id) > (?3, ?4) AND ${wakeAt} <= ?1
  AND (e.lease_until IS NULL OR e.lease_until <= ?1 OR e.claimed_at > ?6 OR (e.claimed_by = ?7 AND e.lease_batch = ?5))${filter}
  ORDER BY ${wakeAt}, e.id LIMIT +?2`

// An event that is claimed for the first time has no attempts to count. Before the claim it is at version 1, and an expired
// lease is not an attempt yet.
const ATTEMPT_DUE = `CASE WHEN e.version > 1 THEN ${NEXT_NUMBER} + (${MAY_HAVE_LEFT}) ELSE 1 END`
const ATTEMPT = `CASE WHEN e.version > 2 THEN ${NEXT_NUMBER} ELSE 1 END`

/** `lease` and `batch` are the parameters after those of DUE. */
const statementsWith = (DUE: string, lease: string, batch: string) => ({
  // Chosen before the join: an event without its person, however it came about, must not shift the others.
  read: `SELECT ${claimWith(ATTEMPT_DUE)}, ${MAY_HAVE_LEFT}, e.wake_at FROM (SELECT * FROM events AS e WHERE ${DUE}) AS e ${WITH_PERSON}`,
  claim: `UPDATE events SET status = 'PROCESSING', version = version + 1, lease_until = ${lease}, lease_batch = ${batch}, claimed_by = ?7,
    claimed_at = ?1, updated_at = ?1
  WHERE id IN (SELECT e.id FROM events AS e WHERE ${DUE})`,
  // A lease that expired unsettled is an attempt with the outcome UNKNOWN: its worker may have sent the message.
  unknown: `INSERT INTO attempts (${ATTEMPT_COLUMNS})
  SELECT e.id, ${NEXT_NUMBER}, e.claimed_by, min(e.claimed_at, ?1), min(e.lease_until, ?1), NULL, '${UNKNOWN_ERROR}',
    'UNKNOWN', NULL, NULL
  FROM (SELECT * FROM events AS e WHERE ${DUE}) AS e WHERE ${MAY_HAVE_LEFT}`,
})

const ALL_TYPES = statementsWith(due(''), '?8', '?9')
const OF_TYPES = statementsWith(due(` AND ${isOfTypes('?8')}`), '?9', '?10')

// Found by one statement and then claimed by their ids: the three statements of a claim would each read the events left out.
const FIND_EXCEPT = `SELECT e.id FROM events AS e
  WHERE ${due(` AND NOT ${isOfChannels('?8')} AND (?9 IS NULL OR ${isOfTypes('?9')})`)}`
// The sign keeps SQLite from reading all that is due by the index on wake_at.
const OF_IDS = statementsWith(
  due(' AND e.id IN (SELECT value FROM json_each(?8))', '+e.wake_at'),
  '?9',
  '?10',
)

async function claimDue(
  executor: Executor,
  cursor: ClaimCursor,
  claim: Parameters<EventStore['claimDue']>[0],
): Promise<Claim[]> {
  const { now, claimedBy, batch, types } = claim
  const claimFrom: Parameters<typeof cursor.next<Claim>>[1] = (after, limit, isSecond) => {
    // Not in the second call: the events of the first one are of the batch by now, and if the process was suspended since the
    // first one, the time of the call is old and the claims of others look as if they were from the future.
    const due: Value[] = isSecond
      ? [null, Number.MAX_SAFE_INTEGER]
      : [batch ?? null, now + CLOCK_TOLERANCE_MS]
    const params = [now, limit, ...after, ...due, claimedBy]
    if (claim.except) return claimExcept(executor, params, claim)
    if (types) return claimAfter(executor, OF_TYPES, [...params, JSON.stringify(types)], claim)
    return claimAfter(executor, ALL_TYPES, params, claim)
  }
  const claims = claim.except
    ? (await claimFrom(START, claim.limit, false)).claimed
    : await cursor.next(claim, claimFrom)
  try {
    return await storeBodies(executor, claims, claim.render)
  } catch (error) {
    // These events lie before the cursor, and a call that repeats the batch has to find them.
    cursor.restart()
    throw error
  }
}

async function claimExcept(executor: Executor, due: readonly Value[], claim: DueClaim) {
  const { types, except } = claim
  const params = [...due, channelNames(except!), types ? JSON.stringify(types) : null]
  const found = await executor.read({ sql: FIND_EXCEPT, params })
  if (found.length === 0) return { claimed: [], last: null }
  return claimAfter(executor, OF_IDS, [...due, JSON.stringify(found.flat())], claim)
}

async function claimAfter(
  executor: Executor,
  statements: typeof ALL_TYPES,
  due: readonly Value[],
  { now, leaseMs, batch }: DueClaim,
): Promise<{ claimed: Claim[]; last: ClaimPosition | null }> {
  // Nobody writes between the two, so both see the same events; reading first is what a batch without variables allows.
  const [read] = await executor.batch(
    [
      { sql: statements.read, params: due, returns: true },
      { sql: statements.unknown, params: due },
      { sql: statements.claim, params: [...due, now + leaseMs, batch ?? null] },
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

// By the index on parked events, which holds their channel and their time. A claimed event lies before `now` in it.
// Events are claimed by wake_at: a millisecond for each minute since they were due keeps the woken ones in the order of due times.
const wakeStatement = (
  order: string,
) => `UPDATE events SET wake_at = ?2 - CAST(max(0, ?2 - target_at) / 60000 AS INTEGER), version = version + 1, updated_at = ?2 WHERE id IN (
    SELECT id FROM events WHERE channel_id = ?1 AND park_count > 0 AND wake_at > ?2 AND lease_until IS NULL
    ORDER BY ${order} LIMIT +?3) RETURNING id`

const WAKE_PARKED = { due: wakeStatement('target_at'), wake: wakeStatement('wake_at') }

async function wakeParked(
  executor: Executor,
  { channelId, limit, now, by }: Parameters<EventStore['wakeParked']>[0],
): Promise<number> {
  const params = [channelId, now, limit]
  const [woken] = await executor.batch([{ sql: WAKE_PARKED[by], params, returns: true }], { durable: false })
  return woken!.rows.length
}
