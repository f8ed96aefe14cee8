// Looks up tasks. They are written with the occasions that remind of them.
import { and, asc, eq, gt, gte, isNotNull, isNull, lt, type SQL } from 'drizzle-orm'
import type { Task } from '../../domain/tasks/task.ts'
import type { Page, TaskQuery } from '../../ports/query.ts'
import type { Store } from '../../ports/store.ts'
import { toPage } from '../shared/page.ts'
import { msOrNull } from './instant.ts'
import type { Database } from './reads.ts'
import { tasks } from './schema.ts'

type TaskOperations = Pick<Store, 'findTask' | 'listTasks'>

export function taskOperations(db: Database): TaskOperations {
  return {
    findTask: (taskId) => findTask(db, taskId),
    listTasks: (query) => listTasks(db, query),
  }
}

async function findTask(db: Database, taskId: string): Promise<Task | null> {
  const [row] = await db.select().from(tasks).where(eq(tasks.id, taskId))
  return row === undefined ? null : toTask(row)
}

export function toTask(row: typeof tasks.$inferSelect): Task {
  return {
    ...row,
    dueAt: row.dueAt.getTime(),
    completedAt: msOrNull(row.completedAt),
    reminderSentAt: msOrNull(row.reminderSentAt),
    createdAt: row.createdAt.getTime(),
    updatedAt: row.updatedAt.getTime(),
  }
}

async function listTasks(db: Database, query: TaskQuery): Promise<Page<Task>> {
  const isSet = { true: isNotNull, false: isNull }
  const conditions: (SQL | undefined)[] = [
    query.cursor === null ? undefined : gt(tasks.id, query.cursor),
    query.userId === undefined ? undefined : eq(tasks.userId, query.userId),
    query.dueFrom === undefined ? undefined : gte(tasks.dueAt, new Date(query.dueFrom)),
    query.dueBefore === undefined ? undefined : lt(tasks.dueAt, new Date(query.dueBefore)),
    query.reminded === undefined ? undefined : isSet[`${query.reminded}`](tasks.reminderSentAt),
    query.completed === undefined ? undefined : isSet[`${query.completed}`](tasks.completedAt),
  ]
  const rows = await db
    .select()
    .from(tasks)
    .where(and(...conditions))
    .orderBy(asc(tasks.id))
    .limit(query.limit + 1)
  return toPage(rows.map(toTask), query.limit)
}
