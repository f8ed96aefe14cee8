// Reads users, alone or with the plans of their occasions.
import { and, asc, eq } from 'drizzle-orm'
import type { Occasion } from '../../../domain/occasions/occasion.ts'
import type { User } from '../../../domain/users/user.ts'
import type { Page, UserQuery } from '../../../ports/query.ts'
import type { OccasionPlan, Person } from '../../../ports/store.ts'
import type { Shared, Tables } from '../database.ts'
import { matches } from './filter.ts'
import { userOrder } from './order.ts'

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

function toUser({ searchName: _, ...user }: Tables['users']['$inferSelect']): User {
  return user as User
}

export async function listUsers(shared: Shared, query: UserQuery): Promise<Page<User>> {
  const { reader, tables } = shared
  const { users } = tables
  const order = userOrder(tables, query.sort ?? 'createdAt')
  const rows = await reader
    .select({ user: users, key: order.key })
    .from(users)
    .where(and(matches(shared, query), query.cursor === null ? undefined : order.after(query.cursor)))
    .orderBy(...order.by)
    .limit(query.limit + 1)
  const page = rows.slice(0, query.limit)
  const nextCursor = rows.length > query.limit ? order.placeOf(page.at(-1)!) : null
  return { items: page.map(({ user }) => toUser(user)), nextCursor }
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
  const { items, nextCursor } = await listUsers(shared, query)
  const plans = await readPlans(items.map(({ id }) => id))
  const byUser = Map.groupBy(plans, ({ occasion }) => occasion.userId)
  return { items: items.map((user) => ({ user, plans: byUser.get(user.id) ?? [] })), nextCursor }
}

export async function findOccasion(
  { reader, tables: { occasions } }: Shared,
  occasionId: string,
): Promise<Occasion | null> {
  const [row] = await reader.select().from(occasions).where(eq(occasions.id, occasionId))
  return (row as Occasion | undefined) ?? null
}

export async function listOccasionTypes({ reader, tables: { occasions } }: Shared): Promise<string[]> {
  const rows = await reader.selectDistinct({ type: occasions.type }).from(occasions)
  return rows.map(({ type }) => type).sort()
}
