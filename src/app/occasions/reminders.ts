// What is known of a task's reminders: the one to come, and those that were delivered.
import type { Store } from '../../ports/store.ts'
import { eachEvent } from '../events/story.ts'

export type Reminders = {
  /** When the next is due; null if none is. */
  nextAt: number | null
  sent: { eventId: string; at: number; by: string }[]
}

export async function readReminders(store: Store, taskId: string): Promise<Reminders> {
  const reminders: Reminders = { nextAt: null, sent: [] }
  for await (const event of eachEvent(store, { occasionId: taskId })) {
    const { id: eventId, status, targetAt, executedAt, claimedBy } = event
    if (status === 'PENDING') reminders.nextAt = targetAt
    if (status === 'COMPLETED' && executedAt !== null)
      reminders.sent.push({ eventId, at: executedAt, by: claimedBy ?? 'unknown' })
  }
  reminders.sent.sort((a, b) => a.at - b.at)
  return reminders
}
