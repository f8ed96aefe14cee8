// The tasks: create, list, read, change, complete, delete.
import type { OpenAPIHono } from '@hono/zod-openapi'
import type { Context } from 'hono'
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
import type { OwnedTask } from '../../ports/store.ts'
import { nextAfter } from '../occasions/json.ts'
import { entityTag } from '../server/entity-tag.ts'
import { createOnce } from '../server/idempotency.ts'
import { mount } from '../server/operation.ts'
import { invalidInput, Problem } from '../server/problem.ts'
import { pageJson } from '../server/query.ts'
import { userIdIn, userNotFound } from '../users/json.ts'
import { taskJson, taskNotFound, taskWithRemindersJson } from './json.ts'
import { CHANGE_TASK, COMPLETE_TASK, CREATE_TASK, DELETE_TASK, LIST_TASKS, READ_TASK } from './operations.ts'

export function mountTasks(api: OpenAPIHono, app: AppDeps): void {
  mount(api, CREATE_TASK, async ({ c, headers, body }) => {
    const { userId, ...input } = body
    const Location = (id: string) => ({ Location: `/task/${id}` })
    return createOnce({ c, headers }, app, 'task', {
      userId: userIdIn(userId),
      async create(id) {
        const result = await createTask(app, userIdIn(userId), input, id)
        if (result.kind === 'keyed') return null
        if (result.kind !== 'saved')
          throw result.kind === 'missing' ? userNotFound({ id: userId }) : problemOf(result, {})
        const { task } = result
        return c.json(newTaskJson(result), 201, { ...Location(task.id), ETag: entityTag(task) })
      },
      async show(id) {
        const task = await app.store.findTask(id)
        return task && show(c, app, task, Location(id))
      },
    })
  })

  mount(api, LIST_TASKS, async ({ c, query }) => c.json(pageJson(await app.store.listTasks(query), taskJson)))

  mount(api, READ_TASK, async ({ c, params }) => {
    const task = await app.store.findTask(params.id)
    if (task === null) throw taskNotFound(params)
    return show(c, app, task)
  })

  mount(api, CHANGE_TASK, async ({ c, params, headers, body }) => {
    if (Object.keys(body).length === 0) {
      throw new Problem('NOTHING_TO_CHANGE', 'Send at least one field of a task.')
    }
    const result = await changeTask(app, params.id, body, headers['If-Match'])
    if (result.kind !== 'saved') throw problemOf(result, params)
    return show(c, app, result.task)
  })

  mount(api, COMPLETE_TASK, async ({ c, params }) => {
    const result = await completeTask(app, params.id)
    if (result.kind !== 'saved') throw problemOf(result, params)
    return show(c, app, result.task)
  })

  mount(api, DELETE_TASK, async ({ c, params }) => {
    if (!(await removeTask(app, params.id))) throw taskNotFound(params)
    return c.body(null, 204)
  })
}

function newTaskJson({ task, open }: TaskSaved) {
  return taskWithRemindersJson(task, { nextAt: nextAfter(open)?.targetAt ?? null, sent: [] })
}

async function show(c: Context, app: AppDeps, task: OwnedTask, headers = {}): Promise<Response> {
  const json = taskWithRemindersJson(task, await readReminders(app.store, task.id))
  return c.json(json, 200, { ...headers, ETag: entityTag(task) })
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
