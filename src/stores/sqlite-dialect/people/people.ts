// Writes users with their occasions and events: one batch for each operation, whose statements state the precondition.
import type { CreateResult, NewPerson, UserStore } from '../../../ports/store.ts'
import { type Columns, nameList, pick } from '../../shared/columns/columns.ts'
import { newEventsOf } from '../../shared/columns/events.ts'
import { OCCASION, USER } from '../../shared/columns/people.ts'
import { findDeleted, isFree } from '../../shared/people/keyed-ids.ts'
import { EVENT } from '../events/reschedules.ts'
import { type Executor, overRows, type Statement } from '../executor.ts'
import { deleteUsers } from './erase.ts'
import { updateUser } from './update.ts'

export function peopleOperations(executor: Executor) {
  return {
    createUsers: (people, how) => createUsers(executor, people, how),
    isDeletedKey: async (id) => (await executor.read({ sql: FIND_DELETED, params: [id] })).length > 0,
    updateUser: (update) => updateUser(executor, update),
    deleteUser: async (userId, at) => (await deleteUsers(executor, [userId], at)).length > 0,
    deleteUsers: (userIds, at) => deleteUsers(executor, userIds, at),
  } satisfies Partial<UserStore>
}

const FIND_DELETED = findDeleted('', '= ?')

async function createUsers(
  executor: Executor,
  people: readonly NewPerson[],
  { ifTaken }: { ifTaken: 'skip' | 'reject' } = { ifTaken: 'skip' },
): Promise<CreateResult> {
  const statements = addPeople(people, ifTaken)
  try {
    const results = await executor.batch(statements)
    // Of the last statement: D1 counts the words that triggers insert as changes of the first one.
    const created = results.at(-1)!.changes
    return ifTaken === 'reject' && created < people.length ? { kind: 'taken' } : { kind: 'created', created }
  } catch (error) {
    if (ifTaken === 'reject' && (await isAnyTaken(executor, people))) return { kind: 'taken' }
    throw error
  }
}

const FIND_TAKEN = `SELECT 1 FROM json_each(?1) AS ref CROSS JOIN users AS u ON u.external_id = ref.value
  UNION ALL SELECT 1 FROM json_each(?2) AS ref CROSS JOIN occasions AS o ON o.id = ref.value
  UNION ALL SELECT 1 FROM json_each(?2) AS ref WHERE NOT ${isFree('ref.value')} LIMIT 1`

/** Run only when the batch failed: whether one of the external ids, or a keyed id, exists, or was deleted meanwhile. */
async function isAnyTaken(executor: Executor, people: readonly NewPerson[]): Promise<boolean> {
  const externalIds = people.flatMap(({ user }) => user.externalId ?? [])
  const ids = people.flatMap(({ occasions }) => occasions.map(({ id }) => id))
  const params = [JSON.stringify(externalIds), JSON.stringify(ids)]
  return (await executor.read({ sql: FIND_TAKEN, params })).length > 0
}

// New users carry the marking version until their occasions and events are inserted; later statements of the batch insert
// only for those. An existing user gets nothing: an occasion may have been removed since, or an event settled.
function addPeople(people: readonly NewPerson[], ifTaken: 'skip' | 'reject'): Statement[] {
  const marked = people.map(({ user }) => ({ ...user, version: MARK }))
  const occasions = people.flatMap((person) => person.occasions)
  const statements = ADD[ifTaken]
  return [
    overRows(statements.users, USER, marked),
    overRows(statements.occasions, OCCASION, occasions),
    overRows(ADD_EVENTS, EVENT, newEventsOf(people)),
    overRows(
      UNMARK_USERS,
      VERSION,
      people.map(({ user }) => user),
    ),
  ]
}

/** A version that no row has outside a batch: it marks rows that the batch itself inserted or claimed. */
export const MARK = 0

const VERSION = pick(USER, 'id version')

const SKIP_EXISTING = 'ON CONFLICT DO NOTHING'

function insertNew(
  table: string,
  columns: Columns<never>,
  { join = '', where = 'true', onConflict = SKIP_EXISTING },
): string {
  return `INSERT INTO ${table} (${nameList(columns)}) SELECT ${nameList(columns, 'ref.')} FROM {rows} AS ref ${join}
    WHERE ${where} ${onConflict}`
}

const OF_NEW_USERS = { join: `CROSS JOIN users AS u ON u.id = ref.user_id AND u.version = ${MARK}` }

const ADD = {
  skip: {
    users: insertNew('users', USER, {}),
    occasions: insertNew('occasions', OCCASION, OF_NEW_USERS),
  },
  // Without ON CONFLICT, a row that exists fails the batch.
  reject: {
    users: insertNew('users', USER, { where: isFree('ref.id'), onConflict: '' }),
    occasions: insertNew('occasions', OCCASION, { ...OF_NEW_USERS, onConflict: '' }),
  },
}

const ADD_EVENTS = insertNew('events', EVENT, {
  join: `CROSS JOIN occasions AS o ON o.id = ref.occasion_id CROSS JOIN users AS u ON u.id = o.user_id AND u.version = ${MARK}`,
})

const UNMARK_USERS = `UPDATE users SET version = ref.version FROM {rows} AS ref
  WHERE users.id = ref.id AND users.version = ${MARK}`
