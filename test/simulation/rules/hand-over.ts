// Invariants between the claim of a scheduler and the hand-over to the queue.
import { MINUTE } from '../../support/fixtures.ts'
import { changesOf, type EventRow, isProvisional } from '../record/ledger.ts'
import type { Entry, Ref } from '../record/trace.ts'
import { firstWrong, type Rule } from './rule.ts'

const keyOf = ({ eventId, version }: Ref) => `${eventId} ${version}`

/** The references that the queue has had, lost messages included. */
function trackQueued() {
  const queued = new Set<string>()
  return {
    apply(entry: Entry): void {
      if (entry.kind === 'queued' && entry.effect !== 'rejected') queued.add(keyOf(entry.ref))
    },
    hasHad: ({ id, version }: EventRow) => queued.has(keyOf({ eventId: id, version })),
  }
}

const shortLeaseUntilQueued: Rule = {
  name: 'short lease until queued',
  description:
    'An event whose message the queue does not have is leased for a minute at most, so that the next run claims it.',
  watch({ queue, databaseBehindMs }) {
    if (queue === undefined) return () => null
    const messages = trackQueued()
    return (entry) => {
      messages.apply(entry)
      if (entry.kind !== 'commit') return null
      return firstWrong(changesOf<EventRow>(entry.rows, 'events'), ({ before, after }) => {
        if (after?.lease_until == null || after.lease_until === before?.lease_until) return null
        const leftMs = after.lease_until - (entry.at - databaseBehindMs)
        return leftMs > MINUTE && !messages.hasHad(after)
          ? `${after.id} is leased for ${leftMs} ms, and the queue does not have it.`
          : null
      })
    }
  },
}

const unknownOnlyIfQueued: Rule = {
  name: 'unknown only if queued',
  description: 'An event that never left has no attempt with an unknown outcome.',
  watch({ queue }) {
    if (queue === undefined) return () => null
    const messages = trackQueued()
    return (entry) => {
      messages.apply(entry)
      if (entry.kind !== 'commit') return null
      const events = changesOf<EventRow>(entry.rows, 'events')
      return firstWrong(changesOf<AttemptRow>(entry.rows, 'attempts'), ({ after }) => {
        if (after?.outcome !== 'UNKNOWN') return null
        const claimed = events.find(({ before }) => before?.id === after.event_id)?.before
        return claimed != null && !messages.hasHad(claimed)
          ? `${after.event_id} has an attempt with an unknown outcome, and was never in the queue.`
          : null
      })
    }
  },
}

type AttemptRow = { event_id: string; outcome: string }

const finalLeaseBeforeSend: Rule = {
  name: 'final lease before send',
  description: 'A consumer sends nothing under a provisional lease, whose expiry would record no attempt.',
  watch() {
    const received = new Map<string, readonly Ref[]>()
    return (entry, { events }) => {
      if (entry.kind === 'received') received.set(entry.who, entry.messages)
      if (entry.kind !== 'send') return null
      const event = events.get(entry.eventId)
      if (event === undefined || !isProvisional(event)) return null
      const isHeld = received
        .get(entry.who)
        ?.some(({ eventId, version }) => eventId === event.id && version === event.version)
      return isHeld ? `${event.id} is sent under a provisional lease.` : null
    }
  },
}

export const HAND_OVER_RULES: readonly Rule[] = [
  shortLeaseUntilQueued,
  unknownOnlyIfQueued,
  finalLeaseBeforeSend,
]
