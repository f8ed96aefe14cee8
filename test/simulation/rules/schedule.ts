// Who is greeted next, for which year and when.
import { changesOf, type EventRow, type Ledger, type OccasionRow, type UserRow } from '../ledger.ts'
import { dueIn } from '../oracle.ts'
import { greetingAfterMove, nextGreeting, type Owed } from '../promise.ts'
import type { Entry } from '../trace.ts'
import { firstWrong, type Rule } from './rule.ts'

type Commit = Entry & { kind: 'commit' }

const rightInstant: Rule = {
  name: 'nine is nine',
  words:
    'An event that is planned, moved or taken for the first time is due at nine where the person lives, on their day.',
  watch: () => (entry, ledger) => {
    const wrong = ({ id, occasion_id, occurrence, target_at, replay_of }: EventRow) => {
      const settings = ledger.settingsOf(occasion_id)
      if (settings === null || replay_of !== null) return null
      const at = dueIn(Number(occurrence), settings)
      return at === target_at ? null : `${id} is due ${instant(target_at)}, not ${instant(at)}.`
    }
    if (entry.kind === 'rest')
      return firstWrong(
        [...ledger.events.values()].filter(({ status }) => status === 'PENDING'),
        wrong,
      )
    if (entry.kind !== 'commit') return null
    const planned = changesOf<EventRow>(entry.rows, 'events').filter(
      ({ before, after }) => after !== null && (before === null || before.status === 'PENDING'),
    )
    return firstWrong(planned, ({ after }) => wrong(after!))
  },
}

const asPromised: Rule = {
  name: 'planned as promised',
  words:
    'A person always has exactly one event ahead: the first, the one after the last, or the same one moved with them.',
  watch() {
    const owed = new Map<string, Owed>()
    return (entry, ledger) => {
      if (entry.kind !== 'commit') return null
      const touched = new Set<string>()
      for (const { after } of changesOf<OccasionRow>(entry.rows, 'occasions'))
        if (after) touched.add(after.id)
      for (const { before, after } of changesOf<EventRow>(entry.rows, 'events'))
        touched.add((after ?? before)!.occasion_id)
      for (const { after } of changesOf<UserRow>(entry.rows, 'users')) {
        for (const { id, user_id } of ledger.occasions.values()) if (user_id === after?.id) touched.add(id)
      }
      return firstWrong(touched, (occasionId) => {
        if (!ledger.occasions.has(occasionId)) return null
        const next = owedNow(entry, ledger, occasionId, owed.get(occasionId) ?? null)
        if (next === null) return `Occasion ${occasionId} appeared from nowhere.`
        owed.set(occasionId, next)
        return compare(ledger, occasionId, next)
      })
    }
  },
}

/** What a transaction made of what is owed. */
function owedNow(commit: Commit, ledger: Ledger, occasionId: string, before: Owed | null): Owed | null {
  const settings = ledger.settingsOf(occasionId)
  if (settings === null) return before
  const userId = ledger.occasions.get(occasionId)!.user_id
  const user = changesOf<UserRow>(commit.rows, 'users').find(({ after }) => after?.id === userId)
  if (user?.before === null) return nextGreeting(settings, { now: user.after!.created_at, settled: null })
  const ended = changesOf<EventRow>(commit.rows, 'events').find(
    (change) =>
      change.after?.occasion_id === occasionId &&
      change.after.replay_of === null &&
      change.after.wake_at === null &&
      change.before?.wake_at,
  )
  if (ended !== undefined) {
    const { occurrence, executed_at } = ended.after!
    return nextGreeting(settings, { now: executed_at!, settled: Number(occurrence) })
  }
  const open = ledger.openEventsOf(occasionId)[0]
  if (before === null || open?.status === 'PROCESSING') return before
  if (user === undefined) return isRedirected(commit, occasionId) ? owedAnew(ledger, open, before) : before
  const from = { now: user.after!.updated_at, settled: ledger.lastSettled(occasionId), pending: before.year }
  if (user.before!.date_of_birth.slice(5) !== user.after!.date_of_birth.slice(5))
    return nextGreeting(settings, from)
  return user.before!.timezone === user.after!.timezone ? before : greetingAfterMove(settings, from)
}

function isRedirected({ rows }: Commit, occasionId: string): boolean {
  return changesOf<OccasionRow>(rows, 'occasions').some(
    ({ before, after }) => before && after?.id === occasionId,
  )
}

/** A change of the occasion plans its event anew, from a moment before it is written: as little as a move does. */
function owedAnew(ledger: Ledger, open: EventRow | undefined, before: Owed): Owed {
  if (open === undefined) return before
  const from = { now: open.updated_at - A_WHILE_MS, settled: ledger.lastSettled(open.occasion_id) }
  const settings = ledger.settingsOf(open.occasion_id)!
  const earlier = greetingAfterMove(settings, { ...from, pending: before.year })
  return Number(open.occurrence) === earlier.year ? earlier : before
}

function compare(ledger: Ledger, occasionId: string, { year, at }: Owed): string | null {
  const open = ledger.openEventsOf(occasionId)
  if (open.length !== 1) return `Occasion ${occasionId} has ${open.length} events ahead.`
  const { id, occurrence } = open[0]!
  return Number(occurrence) === year ? null : `${id} is for ${occurrence}; owed is ${year}, ${instant(at)}.`
}

const noYearSkipped: Rule = {
  name: 'no year skipped',
  words:
    'Years follow one another; one is left out only if it had gone by before the last was settled, or for a new date of birth.',
  watch() {
    const corrected = new Set<string>()
    return (entry, ledger) => {
      if (entry.kind === 'commit')
        for (const { before, after } of changesOf<UserRow>(entry.rows, 'users'))
          if (before && after && before.date_of_birth !== after.date_of_birth) corrected.add(after.id)
      if (entry.kind !== 'rest') return null
      return firstWrong(ledger.occasions.values(), ({ id, user_id }) => {
        if (corrected.has(user_id)) return null
        const settings = ledger.settingsOf(id)!
        const events = [...ledger.events.values()]
          .filter(({ occasion_id, replay_of }) => occasion_id === id && replay_of === null)
          .sort((a, b) => Number(a.occurrence) - Number(b.occurrence))
        return firstWrong(events.slice(1).entries(), ([i, { occurrence }]) => {
          const { occurrence: last, executed_at } = events[i]!
          for (let year = Number(last) + 1; year < Number(occurrence); year++)
            if (dueIn(year, settings) > executed_at! + DAY) return `${user_id} was not greeted for ${year}.`
          return null
        })
      })
    }
  },
}

const DAY = 86_400_000
/** Calls that take their time, a pause between them, and clocks that differ. */
const A_WHILE_MS = DAY / 48
const instant = (at: number) => new Date(at).toISOString()

export const SCHEDULE_RULES: readonly Rule[] = [rightInstant, asPromised, noYearSkipped]
