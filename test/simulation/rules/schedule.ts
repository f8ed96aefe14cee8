// Invariants of the next event of each occasion and its due time.
import { TASK_REMINDER } from '../../../src/domain/tasks/task.ts'
import { NEWEST } from '../../support/oracle/clock.ts'
import {
  dayNamed,
  isOverBefore,
  nextOwed,
  type Owed,
  owedAfterMove,
  owedAtOnce,
  owedNamed,
  type Schedule,
} from '../../support/oracle/schedule.ts'
import {
  changesOf,
  type EventRow,
  type Ledger,
  type OccasionRow,
  scheduleFor,
  type UserRow,
} from '../record/ledger.ts'
import type { Entry } from '../record/trace.ts'
import type { Scenario } from '../scenario.ts'
import { firstWrong, type Rule } from './rule.ts'

type Commit = Entry & { kind: 'commit' }

const dueAtLocalTime: Rule = {
  name: 'due at local time',
  description:
    'An event that is planned, moved or claimed for the first time is due on a day of its occasion, at its local time, where the person lives.',
  watch: (scenario) => watchDue(scenario, (schedule) => !hasOtherDay(schedule)),
}

const sentOnItsDay: Rule = {
  name: 'sent on its day',
  description:
    'The same for an event that is sent days before or after its date, or not on weekends. It is due at once where a change puts its day into the past.',
  watch: (scenario) => watchDue(scenario, hasOtherDay),
}

const hasOtherDay = ({ shiftDays, onWeekend }: Schedule) => Boolean(shiftDays) || Boolean(onWeekend)

function watchDue(scenario: Scenario, isWanted: (schedule: Schedule) => boolean): ReturnType<Rule['watch']> {
  /** Events that a new day of sending, which had passed, made due at once. */
  const atOnce = new Set<string>()
  return (entry, ledger) => checkDue({ scenario, isWanted, atOnce }, entry, ledger)
}

type Due = { scenario: Scenario; isWanted: (schedule: Schedule) => boolean; atOnce: Set<string> }

function checkDue({ scenario, isWanted, atOnce }: Due, entry: Entry, ledger: Ledger): string | null {
  const wrong = (event: EventRow) => {
    const { id, occasion_id, occurrence, target_at, replay_of, tz_version } = event
    // At the end every event follows the newest table; before, the table it was planned by.
    const schedule = ledger.scheduleOf(occasion_id, entry.kind === 'end' ? NEWEST : tz_version)
    if (schedule === null || replay_of !== null || isReminder(ledger, occasion_id)) return null
    const isAtOnce = entry.kind === 'commit' && isNewDayPast(entry, event, schedule)
    if (isAtOnce) atOnce.add(`${id} ${target_at}`)
    if (!isWanted(schedule)) return null
    const owed = owedNamed(schedule, occurrence)
    if (owed === null) return `${id} is for ${occurrence}, which is no day of its occasion.`
    if (isSentAtOnce(scenario, ledger, event)) return null
    if (owed.at === target_at || atOnce.has(`${id} ${target_at}`)) return null
    return `${id} is due ${instant(target_at)}, not ${instant(owed.at)}.`
  }
  if (entry.kind === 'end')
    return firstWrong(
      [...ledger.events.values()].filter(({ status }) => status === 'PENDING'),
      wrong,
    )
  if (entry.kind !== 'commit') return null
  const planned = changesOf<EventRow>(entry.rows, 'events').filter(
    ({ before, after }) => after !== null && (before === null || before.status === 'PENDING'),
  )
  return firstWrong(planned, ({ after }) => wrong(after!))
}

/** Whether the commit changed on which day the occasion is sent, that day was over, and so the event that was ahead is due at once. */
function isNewDayPast(
  commit: Commit,
  { id, occasion_id, target_at, occurrence }: EventRow,
  schedule: Schedule,
): boolean {
  const occasion = lastChange<OccasionRow>(commit, 'occasions', occasion_id)
  const was = lastChange<EventRow>(commit, 'events', id)?.before?.target_at ?? 0
  if (!occasion?.before || was <= target_at) return false
  const { before, after } = occasion
  const isNewDay = before.shift_days !== after.shift_days || before.on_weekend !== after.on_weekend
  const isMoment = target_at <= commit.at + A_WHILE_MS && target_at >= commit.at - A_WHILE_MS
  const owed = isNewDay && isMoment ? owedNamed(schedule, occurrence) : null
  return owed !== null && isOverBefore(schedule, owed, target_at)
}

function isReminder(ledger: Ledger, occasionId: string): boolean {
  return ledger.occasionOf(occasionId)?.type === TASK_REMINDER
}

