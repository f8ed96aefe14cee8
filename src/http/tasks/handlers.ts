// The tasks: create, list, read, change, complete, delete. Parses, calls the flow, writes the answer.
import type { OpenAPIHono } from '@hono/zod-openapi'
import type { Context } from 'hono'
import type { AppDeps } from '../../app/app-deps.ts'
import { readReminders } from '../../app/occasions/reminders.ts'
import {
  changeTask,
  completeTask,
  createTask,
  removeTask,
  type TaskResult,
  type TaskSaved,
} from '../../app/occasions/tasks.ts'
import { parseUuid } from '../../domain/events/uuid.ts'
import type { Task } from '../../domain/tasks/task.ts'
import type { TaskInput } from '../../domain/tasks/task-fields.ts'
import type { TaskQuery } from '../../ports/query.ts'
import { nextAfter } from '../occasions/json.ts'
import { BODY_LIMIT, readJson } from '../server/body.ts'
import { entityTag, readIfMatch } from '../server/entity-tag.ts'
import { createOnce } from '../server/idempotency.ts'
import { mount } from '../server/operation.ts'
import { invalidInput, Problem } from '../server/problem.ts'
import { pageJson, readPage, readQuery } from '../server/query.ts'
import { checkShape } from '../server/shape.ts'
import { NewTask, TaskChange, taskJson, taskWithRemindersJson } from './json.ts'
import {
  CHANGE_TASK,
  COMPLETE_TASK,
  CREATE_TASK,
  DELETE_TASK,
  LIST_TASKS,
  READ_TASK,
  tasksQuery,
} from './operations.ts'

export function mountTasks(app: OpenAPIHono, users: AppDeps): void {
  mount(app, CREATE_TASK, (c) => create(c, users))
  mount(app, LIST_TASKS, (c) => list(c, users))
  mount(app, READ_TASK, (c) => read(c, users))
  mount(app, CHANGE_TASK, (c) => change(c, users))
  mount(app, COMPLETE_TASK, (c) => withId(c, async (id) => answer(c, users, await completeTask(users, id))))
  mount(app, DELETE_TASK, (c) =>
    withId(c, async (id) => ((await removeTask(users, id)) ? c.body(null, 204) : taskNotFound(c))),
  )
}

async function create(c: Context, users: AppDeps): Promise<Response | Problem> {
  const created = await createOnce(users, c.req.raw, {
    status: 201,
    bodyLimit: BODY_LIMIT,
    create: async (json, keep) => {
      const shape = checkShape(NewTask, json)
      if (!shape.ok) return invalidInput(shape.problems)
      const { userId, ...input } = shape.value
      const id = parseUuid(userId)
      if (id === null) return ownerNotFound(userId)
      const answer = (saved: TaskSaved) => keep(newTaskJson(saved))
      const result = await createTask(users, id, input as TaskInput, answer)
      if (result.kind === 'response-exists') return result
      if (result.kind === 'saved') return { kind: 'created', json: newTaskJson(result) }
      return result.kind === 'missing' ? ownerNotFound(userId) : refused(c, result)
    },
  })
  if (created instanceof Problem) return created
  // Read from the body: a kept answer is all there is of the task as it was then.
  const task = JSON.parse(created.body) as ReturnType<typeof newTaskJson>
  const headers = { ...created.headers, Location: `/task/${task.id}`, ETag: entityTag(task) }
  return new Response(created.body, { status: created.status, headers })
}

function newTaskJson({ task, open }: TaskSaved) {
  return taskWithRemindersJson(task, { nextAt: nextAfter(open)?.targetAt ?? null, sent: [] })
}

function ownerNotFound(userId: string): Problem {
  const shown = userId.slice(0, 60)
  return new Problem('USER_NOT_FOUND', `No user has the id "${shown}". GET /user lists those there are.`)
}

async function list(c: Context, users: AppDeps): Promise<Response | Problem> {
  const query = readQuery(c.req.url, tasksQuery)
  if (query instanceof Problem) return query
  const page = readPage(query)
  if (page instanceof Problem) return page
  const { userId, dueFrom, dueBefore, reminded, completed } = query
  const filter: TaskQuery = {
    ...page,
    ...(userId && { userId: userId.toLowerCase() }),
    ...(dueFrom && { dueFrom: Date.parse(dueFrom) }),
    ...(dueBefore && { dueBefore: Date.parse(dueBefore) }),
    ...(reminded && { reminded: reminded === 'true' }),
    ...(completed && { completed: completed === 'true' }),
  }
  return c.json(pageJson(await users.store.listTasks(filter), taskJson))
}

function read(c: Context, users: AppDeps) {
  return withId(c, async (id) => {
    const task = await users.store.findTask(id)
    return task === null ? taskNotFound(c) : show(c, users, task)
  })
}

function change(c: Context, users: AppDeps) {
  return withId(c, async (id) => {
    const ifVersion = readIfMatch(c.req.header('If-Match'))
    if (ifVersion instanceof Problem) return ifVersion
    const body = await readJson(c.req.raw)
    if (body instanceof Problem) return body
    const shape = checkShape(TaskChange, body.json)
    if (!shape.ok) return invalidInput(shape.problems)
    if (Object.keys(shape.value).length === 0)
      return new Problem('NOTHING_TO_CHANGE', 'Give at least one field that a task has.')
    const input = shape.value as Partial<TaskInput>
    return answer(c, users, await changeTask(users, id, input, ifVersion))
  })
}

function answer(c: Context, users: AppDeps, result: TaskResult): Problem | Promise<Response> {
  return result.kind === 'saved' ? show(c, users, result.task) : refused(c, result)
}

function refused(c: Context, result: Exclude<TaskResult, TaskSaved>): Problem {
  switch (result.kind) {
    case 'invalid':
      return invalidInput(result.problems)
    case 'missing':
      return taskNotFound(c)
    case 'outdated':
      return new Problem('OUTDATED', 'Read the task again, and repeat your change if it still makes sense.')
  }
}

async function show(c: Context, users: AppDeps, task: Task): Promise<Response> {
  const json = taskWithRemindersJson(task, await readReminders(users.store, task.id))
  return c.json(json, 200, { ETag: entityTag(task) })
}

async function withId(
  c: Context,
  answering: (id: string) => Promise<Response | Problem>,
): Promise<Response | Problem> {
  const id = parseUuid(c.req.param('id') ?? '')
  return id === null ? taskNotFound(c) : answering(id)
}

function taskNotFound(c: Context): Problem {
  const id = c.req.param('id')?.slice(0, 60)
  return new Problem('TASK_NOT_FOUND', `No task has the id "${id}". GET /task lists those there are.`)
}
