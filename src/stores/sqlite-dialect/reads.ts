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
import type { BaseSQLiteDatabase } from 'drizzle-orm/sqlite-core'
import { type Attempt, type Event, settlingAttempt } from '../../domain/events/event.ts'
import type { User } from '../../domain/users/user.ts'
import type { EventQuery, Page, UserQuery } from '../../ports/query.ts'
import type { Pulse, Store } from '../../ports/store.ts'
import { briefReason, fullReason } from '../shared/failures.ts'
import { searchText, toPage } from '../shared/page.ts'
import { attempts, events, occasions, payloads, users } from './schema.ts'

export type Database = BaseSQLiteDatabase<'async', unknown>

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
    .where(sql`${users.externalId} IN (SELECT value FROM json_each(${JSON.stringify(externalIds)}))`)
    .orderBy(asc(users.id))
  return rows.map(toUser)
}

function toUser({ searchName: _, ...user }: typeof users.$inferSelect): User {
  return user as User
}

export async function listUsers(db: Database, query: UserQuery): Promise<Page<User>> {
  const conditions: (SQL | undefined)[] = [
    query.cursor === null ? undefined : gt(users.id, query.cursor),
    query.timezone === undefined ? undefined : eq(users.timezone, query.timezone),
    query.externalId === undefined ? undefined : eq(users.externalId, query.externalId),
    query.search === undefined ? undefined : sql`instr(${users.searchName}, ${searchText(query.search)}) > 0`,
  ]
  const rows = await db
    .select()
    .from(users)
    .where(and(...conditions))
    .orderBy(asc(users.id))
    .limit(query.limit + 1)
  return toPage(rows.map(toUser), query.limit)
}

const EVENT_FIELDS = {
  event: events,
  userId: occasions.userId,
  eventType: occasions.type,
  channelId: occasions.channelId,
  body: payloads.body,
}

async function findEvent(
  db: Database,
  eventId: string,
): Promise<{ event: Event; attempts: Attempt[] } | null> {
  const [row] = await selectEvents(db).where(eq(events.id, eventId))
  if (row === undefined) return null
  const event = toEvent(row)
  const earlier = await db
    .select()
    .from(attempts)
    .where(eq(attempts.eventId, eventId))
    .orderBy(asc(attempts.number))
  const tries = earlier.map(({ eventId: _, ...attempt }): Attempt => attempt)
  const last = settlingAttempt(event, tries.length)
  return { event, attempts: last === null ? tries : [...tries, last] }
}

function selectEvents(db: Database) {
  return db
    .select(EVENT_FIELDS)
    .from(events)
    .innerJoin(occasions, eq(occasions.id, events.occasionId))
    .leftJoin(payloads, eq(payloads.eventId, events.id))
    .$dynamic()
}

type EventRow = Awaited<ReturnType<typeof selectEvents>>[number]

function toEvent({ event, userId, eventType, channelId, body }: EventRow): Event {
  const { leaseUntil, planRevision: _, parkCount: __, ...fields } = event
  const wakeAt = leaseUntil ?? event.wakeAt
  return { ...fields, userId, eventType, channelId, wakeAt, deliveryPayload: body }
}

async function listEvents(db: Database, query: EventQuery): Promise<Page<Event>> {
  const ofUser = (userId: string) =>
    inArray(
      events.occasionId,
      db.select({ id: occasions.id }).from(occasions).where(eq(occasions.userId, userId)),
    )
  const conditions: (SQL | undefined)[] = [
    query.cursor === null ? undefined : gt(events.id, query.cursor),
    query.userId === undefined ? undefined : ofUser(query.userId),
    query.occasionId === undefined ? undefined : eq(events.occasionId, query.occasionId),
    query.status === undefined ? undefined : eq(events.status, query.status),
    // Says the same again in the words of the index of failed events.
    query.status === 'FAILED' ? isNotNull(events.failureCode) : undefined,
    query.type === undefined ? undefined : eq(occasions.type, query.type),
    query.dueFrom === undefined ? undefined : gte(events.targetAt, query.dueFrom),
    query.dueBefore === undefined ? undefined : lt(events.targetAt, query.dueBefore),
    query.reason === undefined
      ? undefined
      : sql`substr(${sql.raw(fullReason('events'))}, 1, length(${query.reason})) = ${query.reason}`,
    query.briefReason === undefined
      ? undefined
      : sql`${sql.raw(briefReason('events'))} = ${query.briefReason}`,
    query.channelIds === undefined ? undefined : byChannel(query.channelIds),
    query.settledFrom === undefined ? undefined : gte(events.executedAt, query.settledFrom),
    query.settledBefore === undefined ? undefined : lt(events.executedAt, query.settledBefore),
  ]
  const rows = await selectEvents(db)
    .where(and(...conditions))
    .orderBy(asc(events.id))
    .limit(query.limit + 1)
  return toPage(rows.map(toEvent), query.limit)
}

function byChannel(ids: readonly (string | null)[]): SQL | undefined {
  const named = ids.filter((id) => id !== null)
  return or(
    named.length > 0 ? inArray(occasions.channelId, named) : undefined,
    ids.includes(null) ? isNull(occasions.channelId) : undefined,
  )
}

/** The latest that were begun, by the instant they were first due. */
export async function latestEvents(
  db: Database,
  of: { before: string; limit: number },
): Promise<Pulse['recent']> {
  const rows = await db
    .select({ ...EVENT_FIELDS, firstName: users.firstName, lastName: users.lastName })
    .from(events)
    .innerJoin(occasions, eq(occasions.id, events.occasionId))
    .innerJoin(users, eq(users.id, occasions.userId))
    .leftJoin(payloads, eq(payloads.eventId, events.id))
    .where(and(lt(events.id, of.before), ne(events.status, 'PENDING')))
    .orderBy(desc(events.id))
    .limit(of.limit)
  return rows.map(({ firstName, lastName, ...row }) => ({ ...toEvent(row), firstName, lastName }))
}
