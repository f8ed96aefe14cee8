// Mistakes with the planning of events: people, occasions, tasks and timezones.
import { keyedId } from '../../../src/domain/events/uuid.ts'
import type { NewPerson, OccasionSave, Store } from '../../../src/ports/store.ts'
import type { Executor } from '../../../src/stores/sqlite-dialect/executor.ts'
import { peopleOperations } from '../../../src/stores/sqlite-dialect/people/people.ts'
import { claiming, type Mistake, replaceIn } from './mistake.ts'

/** The store with the pending event of an occasion left as it is by some saves. */
function leavingEvent(store: Store, when: (save: OccasionSave) => boolean): Store {
  return replaceIn(store, {
    async saveOccasion(save) {
      const { occasion, open } = save
      if (open.kind !== 'reschedule' || !when(save)) return store.saveOccasion(save)
      const person = await store.readPerson(occasion.userId)
      const was = person?.plans.find((plan) => plan.occasion.id === occasion.id)?.open
      const to = was ? { ...was, occasionId: occasion.id } : null
      return store.saveOccasion({ ...save, open: { ...open, to } })
    },
  })
}

/** The person with ids that depend on the try. */
function renamed({ user, occasions, events }: NewPerson, attempt: number): NewPerson {
  const id = keyedId(`${user.id} ${attempt}`, null)
  return {
    user: { ...user, id },
    occasions: occasions.map((occasion) => ({ ...occasion, id, userId: id })),
    events: events.map((event) => ({ ...event, occasionId: id })),
  }
}

export const PLAN_MISTAKES: readonly Mistake[] = [
  {
    name: 'duplicate-event-ids',
    description: 'Two events of one instant get the same id.',
    breaks: ['no unexpected error'],
    engine: ({ planner }) => ({ planner: { ...planner, ids: (at) => planner.ids(at).slice(0, 14) } }),
  },
  {
    name: 'move-without-event',
    description: 'A move leaves the pending event at its old instant.',
    breaks: ['due at local time'],
    store: (store) =>
      replaceIn(store, { updateUser: ({ user }) => store.updateUser({ user, reschedules: null }) }),
  },
  {
    name: 'event-kept-without-date',
    description: 'A removed date of birth leaves the birthday planned.',
    breaks: ['no birthday without a date'],
    store: (store) =>
      replaceIn(store, {
        updateUser: (update) =>
          store.updateUser(
            update.user.dateOfBirth === null ? { user: update.user, reschedules: null } : update,
          ),
      }),
  },
  {
    name: 'successor-on-its-date',
    description:
      'The successor of a message that is sent days before its date, or not on weekends, is sent on its date.',
    breaks: ['sent on its day'],
    store: (store) =>
      claiming(store, (claim) => {
        const occasion = { ...claim.occasion, shiftDays: null, onWeekend: null }
        return { ...claim, occasion }
      }),
  },
  {
    name: 'move-not-recorded',
    description: 'A change of a person moves an event without a record.',
    breaks: ['moves are recorded'],
    store(store, { executor }) {
      const batch: Executor['batch'] = (statements, how) =>
        executor.batch(
          statements.filter(({ sql }) => !sql.startsWith('INSERT INTO moves')),
          how,
        )
      return replaceIn(store, { updateUser: peopleOperations({ ...executor, batch }).updateUser })
    },
  },
  {
    name: 'another-id-for-each-try',
    description: 'Each try of a request creates a person of its own.',
    breaks: ['one person for each request'],
    store: (store) => {
      let tries = 0
      return replaceIn(store, {
        createUsers: (people, how) =>
          store.createUsers(
            people.map((one) => renamed(one, ++tries)),
            how,
          ),
      })
    },
  },
  {
    name: 'delete-leaves-event',
    description: 'Deleting a person leaves their pending event.',
    breaks: ['deleted person is erased'],
    store: (store, { executor }) =>
      replaceIn(store, {
        async deleteUser(userId) {
          const [result] = await executor.batch([{ sql: 'DELETE FROM users WHERE id = ?', params: [userId] }])
          return result!.changes > 0
        },
      }),
  },
  {
    name: 'pause-leaves-event',
    description: 'Pausing an occasion leaves its pending event.',
    breaks: ['paused occasion is not claimed'],
    store: (store) => leavingEvent(store, ({ occasion }) => occasion.pausedAt !== null),
  },
  {
    name: 'completed-task-reminded',
    description: 'A completed task is reminded of.',
    breaks: ['one planned reminder', 'no reminder of a completed task'],
    store: (store) =>
      claiming(
        leavingEvent(store, ({ task }) => task !== null && task.completedAt !== null),
        (claimed) => ({ ...claimed, task: claimed.task && { ...claimed.task, completedAt: null } }),
      ),
  },
  {
    name: 'reminded-twice-a-day',
    description: 'A task whose due time moves right after its reminder is reminded of again at once.',
    breaks: ['reminders a day apart'],
    store: (store) =>
      replaceIn(store, {
        async readPerson(userId) {
          const person = await store.readPerson(userId)
          const plans = person?.plans.map(({ task, ...plan }) => ({
            ...plan,
            task: task && { ...task, reminderSentAt: null },
          }))
          return person && { ...person, plans: plans! }
        },
      }),
  },
  {
    name: 'replan-does-nothing',
    description: 'An event planned by an older table stays at its old instant.',
    breaks: ['newer timezone table applies'],
    store: (store) => replaceIn(store, { replan: async (all) => all.map(({ eventId }) => eventId) }),
  },
  {
    name: 'replan-by-older-table',
    description: 'A process with an older table moves back events that a newer one planned.',
    breaks: ['replan moves only pending events'],
    store: (store) =>
      replaceIn(store, {
        listZones: async () =>
          (await store.listZones()).map((zone) => ({ ...zone, rules: '0|0|', version: '' })),
        async listOpenPlans(of) {
          const page = await store.listOpenPlans(of)
          const items = page.items.map((person) => ({
            ...person,
            plans: person.plans.map((plan) => ({
              ...plan,
              open: plan.open && { ...plan.open, tzVersion: '' },
            })),
          }))
          return { ...page, items }
        },
      }),
  },
  {
    name: 'abbreviation-is-a-place',
    description: 'EST is read as America/Panama, to which the IANA database links it.',
    breaks: ['abbreviation is rejected'],
    table: (table) => ({
      ...table,
      canonicalName: (input) => table.canonicalName(LINKS[input] ?? input),
    }),
  },
]

const LINKS: Readonly<Record<string, string>> = {
  EST: 'America/Panama',
  MST: 'America/Phoenix',
  HST: 'Pacific/Honolulu',
  CET: 'Europe/Brussels',
  EST5EDT: 'America/New_York',
}
