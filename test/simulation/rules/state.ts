// What holds for the row of an event, step by step.
import { isValidTransition } from '../../../src/domain/events/event-status.ts'
import { changesOf, type EventRow, isClaim, isTerminal } from '../record/ledger.ts'
import type { Entry, Row } from '../record/trace.ts'
import { leaseOf } from '../support/settings.ts'
import { firstWrong, type Rule } from './rule.ts'

type EventChange = { id: string; before: EventRow; after: EventRow }

/** The events that a transaction changed, without the new and the removed. */
function changed(entry: Entry): EventChange[] {
  if (entry.kind !== 'commit') return []
  return changesOf<EventRow>(entry.rows, 'events').flatMap(({ before, after }) =>
    before !== null && after !== null ? [{ id: after.id, before, after }] : [],
  )
}

/** What may change without a new version: how long it is held, and that its successor must be planned anew. */
const WITHOUT_VERSION = ['lease_until', 'plan_revision', 'updated_at']

const oneStep: Rule = {
  name: 'one step at a time',
  words:
    'Versions rise by one, states follow PENDING, PROCESSING, COMPLETED or FAILED, and those two are final.',
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

const frozen: Rule = {
  name: 'frozen',
  words: 'From its first claim on, what an event says, when it was due and whose it is stay as they are.',
  watch: () => (entry) => {
    const moved = firstWrong(changed(entry), ({ id, before, after }) => {
      if (before.status === 'PENDING') return null
      const columns = differences(before, after).filter((column) => FROZEN.includes(column))
      return columns.length > 0 ? `${id} was ${before.status} and changed ${columns.join(', ')}.` : null
    })
    if (moved !== null || entry.kind !== 'commit') return moved
    return firstWrong(changesOf<Row>(entry.rows, 'payloads'), ({ before, after }) =>
      before !== null && after !== null ? `The body of ${before.event_id} was rewritten.` : null,
    )
  },
}

const exclusive: Rule = {
  name: 'one holder',
  words: 'Who takes an event has it for the whole lease, and while one holds it, no other takes it.',
  watch(scenario) {
    const leaseMs = leaseOf(scenario)
    const holders = new Map<string, string>()
    return (entry) => {
      if (entry.kind === 'claimed') {
        return firstWrong(entry.refs, ({ eventId, version }) => {
          const claim = `${eventId} at version ${version}`
          const holder = holders.get(claim)
          holders.set(claim, entry.who)
          return holder === undefined ? null : `${claim} is in the hands of ${holder} and of ${entry.who}.`
        })
      }
      return firstWrong(changed(entry).filter(isClaim), ({ id, before, after }) => {
        if (after.lease_until! - after.claimed_at! < leaseMs)
          return `${id} was taken for only ${after.lease_until! - after.claimed_at!} ms.`
        const earlyMs = (before.lease_until ?? 0) - after.claimed_at!
        return earlyMs > 0 ? `${id} was taken ${earlyMs} ms before its lease ran out.` : null
      })
    }
  },
}

/** The operations by which a worker changes what it holds. */
const BY_HOLDER = ['settle', 'extendLeases']

const fenced: Rule = {
  name: 'fenced',
  words: 'A worker changes an event only at the version it holds: one that lost it changes nothing.',
  watch() {
    const held = new Set<string>()
    return (entry) => {
      if (entry.kind === 'asked')
        for (const { eventId, version } of entry.refs) held.add(`${entry.who} ${eventId} ${version}`)
      if (entry.kind !== 'commit' || !BY_HOLDER.includes(entry.op)) return null
      return firstWrong(changed(entry), ({ id, before }) =>
        held.has(`${entry.who} ${id} ${before.version}`)
          ? null
          : `${entry.who} changed ${id} at version ${before.version}, which it does not hold.`,
      )
    }
  },
}

function differences(before: object, after: object): string[] {
  const old = before as Row
  return Object.entries(after as Row).flatMap(([column, value]) => (old[column] === value ? [] : [column]))
}

export const STATE_RULES: readonly Rule[] = [oneStep, frozen, exclusive, fenced]
