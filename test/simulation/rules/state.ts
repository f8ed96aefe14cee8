// Invariants of an event's row: states, versions, leases, fencing.
import { isValidTransition } from '../../../src/domain/events/event-status.ts'
import { CLOCK_TOLERANCE_MS } from '../../../src/domain/time/clock-tolerance.ts'
import { changesOf, type EventRow, isClaim, isProvisional, isTerminal } from '../record/ledger.ts'
import type { Entry, Row } from '../record/trace.ts'
import { leaseOf } from '../support/settings.ts'
import { firstWrong, type Rule } from './rule.ts'

/** The lease of a claim until the queue has the message. */
const HAND_OVER_MS = 45_000

type EventChange = { id: string; before: EventRow; after: EventRow }

/** The events that a transaction updated. Inserted and deleted events are left out. */
function changed(entry: Entry): EventChange[] {
  if (entry.kind !== 'commit') return []
  return changesOf<EventRow>(entry.rows, 'events').flatMap(({ before, after }) =>
    before !== null && after !== null ? [{ id: after.id, before, after }] : [],
  )
}

/** Columns that may change without a new version: an extended lease, the mark that the successor must be planned again, and the lane. */
const WITHOUT_VERSION = ['lease_until', 'lease_batch', 'plan_revision', 'lane', 'updated_at']

const validTransitions: Rule = {
  name: 'valid transitions',
  description:
    'Versions rise by one, states follow PENDING, PROCESSING, COMPLETED or FAILED, and COMPLETED and FAILED are final.',
  watch: () => (entry) =>
    firstWrong(changed(entry), ({ id, before, after }) => {
      if (isTerminal(before)) return `${id} was ${before.status} and was changed.`
      if (after.status !== before.status && !isValidTransition(before.status, after.status))
        return `${id} went from ${before.status} to ${after.status}.`
      if (after.version === before.version) {
        const also = differences(before, after).filter((column) => !WITHOUT_VERSION.includes(column))
        return also.length > 0 ? `${id} changed ${also.join(', ')} without a new version.` : null
      }
      return after.version === before.version + 1
        ? null
        : `${id} went from version ${before.version} to ${after.version}.`
    }),
}

const FROZEN = ['occasion_id', 'occurrence', 'target_at', 'offset_seconds', 'timezone', 'tz_version']

const frozenOnceClaimed: Rule = {
  name: 'frozen once claimed',
  description: 'From its first claim on, an event keeps its body, its due time and its occasion.',
  watch: () => (entry) => {
    const moved = firstWrong(changed(entry), ({ id, before, after }) => {
      if (before.status === 'PENDING') return null
      const columns = differences(before, after).filter((column) => FROZEN.includes(column))
      return columns.length > 0 ? `${id} was ${before.status} and changed ${columns.join(', ')}.` : null
    })
    if (moved !== null || entry.kind !== 'commit') return moved
    return firstWrong(changesOf<Row>(entry.rows, 'payloads'), ({ before, after }) =>
      before !== null && after !== null ? `The body of ${before.event_id} was changed.` : null,
    )
  },
}

const exclusiveLease: Rule = {
  name: 'exclusive lease',
  description:
    'A claim lasts for the whole lease, that of a scheduler from the hand-over on, and no other process claims the event before the lease expires.',
  watch(scenario) {
    const leaseMs = leaseOf(scenario)
    const holders = new Map<string, string>()
    /** Processes that a call has failed since their last claim. */
    const failing = new Set<string>()
    return (entry) => {
      if (entry.kind === 'failure') failing.add(entry.who)
      if (entry.kind === 'claimed') {
        failing.delete(entry.who)
        return firstWrong(entry.refs, ({ eventId, version }) => {
          const claim = `${eventId} at version ${version}`
          const holder = holders.get(claim)
          holders.set(claim, entry.who)
          return holder === undefined ? null : `${claim} is claimed by ${holder} and by ${entry.who}.`
        })
      }
      const short = firstWrong(changed(entry), ({ id, before, after }) =>
        isHandOver(entry, before, after) && after.lease_until! - after.claimed_at! < leaseMs
          ? `${id} was handed over with a lease of only ${after.lease_until! - after.claimed_at!} ms.`
          : null,
      )
      if (short !== null) return short
      return firstWrong(changed(entry).filter(isClaim), ({ id, before, after }) => {
        const grantedMs = after.lease_until! - after.claimed_at!
        if (grantedMs < (isProvisional(after) ? HAND_OVER_MS : leaseMs))
          return `${id} was claimed for only ${grantedMs} ms.`
        // A scheduler repeats a claim that failed and may have been committed.
        const isRepeated = isProvisional(before) && before.claimed_by === after.claimed_by
        if (isRepeated && entry.kind === 'commit' && failing.has(entry.who)) return null
        // On SQLite a call that takes this long to reach the database takes a later claim for one from before the clock was set back.
        if (entry.at - after.claimed_at! > CLOCK_TOLERANCE_MS) return null
        const earlyMs = (before.lease_until ?? 0) - after.claimed_at!
        return earlyMs > 0 ? `${id} was claimed ${earlyMs} ms before its lease expired.` : null
      })
    }
  },
}

/** Whether a scheduler made a provisional lease final. */
function isHandOver(entry: Entry, before: EventRow, after: EventRow): boolean {
  const byScheduler = entry.kind === 'commit' && entry.who.startsWith('scheduler')
  return byScheduler && after.version === before.version && isProvisional(before) && !isProvisional(after)
}

/** The operations by which a worker changes the events it claimed. */
const BY_HOLDER = ['settle', 'extendLeases']

const fenced: Rule = {
  name: 'fenced',
  description:
    'A worker changes an event only at the version it claimed; after it lost the claim it changes nothing.',
  watch() {
    const held = new Set<string>()
    return (entry) => {
      if (entry.kind === 'requested')
        for (const { eventId, version } of entry.refs) held.add(`${entry.who} ${eventId} ${version}`)
      if (entry.kind !== 'commit' || !BY_HOLDER.includes(entry.op)) return null
      return firstWrong(changed(entry), ({ id, before }) =>
        held.has(`${entry.who} ${id} ${before.version}`)
          ? null
          : `${entry.who} changed ${id} at version ${before.version}, which it has not claimed.`,
      )
    }
  },
}

function differences(before: object, after: object): string[] {
  const old = before as Row
  return Object.entries(after as Row).flatMap(([column, value]) => (old[column] === value ? [] : [column]))
}

export const STATE_RULES: readonly Rule[] = [validTransitions, frozenOnceClaimed, exclusiveLease, fenced]
