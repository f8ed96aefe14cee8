// Writes users with their occasions, events and stored responses: one batch for each operation, whose statements state the precondition.
import type { User } from '../../../domain/users/user.ts'
import type {
  CreateResult,
  NewPerson,
  NewStoredResponse,
  Reschedule,
  UserStore,
  UserUpdate,
} from '../../../ports/store.ts'
import { type Columns, nameList, pick, rowOf, rowsOf } from '../../shared/columns/columns.ts'
import { NEW_EVENT, type NewEvent, newEventsOf } from '../../shared/columns/events.ts'
import { OCCASION, USER } from '../../shared/columns/people.ts'
import { isOtherSlot, MOVE_COLUMNS, NO_SLOT, slotOf, userCause } from '../../shared/moves.ts'
import { EXTERNAL_ID, violates } from '../../shared/unique.ts'
import { RESCHEDULES, SEEN_EVENT } from '../events/reschedules.ts'
import { type Executor, overRows, type Statement } from '../executor.ts'
import { recordPerson } from '../ledger/journal.ts'
import { deleteUsers } from './erase.ts'
import { findResponse, forgetResponses, storeResponse, unlessResponseExists } from './responses.ts'

type PeopleOperations = Pick<
  UserStore,
  'createUsers' | 'findResponse' | 'removeOldResponses' | 'updateUser' | 'deleteUser' | 'deleteUsers'
>

export function peopleOperations(executor: Executor): PeopleOperations {
  return {
    createUsers: (people, response, how) => createUsers(executor, people, response, how),
    findResponse: (key, notBefore) => findResponse(executor, key, notBefore),
    removeOldResponses: (before) => forgetResponses(executor, before),
    updateUser: (update) => updateUser(executor, update),
    deleteUser: async (userId, at) => (await deleteUsers(executor, [userId], at)).length > 0,
    deleteUsers: (userIds, at) => deleteUsers(executor, userIds, at),
  }
}

async function createUsers(
  executor: Executor,
  people: readonly NewPerson[],
  response?: NewStoredResponse,
  { ifTaken }: { ifTaken: 'skip' | 'reject' } = { ifTaken: 'skip' },
): Promise<CreateResult | { kind: 'taken' }> {
  const statements = addPeople(people, ifTaken === 'skip' ? SKIP_EXISTING : '')
  if (response !== undefined) statements.push(...storeResponseFor(people, response))
  statements.push(overRows(UNMARK_USERS, VERSION, usersOf(people)))
  try {
    return await unlessResponseExists(executor, response, async () => {
      const results = await executor.batch(statements)
      // Of the last statement: D1 counts the words that triggers insert as changes of the first one.
      return { kind: 'created', created: results.at(-1)!.changes }
    })
  } catch (error) {
    if (ifTaken === 'reject' && (await isAnyTaken(executor, people))) return { kind: 'taken' }
    throw error
  }
}

const FIND_TAKEN =
  'SELECT 1 FROM json_each(?) AS ref CROSS JOIN users AS u ON u.external_id = ref.value LIMIT 1'

/** Run only when the batch failed: whether one of the external ids exists. */
async function isAnyTaken(executor: Executor, people: readonly NewPerson[]): Promise<boolean> {
  const externalIds = people.flatMap(({ user }) => user.externalId ?? [])
  const found = await executor.read({ sql: FIND_TAKEN, params: [JSON.stringify(externalIds)] })
  return found.length > 0
}

// New users carry the marking version until their occasions and events are inserted; later statements of the batch insert
// only for those. An existing user gets nothing: an occasion may have been removed since, or an event settled.
function addPeople(people: readonly NewPerson[], onConflict: string): Statement[] {
  const marked = people.map(({ user }) => ({ ...user, version: MARK }))
  const occasions = people.flatMap((person) => person.occasions)
  return [
    overRows(insertNew('users', USER, '', onConflict), USER, marked),
    overRows(ADD_OCCASIONS, OCCASION, occasions),
    overRows(ADD_EVENTS, EVENT, newEventsOf(people)),
  ]
}

/** A version that no row has outside a batch: it marks rows that the batch itself inserted or claimed. */
export const MARK = 0

/** A settled event lies in the same table: its status tells them apart. */
export const EVENT: Columns<NewEvent> = { ...NEW_EVENT, status: ['text', () => 'PENDING'] }

const VERSION = pick(USER, 'id version')
const usersOf = (people: readonly NewPerson[]) => people.map(({ user }) => user)

const SKIP_EXISTING = 'ON CONFLICT DO NOTHING'

function insertNew(
  table: string,
  columns: Columns<never>,
  condition: string,
  onConflict = SKIP_EXISTING,
): string {
  return `INSERT INTO ${table} (${nameList(columns)}) SELECT ${nameList(columns, 'ref.')} FROM {rows} AS ref ${condition}
    WHERE true ${onConflict}`
}

const ADD_OCCASIONS = insertNew(
  'occasions',
  OCCASION,
  `CROSS JOIN users AS u ON u.id = ref.user_id AND u.version = ${MARK}`,
)

const ADD_EVENTS = insertNew(
  'events',
  EVENT,
  `CROSS JOIN occasions AS o ON o.id = ref.occasion_id CROSS JOIN users AS u ON u.id = o.user_id AND u.version = ${MARK}`,
)

const UNMARK_USERS = `UPDATE users SET version = ref.version FROM {rows} AS ref
  WHERE users.id = ref.id AND users.version = ${MARK}`

