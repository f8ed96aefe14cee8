// Reads the reminders of a task: the next one and the delivered ones.
import type { HistoryStore } from '../../ports/store.ts'
import { eachEvent } from '../events/story.ts'

export type Reminders = {
  /** When the next reminder is due; null if none is planned. */
  nextAt: number | null
  sent: { eventId: string; at: number; by: string }[]
}

export async function readReminders(store: HistoryStore, taskId: string): Promise<Reminders> {
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
