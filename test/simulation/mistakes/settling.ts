// Mistakes with settlements and successors.
import type { PlannedEvent } from '../../../src/domain/events/event.ts'
import type { Exchange } from '../../../src/domain/events/exchange.ts'
import { occurrenceInYear } from '../../../src/domain/occasions/next-occurrence.ts'
import { ruleOf } from '../../../src/domain/occasions/schedule.ts'
import { planFirst } from '../../../src/engine/plan.ts'
import type { Settlement } from '../../../src/ports/claim.ts'
import type { OccasionPlan, Person, Store } from '../../../src/ports/store.ts'
import { nameList } from '../../../src/stores/shared/columns/columns.ts'
import { EVENT } from '../../../src/stores/sqlite-dialect/events/reschedules.ts'
import { overRows } from '../../../src/stores/sqlite-dialect/executor.ts'
import { type Mistake, type MistakeParts, replaceIn } from './mistake.ts'

type Terminal = Settlement & { kind: 'terminal' }

const versionUnchecked: Mistake = {
  name: 'version-unchecked',
  description: 'A worker settles an event at any version it finds.',
  breaks: ['fenced'],
  store: (store) =>
    settlingEach(store, async (settlement) => {
      const found = await store.findEvent(settlement.eventId)
      return found === null ? settlement : { ...settlement, version: found.event.version }
    }),
}

const successorInOwnTransaction: Mistake = {
  name: 'successor-in-own-transaction',
  description: 'The successor is stored after the event is settled, not in the same transaction.',
  breaks: ['one planned event'],
  store: (store, { executor }) =>
    replaceIn(store, {
      async settle(settlements) {
        const result = await store.settle(settlements.map(withoutSuccessor))
        const successors = settlements.flatMap((one) =>
          one.kind === 'terminal' && one.successor !== null ? [{ event: one.successor, at: one.at }] : [],
        )
        const names = nameList(EVENT)
        const sql = `INSERT INTO events (${names}) SELECT ${names} FROM {rows} WHERE true ON CONFLICT DO NOTHING`
        if (successors.length > 0) await executor.batch([overRows(sql, EVENT, successors)])
        return result
      },
    }),
}

const failedWithoutSuccessor: Mistake = {
  name: 'failed-without-successor',
  description: 'A failed event has no successor.',
  breaks: ['one planned event', 'every day is explained'],
  store: (store) =>
    settlingEach(store, async (one) =>
      one.kind === 'terminal' && one.status === 'FAILED' ? withoutSuccessor(one) : one,
    ),
}

const successorFromNow: Mistake = {
  name: 'successor-from-now',
  description: 'The successor is the next occurrence from now, which can be the one that was just settled.',
  breaks: ['one planned event'],
  store: (store, parts) =>
    succeeding(store, parts, ({ user }, { occasion }, { at }) =>
      planFirst(parts.planner, { occasion, user, task: null }, { now: at, after: null }),
    ),
}

const everyMissedYearSent: Mistake = {
  name: 'every-missed-year-sent',
  description: 'After years of downtime each missed year is sent in turn.',
  breaks: ['one planned event'],
  store: (store, parts) =>
    succeeding(store, parts, ({ user }, { occasion }, { successor }, settled) => {
      if (occasion.type !== 'BIRTHDAY' || successor === null || !/^\d{4}$/.test(settled)) return successor
      const { instant, year } = occurrenceInYear(
        ruleOf(occasion, user),
        Number(settled) + 1,
        parts.planner.table,
      )
      return { ...successor, targetAt: instant, occurrence: String(year) }
    }),
}

const everyOtherYear: Mistake = {
  name: 'every-other-year',
  description: 'The successor is two years later.',
  breaks: ['one planned event', 'no occurrence skipped'],
  store: (store, parts) =>
    succeeding(store, parts, ({ user }, { occasion }, { successor }) => {
      if (successor === null || !/^\d{4}$/.test(successor.occurrence)) return successor
      const { instant, year } = occurrenceInYear(
        ruleOf(occasion, user),
        Number(successor.occurrence) + 1,
        parts.planner.table,
      )
      return { ...successor, targetAt: instant, occurrence: String(year) }
    }),
}

