// Writes users with their occasions, events and stored responses: one batch for each operation, whose statements state the precondition.
import type { User } from '../../../domain/users/user.ts'
import type { CreateResult, NewPerson, NewStoredResponse, UserStore } from '../../../ports/store.ts'
import { type Columns, nameList, pick } from '../../shared/columns/columns.ts'
import { newEventsOf } from '../../shared/columns/events.ts'
import { OCCASION, USER } from '../../shared/columns/people.ts'
import { EVENT } from '../events/reschedules.ts'
import { type Executor, overRows, type Statement } from '../executor.ts'
import { deleteUsers } from './erase.ts'
import { findResponse, forgetResponses, storeResponse, unlessResponseExists } from './responses.ts'
import { updateUser } from './update.ts'

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
