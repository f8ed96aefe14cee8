// Mistakes with claims, leases and settlements.
import type { Exchange } from '../../../src/domain/events/exchange.ts'
import { DAY, YEAR } from '../../support/fixtures.ts'
import { RETRY_POLICY } from '../support/settings.ts'
import { claiming, type Mistake, replaceIn, settling } from './mistake.ts'

/** The simulated worlds in which a worker sleeps for ever. */
const sleeping = new WeakSet<object>()

export const CLAIM_MISTAKES: readonly Mistake[] = [
  {
    name: 'no-lease',
    description: 'A claimed event can be claimed again at once.',
    breaks: ['exclusive lease'],
    store: (store) =>
      replaceIn(store, {
        claimDue: (claim) => store.claimDue({ ...claim, leaseMs: 0 }),
        extendLeases: async (refs) => refs.map(({ eventId }) => eventId),
      }),
  },
  {
    name: 'endless-lease',
    description: 'An event that a dead worker had claimed is never claimed again.',
    breaks: ['nothing lost', 'lease is bounded'],
    store: (store) =>
      replaceIn(store, { claimDue: (claim) => store.claimDue({ ...claim, leaseMs: 100 * YEAR }) }),
  },
  {
    name: 'expired-lease-is-used',
    description: 'A worker relies on a claim for a day, and neither extends nor confirms it.',
    breaks: ['no send under an expired lease'],
    believedLeaseMs: DAY,
    store: (store) =>
      replaceIn(store, {
        extendLeases: async (refs) => refs.map(({ eventId }) => eventId),
        confirmClaims: async (refs) => refs.map(({ eventId }) => ({ eventId, stopped: null })),
      }),
  },
  {
    name: 'early-by-own-clock',
    description: 'A worker whose clock is ahead claims events before their due time.',
    breaks: ['never early'],
    trustsCallers: true,
  },
  {
    name: 'sleeps-forever',
    description: 'A worker that finds no event sleeps for ever, also after SIGTERM.',
    breaks: ['stop completes', 'on time'],
    store: (store, { world }) =>
      replaceIn(store, {
        // Only the first worker that finds nothing: the others go on.
        async nextWakeAt() {
          const at = await store.nextWakeAt()
          if (at !== null || sleeping.has(world)) return at
          sleeping.add(world)
          return new Promise(() => {})
        },
      }),
  },
  {
    name: 'rendered-again',
    description: 'Every attempt renders its body again.',
    breaks: ['same bytes', 'stored before sent'],
    store: (store) => claiming(store, (claimed, render) => ({ ...claimed, body: render(claimed) })),
  },
  {
    name: 'lost-claim-reported-as-held',
    description:
      'A confirmation does not report that a person was deleted, an occasion paused or a task completed.',
    breaks: ['stopped message is not sent'],
    store: (store) =>
      replaceIn(store, {
        confirmClaims: async (refs) => refs.map(({ eventId }) => ({ eventId, stopped: null })),
      }),
  },
  {
    name: 'cut-off-ignored',
    description: 'An event is retried past the cut-off hour.',
    breaks: ['nothing after the cut-off'],
    store: (store) =>
      claiming(store, (claimed) => ({ ...claimed, occasion: { ...claimed.occasion, notAfter: null } })),
  },
  {
    name: 'reminder-failed-for-good',
    description: 'A reminder that has used up its retries is FAILED although its task is ahead.',
    breaks: ['reminder is tried until its task is due'],
    store: (store) =>
      claiming(store, (claimed) => {
        const isLast = claimed.retryCount >= RETRY_POLICY.delaysMs.length
        return isLast && claimed.task ? { ...claimed, task: { ...claimed.task, dueAt: 0 } } : claimed
      }),
  },
  {
    name: 'moved-in-flight',
    description: 'An event that is in flight is moved by a second.',
    breaks: ['frozen once claimed'],
    store: (store, { executor }) =>
      replaceIn(store, {
        async claimDue(claim) {
          const claims = await store.claimDue(claim)
          const sql = 'UPDATE events SET target_at = target_at + 1000 WHERE id = ?'
          if (claims.length > 0) await executor.batch(claims.map(({ id }) => ({ sql, params: [id] })))
          return claims
        },
      }),
  },
  {
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
  },
  {
    name: 'version-unchecked',
    description: 'A worker settles an event at any version it finds.',
    breaks: ['fenced'],
    store: (store) =>
      settling(store, async (settlement) => {
        const found = await store.findEvent(settlement.eventId)
        return found === null ? settlement : { ...settlement, version: found.event.version }
      }),
  },
  {
    name: 'response-of-another',
    description: 'A settlement is stored with the response of the settlement before it.',
    breaks: ['response is of its attempt'],
    store(store) {
      let last: Exchange | null = null
      return settling(store, (settlement) => {
        const exchange = last
        last = settlement.exchange ?? last
        return { ...settlement, exchange }
      })
    },
  },
  {
    name: 'failed-without-successor',
    description: 'A failed event has no successor.',
    breaks: ['one planned event', 'nobody is missed'],
    store: (store) =>
      settling(store, (one) =>
        one.kind === 'terminal' && one.status === 'FAILED' ? { ...one, successor: null } : one,
      ),
  },
  {
    name: 'every-other-year',
    description: 'The successor is two years later.',
    breaks: ['no occurrence skipped'],
    store: (store) =>
      settling(store, (one) => {
        if (one.kind !== 'terminal' || !/^\d{4}$/.test(one.successor?.occurrence ?? '')) return one
        const successor = { ...one.successor!, occurrence: String(Number(one.successor!.occurrence) + 1) }
        return { ...one, successor }
      }),
  },
  {
    name: 'reminder-time-not-stored',
    description: 'The settlement of a reminder does not store its time on the task.',
    breaks: ['reminder time is stored with the settlement'],
    store: (store) => settling(store, (one) => ({ ...one, reminded: null })),
  },
]