const onePlannedEvent: Rule = {
  name: 'one planned event',
  description:
    'An occasion has exactly one open event: the first, the successor of the last, or the pending one moved with its person. It has none while it is paused and none after its last day.',
  watch(scenario) {
    const owed = new Map<string, Owed | null>()
    return (entry, ledger) => {
      if (entry.kind !== 'commit') return null
      return firstWrong(touchedBy(entry, ledger), (occasionId) => {
        if (!ledger.occasions.has(occasionId) || isReminder(ledger, occasionId)) return null
        const next = owedNow(scenario, entry, ledger, occasionId, owed.get(occasionId))
        if (next === undefined)
          return `Occasion ${occasionId} was inserted without its person or a change of its own.`
        owed.set(occasionId, next)
        return compare(ledger, occasionId, next)
      })
    }
  },
}

/** The occasions whose next event a transaction may have changed. */
function touchedBy({ rows }: Commit, ledger: Ledger): Set<string> {
  const touched = new Set<string>()
  for (const { after } of changesOf<OccasionRow>(rows, 'occasions')) if (after) touched.add(after.id)
  for (const { before, after } of changesOf<EventRow>(rows, 'events'))
    touched.add((after ?? before)!.occasion_id)
  for (const { after } of changesOf<UserRow>(rows, 'users')) {
    for (const { id, user_id } of ledger.occasions.values()) if (user_id === after?.id) touched.add(id)
  }
  return touched
}

/** The expected next event after a transaction. */
function owedNow(
  scenario: Scenario,
  commit: Commit,
  ledger: Ledger,
  occasionId: string,
  before: Owed | null | undefined,
): Owed | null | undefined {
  const schedule = ledger.scheduleOf(occasionId, ledger.releaseOf(commit.who))
  if (schedule === null) return before
  const { user_id: userId, date } = ledger.occasions.get(occasionId)!
  const user = lastChange<UserRow>(commit, 'users', userId)
  if (user?.before === null) {
    const { created_at: now } = user.after!
    const today = asksForToday(scenario, user.after!) ? owedAtOnce(schedule, now) : null
    return today ?? nextOwed(schedule, { now, settled: null })
  }
  const ended = changesOf<EventRow>(commit.rows, 'events').find(
    (change) =>
      change.after?.occasion_id === occasionId &&
      change.after.replay_of === null &&
      change.after.wake_at === null &&
      change.before?.wake_at,
  )
  if (ended !== undefined) {
    const { occurrence, executed_at, target_at } = ended.after!
    return nextOwed(schedule, { now: executed_at!, settled: { occurrence, at: target_at } })
  }
  if (ledger.openEventsOf(occasionId)[0]?.status === 'PROCESSING') return before
  const occasion = lastChange<OccasionRow>(commit, 'occasions', occasionId)
  if (occasion !== undefined) return owedAfterChange(commit, ledger, occasion, before ?? null)
  if (!before) {
    // A change of the person can put the only occurrence ahead again, which had passed when the occasion was created.
    if (commit.op !== 'updateUser' || user === undefined || before === undefined) return before
    const settled = ledger.lastSettled(occasionId)
    return isPlannedAgain(user) ? nextOwed(schedule, { now: user.after.updated_at, settled }) : null
  }
  if (commit.op === 'replan') {
    const settled = ledger.lastSettled(occasionId)
    return owedAround(commit.at, ledger, occasionId, schedule, (now) =>
      owedAfterMove(schedule, { now, settled, pending: before.occurrence }),
    )
  }
  if (user === undefined) return before
  const settled = ledger.lastSettled(occasionId)
  const from = { now: user.after!.updated_at, settled, pending: before.occurrence }
  const was = { ...schedule, date: date ?? user.before!.date_of_birth }
  if (!keepsDay(was, schedule, before)) return nextOwed(schedule, from)
  return user.before!.timezone === user.after!.timezone ? before : owedAfterMove(schedule, from)
}

function isPlannedAgain({ before, after }: Changed<UserRow>): boolean {
  return before!.timezone !== after.timezone || before!.date_of_birth !== after.date_of_birth
}

/** Whether the caller who created the person asked for a message at once, if it was due earlier that day. */
function asksForToday({ edits }: Scenario, { first_name }: UserRow): boolean {
  return edits.some(
    (edit) => edit.kind === 'create' && edit.sendTodayNow === true && edit.input.firstName === first_name,
  )
}

/** Whether the event is the one that was due when its person was created, and did not move since. */
function isSentAtOnce(scenario: Scenario, ledger: Ledger, event: EventRow): boolean {
  const user = ledger.users.get(ledger.occasionOf(event.occasion_id)?.user_id ?? '')
  return user !== undefined && event.target_at === user.created_at && asksForToday(scenario, user)
}

type Changed<T> = { before: T | null; after: T }

/** A row as it was before the transaction, and as it is after it. */
function lastChange<T extends { id: string }>(
  { rows }: Commit,
  table: string,
  id: string,
): Changed<T> | undefined {
  const changes = changesOf<T>(rows, table).filter(({ after }) => after?.id === id)
  return changes.length === 0 ? undefined : { before: changes[0]!.before, after: changes.at(-1)!.after! }
}

