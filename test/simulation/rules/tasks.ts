// Invariants of tasks and their reminders.
import { HOUR } from '../../support/fixtures.ts'
import { originalOf } from '../../support/oracle/schedule.ts'
import { reminderAt, type TaskRow } from '../oracle/expected-reminders.ts'
import { type Change, changesOf, type EventRow, type Ledger, type UserRow } from '../record/ledger.ts'
import type { Entry } from '../record/trace.ts'
import { firstWrong, type Rule } from './rule.ts'

type Commit = Entry & { kind: 'commit' }

const DAY = 86_400_000
/** Slow calls, and a pause between them. */
const A_WHILE_MS = DAY / 48

const onePlannedReminder: Rule = {
  name: 'one planned reminder',
  description:
    'A task has one open reminder: at its time before the due time, at once, or at the end of the quiet hours. It has none when it is completed, past due or already reminded of.',
  watch() {
    const owed = new Map<string, number | null>()
    return (entry, ledger) => {
      if (entry.kind !== 'commit') return null
      return firstWrong(touchedBy(entry, ledger), (task) => {
        const open = ledger.openEventsOf(task.id)
        if (open[0]?.status !== 'PROCESSING')
          owed.set(task.id, owedNow(entry, ledger, task, owed.get(task.id) ?? null))
        const at = owed.get(task.id) ?? null
        if (open.length !== (at === null ? 0 : 1)) return `Task ${task.id} has ${open.length} open reminders.`
        const [event] = open
        if (event?.status !== 'PENDING' || event.target_at === at) return null
        return `Task ${task.id} is reminded of at ${instant(event.target_at)}, not ${instant(at!)}.`
      })
    }
  },
}

/** The tasks whose reminder a transaction may have changed. */
function touchedBy({ rows }: Commit, ledger: Ledger): Iterable<TaskRow> {
  const touched = new Map<string, TaskRow>()
  const touch = (id: string) => {
    const task = ledger.tasks.get(id)
    if (task !== undefined) touched.set(id, task)
  }
  for (const { after } of changesOf<TaskRow>(rows, 'tasks')) if (after !== null) touch(after.id)
  for (const { before, after } of changesOf<EventRow>(rows, 'events')) touch((after ?? before)!.occasion_id)
  for (const { after } of changesOf<UserRow>(rows, 'users'))
    for (const { id, user_id } of ledger.tasks.values()) if (user_id === after?.id) touch(id)
  return touched.values()
}

/** The expected instant of the reminder after a transaction. */
function owedNow(commit: Commit, ledger: Ledger, task: TaskRow, before: number | null): number | null {
  const { timezone } = ledger.users.get(task.user_id)!
  const where = { timezone, release: ledger.releaseOf(commit.who) }
  const ended = changesOf<EventRow>(commit.rows, 'events').find((change) => isEnd(change, task))?.after
  if (ended) return reminderAt(task, { now: ended.executed_at!, given: originalOf(ended.occurrence), where })
  const given = ledger.lastSettled(task.id)?.occurrence ?? null
  const written = changesOf<TaskRow>(commit.rows, 'tasks').find(({ after }) => after?.id === task.id)
  if (written !== undefined && commit.op !== 'settle') {
    const planned = reminderAt(task, { now: task.updated_at, given, where })
    return before !== null && written.before !== null && isSameReminder(written.before, task)
      ? before
      : planned
  }
  if (before === null) return null
  const moved = changesOf<UserRow>(commit.rows, 'users').find(({ after }) => after?.id === task.user_id)
  const hasMoved = moved?.before && moved.before.timezone !== timezone
  if (!hasMoved && commit.op !== 'replan') return before
  // A reminder follows the instant at which the task is due: a move changes only the quiet hours.
  const now = moved?.after?.updated_at ?? commit.at - A_WHILE_MS
  if (task.quiet_hours === null || task.due_at - task.remind_before_ms < now) return before
  return reminderAt(task, { now, given, where }) ?? before
}

function isEnd({ before, after }: Change<EventRow>, { id }: TaskRow): boolean {
  return after?.occasion_id === id && after.replay_of === null && after.wake_at === null && !!before?.wake_at
}

function isSameReminder(was: TaskRow, is: TaskRow): boolean {
  return (['due_revision', 'remind_before_ms', 'quiet_hours', 'completed_at'] as const).every(
    (column) => was[column] === is[column],
  )
}

