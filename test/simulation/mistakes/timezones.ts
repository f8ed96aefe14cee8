// Mistakes with changes of the timezone table.
import { planFirst } from '../../../src/engine/plan.ts'
import type { Page } from '../../../src/ports/query.ts'
import type { OpenEvent, OpenPlans, Reschedule, Store } from '../../../src/ports/store.ts'
import { type Mistake, replaceIn } from './mistake.ts'

/** The store with every open event changed for the process that replans it. */
function withOpenEvents(store: Store, change: (open: OpenEvent) => OpenEvent): Store {
  const see = ({ user, plans }: OpenPlans): OpenPlans => ({
    user,
    plans: plans.map((plan) => ({ ...plan, open: plan.open && change(plan.open) })),
  })
  return replaceIn(store, {
    async listOpenPlans(of): Promise<Page<OpenPlans>> {
      const page = await store.listOpenPlans(of)
      return { ...page, items: page.items.map(see) }
    },
  })
}

const replanSkips: Mistake = {
  name: 'replan-skips',
  description: 'An event that a newer table moves goes to the occurrence after it.',
  breaks: ['one planned event'],
  store: (store, { planner }) => {
    const seen = new Map<string, OpenPlans>()
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
      async listOpenPlans(of) {
        const page = await store.listOpenPlans(of)
        for (const person of page.items)
          for (const { open } of person.plans) if (open !== null) seen.set(open.id, person)
        return page
      },
      replan: (reschedules, at) => store.replan(reschedules.map(next), at),
    })
  },
}

const replanDoesNothing: Mistake = {
  name: 'replan-does-nothing',
  description: 'An event planned by an older table stays at its old instant.',
  breaks: ['newer timezone table applies', 'due at local time'],
  store: (store) => replaceIn(store, { replan: async (all) => all.map(({ eventId }) => eventId) }),
}

const replanByOlderTable: Mistake = {
  name: 'replan-by-older-table',
  description: 'A process with an older table moves back events that a newer one planned.',
  breaks: ['replan moves only pending events', 'newer timezone table applies'],
  store: (store) =>
    replaceIn(
      withOpenEvents(store, (open) => ({ ...open, tzVersion: '' })),
      {
        listZones: async () =>
          (await store.listZones()).map((zone) => ({ ...zone, rules: '0|0|', version: '' })),
      },
    ),
}

const abbreviationIsAPlace: Mistake = {
  name: 'abbreviation-is-a-place',
  description: 'EST is read as America/Panama, to which the IANA database links it.',
  breaks: ['abbreviation is rejected'],
  table: (table) => ({
    ...table,
    canonicalName: (input) => table.canonicalName(LINKS[input] ?? input),
  }),
}

const LINKS: Readonly<Record<string, string>> = {
  EST: 'America/Panama',
  MST: 'America/Phoenix',
  HST: 'Pacific/Honolulu',
  CET: 'Europe/Brussels',
  EST5EDT: 'America/New_York',
}

export const TIMEZONE_MISTAKES: readonly Mistake[] = [
  replanDoesNothing,
  replanByOlderTable,
  replanSkips,
  abbreviationIsAPlace,
]