/**
 * A new or changed occasion is planned a moment before it is stored. The expected event stays, unless its occasion now
 * falls on other days; without one, the next occurrence is expected.
 */
function owedAfterChange(
  { at, who }: Commit,
  ledger: Ledger,
  { before: was, after: is }: Changed<OccasionRow>,
  before: Owed | null,
): Owed | null {
  const user = ledger.users.get(is.user_id)!
  const release = ledger.releaseOf(who)
  const schedule = scheduleFor(is, user, release)
  const settled = ledger.lastSettled(is.id)
  const isReplanned =
    was === null || before === null || !keepsDay(scheduleFor(was, user, release), schedule, before)
  return owedAround(at, ledger, is.id, schedule, (now) =>
    isReplanned
      ? nextOwed(schedule, { now, settled })
      : owedAfterMove(schedule, { now, settled, pending: before.occurrence }),
  )
}

/** The expected event if it was decided at some moment around that instant: the stored one if it is among the candidates. */
function owedAround(
  at: number,
  ledger: Ledger,
  occasionId: string,
  schedule: Schedule,
  decide: (now: number) => Owed | null,
): Owed | null {
  const settled = ledger.lastSettled(occasionId)
  const moments = [at - A_WHILE_MS]
  for (;;) {
    const passed = nextOwed(schedule, { now: moments.at(-1)!, settled })
    if (passed === null || passed.at > at + A_WHILE_MS) break
    moments.push(passed.at + 1)
  }
  const open = ledger.openEventsOf(occasionId)[0]?.occurrence
  const right = moments.map(decide)
  return right[
    Math.max(
      0,
      right.findIndex((owed) => owed?.occurrence === open),
    )
  ]!
}

/** Whether the expected occurrence falls on the same day by both schedules. */
function keepsDay(was: Schedule, is: Schedule, { occurrence }: Owed): boolean {
  const day = dayNamed(was, occurrence)
  return day !== null && day === dayNamed(is, occurrence)
}

/** The columns that decide on which days an occasion falls. */
const DAYS = [
  'date',
  'repeats',
  'calendar',
  'leap_day',
  'shift_days',
  'on_weekend',
  'until',
  'paused_at',
] as const

function compare(ledger: Ledger, occasionId: string, owed: Owed | null): string | null {
  const open = ledger.openEventsOf(occasionId)
  if (open.length !== (owed === null ? 0 : 1)) return `Occasion ${occasionId} has ${open.length} open events.`
  if (owed === null) return null
  const { id, occurrence } = open[0]!
  return occurrence === owed.occurrence
    ? null
    : `${id} is for ${occurrence}; expected is ${owed.occurrence}, ${instant(owed.at)}.`
}

const noOccurrenceSkipped: Rule = {
  name: 'no occurrence skipped',
  description:
    'Occurrences follow one another; one is left out only if it had passed before the last was settled, or if the days of the occasion changed.',
  watch() {
    const corrected = new Set<string>()
    return (entry, ledger) => {
      if (entry.kind === 'commit') {
        for (const { before, after } of changesOf<UserRow>(entry.rows, 'users'))
          if (before && after && before.date_of_birth !== after.date_of_birth) corrected.add(after.id)
        for (const { before, after } of changesOf<OccasionRow>(entry.rows, 'occasions'))
          if (before && after && DAYS.some((column) => before[column] !== after[column]))
            corrected.add(after.id)
      }
      if (entry.kind !== 'end') return null
      return firstWrong(ledger.occasions.values(), ({ id, user_id }) =>
        corrected.has(user_id) || corrected.has(id) || isReminder(ledger, id) ? null : skipped(ledger, id),
      )
    }
  },
}

function skipped(ledger: Ledger, occasionId: string): string | null {
  const schedule = ledger.scheduleOf(occasionId, NEWEST)!
  const events = [...ledger.events.values()]
    .filter(({ occasion_id, replay_of }) => occasion_id === occasionId && replay_of === null)
    .sort((a, b) => (a.occurrence < b.occurrence ? -1 : 1))
  return firstWrong(events.slice(1).entries(), ([i, { occurrence }]) => {
    const { occurrence: last, executed_at, target_at } = events[i]!
    const settled = { occurrence: last, at: target_at }
    const next = nextOwed(schedule, { now: executed_at! + MOVED_MS, settled })
    return next !== null && next.occurrence < occurrence ? `${occasionId} skipped ${next.occurrence}.` : null
  })
}

const DAY = 86_400_000
/** How much sooner a local time can come after a move. */
const MOVED_MS = DAY + DAY / 12
/** Slow calls, a pause between them, and clocks that differ. */
const A_WHILE_MS = DAY / 48
const instant = (at: number) => new Date(at).toISOString()

export const SCHEDULE_RULES: readonly Rule[] = [
  dueAtLocalTime,
  sentOnItsDay,
  onePlannedEvent,
  noOccurrenceSkipped,
]
