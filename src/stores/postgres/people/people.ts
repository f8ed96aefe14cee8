// Writes users with their occasions, events and stored responses: one transaction for each operation.
import type { User } from '../../../domain/users/user.ts'
import type { CreateResult, NewPerson, NewStoredResponse, UserStore } from '../../../ports/store.ts'
import { type Columns, nameList, pick } from '../../shared/columns/columns.ts'
import { NEW_EVENT, newEventsOf } from '../../shared/columns/events.ts'
import { OCCASION, USER } from '../../shared/columns/people.ts'
import { arrays, rowSource, unnest, uuids } from '../arrays.ts'
import type { Connection, Query, Run } from '../connection.ts'
import { ERASE_ENQUEUED } from '../enqueue/enqueued.ts'
import { ids } from '../events/claim.ts'
import { eraseFromLedger, LOCK_ERASURE } from '../ledger/journal.ts'
import { eraseEvents } from './erase.ts'
import { deleteResponse, findResponse, forgetResponses, storeResponse } from './responses.ts'
import { updateUser } from './update.ts'

type PeopleOperations = Pick<
  UserStore,
  'createUsers' | 'findResponse' | 'removeOldResponses' | 'updateUser' | 'deleteUser' | 'deleteUsers'
>

export function peopleOperations(connection: Connection): PeopleOperations {
  return {
    createUsers: (people, response, how) => createUsers(connection, people, response, how),
    findResponse: (key, notBefore) => findResponse(connection.query, key, notBefore),
    removeOldResponses: (before) => forgetResponses(connection.query, before),
    updateUser: (update) => updateUser(connection, update),
    deleteUser: async (userId, at, how) => (await deleteUsers(connection, [userId], at, how)).length > 0,
    deleteUsers: (userIds, at) => deleteUsers(connection, userIds, at),
  }
}

function insertRows<T>(table: string, columns: Columns<T>, records: readonly T[]): Query {
  const { list, from, values } = rowSource(columns, records)
  return { text: `INSERT INTO ${table} (${nameList(columns)}) SELECT ${list} FROM ${from}`, values }
}

/** Skips users that exist, by id or by external id. Returns the ids of the new users. */
function insertUsers(users: readonly User[]): Query {
  const { text, values } = insertRows('terce.users', USER, users)
  return { text: `${text} ON CONFLICT DO NOTHING RETURNING id`, values }
}

async function createUsers(
  connection: Connection,
  people: readonly NewPerson[],
  response?: NewStoredResponse,
  { ifTaken }: { ifTaken: 'skip' | 'reject' } = { ifTaken: 'skip' },
): Promise<CreateResult | { kind: 'taken' }> {
  const work = async (run: Run): Promise<CreateResult> => {
    const first = response && (await storeResponse(run, response))
    if (first) return first
    const users = byExternalId(people.map(({ user }) => user))
    const created = new Set(ids(await run(insertUsers(users))))
    if (ifTaken === 'reject' && created.size < users.length) throw new ExternalIdTaken()
    // Only for new users: the first event of an existing user may be settled by now.
    const fresh = people.filter(({ user }) => created.has(user.id))
    const occasions = fresh.flatMap((person) => person.occasions)
    // No ON CONFLICT: nothing else can have written the rows of a new user, and the check would search each unique index.
    await run(insertRows('terce.occasions', OCCASION, occasions))
    await run(insertRows('terce.events', NEW_EVENT, newEventsOf(fresh)))
    if (response !== undefined) {
      if (created.size === 0 && people.length > 0) await deleteResponse(run, response)
      else await run({ text: LINK_RESPONSE, values: [...arrays(LINKED, users), response.key] })
    }
    return { kind: 'created', created: created.size }
  }
  try {
    return await connection.transaction(work)
  } catch (error) {
    if (error instanceof ExternalIdTaken) return { kind: 'taken' }
    throw error
  }
}

/** Rolls back the transaction that creates people. */
class ExternalIdTaken extends Error {}

/** Inserts in order of external id, to avoid deadlocks between requests that create the same people. */
function byExternalId(users: readonly User[]): User[] {
  return users.toSorted((a, b) => compare(a.externalId ?? '', b.externalId ?? ''))
}

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)

const LINKED = pick(USER, 'id external_id')

// Links the response to every user it may name, existing users with that external id included: erasing one erases it.
const LINK_RESPONSE = `INSERT INTO terce.response_users (user_id, response_key) SELECT u.id, $3 FROM ${unnest(LINKED)}
  JOIN terce.users AS u ON u.id = ref.id OR u.external_id = ref.external_id ON CONFLICT DO NOTHING`

async function deleteUsers(
  connection: Connection,
  userIds: readonly string[],
  at: number,
  { keepEnqueued } = { keepEnqueued: false },
): Promise<string[]> {
  return connection.byKeys(async (run) => {
    await run(LOCK_ERASURE)
    if (!keepEnqueued) await run({ text: ERASE_ENQUEUED, values: [uuids(userIds)] })
    const found = ids(await run({ text: LOCK_USERS, values: [uuids(userIds)] }))
    if (found.length === 0) return []
    const values = [uuids(found)]
    await run({ text: ERASE_RESPONSES, values })
    const erased = await eraseEvents(run, 'user_id', found, at)
    await eraseFromLedger(run, { of: 'person', ids: found, at }, erased)
    // Occasions with their tasks, feeds and the links to stored responses cascade.
    await run({ text: 'DELETE FROM terce.users WHERE id = ANY ($1::uuid[])', values })
    return found
  })
}

const LOCK_USERS = 'SELECT id FROM terce.users WHERE id = ANY ($1::uuid[]) ORDER BY id FOR UPDATE'

// Locked in order of key: two deletions of people that share responses would deadlock otherwise.
const ERASE_RESPONSES = `UPDATE terce.responses SET body = NULL WHERE key IN (
    SELECT key FROM terce.responses WHERE key IN (SELECT response_key FROM terce.response_users WHERE user_id = ANY ($1::uuid[]))
    ORDER BY key FOR UPDATE)`
