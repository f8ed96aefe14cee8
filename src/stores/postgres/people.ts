// Writes people with all that hangs on them: one transaction for each operation.
import type { Answer, CreateResult, NewAnswer, NewPerson, Store, UserUpdate } from '../../ports/store.ts'
import { arrays, type Cell, type Columns, unnest, uuids } from './arrays.ts'
import { ids } from './claims.ts'
import type { Connection, Query, Row } from './connection.ts'
import { EVENT, eventRows, OCCASION, occasionRows, USER, userRow } from './rows.ts'

type PeopleOperations = Pick<Store, 'createUsers' | 'findAnswer' | 'updateUser' | 'deleteUser'>
type Run = (query: Query) => Promise<Row[]>

export function peopleOperations(connection: Connection): PeopleOperations {
  return {
    createUsers: (people, answer) => createUsers(connection, people, answer),
    findAnswer: (key, notBefore) => findAnswer(connection.query, key, notBefore),
    updateUser: (update) => updateUser(connection, update),
    deleteUser: (userId) => deleteUser(connection, userId),
  }
}

function insertNew(table: string, columns: Columns, rows: readonly Cell[][]): Query {
  const names = Object.keys(columns).join(', ')
  return {
    text: `INSERT INTO ${table} (${names}) SELECT ${names} FROM ${unnest(columns)}
      ON CONFLICT DO NOTHING RETURNING id`,
    values: arrays(columns, rows),
  }
}

async function createUsers(
  connection: Connection,
  people: readonly NewPerson[],
  answer?: NewAnswer,
): Promise<CreateResult> {
  return connection.transaction(async (run) => {
    if (answer !== undefined && !(await keepAnswer(run, answer))) {
      return { kind: 'answered', answer: (await findAnswer(run, answer.key, answer.forgetBefore))! }
    }
    const created = new Set(ids(await run(insertNew('users', USER, people.map(userRow)))))
    // Only what belongs to new people: the first event of an old one may be settled by now.
    const fresh = people.filter(({ user }) => created.has(user.id))
    await run(insertNew('occasions', OCCASION, fresh.flatMap(occasionRows)))
    await run(insertNew('events', EVENT, fresh.flatMap(eventRows)))
    if (answer !== undefined) await linkAnswer(run, answer.key, people)
    return { kind: 'created', created: created.size }
  })
}

/** False if the key is taken. A request under way with the same key is waited for. */
async function keepAnswer(run: Run, answer: NewAnswer): Promise<boolean> {
  await run({
    text: 'DELETE FROM answers WHERE created_at < to_timestamp($1::float8 / 1000)',
    values: [answer.forgetBefore],
  })
  const kept = await run({
    text: `INSERT INTO answers (key, fingerprint, status, body, created_at)
      VALUES ($1, $2, $3, $4, to_timestamp($5::float8 / 1000)) ON CONFLICT DO NOTHING RETURNING key`,
    values: [answer.key, answer.fingerprint, answer.status, answer.body, answer.createdAt],
  })
  return kept.length === 1
}

async function linkAnswer(run: Run, key: string, people: readonly NewPerson[]): Promise<void> {
  await run({
    text: 'INSERT INTO answer_users (user_id, answer_key) SELECT id, $2 FROM unnest($1::uuid[]) AS id',
    values: [uuids(people.map(({ user }) => user.id)), key],
  })
}

async function findAnswer(run: Run, key: string, notBefore: number): Promise<Answer | null> {
  const [row] = await run({
    text: `SELECT fingerprint, status, body FROM answers WHERE key = $1 AND created_at >= to_timestamp($2::float8 / 1000)`,
    values: [key, notBefore],
  })
  if (row === undefined) return null
  const [fingerprint, status, body] = row as [string, number, string | null]
  return { key, fingerprint, status, body }
}

const SET_USER = Object.keys(USER)
  .map(
    (name, i) =>
      `${name} = ${USER[name] === 'instant' ? `to_timestamp($${i + 1}::float8 / 1000)` : `$${i + 1}`}`,
  )
  .join(', ')

