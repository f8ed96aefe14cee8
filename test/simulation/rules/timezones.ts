// What holds when places get other rules: docs/timezones.md.
import { DAY } from '../../support/fixtures.ts'
import { owedNamed } from '../oracle/expected-schedule.ts'
import { differs, NEWEST } from '../oracle/oracle.ts'
import { changesOf, type EventRow, type Ledger } from '../record/ledger.ts'
import type { Entry } from '../record/trace.ts'
import { firstWrong, type Rule } from './rule.ts'

const onlyWhatMust: Rule = {
  name: 'only what must',
  words:
    'Other rules for a place move what is pending there; nothing in flight, nothing elsewhere, nothing that was planned by a later table, and nothing is lost.',
  watch: () => (entry, ledger) => {
    if (entry.kind !== 'commit' || entry.op !== 'replan') return null
    const release = ledger.releaseOf(entry.who)
    return firstWrong(changesOf<EventRow>(entry.rows, 'events'), ({ before, after }) => {
      if (before === null) return `${after!.id} was made by other rules.`
      if (after === null) return `${before.id} was lost to other rules.`
      if (before.status !== 'PENDING')
        return `${before.id} was ${before.status} and was moved by other rules.`
      if (before.tz_version > release) return `${before.id} was moved back to ${release}.`
      return before.target_at === after.target_at || differs(before.timezone)
        ? null
        : `${before.id} was moved, though nothing changed in ${before.timezone}.`
    })
  },
}

/** For so long every start looks at the places that changed. */
const LOOKED_AT_MS = 29 * DAY

const newerLaw: Rule = {
  name: 'by the newer law',
  words:
    'Once a process with the newer table has looked and none with the older is left, all that is pending is due by the newer.',
  watch() {
    const begun = new Map<string, number>()
    const older = new Set<string>()
    let changedAt = Number.NaN
    let lastOldAt = Number.NEGATIVE_INFINITY

    function ended({ at, who, always }: Entry & { kind: 'replan' }, ledger: Ledger): string | null {
      if (ledger.releaseOf(who) !== NEWEST) return null
      if (Number.isNaN(changedAt)) changedAt = at
      const isFresh = always || begun.get(who)! - changedAt < LOOKED_AT_MS
      if (older.size > 0 || lastOldAt > begun.get(who)! || !isFresh) return null
      return firstWrong(ledger.events.values(), (event) => wrong(event, ledger, at))
    }

    return (entry, ledger) => {
      if (entry.kind === 'table' && entry.release !== NEWEST) older.add(entry.who)
      if (entry.kind === 'life' && (entry.what === 'crashes' || entry.what === 'has stopped'))
        if (older.delete(entry.who)) lastOldAt = entry.at
      if (entry.kind === 'commit' && ledger.releaseOf(entry.who) !== NEWEST) lastOldAt = entry.at
      if (entry.kind !== 'replan') return null
      if (entry.what === 'ends') return ended(entry, ledger)
      begun.set(entry.who, entry.at)
      return null
    }
  },
}

/** What was due by both does not have to be moved. */
function wrong(event: EventRow, ledger: Ledger, now: number): string | null {
  if (event.status !== 'PENDING' || event.replay_of !== null || ledger.tasks.has(event.occasion_id))
    return null
  const schedule = ledger.scheduleOf(event.occasion_id, NEWEST)
  const owed = schedule && owedNamed(schedule, event.occurrence)
  if (!owed || owed.at === event.target_at || Math.max(owed.at, event.target_at) <= now + BEHIND_MS)
    return null
  return `${event.id} is due ${instant(event.target_at)} by ${event.tz_version}, not ${instant(owed.at)}.`
}

/** Clocks that differ. */
const BEHIND_MS = 5_000
const instant = (at: number) => new Date(at).toISOString()

export const TIMEZONE_RULES: readonly Rule[] = [onlyWhatMust, newerLaw]
