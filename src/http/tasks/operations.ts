// The operations on tasks, as the OpenAPI document describes them.
import { z } from '@hono/zod-openapi'
import { etag, ifMatch } from '../../api/fields.ts'
import { pageSchema } from '../../api/query.ts'
import {
  NewTaskJson,
  ofTask,
  TaskChangeJson,
  TaskJson,
  TaskWithRemindersJson,
  tasksQuery,
} from '../../api/tasks/json.ts'
import { idempotencyHeader, KEY_PROBLEMS } from '../server/idempotency.ts'
import type { Operation } from '../server/operation.ts'

const tag = 'Tasks'

export const CREATE_TASK = {
  operationId: 'createTask',
  route: 'POST /task',
  scope: 'write',
  audit: null,
  tag,
  summary: 'Create a task',
  description:
    'Creates a task and schedules its reminder `remindBefore` its due time, or now if that has passed. A task that is past due is stored without a reminder.',
  headers: idempotencyHeader,
  body: { schema: NewTaskJson },
  responses: {
    201: { description: 'Created.', schema: TaskWithRemindersJson, headers: z.object(etag) },
    200: {
      description:
        'An earlier request with this `Idempotency-Key` created the task, which is returned as it is now.',
      schema: TaskWithRemindersJson,
      headers: z.object(etag),
    },
  },
  problems: [...KEY_PROBLEMS, 'USER_NOT_FOUND'],
} satisfies Operation

export const LIST_TASKS = {
  operationId: 'listTasks',
  route: 'GET /task',
  scope: 'read',
  tag,
  summary: 'List tasks',
  description: 'Lists tasks page by page, in order of id.',
  query: tasksQuery,
  responses: { 200: { description: 'One page.', schema: pageSchema(TaskJson) } },
} satisfies Operation

export const READ_TASK = {
  operationId: 'readTask',
  route: 'GET /task/{id}',
  scope: 'read',
  tag,
  summary: 'Read a task',
  description: 'Returns one task, its next reminder, and all delivered reminders.',
  ...ofTask,
  responses: { 200: { description: 'The task.', schema: TaskWithRemindersJson, headers: z.object(etag) } },
} satisfies Operation

export const CHANGE_TASK = {
  operationId: 'changeTask',
  route: 'PUT /task/{id}',
  scope: 'write',
  audit: null,
  tag,
  summary: 'Change a task',
  description:
    'Changes the given fields. A pending reminder moves with the due time. After a reminder was delivered, a new due time gets another one, at least 24 hours after that one.',
  ...ofTask,
  headers: ifMatch,
  body: { schema: TaskChangeJson },
  responses: { 200: { description: 'Changed.', schema: TaskWithRemindersJson, headers: z.object(etag) } },
  problems: ['NOTHING_TO_CHANGE', 'INVALID_HEADER', 'OUTDATED'],
} satisfies Operation

export const DELETE_TASK = {
  operationId: 'deleteTask',
  route: 'DELETE /task/{id}',
  scope: 'write',
  audit: null,
  tag,
  summary: 'Delete a task',
  description: 'Permanently deletes a task and its reminders.',
  ...ofTask,
  responses: { 204: { description: 'Deleted.' } },
} satisfies Operation

export const COMPLETE_TASK = {
  operationId: 'completeTask',
  route: 'POST /task/{id}/complete',
  scope: 'write',
  audit: null,
  tag,
  summary: 'Complete a task',
  description:
    'Completes a task and cancels its reminder. A second after the response, no reminder of it starts; a reminder in flight still arrives. Safe to repeat.',
  ...ofTask,
  responses: { 200: { description: 'Done.', schema: TaskWithRemindersJson, headers: z.object(etag) } },
} satisfies Operation
