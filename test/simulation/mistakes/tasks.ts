// Mistakes with tasks and their reminders.
import type { OccasionSave, Store } from '../../../src/ports/store.ts'
import { claiming } from './message-text.ts'
import { type Bug, replaceIn } from './mistake.ts'

/** The store with every save of a task written in another way; null to write it as it is. */
function savingTasks(store: Store, change: (save: OccasionSave) => Promise<OccasionSave | null>): Store {
  return replaceIn(store, {
    saveOccasion: async (save) =>
      store.saveOccasion((save.task === null ? null : await change(save)) ?? save),
  })
}

/** Done or not, what waits stays where it is. */
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

const doneReminds: Bug = {
  name: 'done-reminds',
  words: 'A task that is done is reminded of all the same.',
  breaks: ['reminded as promised', 'done is done'],
  store: (store) =>
    claiming(leavingReminder(store), (taken) => ({
      ...taken,
      task: taken.task && { ...taken.task, completedAt: null },
    })),
}

const twiceADay: Bug = {
  name: 'twice-a-day',
  words: 'A task that moves right after its reminder is reminded of again at once.',
  breaks: ['reminded as promised', 'a day apart'],
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

const markedApart: Bug = {
  name: 'marked-apart',
  words: 'That a task was reminded of is written after its reminder was settled.',
  breaks: ['marked when sent'],
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

const wakesPeople: Bug = {
  name: 'wakes-people',
  words: 'Who is asked not to be disturbed is disturbed.',
  breaks: ['reminded as promised'],
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

export const TASK_BUGS: readonly Bug[] = [doneReminds, twiceADay, markedApart, wakesPeople]
