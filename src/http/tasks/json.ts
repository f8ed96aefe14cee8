// Tasks as JSON: as they are stored and as they come in.
import { z } from '@hono/zod-openapi'
import type { Reminders } from '../../app/occasions/reminders.ts'
import type { Task } from '../../domain/tasks/task.ts'
import { formatDuration } from '../../domain/time/duration.ts'
import { formatInstant } from '../../domain/time/timestamp.ts'
import { id, idInput, instant, version } from '../server/fields.ts'
import { Problem } from '../server/problem.ts'

const TASK_ID = '019a84f1-8c00-7000-8000-2f6d1c9d3e4a'

/** For operations on `/task/{id}`. */
export const ofTask = {
  params: z.object({ id: idInput('The id of the task.', TASK_ID) }),
  notFound: taskNotFound,
}

export function taskNotFound({ id = '' }: { id?: string }): Problem {
  return new Problem(
    'TASK_NOT_FOUND',
    `No task has the id "${id.slice(0, 60)}". GET /task lists those there are.`,
  )
}

const fields = {
  title: z.string().openapi({
    description: '1 to 200 characters.',
    minLength: 1,
    maxLength: 200,
    example: 'Renew the passport',
  }),
  dueAt: instant('When it is due, with Z or an offset.', '2026-12-15T16:00:00Z'),
  remindBefore: z.string().openapi({
    description: 'How long before that the reminder goes out; PT24H by default.',
    example: 'PT24H',
  }),
  quietHours: z.string().nullable().openapi({
    description:
      'When nobody is disturbed, by the clocks of the person; a reminder waits for their end, or comes before they begin if the end were too late. QUIET_HOURS by default; null for none.',
    example: '22:00-08:00',
  }),
}

const { title, dueAt } = fields
const optional = z
  .strictObject({ remindBefore: fields.remindBefore, quietHours: fields.quietHours })
  .partial().shape

export const NewTaskJson = z
  .strictObject({ userId: id('Whose task it is.', TASK_ID), title, dueAt, ...optional })
  .openapi('NewTask', {
    example: { userId: TASK_ID, title: 'Renew the passport', dueAt: '2026-12-15T16:00:00Z' },
  })

export const TaskChangeJson = z
  .strictObject(fields)
  .partial()
  .openapi('TaskChange', { example: { dueAt: '2026-12-16T16:00:00Z' } })

export const TaskJson = z
  .object({
    id: id('Made by the service; never changes.', TASK_ID),
    userId: id('Whose task it is.', TASK_ID),
    ...fields,
    completed: z.boolean().openapi({ description: 'Whether it is done.', example: false }),
    completedAt: instant('When it was done.', '2026-12-15T10:00:00.000Z').nullable(),
    reminderSentAt: instant('When a reminder was last delivered.', '2026-12-14T16:00:00.000Z').nullable(),
    createdAt: instant('When it was created.', '2026-11-15T04:00:00.000Z'),
    updatedAt: instant('When it last changed.', '2026-11-15T04:00:00.000Z'),
    version,
  })
  .openapi('Task')

const orNull = (at: number | null) => (at === null ? null : formatInstant(at))

export function taskJson(task: Task): z.infer<typeof TaskJson> {
  const { id, userId, title, quietHours, version } = task
  return {
    id,
    userId,
    title,
    dueAt: formatInstant(task.dueAt),
    remindBefore: formatDuration(task.remindBeforeMs),
    quietHours,
    completed: task.completedAt !== null,
    completedAt: orNull(task.completedAt),
    reminderSentAt: orNull(task.reminderSentAt),
    createdAt: formatInstant(task.createdAt),
    updatedAt: formatInstant(task.updatedAt),
    version,
  }
}

export const ReminderJson = z.object({
  action: z.literal('reminder_sent').openapi({ description: 'What was done.' }),
  taskId: id('The task.', TASK_ID),
  timestamp: instant('When it was delivered.', '2026-12-14T16:00:00.000Z'),
  workerRunId: z.string().openapi({ description: 'Who delivered it.', example: 'worker-7c1f' }),
  eventId: id('The event: GET /event/:id tells the whole story.', TASK_ID),
})

export const TaskWithRemindersJson = TaskJson.extend({
  nextReminderAt: instant(
    'When the next reminder is due; null if none is.',
    '2026-12-14T16:00:00.000Z',
  ).nullable(),
  audit: z.array(ReminderJson).openapi({ description: 'Every reminder that was delivered, oldest first.' }),
}).openapi('TaskWithReminders')

export function taskWithRemindersJson(
  task: Task,
  { nextAt, sent }: Reminders,
): z.infer<typeof TaskWithRemindersJson> {
  const audit = sent.map(({ eventId, at, by }) => {
    const timestamp = formatInstant(at)
    return { action: 'reminder_sent' as const, taskId: task.id, timestamp, workerRunId: by, eventId }
  })
  return { ...taskJson(task), nextReminderAt: orNull(nextAt), audit }
}
