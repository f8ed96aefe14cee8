// Writes users with their occasions, events and stored responses: one transaction for each operation.
import type { User } from '../../../domain/users/user.ts'
import type {
  CreateResult,
  NewPerson,
  NewStoredResponse,
  UserStore,
  UserUpdate,
} from '../../../ports/store.ts'
import { type Columns, nameList, pick, setList } from '../../shared/columns/columns.ts'
import { NEW_EVENT, newEventsOf } from '../../shared/columns/events.ts'
import { OCCASION, USER } from '../../shared/columns/people.ts'
import { personJson } from '../../shared/ledger/journal.ts'
import { EXTERNAL_ID, violates } from '../../shared/unique.ts'
import { arrays, rowSource, unnest, uuids } from '../arrays.ts'
import type { Connection, Query, Run } from '../connection.ts'
import { ERASE_ENQUEUED } from '../enqueue/enqueued.ts'
import { ids } from '../events/claim.ts'
import { moveSeen, removePending, requestReplan } from '../events/reschedules.ts'
import { append, eraseFromLedger, LOCK_ERASURE, PERSON_STATE } from '../ledger/journal.ts'
import { eraseEvents } from './erase.ts'
import { deleteResponse, findResponse, forgetResponses, storeResponse } from './responses.ts'

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

function insertNew<T>(table: string, columns: Columns<T>, records: readonly T[]): Query {
  const { list, from, values } = rowSource(columns, records)
  return {
    text: `INSERT INTO ${table} (${nameList(columns)}) SELECT ${list} FROM ${from} ON CONFLICT DO NOTHING`,
    values,
  }
}

/** Returns the ids of the new users. */
function insertUsers(users: readonly User[]): Query {
  const { text, values } = insertNew('terce.users', USER, users)
  return { text: `${text} RETURNING id`, values }
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
    await run(insertNew('terce.occasions', OCCASION, occasions))
    await run(insertNew('terce.events', NEW_EVENT, newEventsOf(fresh)))
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

const LOCK_USER = `SELECT ${PERSON_STATE} FROM terce.users AS u WHERE id = $1 AND version = $2 FOR UPDATE`

const WRITE_USER = `UPDATE terce.users AS u SET ${setList(USER, 'ref')} FROM ${unnest(USER)} WHERE u.id = ref.id`

async function updateUser(
  connection: Connection,
  { user, reschedules }: UserUpdate,
): Promise<'updated' | 'conflict' | 'taken'> {
  const work = async (run: Run) => {
    const [seen] = await run({ text: LOCK_USER, values: [user.id, user.version - 1] })
    if (seen === undefined) return 'conflict'
    if (reschedules !== null) {
      if (!(await lockOpenEvents(run, user.id, reschedules))) return 'conflict'
      await reschedule(run, reschedules, user.updatedAt)
    }
    const before = JSON.stringify(seen[0])
    if (before !== personJson(user))
      await append(run, [{ kind: 'person-changed', at: user.updatedAt, userId: user.id, details: before }])
    await run({ text: WRITE_USER, values: arrays(USER, [user]) })
    return 'updated'
  }
  try {
    return await connection.transaction(work)
  } catch (error) {
    if (violates(error, EXTERNAL_ID)) return 'taken'
    throw error
  }
}

type Reschedules = NonNullable<UserUpdate['reschedules']>

const LOCK_OPEN_EVENTS = `SELECT id, version, claimed_at IS NOT NULL FROM terce.events
  WHERE occasion_id IN (SELECT id FROM terce.occasions WHERE user_id = $1) AND replay_of IS NULL ORDER BY id FOR UPDATE`

/**
 * Locks the user's open events; false if they are not exactly the ones seen. An event that was being settled is gone when
 * its lock is granted, and its successor is not visible yet: this counts as a conflict, and the caller reads again.
 */
async function lockOpenEvents(run: Run, userId: string, seen: Reschedules): Promise<boolean> {
  const open = await run({ text: LOCK_OPEN_EVENTS, values: [userId] })
  if (open.length !== seen.length) return false
  const state = new Map(open.map(([id, version, claimed]) => [id, `${version} ${claimed}`]))
  return seen.every((one) => state.get(one.eventId) === `${one.version} ${isInFlight(one)}`)
}

async function reschedule(run: Run, reschedules: Reschedules, now: number): Promise<void> {
  await moveSeen(run, reschedules, { at: now, cause: 'user' })
  const idsOf = (some: Reschedules) => some.map(({ eventId }) => eventId)
  await requestReplan(run, idsOf(reschedules.filter(isInFlight)))
  const removed = idsOf(reschedules.filter((one) => one.removed))
  if (removed.length > 0) await removePending(run, removed, { at: now, cause: 'BIRTH_DATE_CHANGED' })
}

function isInFlight({ to, removed }: Reschedules[number]): boolean {
  return to === null && !removed
}

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

const ERASE_RESPONSES = `UPDATE terce.responses SET body = NULL
  WHERE key IN (SELECT response_key FROM terce.response_users WHERE user_id = ANY ($1::uuid[]))`
