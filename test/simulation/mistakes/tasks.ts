// Mistakes with tasks and their reminders.
import type { OccasionSave, Store } from '../../../src/ports/store.ts'
import { RETRY_POLICY } from '../support/settings.ts'
import { claiming } from './message-text.ts'
import { type Mistake, replaceIn } from './mistake.ts'

/** The store with every save of a task changed; null leaves the save as it is. */
function savingTasks(store: Store, change: (save: OccasionSave) => Promise<OccasionSave | null>): Store {
  return replaceIn(store, {
    saveOccasion: async (save) =>
      store.saveOccasion((save.task === null ? null : await change(save)) ?? save),
  })
}

/** Leaves the pending reminder of a completed task. */
function leavingReminder(store: Store): Store {
  return savingTasks(store, async (save) => {
    const { open, task } = save
    if (open.kind !== 'reschedule' || task!.completedAt === null) return null
    const person = await store.readPerson(task!.userId)
    const was = person?.plans.find(({ occasion }) => occasion.id === task!.id)?.open
    if (!was) return null
    return { ...save, open: { ...open, to: { ...was, occasionId: task!.id } } }
  })
}

const completedTaskReminded: Mistake = {
  name: 'completed-task-reminded',
  description: 'A completed task is reminded of.',
  breaks: ['one planned reminder', 'no reminder of a completed task', 'stopped message is not sent'],
  store: (store) =>
    claiming(leavingReminder(store), (claimed) => ({
      ...claimed,
      task: claimed.task && { ...claimed.task, completedAt: null },
    })),
}

const reminderFailedForGood: Mistake = {
  name: 'reminder-failed-for-good',
  description: 'A reminder that has used up its retries is FAILED although its task is ahead.',
  breaks: ['reminder is tried until its task is due'],
  store: (store) =>
    claiming(store, (claimed) => {
      const isLast = claimed.retryCount >= RETRY_POLICY.delaysMs.length
      return isLast && claimed.task ? { ...claimed, task: { ...claimed.task, dueAt: 0 } } : claimed
    }),
}

const remindedTwiceADay: Mistake = {
  name: 'reminded-twice-a-day',
  description: 'A task whose due time moves right after its reminder is reminded of again at once.',
  breaks: ['one planned reminder', 'reminders a day apart'],
  store: (store) =>
    replaceIn(store, {
      async readPerson(userId) {
        const person = await store.readPerson(userId)
        return (
          person && {
            ...person,
            plans: person.plans.map((plan) => ({
              ...plan,
              task: plan.task && { ...plan.task, reminderSentAt: null },
            })),
          }
        )
      },
    }),
}

const reminderTimeInOwnTransaction: Mistake = {
  name: 'reminder-time-in-own-transaction',
  description: 'The time of a reminder is stored after the reminder is settled, not in the same transaction.',
  breaks: ['reminder time is stored with the settlement'],
  store: (store, { executor }) =>
    replaceIn(store, {
      async settle(settlements) {
        const result = await store.settle(settlements.map((one) => ({ ...one, reminded: null })))
        const sent = settlements.flatMap((one) =>
          one.kind === 'terminal' && one.reminded ? [[one.at, one.reminded]] : [],
        )
        const sql = 'UPDATE tasks SET reminder_sent_at = ? WHERE id = ?'
        if (sent.length > 0) await executor.batch(sent.map((params) => ({ sql, params })))
        return result
      },
    }),
}

const quietHoursIgnored: Mistake = {
  name: 'quiet-hours-ignored',
  description: 'A reminder is sent during quiet hours.',
  breaks: ['one planned reminder'],
  store: (store) =>
    savingTasks(store, async (save) => {
      const { open, task } = save
      const event = open.kind === 'insert' ? open.event : open.kind === 'reschedule' ? open.to : null
      if (event === null || task!.quietHours === null) return null
      const asked = Math.max(save.at, task!.dueAt - task!.remindBeforeMs)
      const at = { ...event, targetAt: asked }
      return {
        ...save,
        open: open.kind === 'insert' ? { ...open, event: at } : ({ ...open, to: at } as never),
      }
    }),
}

export const TASK_MISTAKES: readonly Mistake[] = [
  completedTaskReminded,
  reminderFailedForGood,
  remindedTwiceADay,
  reminderTimeInOwnTransaction,
  quietHoursIgnored,
]
