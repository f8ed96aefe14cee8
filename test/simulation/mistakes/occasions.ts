// Mistakes with occasions that end, pause or change.
import type { Occasion } from '../../../src/domain/occasions/occasion.ts'
import { planFirst } from '../../../src/engine/plan.ts'
import type { Store } from '../../../src/ports/store.ts'
import { DAY } from '../../support/fixtures.ts'
import { type Mistake, type MistakeParts, replaceIn } from './mistake.ts'
import { succeeding } from './settling.ts'

/** An event without a successor gets the one that a changed occasion would give it. */
function withSuccessor(store: Store, parts: MistakeParts, as: (occasion: Occasion) => Occasion): Store {
  return succeeding(store, parts, ({ user }, { occasion, open }, { successor, at }, occurrence) => {
    if (successor !== null) return successor
    const after = { occurrence, targetAt: open?.targetAt ?? at }
    return planFirst(parts.planner, { occasion: as(occasion), user, task: null }, { now: at, after })
  })
}

const pauseInFlightIgnored: Mistake = {
  name: 'pause-in-flight-ignored',
  description: 'An occasion that is paused while its message is in flight gets a successor.',
  breaks: ['one planned event', 'paused occasion is not claimed'],
  store: (store, parts) => withSuccessor(store, parts, (occasion) => ({ ...occasion, pausedAt: null })),
}

const pauseLeavesEvent: Mistake = {
  name: 'pause-leaves-event',
  description: 'Pausing an occasion leaves its pending event.',
  breaks: ['paused occasion is not claimed', 'one planned event'],
  store: (store, { executor }) =>
    replaceIn(store, {
      async saveOccasion(save) {
        const { occasion } = save
        if (occasion.pausedAt === null || save.open.kind !== 'reschedule') return store.saveOccasion(save)
        const [paused] = await executor.batch([
          {
            sql: 'UPDATE occasions SET paused_at = ?, version = ? WHERE id = ? AND version = ?',
            params: [occasion.pausedAt, occasion.version, occasion.id, occasion.version - 1],
          },
        ])
        return paused!.changes === 1 ? 'saved' : 'conflict'
      },
    }),
}

const countIgnored: Mistake = {
  name: 'count-ignored',
  description: 'A rule continues after its COUNT.',
  breaks: ['one planned event', 'due at local time'],
  store: (store, parts) =>
    withSuccessor(store, parts, (occasion) => ({
      ...occasion,
      repeats: occasion.repeats.replace(/;COUNT=\d+/, ''),
    })),
}

const onceRepeated: Mistake = {
  name: 'once-repeated',
  description: 'A one-time occasion is repeated the day after.',
  breaks: ['one planned event', 'due at local time', 'one message for a one-time occasion'],
  store: (store, parts) =>
    succeeding(store, parts, ({ user }, { occasion }, { successor, at }) => {
      if (occasion.repeats !== 'ONCE') return successor
      const from = { now: at - 7 * DAY, after: null }
      const again = planFirst(parts.planner, { occasion, user, task: null }, from)
      return again && { ...again, occurrence: 'again', targetAt: again.targetAt + DAY }
    }),
}

const localTimeChangeDelayed: Mistake = {
  name: 'local-time-change-delayed',
  description: 'A changed local time applies only after the next message.',
  breaks: ['due at local time'],
  store: (store) =>
    replaceIn(store, {
      async saveOccasion(save) {
        const { open, occasion } = save
        if (open.kind !== 'reschedule' || open.to === null || save.task !== null)
          return store.saveOccasion(save)
        const person = await store.readPerson(occasion.userId)
        const was = person?.plans.find((plan) => plan.occasion.id === occasion.id)?.open
        const to = was ? { ...open.to, targetAt: was.targetAt } : open.to
        return store.saveOccasion({ ...save, open: { ...open, to } })
      },
    }),
}

const changedRuleRepeatsDay: Mistake = {
  name: 'changed-rule-repeats-day',
  description: 'A changed rule may send a second message on the day of the last one.',
  breaks: ['one planned event', 'due at local time'],
  store: (store, { planner }) =>
    replaceIn(store, {
      async saveOccasion(save) {
        const { open, occasion, at } = save
        const person = await store.readPerson(occasion.userId)
        const was = person?.plans.find((plan) => plan.occasion.id === occasion.id)
        const isChanged = was !== undefined && was.occasion.ruleRevision < occasion.ruleRevision
        const planned = open.kind === 'insert' ? open.event : open.kind === 'reschedule' ? open.to : null
        if (!isChanged || was.lastSettled === null || planned === null) return store.saveOccasion(save)
        const now = Math.max(at, was.lastSettled.targetAt + 1)
        const first = planFirst(planner, { occasion, user: person!.user, task: null }, { now, after: null })
        if (first === null || first.targetAt >= planned.targetAt) return store.saveOccasion(save)
        const event = { ...planned, occurrence: first.occurrence, targetAt: first.targetAt }
        const changed = open.kind === 'insert' ? { ...open, event } : { ...open, to: event }
        return store.saveOccasion({ ...save, open: changed as typeof open })
      },
    }),
}

export const OCCASION_MISTAKES: readonly Mistake[] = [
  pauseLeavesEvent,
  pauseInFlightIgnored,
  countIgnored,
  onceRepeated,
  localTimeChangeDelayed,
  changedRuleRepeatsDay,
]
