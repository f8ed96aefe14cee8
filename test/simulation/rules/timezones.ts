// Invariants of a change of the timezone table: docs/timezones.md.
import { DAY } from '../../support/fixtures.ts'
import { differs, NEWEST, NO_PLACES } from '../../support/oracle/clock.ts'
import { owedNamed } from '../../support/oracle/schedule.ts'
import { changesOf, type EventRow, type Ledger, type UserRow } from '../record/ledger.ts'
import type { Entry } from '../record/trace.ts'
import { firstWrong, type Rule } from './rule.ts'

const replanMovesOnlyPendingEvents: Rule = {
  name: 'replan moves only pending events',
  description:
    'A newer timezone table moves pending events of the zones that changed. It moves nothing in flight, in other zones or planned by a later table, and loses nothing.',
  watch: () => (entry, ledger) => {
    if (entry.kind !== 'commit' || entry.op !== 'replan') return null
    const release = ledger.releaseOf(entry.who)
    return firstWrong(changesOf<EventRow>(entry.rows, 'events'), ({ before, after }) => {
      if (before === null) return `${after!.id} was inserted by a replan.`
      if (after === null) return `${before.id} was deleted by a replan.`
      if (before.status !== 'PENDING') return `${before.id} was ${before.status} and was moved by a replan.`
      if (before.tz_version > release) return `${before.id} was moved back to ${release}.`
      return before.target_at === after.target_at || differs(before.timezone)
        ? null
        : `${before.id} was moved, though nothing changed in ${before.timezone}.`
    })
  },
}

/** For this long after a change, every start replans the zones that changed. */
const REPLANNED_FOR_MS = 29 * DAY

const newerTimezoneTableApplies: Rule = {
  name: 'newer timezone table applies',
  description:
    'Once a process with the newer table has replanned and no process has the older one, every pending event is due by the newer table.',
  watch() {
    const begun = new Map<string, number>()
    const older = new Set<string>()
    let changedAt = Number.NaN
    let lastOldAt = Number.NEGATIVE_INFINITY

    function ended({ at, who, always }: Entry & { kind: 'replan' }, ledger: Ledger): string | null {
      if (ledger.releaseOf(who) !== NEWEST) return null
      if (Number.isNaN(changedAt)) changedAt = at
      const isFresh = always || begun.get(who)! - changedAt < REPLANNED_FOR_MS
      if (older.size > 0 || lastOldAt > begun.get(who)! || !isFresh) return null
      return firstWrong(ledger.events.values(), (event) => wrong(event, ledger, at))
    }

    return (entry, ledger) => {
      if (entry.kind === 'table' && entry.release !== NEWEST) older.add(entry.who)
      if (entry.kind === 'lifecycle' && (entry.what === 'crashes' || entry.what === 'has stopped'))
        if (older.delete(entry.who)) lastOldAt = entry.at
      if (entry.kind === 'commit' && ledger.releaseOf(entry.who) !== NEWEST) lastOldAt = entry.at
      if (entry.kind !== 'replan') return null
      if (entry.what === 'ends') return ended(entry, ledger)
      begun.set(entry.who, entry.at)
      return null
    }
  },
}

/** An event that is already due by both tables need not be moved. */
function wrong(event: EventRow, ledger: Ledger, now: number): string | null {
  if (event.status !== 'PENDING' || event.replay_of !== null || ledger.tasks.has(event.occasion_id))
    return null
  const schedule = ledger.scheduleOf(event.occasion_id, NEWEST)
  const owed = schedule && owedNamed(schedule, event.occurrence)
  if (!owed || owed.at === event.target_at || Math.max(owed.at, event.target_at) <= now + BEHIND_MS)
    return null
  return `${event.id} is due ${instant(event.target_at)} by ${event.tz_version}, not ${instant(owed.at)}.`
}

/** How far clocks may differ. */
const BEHIND_MS = 5_000
const instant = (at: number) => new Date(at).toISOString()

const abbreviationIsRejected: Rule = {
  name: 'abbreviation is rejected',
  description:
    'No person has an abbreviation or an offset for a timezone, and a request with one changes nothing.',
  watch: () => (entry) => {
    if (entry.kind === 'edit' && 'input' in entry.edit && ACCEPTED.includes(entry.result)) {
      const { timezone = '' } = entry.edit.input
      return NO_PLACES.includes(timezone) ? `A request with ${timezone} was ${entry.result}.` : null
    }
    if (entry.kind !== 'commit') return null
    return firstWrong(changesOf<UserRow>(entry.rows, 'users'), ({ after }) =>
      after !== null && NO_PLACES.includes(after.timezone) ? `${after.id} is in ${after.timezone}.` : null,
    )
  },
}

const ACCEPTED = ['created', 'changed']

export const TIMEZONE_RULES: readonly Rule[] = [
  replanMovesOnlyPendingEvents,
  newerTimezoneTableApplies,
  abbreviationIsRejected,
]
