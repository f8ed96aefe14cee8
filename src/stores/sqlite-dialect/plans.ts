// Reads people with their occasions: what each reminds of, its open event and its last settled one.
import { and, asc, eq, isNotNull, isNull, sql } from 'drizzle-orm'
import type { Occasion } from '../../domain/occasions/occasion.ts'
import type { Task } from '../../domain/tasks/task.ts'
import type { Page, UserQuery } from '../../ports/query.ts'
import type { OccasionPlan, OpenEvent, Person, SettledEvent, Store } from '../../ports/store.ts'
import { type Database, findUser, listUsers } from './reads.ts'
import { events, occasions, tasks } from './schema.ts'

type PlanOperations = Pick<Store, 'readPerson' | 'listPeople' | 'findOccasion'>

export function planOperations(db: Database): PlanOperations {
  return {
    readPerson: (userId) => readPerson(db, userId),
    listPeople: (query) => listPeople(db, query),
    findOccasion: (occasionId) => findOccasion(db, occasionId),
  }
}

async function readPerson(db: Database, userId: string): Promise<Person | null> {
  const user = await findUser(db, userId)
  return user && { user, plans: await readPlans(db, [userId]) }
}

async function listPeople(db: Database, query: UserQuery): Promise<Page<Person>> {
  const { items, nextCursor } = await listUsers(db, query)
  const plans = await readPlans(
    db,
    items.map(({ id }) => id),
  )
  const byUser = Map.groupBy(plans, ({ occasion }) => occasion.userId)
  return { items: items.map((user) => ({ user, plans: byUser.get(user.id) ?? [] })), nextCursor }
}

async function findOccasion(db: Database, occasionId: string): Promise<Occasion | null> {
  const [row] = await db.select().from(occasions).where(eq(occasions.id, occasionId))
  return row === undefined ? null : (row as Occasion)
}

/** The plans of all of them, in one statement. */
async function readPlans(db: Database, userIds: readonly string[]): Promise<OccasionPlan[]> {
  if (userIds.length === 0) return []
  const rows = await db
    .select({ occasion: occasions, task: tasks, open: OPEN_FIELDS, lastSettled: LAST_SETTLED })
    .from(occasions)
    .leftJoin(tasks, eq(tasks.id, occasions.id))
    .leftJoin(
      events,
      and(eq(events.occasionId, occasions.id), isNotNull(events.wakeAt), isNull(events.replayOf)),
    )
    .where(sql`${occasions.userId} IN (SELECT value FROM json_each(${JSON.stringify(userIds)}))`)
    .orderBy(asc(occasions.id))
  return rows.map(({ occasion, task, open, lastSettled }) => ({
    occasion: occasion as Occasion,
    task: task as Task | null,
    open: open as OpenEvent | null,
    lastSettled: lastSettled === null ? null : toSettled(lastSettled),
  }))
}

const OPEN_FIELDS = {
  id: events.id,
  occurrence: events.occurrence,
  status: events.status,
  version: events.version,
  targetAt: events.targetAt,
  offsetSeconds: events.offsetSeconds,
  timezone: events.timezone,
  tzVersion: events.tzVersion,
}

// By the instant, not by the name: those of another rule are called by other names.
const LAST_SETTLED = sql<
  string | null
>`(SELECT json_array(past.occurrence, past.target_at, past.id, past.status, past.executed_at) FROM events AS past
  WHERE past.occasion_id = ${occasions.id} AND past.wake_at IS NULL
  ORDER BY past.target_at DESC, past.occurrence DESC LIMIT 1)`

function toSettled(json: string): SettledEvent {
  const [occurrence, targetAt, id, status, executedAt] = JSON.parse(json)
  return { occurrence, targetAt, id, status, executedAt }
}
