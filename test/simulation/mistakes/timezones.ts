// Mistakes when places get other rules.
import { planFirst } from '../../../src/engine/plan.ts'
import type { Page } from '../../../src/ports/query.ts'
import type { OpenEvent, Person, Reschedule, Store } from '../../../src/ports/store.ts'
import { type Bug, replaceIn } from './mistake.ts'

/** The store with the open events of everybody seen differently by whoever plans them anew. */
function seeing(store: Store, change: (open: OpenEvent) => OpenEvent): Store {
  const see = ({ user, plans }: Person): Person => ({
    user,
    plans: plans.map((plan) => ({ ...plan, open: plan.open && change(plan.open) })),
  })
  return replaceIn(store, {
    async listPeople(query): Promise<Page<Person>> {
      const page = await store.listPeople(query)
      return { ...page, items: page.items.map(see) }
    },
  })
}

const replanSkips: Bug = {
  name: 'replan-skips',
  words: 'What other rules move goes to the occurrence after it.',
  breaks: ['planned as promised'],
  store: (store, { planner }) => {
    const seen = new Map<string, Person>()
    const next = ({ eventId, version, to }: Reschedule): Reschedule => {
      const person = seen.get(eventId)
      const plan = person?.plans.find(({ open }) => open?.id === eventId)
      if (!person || !plan || plan.task !== null || to === null) return { eventId, version, to }
      const { user } = person
      const after = { occurrence: to.occurrence, targetAt: to.targetAt }
      const event = planFirst(
        planner,
        { occasion: plan.occasion, user, task: null },
        { now: to.targetAt, after },
      )
      return { eventId, version, to: event && { ...event, id: eventId } }
    }
    return replaceIn(store, {
      async listPeople(query) {
        const page = await store.listPeople(query)
        for (const person of page.items)
          for (const { open } of person.plans) if (open !== null) seen.set(open.id, person)
        return page
      },
      replan: (reschedules, at) => store.replan(reschedules.map(next), at),
    })
  },
}

const rulesKept: Bug = {
  name: 'rules-kept',
  words: 'What was planned by an older table stays where it is.',
  breaks: ['by the newer law', 'nine is nine'],
  store: (store) => replaceIn(store, { replan: async (all) => all.map(({ eventId }) => eventId) }),
}

const rolledBack: Bug = {
  name: 'rolled-back',
  words: 'A process with an older table moves back what a newer one has planned.',
  breaks: ['only what must', 'by the newer law'],
  store: (store) =>
    replaceIn(
      seeing(store, (open) => ({ ...open, tzVersion: '' })),
      {
        listZones: async () =>
          (await store.listZones()).map((zone) => ({ ...zone, rules: '0|0|', version: '' })),
      },
    ),
}

export const TIMEZONE_BUGS: readonly Bug[] = [rulesKept, rolledBack, replanSkips]
