// Callers who add, change, complete and remove tasks.

import type { AppDeps } from '../../../src/app/app-deps.ts'
import { changeTask, completeTask, createTask, removeTask } from '../../../src/app/tasks/tasks.ts'
import type { TaskInput } from '../../../src/domain/tasks/task-fields.ts'
import { MINUTE } from '../../support/fixtures.ts'
import type { Edit, TaskPlan } from '../scenario.ts'

export type TaskEdit = Extract<Edit, { task: number }>

export function createTaskCallers(): {
  carryOut(app: AppDeps, userId: string, edit: TaskEdit): Promise<string>
} {
  /** The tasks that callers know of. A caller without a response repeats its request, and the second task counts. */
  const known = new Map<string, string>()

  async function carryOut(app: AppDeps, userId: string, edit: TaskEdit): Promise<string> {
    const name = `${edit.person} ${edit.task}`
    if (edit.kind === 'add task') {
      const made = await createTask(app, userId, inputOf(edit.plan) as TaskInput)
      if (made.kind === 'saved') known.set(name, made.task.id)
      return made.kind
    }
    const id = known.get(name)
    if (id === undefined) return 'unknown'
    switch (edit.kind) {
      case 'change task':
        return (await changeTask(app, id, inputOf(edit.change), null)).kind
      case 'complete task':
        return (await completeTask(app, id)).kind
      case 'remove task':
        return (await removeTask(app, id)) ? 'removed' : 'missing'
    }
  }

  return { carryOut }
}

function inputOf({ dueAt, remindBeforeMs, ...plain }: Partial<TaskPlan>): Partial<TaskInput> {
  return {
    ...plain,
    ...(dueAt === undefined ? {} : { dueAt: new Date(dueAt).toISOString() }),
    ...(remindBeforeMs === undefined ? {} : { remindBefore: `PT${remindBeforeMs / MINUTE}M` }),
  }
}
