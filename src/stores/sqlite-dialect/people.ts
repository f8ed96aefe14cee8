// Writes people with all that hangs on them: one batch for each operation, its precondition in every statement.
import type {
  Answer,
  CreateResult,
  NewAnswer,
  NewPerson,
  Reschedule,
  Store,
  UserUpdate,
} from '../../ports/store.ts'
import type { Executor, Statement, Value } from './executor.ts'
import { EVENT_COLUMNS, eventRow, OCCASION_COLUMNS, occasionRow, USER_COLUMNS, userRow } from './rows.ts'

type PeopleOperations = Pick<Store, 'createUsers' | 'findAnswer' | 'updateUser' | 'deleteUser'>

export function peopleOperations(executor: Executor): PeopleOperations {
  return {
    createUsers: (people, answer) => createUsers(executor, people, answer),
    findAnswer: (key, notBefore) => findAnswer(executor, key, notBefore),
    updateUser: (update) => updateUser(executor, update),
    deleteUser: (userId) => deleteUser(executor, userId),
  }
}

async function createUsers(
  executor: Executor,
  people: readonly NewPerson[],
  answer?: NewAnswer,
): Promise<CreateResult> {
  const createdAt = (person: NewPerson) => person.user.createdAt
  const inserts = [
    insertNew(
      'users',
      USER_COLUMNS,
      people.map(({ user }) => userRow(user)),
    ),
    insertNew(
      'occasions',
      OCCASION_COLUMNS,
      people.flatMap(({ occasions }) => occasions.map(occasionRow)),
    ),
    insertNew(
      'events',
      EVENT_COLUMNS,
      people.flatMap((person) => person.events.map((event) => eventRow(event, createdAt(person)))),
    ),
  ]
  try {
    const [created] = await executor.batch([...inserts, ...(answer ? keepAnswer(answer, people) : [])])
    return { kind: 'created', created: created!.changes }
  } catch (error) {
    // A key that is taken fails the whole batch: nobody was created, and the first answer stands.
    const first = answer ? await findAnswer(executor, answer.key, answer.forgetBefore) : null
    if (first === null) throw error
    return { kind: 'answered', answer: first }
  }
}

function insertNew(
  table: string,
  columns: readonly string[],
  rows: readonly (readonly Value[])[],
): Statement {
  const names = columns.join(', ')
  return {
    sql: `INSERT INTO ${table} (${names}) SELECT ${names} FROM {rows} WHERE true ON CONFLICT DO NOTHING`,
    columns,
    rows,
  }
}

function keepAnswer(answer: NewAnswer, people: readonly NewPerson[]): Statement[] {
  const { key, fingerprint, status, body, createdAt, forgetBefore } = answer
  return [
    { sql: 'DELETE FROM answers WHERE created_at < ?', params: [forgetBefore] },
    {
      sql: 'INSERT INTO answers (key, fingerprint, status, body, created_at) VALUES (?, ?, ?, ?, ?)',
      params: [key, fingerprint, status, body, createdAt],
    },
    {
      sql: `INSERT INTO answer_users (user_id, answer_key) SELECT user_id, answer_key FROM {rows}`,
      columns: ['user_id', 'answer_key'],
      rows: people.map(({ user }) => [user.id, key]),
    },
  ]
}

async function findAnswer(executor: Executor, key: string, notBefore: number): Promise<Answer | null> {
  const [row] = await executor.read({
    sql: 'SELECT fingerprint, status, body FROM answers WHERE key = ? AND created_at >= ?',
    params: [key, notBefore],
  })
  if (row === undefined) return null
  const [fingerprint, status, body] = row as [string, number, string | null]
  return { key, fingerprint, status, body }
}

async function updateUser(
  executor: Executor,
  { user, reschedules }: UserUpdate,
): Promise<'updated' | 'conflict'> {
  const seen = reschedules === null ? null : JSON.stringify(reschedules.map(rescheduleRow))
  const guard = [seen, user.id, user.version - 1]
  const statements: Statement[] = [{ sql: WRITE_USER, params: [...guard, ...userRow(user)] }]
  // Events first, while the user's version still proves that nobody came between; the user last.
  if (seen !== null) statements.unshift({ sql: RESCHEDULE, params: [...guard, user.updatedAt] })
  const results = await executor.batch(statements)
  return results.at(-1)!.changes === 1 ? 'updated' : 'conflict'
}

/** For an event in flight all but id and version are null: it stays as it is. */
function rescheduleRow({ eventId, version, to }: Reschedule): Value[] {
  if (to === null) return [eventId, version, null, null, null, null, null]
  return [eventId, version, to.occurrence, to.targetAt, to.offsetSeconds, to.timezone, to.tzVersion]
}

// In both statements: ?1 the open events seen (JSON, null if they do not matter), ?2 the user, ?3 the version seen.
const SEEN = `(SELECT value->>0 AS id, value->>1 AS version, value->>2 AS occurrence, value->>3 AS target_at,
  value->>4 AS offset_seconds, value->>5 AS timezone, value->>6 AS tz_version FROM json_each(?1))`

/** True if the user's open events are the ones seen, no more and no fewer, each at the version given. */
function openEventsAt(version: string): string {
  return `json_array_length(?1) = (SELECT count(*) FROM events WHERE wake_at IS NOT NULL AND replay_of IS NULL
      AND occasion_id IN (SELECT id FROM occasions WHERE user_id = ?2))
    AND json_array_length(?1) = (SELECT count(*) FROM ${SEEN} AS s CROSS JOIN events AS e
      ON e.id = s.id AND e.version = ${version}
      AND e.status = CASE WHEN s.target_at IS NULL THEN 'PROCESSING' ELSE 'PENDING' END)`
}

const RESCHEDULE = `UPDATE events SET
    occurrence = coalesce(seen.occurrence, events.occurrence),
    target_at = coalesce(seen.target_at, events.target_at),
    wake_at = coalesce(seen.target_at, events.wake_at),
    offset_seconds = coalesce(seen.offset_seconds, events.offset_seconds),
    timezone = coalesce(seen.timezone, events.timezone),
    tz_version = coalesce(seen.tz_version, events.tz_version),
    version = events.version + (seen.target_at IS NOT NULL),
    plan_revision = events.plan_revision + 1,
    updated_at = ?4
  FROM ${SEEN} AS seen
  WHERE events.id = seen.id
    AND (SELECT version FROM users WHERE id = ?2) = ?3
    AND ${openEventsAt('s.version')}`

const WRITE_USER = `UPDATE users SET ${USER_COLUMNS.map((column, i) => `${column} = ?${i + 4}`).join(', ')}
  WHERE id = ?2 AND version = ?3
    AND (?1 IS NULL OR (${openEventsAt('s.version + (s.target_at IS NOT NULL)')}))`

async function deleteUser(executor: Executor, userId: string): Promise<boolean> {
  const ofUser = 'occasion_id IN (SELECT id FROM occasions WHERE user_id = ?)'
  const events = `(SELECT id FROM events WHERE ${ofUser})`
  const results = await executor.batch(
    [
      'UPDATE answers SET body = NULL WHERE key IN (SELECT answer_key FROM answer_users WHERE user_id = ?)',
      `DELETE FROM attempts WHERE event_id IN ${events}`,
      `DELETE FROM payloads WHERE event_id IN ${events}`,
      `DELETE FROM events WHERE ${ofUser}`,
      // Occasions and the links to answers cascade.
      'DELETE FROM users WHERE id = ?',
    ].map((sql) => ({ sql, params: [userId] })),
  )
  return results.at(-1)!.changes > 0
}
