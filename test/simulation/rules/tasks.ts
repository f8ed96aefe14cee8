// When people are reminded of what they have to do, and of what they are not.

import { reminderAt, type TaskRow } from '../oracle/expected-reminders.ts'
import { originalOf } from '../oracle/expected-schedule.ts'
import { type Change, changesOf, type EventRow, type Ledger, type UserRow } from '../record/ledger.ts'
import type { Entry } from '../record/trace.ts'
import { firstWrong, type Rule } from './rule.ts'

type Commit = Entry & { kind: 'commit' }

const DAY = 86_400_000
/** Calls that take their time, and a pause between them. */
const A_WHILE_MS = DAY / 48

const asPromised: Rule = {
  name: 'reminded as promised',
  words:
    'A task has one reminder ahead, at the instant it comes within its time, or at once, or out of the night; none if it is done, past due or was reminded of.',
  watch() {
    const owed = new Map<string, number | null>()
    return (entry, ledger) => {
      if (entry.kind !== 'commit') return null
      return firstWrong(touchedBy(entry, ledger), (task) => {
        const open = ledger.openEventsOf(task.id)
        if (open[0]?.status !== 'PROCESSING')
          owed.set(task.id, owedNow(entry, ledger, task, owed.get(task.id) ?? null))
        const at = owed.get(task.id) ?? null
        if (open.length !== (at === null ? 0 : 1))
          return `Task ${task.id} has ${open.length} reminders ahead.`
        const [event] = open
        if (event?.status !== 'PENDING' || event.target_at === at) return null
        return `Task ${task.id} is reminded of at ${instant(event.target_at)}, not ${instant(at!)}.`
      })
    }
  },
}

/** The tasks that a transaction may have made another reminder of. */
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

/** What a transaction made of the reminder that is owed. */
function owedNow(commit: Commit, ledger: Ledger, task: TaskRow, before: number | null): number | null {
  const { timezone } = ledger.users.get(task.user_id)!
  const where = { timezone, release: ledger.releaseOf(commit.who) }
  const ended = changesOf<EventRow>(commit.rows, 'events').find((change) => isEnd(change, task))?.after
  if (ended) return reminderAt(task, { now: ended.executed_at!, given: originalOf(ended.occurrence), where })
  const given = ledger.lastSettled(task.id)?.occurrence ?? null
  const written = changesOf<TaskRow>(commit.rows, 'tasks').find(({ after }) => after?.id === task.id)
  if (written !== undefined && commit.op !== 'settle') {
    const anew = reminderAt(task, { now: task.updated_at, given, where })
    return before !== null && written.before !== null && isSameReminder(written.before, task) ? before : anew
  }
  if (before === null) return null
  const moved = changesOf<UserRow>(commit.rows, 'users').find(({ after }) => after?.id === task.user_id)
  const hasMoved = moved?.before && moved.before.timezone !== timezone
  if (!hasMoved && commit.op !== 'replan') return before
  // It hangs on the instant the task is due: only the night is another where they live now.
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

const doneIsDone: Rule = {
  name: 'done is done',
  words: 'Nobody is reminded of what was done when its reminder was taken.',
  watch: () => (entry, ledger) => {
    if (entry.kind !== 'send') return null
    const task = ledger.taskTaken(entry.who, entry.eventId)
    return task == null || task.completed_at === null ? null : `${entry.eventId} reminds of what is done.`
  },
}

const dayApart: Rule = {
  name: 'a day apart',
  words: 'Nobody is reminded of one task twice within 24 hours, nor twice of one due time.',
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

const marked: Rule = {
  name: 'marked when sent',
  words: 'That a task was reminded of is written in the step that settles the reminder, and in no other.',
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
        : `${id} was sent, and its task does not say so.`,
    )
    if (unmarked !== null) return unmarked
    return firstWrong(changesOf<TaskRow>(entry.rows, 'tasks'), ({ before, after }) =>
      before === null || after === null || before.reminder_sent_at === after.reminder_sent_at
        ? null
        : times(after.id).includes(after.reminder_sent_at)
          ? null
          : `Task ${after.id} says that it was reminded of, and nothing was sent in that step.`,
    )
  },
}

const instant = (at: number) => new Date(at).toISOString()

export const TASK_RULES: readonly Rule[] = [asPromised, doneIsDone, dayApart, marked]
