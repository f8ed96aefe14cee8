// Validates a task: returns the parsed fields, or every problem with them.

import type { FieldCode, FieldProblem, Parsed } from '../errors.ts'
import { type Data, parseData } from '../formats/data.ts'
import { parseLine } from '../formats/line.ts'
import { parseDuration } from '../time/duration.ts'
import { parseInstant } from '../time/timestamp.ts'
import type { Task } from './task.ts'
import { parseQuietHours } from './task.ts'

/** The fields as the caller sent them. */
export type TaskInput = {
  title: string
  /** ISO 8601, with Z or an offset. */
  dueAt: string
  /** ISO 8601, such as `PT24H`. */
  remindBefore?: string | undefined
  /** `22:00-08:00`; null for none. */
  quietHours?: string | null | undefined
  data?: Data | null | undefined
}

type TaskFields = Pick<Task, 'title' | 'dueAt' | 'remindBeforeMs' | 'quietHours' | 'data'>

const TITLE_MAX = 200
const DEFAULT_BEFORE_MS = 24 * 60 * 60 * 1000
const MAX_BEFORE_MS = 366 * 24 * 60 * 60 * 1000

/** `stored` is the title that the task has; it stays valid, also if it would be rejected for a new task. */
export function parseTask(
  input: TaskInput,
  defaults: { quietHours: string | null },
  stored?: string,
): Parsed<TaskFields> {
  const problems: FieldProblem[] = []
  const reject = (field: string, code: FieldCode, message: string) => problems.push({ field, code, message })
  const title =
    input.title === stored
      ? { value: stored, problem: null }
      : parseLine(input.title, { what: 'The title', max: TITLE_MAX })
  if (title.problem !== null) reject('title', 'INVALID_TITLE', title.problem)
  const dueAt = parseInstant(input.dueAt)
  if (dueAt === null)
    reject('dueAt', 'INVALID_INSTANT', 'Give an instant such as 2026-12-15T16:00:00Z, with Z or an offset.')
  const remindBeforeMs =
    input.remindBefore === undefined ? DEFAULT_BEFORE_MS : parseDuration(input.remindBefore)
  if (remindBeforeMs === null || remindBeforeMs <= 0 || remindBeforeMs > MAX_BEFORE_MS)
    reject('remindBefore', 'INVALID_DURATION', 'Give a duration such as PT24H or P2D, of a year at most.')
  const quietHours = input.quietHours === undefined ? defaults.quietHours : input.quietHours
  if (quietHours !== null && parseQuietHours(quietHours) === null)
    reject('quietHours', 'INVALID_TIME', 'Give two times of day such as 22:00-08:00, or null for none.')
  const data = parseData(input.data, problems)
  if (problems.length > 0) return { ok: false, problems }
  return {
    ok: true,
    value: { title: title.value!, dueAt: dueAt!, remindBeforeMs: remindBeforeMs!, quietHours, data },
  }
}

/** The task with some fields replaced. */
export function parseTaskChange(
  task: Task,
  change: Partial<TaskInput>,
  defaults: { quietHours: string | null },
): Parsed<TaskFields> {
  const { title, quietHours } = task
  const asWritten = { title, quietHours, dueAt: new Date(task.dueAt).toISOString() }
  const given = Object.entries(change).filter(([, value]) => value !== undefined)
  const parsed = parseTask({ ...asWritten, ...Object.fromEntries(given) } as TaskInput, defaults, title)
  if (!parsed.ok) return parsed
  const { remindBeforeMs, data } = task
  const stored = {
    ...(change.remindBefore === undefined && { remindBeforeMs }),
    ...(change.data === undefined && { data }),
  }
  return { ok: true, value: { ...parsed.value, ...stored } }
}
