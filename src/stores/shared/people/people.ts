// Reads users, alone or with the plans of their occasions.
import { asc, eq, sql } from 'drizzle-orm'
import type { Occasion } from '../../../domain/occasions/occasion.ts'
import type { User } from '../../../domain/users/user.ts'
import type { Page, UserQuery } from '../../../ports/query.ts'
import type { OccasionPlan, Person } from '../../../ports/store.ts'
import type { Shared, Tables } from '../database.ts'
import { listRows, type UserRow } from './list.ts'

/** The plans of all of these users, in order of the occasions' ids. */
export type ReadPlans = (userIds: readonly string[]) => Promise<OccasionPlan[]>

export async function findUser({ reader, tables: { users } }: Shared, userId: string): Promise<User | null> {
  const [row] = await reader.select().from(users).where(eq(users.id, userId))
  return row === undefined ? null : toUser(row)
}

export async function findUsersByExternalId(
  { reader, tables: { users }, dialect }: Shared,
  externalIds: readonly string[],
): Promise<User[]> {
  const isWanted = dialect.isOneOf(users.externalId, externalIds)
  const rows = await reader.select().from(users).where(isWanted).orderBy(asc(users.id))
  return rows.map(toUser)
}

function toUser({ searchText: _, ...user }: UserRow): User {
  return user as User
}

export async function listUsers(shared: Shared, query: UserQuery): Promise<Page<User>> {
  const { items, ...page } = await listRows(shared, query)
  return { items: items.map(toUser), ...page }
}

export async function readPerson(
  shared: Shared,
  readPlans: ReadPlans,
  userId: string,
): Promise<Person | null> {
  const user = await findUser(shared, userId)
  return user && { user, plans: await readPlans([userId]) }
}

export async function listPeople(
  shared: Shared,
  readPlans: ReadPlans,
  query: UserQuery,
): Promise<Page<Person>> {
  const { items, ...page } = await listUsers(shared, query)
  const plans = await readPlans(items.map(({ id }) => id))
  const byUser = Map.groupBy(plans, ({ occasion }) => occasion.userId)
  return { items: items.map((user) => ({ user, plans: byUser.get(user.id) ?? [] })), ...page }
}

export async function findOccasion(
  { reader, tables: { occasions } }: Shared,
  occasionId: string,
): Promise<Occasion | null> {
  const [row] = await reader.select().from(occasions).where(eq(occasions.id, occasionId))
  return (row as Occasion | undefined) ?? null
}

export async function listOccasionTypes({ reader, tables }: Shared): Promise<string[]> {
  const rows = await reader.select({ type: sql<string>`type` }).from(sql`(${typesOf(tables)}) AS types`)
  return rows.map(({ type }) => type).sort()
}

/** Goes from type to type by the index, which has all but birthdays: of a million occasions it reads as many as there are types. */
const typesOf = ({ occasions }: Tables) => sql`WITH RECURSIVE found (type) AS (
    SELECT min(type) FROM ${occasions} WHERE type <> 'BIRTHDAY'
    UNION ALL
    SELECT (SELECT min(o.type) FROM ${occasions} AS o WHERE o.type > found.type AND o.type <> 'BIRTHDAY')
    FROM found WHERE found.type IS NOT NULL
  )
  SELECT type FROM found WHERE type IS NOT NULL
  UNION ALL SELECT 'BIRTHDAY' WHERE EXISTS (SELECT 1 FROM ${occasions} WHERE type = 'BIRTHDAY')`
