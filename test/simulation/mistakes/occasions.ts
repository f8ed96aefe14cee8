// Mistakes with occasions: that they end, pause, and are changed.
import type { Occasion } from '../../../src/domain/occasions/occasion.ts'
import { planFirst } from '../../../src/engine/plan.ts'
import type { Store } from '../../../src/ports/store.ts'
import { DAY } from '../../support/fixtures.ts'
import { type Bug, type BugParts, replaceIn } from './mistake.ts'
import { succeeding } from './settling.ts'

/** What has no successor gets the one that it would have if its occasion were another. */
function goingOn(store: Store, parts: BugParts, as: (occasion: Occasion) => Occasion): Store {
  return succeeding(store, parts, ({ user }, { occasion, open }, { successor, at }, occurrence) => {
    if (successor !== null) return successor
    const after = { occurrence, targetAt: open?.targetAt ?? at }
    return planFirst(parts.planner, { occasion: as(occasion), user, task: null }, { now: at, after })
  })
}

const pauseForgotten: Bug = {
  name: 'pause-forgotten',
  words: 'An occasion that is paused while its message is on the way goes on.',
  breaks: ['planned as promised', 'paused is silent'],
  store: (store, parts) => goingOn(store, parts, (occasion) => ({ ...occasion, pausedAt: null })),
}

const pauseLeavesEvent: Bug = {
  name: 'pause-leaves-event',
  words: 'Pausing an occasion leaves the message still to come.',
  breaks: ['paused is silent', 'planned as promised'],
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

const countIgnored: Bug = {
  name: 'count-ignored',
  words: 'A rule goes on after as many times as it names.',
  breaks: ['planned as promised', 'nine is nine'],
  store: (store, parts) =>
    goingOn(store, parts, (occasion) => ({
      ...occasion,
      repeats: occasion.repeats.replace(/;COUNT=\d+/, ''),
    })),
}

const onceAgain: Bug = {
  name: 'once-again',
  words: 'What comes once comes again the day after.',
  breaks: ['planned as promised', 'nine is nine', 'once is once'],
  store: (store, parts) =>
    succeeding(store, parts, ({ user }, { occasion }, { successor, at }) => {
      if (occasion.repeats !== 'ONCE') return successor
      const from = { now: at - 7 * DAY, after: null }
      const again = planFirst(parts.planner, { occasion, user, task: null }, from)
      return again && { ...again, occurrence: 'again', targetAt: again.targetAt + DAY }
    }),
}

const hourUnmoved: Bug = {
  name: 'hour-unmoved',
  words: 'Another local time holds from the next message but one on.',
  breaks: ['nine is nine'],
  store: (store) =>
    replaceIn(store, {
      async saveOccasion(save) {
        const { open, occasion } = save
        if (open.kind !== 'reschedule' || open.to === null) return store.saveOccasion(save)
        const person = await store.readPerson(occasion.userId)
        const was = person?.plans.find((plan) => plan.occasion.id === occasion.id)?.open
        const to = was ? { ...open.to, targetAt: was.targetAt } : open.to
        return store.saveOccasion({ ...save, open: { ...open, to } })
      },
    }),
}

export const OCCASION_BUGS: readonly Bug[] = [
  pauseLeavesEvent,
  pauseForgotten,
  countIgnored,
  onceAgain,
  hourUnmoved,
]
