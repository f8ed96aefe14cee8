// Reads tasks. They are written with the occasions that remind of them.
import { and, asc, eq, getTableColumns, gt, gte, isNotNull, isNull, lt, type SQL } from 'drizzle-orm'
import type { Page, TaskQuery } from '../../ports/query.ts'
import type { OwnedTask } from '../../ports/store.ts'
import type { Shared } from './database.ts'
import { toPage } from './page.ts'

export async function findTask(shared: Shared, taskId: string): Promise<OwnedTask | null> {
  const [task] = await selectTasks(shared).where(eq(shared.tables.tasks.id, taskId))
  return task ?? null
}

export async function listTasks(shared: Shared, query: TaskQuery): Promise<Page<OwnedTask>> {
  const { tasks } = shared.tables
  const isSet = { true: isNotNull, false: isNull }
  const conditions: (SQL | undefined)[] = [
    query.cursor === null ? undefined : gt(tasks.id, query.cursor),
    query.userId === undefined ? undefined : eq(tasks.userId, query.userId),
    query.dueFrom === undefined ? undefined : gte(tasks.dueAt, query.dueFrom),
    query.dueBefore === undefined ? undefined : lt(tasks.dueAt, query.dueBefore),
    query.reminded === undefined ? undefined : isSet[`${query.reminded}`](tasks.reminderSentAt),
    query.completed === undefined ? undefined : isSet[`${query.completed}`](tasks.completedAt),
  ]
  const rows = await selectTasks(shared)
    .where(and(...conditions))
    .orderBy(asc(tasks.id))
    .limit(query.limit + 1)
  return toPage(rows, query.limit)
}

function selectTasks({ reader, tables: { tasks, users } }: Shared) {
  return reader
    .select({ ...getTableColumns(tasks), externalId: users.externalId })
    .from(tasks)
    .innerJoin(users, eq(users.id, tasks.userId))
}