async function updateUser(
  connection: Connection,
  { user, reschedules }: UserUpdate,
): Promise<'updated' | 'conflict'> {
  return connection.transaction(async (run) => {
    const [seen] = await run({
      text: 'SELECT id FROM users WHERE id = $1 AND version = $2 FOR UPDATE',
      values: [user.id, user.version - 1],
    })
    if (seen === undefined) return 'conflict'
    if (reschedules !== null) {
      if (!(await lockOpenEvents(run, user.id, reschedules))) return 'conflict'
      await reschedule(run, reschedules, user.updatedAt)
    }
    await run({ text: `UPDATE users SET ${SET_USER} WHERE id = $1`, values: userRow({ user }) })
    return 'updated'
  })
}

type Reschedules = NonNullable<UserUpdate['reschedules']>

/**
 * Locks the user's open events; false if they are not exactly those seen. An event that was being settled is gone when
 * its lock is free, and its successor not yet in sight: that too is a difference, and the caller reads again.
 */
async function lockOpenEvents(run: Run, userId: string, seen: Reschedules): Promise<boolean> {
  const open = await run({
    text: `SELECT id, version, claimed_at IS NOT NULL FROM events
      WHERE ${OF_USER} AND replay_of IS NULL ORDER BY id FOR UPDATE`,
    values: [userId],
  })
  if (open.length !== seen.length) return false
  const state = new Map(open.map(([id, version, claimed]) => [id, `${version} ${claimed}`]))
  return seen.every(({ eventId, version, to }) => state.get(eventId) === `${version} ${to === null}`)
}

const MOVE: Columns = {
  id: 'uuid',
  occurrence: 'text',
  target_at: 'instant',
  offset_seconds: 'int',
  timezone: 'text',
  tz_version: 'text',
  at: 'instant',
}

async function reschedule(run: Run, reschedules: Reschedules, now: number): Promise<void> {
  const moved = reschedules.flatMap(({ eventId, to }) =>
    to === null
      ? []
      : [[eventId, to.occurrence, to.targetAt, to.offsetSeconds, to.timezone, to.tzVersion, now]],
  )
  await run({
    text: `UPDATE events AS e SET occurrence = ref.occurrence, target_at = ref.target_at,
        wake_at = ref.target_at, offset_seconds = ref.offset_seconds, timezone = ref.timezone,
        tz_version = ref.tz_version, version = e.version + 1, updated_at = ref.at
      FROM ${unnest(MOVE)} WHERE e.id = ref.id`,
    values: arrays(MOVE, moved),
  })
  const inFlight = reschedules.filter(({ to }) => to === null).map(({ eventId }) => eventId)
  await run({
    text: 'UPDATE events SET plan_revision = plan_revision + 1 WHERE id = ANY ($1::uuid[])',
    values: [uuids(inFlight)],
  })
}

async function deleteUser(connection: Connection, userId: string): Promise<boolean> {
  const values = [userId]
  return connection.transaction(async (run) => {
    const [found] = await run({ text: 'SELECT id FROM users WHERE id = $1 FOR UPDATE', values })
    if (found === undefined) return false
    await run({
      text: 'UPDATE answers SET body = NULL WHERE key IN (SELECT answer_key FROM answer_users WHERE user_id = $1)',
      values,
    })
    // A settlement under way takes its event from under the first deletion and leaves a successor: look again.
    let open: Row[]
    do {
      await deleteEvents(run, 'events', userId)
      open = await run({ text: `SELECT id FROM events WHERE ${OF_USER}`, values })
    } while (open.length > 0)
    await deleteEvents(run, 'settled_events', userId)
    // Occasions and the links to answers cascade.
    await run({ text: 'DELETE FROM users WHERE id = $1', values })
    return true
  })
}

/**
 * Deletes events, and then what hangs on them: in statements of their own, for only a new one sees the body or the attempt
 * that the deletion had to wait for.
 */
async function deleteEvents(run: Run, table: 'events' | 'settled_events', userId: string): Promise<void> {
  const gone = await run({
    text: `DELETE FROM ${table} WHERE ${OF_USER} RETURNING id`,
    values: [userId],
  })
  const values = [uuids(ids(gone))]
  await run({ text: 'DELETE FROM payloads WHERE event_id = ANY ($1::uuid[])', values })
  await run({ text: 'DELETE FROM attempts WHERE event_id = ANY ($1::uuid[])', values })
}

const OF_USER = 'occasion_id IN (SELECT id FROM occasions WHERE user_id = $1)'
