// Plain reads: one user with their plans, one event with its attempts, and pages of either.
import { and, asc, eq, gt, gte, inArray, isNotNull, isNull, lt, type SQL, sql } from 'drizzle-orm'
import type { BaseSQLiteDatabase } from 'drizzle-orm/sqlite-core'
import { type Attempt, type Event, settlingAttempt } from '../../domain/event.ts'
import type { Occasion } from '../../domain/occasion.ts'
import type { User } from '../../domain/user.ts'
import type { EventQuery, OpenEvent, Page, Person, Store, UserQuery } from '../../ports/store.ts'
import { searchText, toPage } from '../page.ts'
import { attempts, events, occasions, payloads, users } from './schema.ts'

export type Database = BaseSQLiteDatabase<'async', unknown>

type ReadOperations = Pick<Store, 'readPerson' | 'findUser' | 'listUsers' | 'findEvent' | 'listEvents'>

export function readOperations(db: Database): ReadOperations {
  return {
    readPerson: (userId) => readPerson(db, userId),
    findUser: (userId) => findUser(db, userId),
    listUsers: (query) => listUsers(db, query),
    findEvent: (eventId) => findEvent(db, eventId),
    listEvents: (query) => listEvents(db, query),
  }
}

async function findUser(db: Database, userId: string): Promise<User | null> {
  const [row] = await db.select().from(users).where(eq(users.id, userId))
  return row === undefined ? null : toUser(row)
}

function toUser({ searchName: _, ...user }: typeof users.$inferSelect): User {
  return user as User
}

async function listUsers(db: Database, query: UserQuery): Promise<Page<User>> {
  const conditions: (SQL | undefined)[] = [
    query.cursor === null ? undefined : gt(users.id, query.cursor),
    query.timezone === undefined ? undefined : eq(users.timezone, query.timezone),
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

async function readPerson(db: Database, userId: string): Promise<Person | null> {
  const user = await findUser(db, userId)
  if (user === null) return null
  const rows = await db
    .select({
      occasion: occasions,
      open: {
        id: events.id,
        occurrence: events.occurrence,
        status: events.status,
        version: events.version,
        targetAt: events.targetAt,
      },
      lastSettled: sql<string | null>`(SELECT max(past.occurrence) FROM events AS past
        WHERE past.occasion_id = ${occasions.id} AND past.wake_at IS NULL)`,
    })
    .from(occasions)
    .leftJoin(
      events,
      and(eq(events.occasionId, occasions.id), isNotNull(events.wakeAt), isNull(events.replayOf)),
    )
    .where(eq(occasions.userId, userId))
  return {
    user,
    plans: rows.map(({ occasion, open, lastSettled }) => ({
      occasion: occasion as Occasion,
      open: open as OpenEvent | null,
      lastSettled,
    })),
  }
}

const EVENT_FIELDS = {
  event: events,
  userId: occasions.userId,
  eventType: occasions.type,
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

function toEvent({ event, userId, eventType, body }: EventRow): Event {
  const { leaseUntil, planRevision: _, ...fields } = event
  return { ...fields, userId, eventType, wakeAt: leaseUntil ?? event.wakeAt, deliveryPayload: body }
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
    query.status === 'FAILED' ? isNotNull(events.failureReason) : undefined,
    query.type === undefined ? undefined : eq(occasions.type, query.type),
    query.dueFrom === undefined ? undefined : gte(events.targetAt, query.dueFrom),
    query.dueBefore === undefined ? undefined : lt(events.targetAt, query.dueBefore),
    query.reason === undefined
      ? undefined
      : sql`substr(${events.failureReason}, 1, length(${query.reason})) = ${query.reason}`,
    query.settledFrom === undefined ? undefined : gte(events.executedAt, query.settledFrom),
    query.settledBefore === undefined ? undefined : lt(events.executedAt, query.settledBefore),
  ]
  const rows = await selectEvents(db)
    .where(and(...conditions))
    .orderBy(asc(events.id))
    .limit(query.limit + 1)
  return toPage(rows.map(toEvent), query.limit)
}
