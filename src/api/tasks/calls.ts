// The calls on tasks: parsed input to JSON, for HTTP, the library and SQL. Rejects with a Problem.
import type { AppDeps } from '../../app/app-deps.ts'
import { readReminders } from '../../app/tasks/reminders.ts'
import {
  changeTask,
  completeTask,
  createTask,
  removeTask,
  type TaskResult,
  type TaskSaved,
} from '../../app/tasks/tasks.ts'
import type { TaskInput } from '../../domain/tasks/task-fields.ts'
import type { TaskQuery } from '../../ports/query.ts'
import type { OwnedTask } from '../../ports/store.ts'
import { createOnce } from '../create-once.ts'
import { nextAfter } from '../occasions/json.ts'
import { invalidInput, Problem } from '../problem.ts'
import { pageJson } from '../query.ts'
import { userIdIn, userNotFound } from '../users/json.ts'
import { taskJson, taskNotFound, taskWithRemindersJson } from './json.ts'

/** `id`: the id of an idempotency key. */
function create(app: AppDeps, { userId: text, ...input }: TaskInput & { userId: string }, id?: string) {
  const userId = userIdIn(text)
  return createOnce(app, 'task', id, {
    userId,
    async create() {
      const result = await createTask(app, userId, input, id)
      if (result.kind === 'keyed') return null
      if (result.kind === 'missing') throw userNotFound({ id: userId })
      const { task, open } = saved(result)
      return taskWithRemindersJson(task, { nextAt: nextAfter(open)?.targetAt ?? null, sent: [] })
    },
    async show(found) {
      const task = await app.store.findTask(found)
      return task && withReminders(app, task)
    },
  })
}

async function list({ store }: AppDeps, query: TaskQuery) {
  return pageJson(await store.listTasks(query), taskJson)
}

async function read(app: AppDeps, id: string) {
  const task = await app.store.findTask(id)
  if (task === null) throw taskNotFound({ id })
  return withReminders(app, task)
}

/** `ifVersion`: the versions that may be changed; null for any. */
async function change(
  app: AppDeps,
  id: string,
  input: Partial<TaskInput>,
  ifVersion: readonly number[] | null = null,
) {
  if (Object.keys(input).length === 0) {
    throw new Problem('NOTHING_TO_CHANGE', 'Send at least one field of a task.')
  }
  return withReminders(app, saved(await changeTask(app, id, input, ifVersion), id).task)
}

async function complete(app: AppDeps, id: string) {
  return withReminders(app, saved(await completeTask(app, id), id).task)
}

async function remove(app: AppDeps, id: string): Promise<void> {
  if (!(await removeTask(app, id))) throw taskNotFound({ id })
}

export const tasks = { create, list, read, change, complete, remove }

async function withReminders({ store }: AppDeps, task: OwnedTask) {
  return taskWithRemindersJson(task, await readReminders(store, task.id))
}

function saved(result: TaskResult, id?: string): TaskSaved {
  if (result.kind === 'saved') return result
  throw problemOf(result, id === undefined ? {} : { id })
}

export function problemOf(result: Exclude<TaskResult, TaskSaved>, params: { id?: string }): Problem {
  switch (result.kind) {
    case 'invalid':
      return invalidInput(result.problems)
    case 'missing':
      return taskNotFound(params)
    case 'outdated':
      return new Problem('OUTDATED', 'Read the task again, and repeat your change if it still makes sense.')
  }
}