const noReminderOfACompletedTask: Rule = {
  name: 'no reminder of a completed task',
  description: 'A reminder is not sent when its task was completed at the time of the claim.',
  watch: () => (entry, ledger) => {
    if (entry.kind !== 'send') return null
    const task = ledger.taskAtClaim(entry.who, entry.eventId)
    return task == null || task.completed_at === null ? null : `${entry.eventId} reminds of a completed task.`
  },
}

const CORRECTABLE = /^(RETRIES_EXHAUSTED|BAD_TEMPLATE|TEMPLATE_LIMIT|NO_ADDRESS|HTTP 4(?!10)\d\d)$/

const reminderIsTriedUntilItsTaskIsDue: Rule = {
  name: 'reminder is tried until its task is due',
  description:
    'Failures that may pass or can be corrected do not make a reminder FAILED while its task is due in more than an hour, unless the due time was changed.',
  watch: () => (entry, ledger) => {
    if (entry.kind !== 'commit') return null
    return firstWrong(changesOf<EventRow>(entry.rows, 'events'), ({ before, after }) => {
      if (after === null || !CORRECTABLE.test(after.failure_code ?? '') || before?.failure_code != null)
        return null
      const task = ledger.taskAtClaim(entry.who, after.id)
      if (task === undefined || originalOf(after.occurrence) !== `due-${task.due_revision}`) return null
      const leftMs = task.due_at - after.executed_at!
      return leftMs > HOUR ? `${after.id} is FAILED ${leftMs / HOUR} hours before its task is due.` : null
    })
  },
}

const remindersADayApart: Rule = {
  name: 'reminders a day apart',
  description: 'No task is reminded of twice within 24 hours, or twice for one due time.',
  watch() {
    const last = new Map<string, EventRow>()
    return (entry, ledger) => {
      if (entry.kind !== 'commit') return null
      return firstWrong(changesOf<EventRow>(entry.rows, 'events'), ({ before, after }) => {
        if (after?.status !== 'COMPLETED' || before?.status === 'COMPLETED' || after.replay_of !== null)
          return null
        if (!ledger.tasks.has(after.occasion_id)) return null
        const earlier = last.get(after.occasion_id)
        last.set(after.occasion_id, after)
        if (earlier === undefined) return null
        if (earlier.occurrence === after.occurrence)
          return `${after.id} reminds of ${after.occurrence} again.`
        const apartMs = after.target_at - earlier.executed_at!
        return apartMs < DAY ? `${after.id} was due ${apartMs} ms after the last was sent.` : null
      })
    }
  },
}

const reminderTimeIsStoredWithTheSettlement: Rule = {
  name: 'reminder time is stored with the settlement',
  description:
    'The time of a reminder is stored on its task in the transaction that settles the reminder, and in no other.',
  watch: () => (entry, ledger) => {
    if (entry.kind !== 'commit') return null
    const sent = changesOf<EventRow>(entry.rows, 'events').flatMap(({ before, after }) =>
      after?.status === 'COMPLETED' && before?.status !== 'COMPLETED' && ledger.tasks.has(after.occasion_id)
        ? [after]
        : [],
    )
    const times = (id: string) => sent.filter((one) => one.occasion_id === id).map((one) => one.executed_at)
    const unmarked = firstWrong(sent, ({ id, occasion_id }) =>
      times(occasion_id).includes(ledger.tasks.get(occasion_id)!.reminder_sent_at)
        ? null
        : `${id} was sent, and its task has no reminder time.`,
    )
    if (unmarked !== null) return unmarked
    return firstWrong(changesOf<TaskRow>(entry.rows, 'tasks'), ({ before, after }) =>
      before === null || after === null || before.reminder_sent_at === after.reminder_sent_at
        ? null
        : times(after.id).includes(after.reminder_sent_at)
          ? null
          : `Task ${after.id} has a new reminder time, and no reminder was settled in that transaction.`,
    )
  },
}

const instant = (at: number) => new Date(at).toISOString()

export const TASK_RULES: readonly Rule[] = [
  onePlannedReminder,
  noReminderOfACompletedTask,
  reminderIsTriedUntilItsTaskIsDue,
  remindersADayApart,
  reminderTimeIsStoredWithTheSettlement,
]