const editInFlightLost: Mistake = {
  name: 'edit-in-flight-lost',
  description: 'The successor ignores a move that was made while the event was in flight.',
  breaks: ['due at local time', 'one planned event'],
  store: (store, { executor }) =>
    settlingEach(store, async (settlement) => {
      const [row] = await executor.read({
        sql: 'SELECT plan_revision FROM events WHERE id = ?',
        params: [settlement.eventId],
      })
      return row === undefined ? settlement : { ...settlement, planRevision: row[0] as number }
    }),
}

const duplicateEventIds: Mistake = {
  name: 'duplicate-event-ids',
  description: 'Two events of one instant get the same id.',
  breaks: ['no unexpected error'],
  engine: ({ planner }) => ({ planner: { ...planner, ids: (at) => planner.ids(at).slice(0, 14) } }),
}

const failedReopened: Mistake = {
  name: 'failed-reopened',
  description: 'A failed event is claimed again instead of being replayed as a new event.',
  breaks: ['valid transitions'],
  store: (store, { executor }) =>
    replaceIn(store, {
      async settle(settlements) {
        const result = await store.settle(settlements)
        const sql = `UPDATE events SET status = 'PROCESSING', wake_at = target_at WHERE id = ? AND status = 'FAILED'`
        await executor.batch(settlements.map(({ eventId }) => ({ sql, params: [eventId] })))
        return result
      },
    }),
}

const retriedAsPending: Mistake = {
  name: 'retried-as-pending',
  description: 'An event that waits for its retry goes back to PENDING.',
  breaks: ['valid transitions'],
  store: (store, { executor }) =>
    replaceIn(store, {
      async settle(settlements) {
        const result = await store.settle(settlements)
        const sql = `UPDATE events SET status = 'PENDING', version = version + 1 WHERE id = ? AND status = 'PROCESSING'`
        await executor.batch(settlements.map(({ eventId }) => ({ sql, params: [eventId] })))
        return result
      },
    }),
}

const responseOfAnother: Mistake = {
  name: 'response-of-another',
  description: 'A settlement is stored with the response of the settlement before it.',
  breaks: ['response is of its attempt'],
  store(store) {
    let last: Exchange | null = null
    return settlingEach(store, async (settlement) => {
      const exchange = last
      last = settlement.exchange ?? last
      return { ...settlement, exchange }
    })
  },
}

export function settlingEach(store: Store, change: (settlement: Settlement) => Promise<Settlement>): Store {
  return replaceIn(store, {
    settle: async (settlements) => store.settle(await Promise.all(settlements.map(change))),
  })
}

/** Replaces every successor by another, planned from the stored person. */
export function succeeding(
  store: Store,
  { executor }: MistakeParts,
  plan: (person: Person, plan: OccasionPlan, settlement: Terminal, settled: string) => PlannedEvent | null,
): Store {
  return settlingEach(store, async (settlement) => {
    if (settlement.kind !== 'terminal') return settlement
    const [row] = await executor.read({
      sql: `SELECT user_id, occurrence, occasion_id FROM events JOIN occasions ON occasions.id = occasion_id
        WHERE events.id = ? AND replay_of IS NULL`,
      params: [settlement.eventId],
    })
    const person = row === undefined ? null : await store.readPerson(row[0] as string)
    const of = person?.plans.find(({ occasion }) => occasion.id === row![2])
    if (!person || !of || of.task !== null) return settlement
    return { ...settlement, successor: plan(person, of, settlement, row![1] as string) }
  })
}

function withoutSuccessor(settlement: Settlement): Settlement {
  return settlement.kind === 'terminal' ? { ...settlement, successor: null } : settlement
}

export const SETTLING_MISTAKES: readonly Mistake[] = [
  versionUnchecked,
  successorInOwnTransaction,
  failedWithoutSuccessor,
  successorFromNow,
  everyMissedYearSent,
  everyOtherYear,
  editInFlightLost,
  duplicateEventIds,
  failedReopened,
  retriedAsPending,
  responseOfAnother,
]