function storeResponseFor(people: readonly NewPerson[], response: NewStoredResponse): Statement[] {
  const links = people.map(({ user }) => ({ user, key: response.key }))
  const statements = [
    ...storeResponse(response, { sql: 'true', params: [] }),
    overRows(LINK_RESPONSE, LINK, links),
  ]
  if (people.length === 0) return statements
  const ids = JSON.stringify(people.map(({ user }) => user.id))
  return [...statements, { sql: DELETE_RESPONSE, params: [response.key, ids] }]
}

// Runs after the insert: a key that exists must fail the batch even if no user is new.
const DELETE_RESPONSE = `DELETE FROM responses WHERE key = ? AND NOT EXISTS (SELECT 1 FROM json_each(?) AS ref
  CROSS JOIN users AS u ON u.id = ref.value AND u.version = ${MARK})`

type Link = { user: User; key: string }

const LINK: Columns<Link> = {
  user_id: ['uuid', ({ user }) => user.id],
  external_id: ['text', ({ user }) => user.externalId],
  response_key: ['text', ({ key }) => key],
}

// Links the response to every user it may name, existing users with that external id included: erasing one erases it.
const LINK_RESPONSE = `INSERT INTO response_users (user_id, response_key) SELECT u.id, ref.response_key FROM {rows} AS ref
  CROSS JOIN users AS u ON u.id = ref.user_id OR u.external_id = ref.external_id
  WHERE true ON CONFLICT DO NOTHING`

async function updateUser(
  executor: Executor,
  { user, reschedules }: UserUpdate,
): Promise<'updated' | 'conflict' | 'taken'> {
  const rows = (some: readonly Reschedule[]) => JSON.stringify(rowsOf(SEEN_EVENT, some))
  const kept = reschedules?.filter(({ removed }) => !removed)
  const seen = kept === undefined ? null : rows(kept)
  const guard = [seen, user.id, user.version - 1]
  const statements: Statement[] = [
    recordPerson(user, AS_SEEN, guard),
    { sql: WRITE_USER, params: [...guard, ...rowOf(USER, user)] },
  ]
  // Events first, while the user's version still proves that there was no conflict; the user last.
  if (seen !== null) {
    const params = [...guard, user.updatedAt]
    statements.unshift({ sql: RECORD_MOVES, params }, { sql: RESCHEDULE, params })
  }
  // Deleted before the others: if the delete finds a conflict, an event is left that the other statements do not list.
  if (reschedules !== null && reschedules.length > kept!.length) {
    const all = [rows(reschedules), user.id, user.version - 1]
    statements.unshift(
      { sql: RECORD_REMOVED, params: [...all, user.updatedAt] },
      { sql: DELETE_REMOVED, params: all },
    )
  }
  try {
    const results = await executor.batch(statements)
    return results.at(-1)!.changes > 0 ? 'updated' : 'conflict'
  } catch (error) {
    if (violates(error, EXTERNAL_ID)) return 'taken'
    throw error
  }
}

// In these statements: ?1 the open events seen (JSON, null if they do not matter), ?2 the user, ?3 the version seen.
/** True if the user's open events are the ones seen, no more and no fewer, each at the version given. */
function openEventsAt(version: string): string {
  return `json_array_length(?1) = (SELECT count(*) FROM events WHERE wake_at IS NOT NULL AND replay_of IS NULL
      AND occasion_id IN (SELECT id FROM occasions WHERE user_id = ?2))
    AND json_array_length(?1) = (SELECT count(*) FROM ${RESCHEDULES} AS s CROSS JOIN events AS e
      ON e.id = s.id AND e.version = ${version}
      AND e.status = CASE WHEN s.target_at IS NULL AND s.removed IS NOT 1 THEN 'PROCESSING' ELSE 'PENDING' END)`
}

const IS_REMOVED = `id IN (SELECT id FROM ${RESCHEDULES} WHERE removed = 1)
    AND (SELECT version FROM users WHERE id = ?2) = ?3
    AND ${openEventsAt('s.version')}`

const RECORD_REMOVED = `INSERT INTO moves (${MOVE_COLUMNS})
  SELECT occasion_id, id, version + 1, 'BIRTH_DATE_CHANGED', ?4, ${slotOf('')}, ${NO_SLOT}
  FROM events WHERE ${IS_REMOVED}`

const DELETE_REMOVED = `DELETE FROM events WHERE ${IS_REMOVED}`

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
  FROM ${RESCHEDULES} AS seen
  WHERE events.id = seen.id
    AND (SELECT version FROM users WHERE id = ?2) = ?3
    AND ${openEventsAt('s.version')}`

const RECORD_MOVES = `INSERT INTO moves (${MOVE_COLUMNS})
  SELECT e.occasion_id, e.id, e.version + 1, ${userCause('e.timezone', 'seen.timezone')}, ?4, ${slotOf('e.')}, ${slotOf('seen.')}
  FROM ${RESCHEDULES} AS seen CROSS JOIN events AS e ON e.id = seen.id AND seen.target_at IS NOT NULL
  WHERE ${isOtherSlot('e.', 'seen.')}
    AND (SELECT version FROM users WHERE id = ?2) = ?3
    AND ${openEventsAt('s.version')}`

/** Compares more than the version: a concurrent change of the occasion or of the timezone's rules raises it too. */
const MOVED = `s.version + (s.target_at IS NOT NULL) AND e.target_at = coalesce(s.target_at, e.target_at)
  AND e.occurrence = coalesce(s.occurrence, e.occurrence) AND e.timezone = coalesce(s.timezone, e.timezone)`

const AS_SEEN = `id = ?2 AND version = ?3 AND (?1 IS NULL OR (${openEventsAt(MOVED)}))`

const WRITE_USER = `UPDATE users SET ${Object.keys(USER)
  .map((column, i) => `${column} = ?${i + 4}`)
  .join(', ')}
  WHERE ${AS_SEEN}`
