// Writes users with their occasions and events: one transaction for each operation.
import type { Occasion } from '../../../domain/occasions/occasion.ts'
import type { User } from '../../../domain/users/user.ts'
import type { CreateResult, NewPerson, UserStore } from '../../../ports/store.ts'
import { type Columns, nameList } from '../../shared/columns/columns.ts'
import { NEW_EVENT, newEventsOf } from '../../shared/columns/events.ts'
import { OCCASION, USER } from '../../shared/columns/people.ts'
import { findDeleted, isKeyed, recordKeyed } from '../../shared/people/keyed-ids.ts'
import { rowSource, uuids } from '../arrays.ts'
import type { Connection, Query, Run } from '../connection.ts'
import { ERASE_ENQUEUED } from '../enqueue/enqueued.ts'
import { ids } from '../events/claim.ts'
import { atMs } from '../instant.ts'
import { eraseEvents } from './erase.ts'
import { updateUser } from './update.ts'

export function peopleOperations(connection: Connection) {
  return {
    createUsers: (people, how) => createUsers(connection, people, how),
    isDeletedKey: (id) => isAnyDeleted(connection.query, [id]),
    updateUser: (update) => updateUser(connection, update),
    deleteUser: async (userId, at, how) => (await deleteUsers(connection, [userId], at, how)).length > 0,
    deleteUsers: (userIds, at) => deleteUsers(connection, userIds, at),
  } satisfies Partial<UserStore>
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
  { ifTaken }: { ifTaken: 'skip' | 'reject' } = { ifTaken: 'skip' },
): Promise<CreateResult> {
  const work = async (run: Run): Promise<CreateResult> => {
    const users = byExternalId(people.map(({ user }) => user))
    const created = new Set(ids(await run(insertUsers(users))))
    if (ifTaken === 'reject' && created.size < users.length) throw new Taken()
    // Only for new users: the first event of an existing user may be settled by now.
    const fresh = people.filter(({ user }) => created.has(user.id))
    const occasions = fresh.flatMap((person) => person.occasions)
    if (ifTaken === 'reject') await insertKeyed(run, occasions)
    // No ON CONFLICT: nothing else can have written the rows of a new user, and the check would search each unique index.
    await run(
      insertRows(
        'terce.occasions',
        OCCASION,
        occasions.filter(({ id }) => ifTaken === 'skip' || !isKeyed(id)),
      ),
    )
    await run(insertRows('terce.events', NEW_EVENT, newEventsOf(fresh)))
    return { kind: 'created', created: created.size }
  }
  try {
    return await connection.transaction(work)
  } catch (error) {
    if (error instanceof Taken) return { kind: 'taken' }
    throw error
  }
}

/** A task or an occasion may have the keyed id of a birthday. */
async function insertKeyed(run: Run, occasions: readonly Occasion[]): Promise<void> {
  const keyed = occasions.filter(({ id }) => isKeyed(id))
  if (keyed.length === 0) return
  const { text, values } = insertRows('terce.occasions', OCCASION, keyed)
  const inserted = await run({ text: `${text} ON CONFLICT DO NOTHING RETURNING id`, values })
  if (inserted.length < keyed.length || (await isAnyDeleted(run, ids(inserted)))) throw new Taken()
}

/** Rolls back the transaction that creates people. */
class Taken extends Error {}

/**
 * Whether a record with one of the ids was deleted. Asked after the insert, which waits for a deletion of that id: only a new statement
 * sees what the deletion has committed.
 */
export async function isAnyDeleted(run: Run, given: readonly string[]): Promise<boolean> {
  const keyed = given.filter(isKeyed)
  return keyed.length > 0 && (await run({ text: FIND_DELETED, values: [uuids(keyed)] })).length > 0
}

const FIND_DELETED = findDeleted('terce.', '= ANY (($1::uuid[])::text[])')

/** Inserts in order of external id, to avoid deadlocks between requests that create the same people. */
function byExternalId(users: readonly User[]): User[] {
  return users.toSorted((a, b) => compare(a.externalId ?? '', b.externalId ?? ''))
}

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)

async function deleteUsers(
  connection: Connection,
  userIds: readonly string[],
  at: number,
  { keepEnqueued } = { keepEnqueued: false },
): Promise<string[]> {
  return connection.byKeys(async (run) => {
    if (!keepEnqueued) await run({ text: ERASE_ENQUEUED, values: [uuids(userIds)] })
    const found = ids(await run({ text: LOCK_USERS, values: [uuids(userIds)] }))
    if (found.length === 0) return []
    const values = [uuids(found)]
    await run({ text: RECORD_KEYED, values: [...values, at] })
    await eraseEvents(run, 'user_id', found)
    // Occasions with their tasks and problems of the ledger, and feeds cascade.
    await run({ text: 'DELETE FROM terce.users WHERE id = ANY ($1::uuid[])', values })
    return found
  })
}

const LOCK_USERS = 'SELECT id FROM terce.users WHERE id = ANY ($1::uuid[]) ORDER BY id FOR UPDATE'

const RECORD_KEYED = recordKeyed('terce.', { at: atMs('$2'), which: 'user_id = ANY ($1::uuid[])' })
