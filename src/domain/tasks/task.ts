// A thing to be done by an instant, and what counts as a valid one.
import type { QuietHours } from './reminder.ts'

export type Task = {
  /** Also the id of the occasion that reminds of it. */
  id: string
  userId: string
  title: string
  dueAt: number
  /** Rises when `dueAt` changes: each has its own reminder. */
  dueRevision: number
  /** How long before it is due the reminder goes out. */
  remindBeforeMs: number
  /** When nobody is disturbed, by the clocks where the user lives; null for never. */
  quietHours: QuietHours | null
  completedAt: number | null
  /** When a reminder was last delivered. */
  reminderSentAt: number | null
  createdAt: number
  updatedAt: number
  version: number
}

export const TASK_REMINDER = 'TASK_REMINDER'
