// Invariants of a send: its claim holds, and nothing has stopped it. Both allow for calls in flight.
import { SECOND } from '../../support/fixtures.ts'
import type { TaskRow } from '../oracle/expected-reminders.ts'
import { changesOf, type EventRow, isClaim, type Ledger, type OccasionRow } from '../record/ledger.ts'
import type { Entry } from '../record/trace.ts'
import { leaseOf } from '../support/settings.ts'
import { firstWrong, type Rule } from './rule.ts'

/** From the deletion, completion or pause to the last send that may still start. */
const TAKES_EFFECT_MS = SECOND

/** When a process last asked the store about a claim, and when it got the response. */
type Asked = { at: number; respondedAt: number }

/** The calls by which a process learns whether it still holds a claim, or whether it was stopped. */
const READS = ['confirmClaims', 'readClaims']

export function trackCalls(ops: readonly string[]) {
  const asking = new Map<string, number>()
  const asked = new Map<string, Asked>()
  const key = (who: string, eventId: string) => `${who} ${eventId}`
  return {
    apply(entry: Entry): void {
      if (entry.kind === 'commit')
        for (const { after } of changesOf<EventRow>(entry.rows, 'events').filter(isClaim))
          asking.set(key(entry.who, after!.id), entry.at)
      if (entry.kind === 'requested' && ops.includes(entry.op))
        for (const { eventId } of entry.refs) asking.set(key(entry.who, eventId), entry.at)
      if (entry.kind === 'claimed' || (entry.kind === 'responded' && ops.includes(entry.op)))
        for (const { eventId } of entry.refs) {
          const at = asking.get(key(entry.who, eventId))
          if (at !== undefined) asked.set(key(entry.who, eventId), { at, respondedAt: entry.at })
        }
    },
    lastOf: (who: string, eventId: string) => asked.get(key(who, eventId)),
  }
}

const stoppedMessageIsNotSent: Rule = {
  name: 'stopped message is not sent',
  description:
    'A second after a person or occasion is deleted, an occasion paused or a task completed, no message of it starts, unless its worker waited for the database all that time.',
  watch() {
    const calls = trackCalls(READS)
    const stoppedAt = new Map<string, number>()
    return (entry, ledger) => {
      calls.apply(entry)
      if (entry.kind === 'commit') applyStops(entry, ledger, stoppedAt)
      const stopped = entry.kind === 'send' ? stoppedAt.get(entry.eventId) : undefined
      if (entry.kind !== 'send' || stopped === undefined) return null
      const asked = calls.lastOf(entry.who, entry.eventId)
      // A call that began before the change may not have seen it.
      const knownAt =
        asked !== undefined && asked.at <= stopped ? Math.max(stopped, asked.respondedAt) : stopped
      return entry.at - knownAt > TAKES_EFFECT_MS
        ? `${entry.eventId} is sent ${entry.at - stopped} ms after it was stopped.`
        : null
    }
  },
}

function applyStops(
  { at, op, rows }: Entry & { kind: 'commit' },
  ledger: Ledger,
  stoppedAt: Map<string, number>,
): void {
  if (op === 'deleteUser' || op === 'removeOccasion')
    for (const { before, after } of changesOf<EventRow>(rows, 'events'))
      if (after === null) stoppedAt.set(before!.id, at)
  for (const { before, after } of changesOf<TaskRow>(rows, 'tasks'))
    if (before?.completed_at === null && after?.completed_at != null)
      for (const { id } of ledger.openEventsOf(after.id)) stoppedAt.set(id, at)
  for (const { before, after } of changesOf<OccasionRow>(rows, 'occasions')) {
    if (before === null || after === null || (before.paused_at === null) === (after.paused_at === null))
      continue
    for (const { id } of ledger.openEventsOf(after.id))
      if (after.paused_at === null) stoppedAt.delete(id)
      else stoppedAt.set(id, at)
  }
}

const noSendUnderAnExpiredLease: Rule = {
  name: 'no send under an expired lease',
  description: 'A worker that was suspended sends nothing before it has extended its lease.',
  watch(scenario) {
    const calls = trackCalls([...READS, 'extendLeases'])
    const leaseMs = leaseOf(scenario)
    return (entry) => {
      calls.apply(entry)
      if (entry.kind !== 'send') return null
      const asked = calls.lastOf(entry.who, entry.eventId)
      const ageMs = entry.at - (asked?.at ?? 0)
      return ageMs >= leaseMs ? `${entry.eventId} is sent under a lease that is ${ageMs} ms old.` : null
    }
  },
}

const leaseIsBounded: Rule = {
  name: 'lease is bounded',
  description: 'No lease ends later than its length from now, by the clock of the database.',
  watch(scenario) {
    const leaseMs = leaseOf(scenario)
    return (entry) => {
      if (entry.kind !== 'commit') return null
      return firstWrong(changesOf<EventRow>(entry.rows, 'events'), ({ before, after }) => {
        if (after?.lease_until == null || after.lease_until === before?.lease_until) return null
        const leftMs = after.lease_until - (entry.at - scenario.databaseBehindMs)
        return leftMs > leaseMs ? `${after.id} is leased for ${leftMs} ms.` : null
      })
    }
  },
}

export const CLAIM_RULES: readonly Rule[] = [
  stoppedMessageIsNotSent,
  noSendUnderAnExpiredLease,
  leaseIsBounded,
]
