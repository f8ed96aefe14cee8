// Plain reads: one user, one event with its attempts, and pages of either.
import {
  and,
  asc,
  desc,
  eq,
  gt,
  gte,
  inArray,
  isNotNull,
  isNull,
  lt,
  ne,
  or,
  type SQL,
  sql,
} from 'drizzle-orm'
import type { NodePgDatabase } from 'drizzle-orm/node-postgres'
import { type Attempt, type Event, settlingAttempt } from '../../domain/events/event.ts'
import type { User } from '../../domain/users/user.ts'
import type { EventQuery, Page, UserQuery } from '../../ports/query.ts'
import type { Pulse, Store } from '../../ports/store.ts'
import { briefReason, fullReason } from '../shared/failures.ts'
import { searchText, toPage } from '../shared/page.ts'
import { allEvents, attempts, users } from './schema.ts'

export type Database = NodePgDatabase

type ReadOperations = Pick<
  Store,
  'findUser' | 'findUsersByExternalId' | 'listUsers' | 'findEvent' | 'listEvents'
>

export function readOperations(db: Database): ReadOperations {
  return {
    findUser: (userId) => findUser(db, userId),
    findUsersByExternalId: (externalIds) => findUsersByExternalId(db, externalIds),
    listUsers: (query) => listUsers(db, query),
    findEvent: (eventId) => findEvent(db, eventId),
    listEvents: (query) => listEvents(db, query),
  }
}

export async function findUser(db: Database, userId: string): Promise<User | null> {
  const [row] = await db.select().from(users).where(eq(users.id, userId))
  return row === undefined ? null : toUser(row)
}

async function findUsersByExternalId(db: Database, externalIds: readonly string[]): Promise<User[]> {
  const rows = await db
    .select()
    .from(users)
    .where(sql`${users.externalId} = ANY (${sql.param(externalIds)}::text[])`)
    .orderBy(asc(users.id))
  return rows.map(toUser)
}

function toUser({ searchName: _, createdAt, updatedAt, ...user }: typeof users.$inferSelect): User {
  return { ...user, createdAt: createdAt.getTime(), updatedAt: updatedAt.getTime() } as User
}

export async function listUsers(db: Database, query: UserQuery): Promise<Page<User>> {
  const conditions: (SQL | undefined)[] = [
    query.cursor === null ? undefined : gt(users.id, query.cursor),
    query.timezone === undefined ? undefined : eq(users.timezone, query.timezone),
    query.externalId === undefined ? undefined : eq(users.externalId, query.externalId),
    query.search === undefined
      ? undefined
      : sql`strpos(${users.searchName}, ${searchText(query.search)}) > 0`,
  ]
  const rows = await db
    .select()
    .from(users)
    .where(and(...conditions))
    .orderBy(asc(users.id))
    .limit(query.limit + 1)
  return toPage(rows.map(toUser), query.limit)
}

async function findEvent(
  db: Database,
  eventId: string,
): Promise<{ event: Event; attempts: Attempt[] } | null> {
  const [event] = await db.select().from(allEvents).where(eq(allEvents.id, eventId))
  if (event === undefined) return null
  const earlier = await db
    .select()
    .from(attempts)
    .where(eq(attempts.eventId, eventId))
    .orderBy(asc(attempts.number))
  const tries = earlier.map(({ eventId: _, startedAt, finishedAt, ...attempt }): Attempt => {
    return { ...attempt, startedAt: startedAt.getTime(), finishedAt: finishedAt.getTime() }
  })
  const last = settlingAttempt(event, tries.length)
  return { event, attempts: last === null ? tries : [...tries, last] }
}

async function listEvents(db: Database, query: EventQuery): Promise<Page<Event>> {
  const conditions: (SQL | undefined)[] = [
    query.cursor === null ? undefined : gt(allEvents.id, query.cursor),
    query.userId === undefined ? undefined : eq(allEvents.userId, query.userId),
    query.occasionId === undefined ? undefined : eq(allEvents.occasionId, query.occasionId),
    query.status === undefined ? undefined : eq(allEvents.status, query.status),
    // Says the same again in the words of the index of failed events.
    query.status === 'FAILED' ? isNotNull(allEvents.failureCode) : undefined,
    query.type === undefined ? undefined : eq(allEvents.eventType, query.type),
    query.dueFrom === undefined ? undefined : gte(allEvents.targetAt, query.dueFrom),
    query.dueBefore === undefined ? undefined : lt(allEvents.targetAt, query.dueBefore),
    query.reason === undefined
      ? undefined
      : sql`starts_with(${sql.raw(fullReason('all_events'))}, ${query.reason})`,
    query.briefReason === undefined
      ? undefined
      : sql`${sql.raw(briefReason('all_events'))} = ${query.briefReason}`,
    query.channelIds === undefined ? undefined : byChannel(query.channelIds),
    query.settledFrom === undefined ? undefined : gte(allEvents.executedAt, query.settledFrom),
    query.settledBefore === undefined ? undefined : lt(allEvents.executedAt, query.settledBefore),
  ]
  const rows = await db
    .select()
    .from(allEvents)
    .where(and(...conditions))
    .orderBy(asc(allEvents.id))
    .limit(query.limit + 1)
  return toPage(rows, query.limit)
}

function byChannel(ids: readonly (string | null)[]): SQL | undefined {
  const named = ids.filter((id) => id !== null)
  return or(
    named.length > 0 ? inArray(allEvents.channelId, named) : undefined,
    ids.includes(null) ? isNull(allEvents.channelId) : undefined,
  )
}

/** The latest that were begun, by the instant they were first due. */
export async function latestEvents(
  db: Database,
  of: { before: string; limit: number },
): Promise<Pulse['recent']> {
  const rows = await db
    .select()
    .from(allEvents)
    .innerJoin(users, eq(users.id, allEvents.userId))
    .where(and(lt(allEvents.id, of.before), ne(allEvents.status, 'PENDING')))
    .orderBy(desc(allEvents.id))
    .limit(of.limit)
  return rows.map(({ all_events: event, users: { firstName, lastName } }) => ({
    ...event,
    firstName,
    lastName,
  }))
}
