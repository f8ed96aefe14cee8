// Creates, changes, completes and removes tasks together with their reminders. Each change is one atomic store operation.
import type { FieldProblem } from '../../domain/errors.ts'
import type { Occasion } from '../../domain/occasions/occasion.ts'
import { TASK_REMINDER, type Task } from '../../domain/tasks/task.ts'
import { parseTask, parseTaskChange, type TaskInput } from '../../domain/tasks/task-fields.ts'
import { planOpen } from '../../engine/plan.ts'
import type { OccasionPlan, OccasionSave, OpenChange, OwnedTask, Person } from '../../ports/store.ts'
import type { AppDeps } from '../app-deps.ts'
import { findKeyed } from '../keyed-records.ts'
import { type Keyed, readPlan, writeOccasion } from '../occasions/occasions.ts'
import { retryOnConflict } from '../retry-on-conflict.ts'

export type TaskSaved = { kind: 'saved'; task: OwnedTask; open: OpenChange }

export type TaskResult =
  | TaskSaved
  | { kind: 'invalid'; problems: FieldProblem[] }
  | { kind: 'missing' }
  | { kind: 'outdated' }

/** `keyed` is the keyed id of the task. */
export async function createTask(
  deps: AppDeps,
  userId: string,
  input: TaskInput,
  keyed?: string,
): Promise<TaskResult | Keyed> {
  return retryOnConflict(`User ${userId}`, async () => {
    if (keyed !== undefined && (await findKeyed(deps, keyed)) !== null) return { kind: 'keyed' }
    const person = await deps.store.readPerson(userId)
    if (person === null) return { kind: 'missing' }
    const now = deps.clock.now()
    const parsed = parseTask(input, quietHoursOf(deps))
    if (!parsed.ok) return { kind: 'invalid', problems: parsed.problems }
    const id = keyed ?? deps.planner.ids(now)
    const times = { createdAt: now, updatedAt: now, version: 1 }
    const task: Task = {
      ...parsed.value,
      id,
      userId,
      dueRevision: 1,
      completedAt: null,
      reminderSentAt: null,
      ...times,
    }
    const after = { occasion: reminderFor(task, deps), task, open: null, lastSettled: null }
    const { save, saved } = planSave(deps, person, { before: null, after }, now)
    return (await writeOccasion(deps, save)) === 'saved' ? saved : null
  })
}

function quietHoursOf({ quietHours }: AppDeps) {
  return { quietHours: quietHours ?? null }
}

function reminderFor({ id, userId, version }: Task, { deliverAt }: AppDeps): Occasion {
  return {
    id,
    userId,
    type: TASK_REMINDER,
    date: null,
    localTime: deliverAt,
    leapDay: 'MARCH_1',
    shiftDays: null,
    onWeekend: null,
    repeats: 'ONCE',
    calendar: 'gregorian',
    ruleRevision: 1,
    until: null,
    pausedAt: null,
    bulkPausedAt: null,
    template: null,
    channelId: null,
    notAfter: null,
    data: null,
    version,
  }
}

export function changeTask(
  deps: AppDeps,
  taskId: string,
  input: Partial<TaskInput>,
  ifVersion: readonly number[] | null,
): Promise<TaskResult> {
  return updateTask(deps, taskId, ifVersion, (task) => {
    const parsed = parseTaskChange(task, input, quietHoursOf(deps))
    return parsed.ok ? { ...task, ...parsed.value } : parsed.problems
  })
}

/** Deletes a pending reminder; a reminder in flight is not retried. Idempotent. */
export function completeTask(deps: AppDeps, taskId: string): Promise<TaskResult> {
  return updateTask(deps, taskId, null, (task, now) => ({ ...task, completedAt: task.completedAt ?? now }))
}

async function updateTask(
  deps: AppDeps,
  taskId: string,
  ifVersion: readonly number[] | null,
  change: (task: Task, now: number) => Task | FieldProblem[],
): Promise<TaskResult> {
  return retryOnConflict(`Task ${taskId}`, async () => {
    const found = await readPlan(deps, taskId)
    const before = found?.plan.task
    if (!found || !before) return { kind: 'missing' }
    if (ifVersion !== null && !ifVersion.includes(before.version)) return { kind: 'outdated' }
    const now = deps.clock.now()
    const changed = change(before, now)
    if (Array.isArray(changed)) return { kind: 'invalid', problems: changed }
    const version = before.version + 1
    const dueRevision = before.dueRevision + (changed.dueAt === before.dueAt ? 0 : 1)
    const task = { ...changed, dueRevision, updatedAt: now, version }
    const after = { ...found.plan, occasion: { ...found.plan.occasion, version }, task }
    const { save, saved } = planSave(deps, found.person, { before: found.plan, after }, now)
    return (await writeOccasion(deps, save)) === 'saved' ? saved : null
  })
}

function planSave(
  { planner }: AppDeps,
  { user }: Person,
  change: { before: OccasionPlan | null; after: OccasionPlan & { task: Task } },
  now: number,
): { save: OccasionSave; saved: TaskSaved } {
  const { occasion, task } = change.after
  const open = planOpen(planner, change, user, now)
  return {
    save: { occasion, task, userVersion: user.version, open, at: now },
    saved: { kind: 'saved', task: { ...task, externalId: user.externalId }, open },
  }
}

/** False if there is no such task. */
export async function removeTask(deps: AppDeps, taskId: string): Promise<boolean> {
  return (await deps.store.findTask(taskId)) !== null && deps.store.removeOccasion(taskId, deps.clock.now())
}
