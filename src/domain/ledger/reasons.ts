// The reasons of the lines: each code of the account with the columns that have it, and a sentence for people. A line in the
// column `failed` has the code of the failure instead, such as `HTTP 410`.
import { reasonInWords } from '../events/failure-reason.ts'
import type { LedgerColumn, LedgerLine } from './line.ts'

type Reason = { columns: readonly LedgerColumn[]; text: string }

const delivered = (text: string): Reason => ({ columns: ['delivered'], text })
const excused = (text: string): Reason => ({ columns: ['excused'], text })
const open = (text: string): Reason => ({ columns: ['open'], text })
const unexplained = (text: string): Reason => ({ columns: ['unexplained'], text })

const LEDGER_REASONS = {
  EARLY: delivered('It was delivered, and it was claimed before it was due.'),
  SETTLED_BEFORE_CLAIM: delivered(
    'It was delivered, and its settlement is dated before its claim: the clock was set back, or the row was altered.',
  ),
  ERASED: delivered('It was delivered, and its person or occasion was deleted afterwards.'),

  PAUSED: excused('Its occasion was paused when it was due, or before it was sent.'),
  CHANGED: excused(
    'The person or the occasion was changed before it was sent, and it is no longer due on this day.',
  ),
  DELETED: excused('Its person or occasion was deleted before it was sent.'),
  EARLIER_ONE_WAS_OPEN: excused('An earlier message of the occasion was not settled when this one was due.'),
  SENT_SHORTLY_BEFORE: excused(
    'The rule was changed, and the occasion had a message on this day or, by another yearly rule, less than half a year before.',
  ),
  OTHER_TIMEZONE_RULES: excused(
    'By other timezone rules that were in force it was due before its occasion had this state, or after.',
  ),
  SENT_ON_ANOTHER_DAY: excused('The occurrence was moved, and its message belongs to another day.'),
  OCCASION_PAUSED: excused('Its occasion was paused before it was delivered.'),
  TASK_COMPLETED: excused('Its task was completed before it was delivered.'),
  CUT_OFF: excused('It was not delivered before the cut-off time of its day.'),
  MISSED_WINDOW: excused('It was later than the limit of lateness permits.'),

  IN_FLIGHT: open('It is in flight.'),
  PARKED: open('It is parked: it waits for its channel without using a retry.'),
  RETRY: open('An attempt failed, and it waits for a retry.'),
  NOT_DUE: open('It is not due yet.'),
  NOT_CLAIMED: open('It is due, and no worker has claimed it.'),
  LEASE_EXPIRED: open(
    'The lease of the worker that claimed it has expired, and no other worker has claimed it.',
  ),

  UNREADABLE: unexplained(
    'A stored row of the occasion, or an entry of the journal, cannot be read, so what was owed is unknown.',
  ),
  NO_EVENT: unexplained('It was owed on this day, and there is no event for it.'),
  PEOPLE_MISSING: unexplained(
    'The account has fewer people than there are, or than the day before had without those who were deleted since.',
  ),
  VANISHED: unexplained('Its row is gone, and the journal has no deletion.'),
  STUCK: unexplained('A worker has claimed it for more than a day, and its lease does not end.'),
  ASLEEP: unexplained('It is not tried again for days, which no retry and no wait for a channel explains.'),
  OPEN_TOO_LONG: unexplained(
    'It was due more than a week ago, and it is neither settled nor parked, nor a reminder whose task is ahead.',
  ),
  SETTLED_IN_FUTURE: unexplained('Its settlement is dated in the future.'),
  NEVER_CLAIMED: unexplained('It is marked as failed, and no worker has claimed it.'),
  NO_OUTCOME: unexplained('It is settled without a recorded outcome.'),
  NO_ACCEPTED_ATTEMPT: unexplained('It is marked as delivered without an attempt that a receiver accepted.'),
  OCCASION_PAUSED_NOT_RECORDED: unexplained('It failed because of a pause that the journal does not have.'),
  PAUSE_NOT_RECORDED: unexplained('Its occasion is paused, and the journal does not have the pause.'),
  TASK_COMPLETED_NOT_RECORDED: unexplained(
    'It failed because its task was completed, which the journal does not have.',
  ),
  CUT_OFF_NOT_RECORDED: unexplained('It failed because of a cut-off time that its occasion did not have.'),
  MISSED_WINDOW_NOT_RECORDED: unexplained(
    'It failed as too late, and no recorded limit of lateness says so.',
  ),
  MISPLANNED: unexplained('The planned event is not at an instant that its occasion permits.'),
  UNPLANNED: unexplained('The next occurrence of the occasion has no event.'),
  SKIPPED: unexplained('The planned event is later than the next occurrence of the occasion.'),
  TWO_PLANNED: unexplained('The occasion has two planned events.'),

  NOT_OWED: {
    columns: ['surplus', 'unexplained'],
    text: 'Its occasion did not have it at this instant. In the column surplus, a message was sent.',
  },
  SENT_TWICE: { columns: ['surplus'], text: 'The message of this occurrence was delivered more than once.' },
} as const satisfies Record<string, Reason>

/** The reason of a line as a sentence. */
export function reasonText({ column, reason }: Pick<LedgerLine, 'column' | 'reason'>): string {
  if (reason === null) return 'It was delivered.'
  if (column === 'failed') return `It failed: ${reasonInWords(reason, null)}.`
  const known: Readonly<Record<string, Reason>> = LEDGER_REASONS
  return known[reason]?.text ?? `The recorded reason is ${reason}.`
}
