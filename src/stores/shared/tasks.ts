// Reads tasks. They are written with the occasions that remind of them.
import { and, asc, eq, gt, gte, isNotNull, isNull, lt, type SQL } from 'drizzle-orm'
import type { Task } from '../../domain/tasks/task.ts'
import type { Page, TaskQuery } from '../../ports/query.ts'
import type { Shared } from './database.ts'
import { toPage } from './page.ts'

export async function findTask({ reader, tables: { tasks } }: Shared, taskId: string): Promise<Task | null> {
  const [task] = await reader.select().from(tasks).where(eq(tasks.id, taskId))
  return task ?? null
}

export async function listTasks(
  { reader, tables: { tasks } }: Shared,
  query: TaskQuery,
): Promise<Page<Task>> {
  const isSet = { true: isNotNull, false: isNull }
  const conditions: (SQL | undefined)[] = [
    query.cursor === null ? undefined : gt(tasks.id, query.cursor),
    query.userId === undefined ? undefined : eq(tasks.userId, query.userId),
    query.dueFrom === undefined ? undefined : gte(tasks.dueAt, query.dueFrom),
    query.dueBefore === undefined ? undefined : lt(tasks.dueAt, query.dueBefore),
    query.reminded === undefined ? undefined : isSet[`${query.reminded}`](tasks.reminderSentAt),
    query.completed === undefined ? undefined : isSet[`${query.completed}`](tasks.completedAt),
  ]
  const rows = await reader
    .select()
    .from(tasks)
    .where(and(...conditions))
    .orderBy(asc(tasks.id))
    .limit(query.limit + 1)
  return toPage(rows, query.limit)
}
