// A task: something to be done by an instant, with a reminder before it.
import { parseLocalTime } from '../time/local-time.ts'

export type Task = {
  /** Also the id of its reminder occasion. */
  id: string
  userId: string
  title: string
  dueAt: number
  /** Rises when `dueAt` changes: each revision has its own reminder. */
  dueRevision: number
  /** How long before it is due the reminder goes out. */
  remindBeforeMs: number
  /** `22:00-08:00`: when no reminder is sent, in the user's timezone, end not included; null for no quiet hours. */
  quietHours: string | null
  /** The application's own data, as JSON text; null for none. It must not reach a log line. */
  data: string | null
  completedAt: number | null
  /** When a reminder was last delivered. */
  reminderSentAt: number | null
  createdAt: number
  updatedAt: number
  version: number
}

export const TASK_REMINDER = 'TASK_REMINDER'

export function parseQuietHours(text: string): { fromMs: number; toMs: number } | null {
  const [from, to, ...more] = text.split('-')
  const fromMs = parseLocalTime(from ?? '')
  const toMs = parseLocalTime(to ?? '')
  if (fromMs === null || toMs === null || more.length > 0 || fromMs === toMs) return null
  return { fromMs, toMs }
}
