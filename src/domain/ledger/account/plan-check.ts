// Checks the open event of an occasion: it must be the next occurrence, at its instant. An error is found long before its day.
import { originalOf } from '../../events/idempotency-key.ts'
import { DAY_MS } from '../../time/calendar.ts'
import { nextDay, occurrenceOn } from '../expected/days.ts'
import type { LedgerLine } from '../line.ts'
import { type Context, dueOn, SLACK_MS } from './due.ts'
import { hasEnded } from './ended.ts'
import type { OccasionAccount } from './input.ts'
import { isTooSoon, permittedDay } from './permitted.ts'
import { lineFor } from './placing.ts'
import { checkReminder } from './reminders.ts'
import { createdAt, type State } from './timeline.ts'

/** Occurrences further ahead are not looked for. Longer than a leap year. */
const AHEAD_DAYS = 400
/** Entries of the journal are kept for longer. */
const RECORDED_FOR_MS = 40 * DAY_MS

export function checkPlan(input: OccasionAccount, states: readonly State[], context: Context): LedgerLine[] {
  const open = input.events.filter(({ wakeAt, replayOf }) => wakeAt !== null && replayOf === null)
  if (open.length > 1) return [lineFor(input, open[1]!, 'unexplained', 'TWO_PLANNED')]
  const [event] = open
  // The successor of an event in flight is planned when it is settled.
  if (event?.status === 'PROCESSING') return []
  if (input.task !== null) return checkReminder(input, states, event, context)
  if (event !== undefined && permittedDay(event, states, context) === null)
    return [lineFor(input, event, 'unexplained', 'MISPLANNED')]
  const rest = { settledAt: null, attempt: null, entry: null, because: null, carriedFrom: null }
  const line = { ...rest, column: 'unexplained', occasionId: input.occasion.id } as const
  if (!isPauseRecorded(input, context))
    return [{ ...line, reason: 'PAUSE_NOT_RECORDED', eventId: null, occurrence: null, dueAt: null }]
  const next = nextOwed(input, states, context, event?.targetAt ?? Number.POSITIVE_INFINITY)
  if (next === null) return []
  return [
    {
      ...line,
      ...next,
      reason: event === undefined ? 'UNPLANNED' : 'SKIPPED',
      eventId: event?.id ?? null,
    },
  ]
}

/** A pause that nobody recorded would excuse every message after it. */
function isPauseRecorded(
  { occasion: { id, pausedAt }, changes }: OccasionAccount,
  { now }: Context,
): boolean {
  if (pausedAt === null || pausedAt < now - RECORDED_FOR_MS || pausedAt < createdAt(id) + SLACK_MS)
    return true
  return changes.some(
    (change) =>
      change.kind === 'occasion-changed' &&
      change.before.pausedAt !== pausedAt &&
      change.at >= pausedAt - SLACK_MS,
  )
}

/** The first occurrence ahead that has no event and is due before an instant; null if there is none. */
function nextOwed(
  { events }: OccasionAccount,
  states: readonly State[],
  context: Context,
  before: number,
): { occurrence: string; dueAt: number } | null {
  const state = states.at(-1)!
  if (state.occasion.pausedAt !== null || hasEnded(states, context)) return null
  const today = Math.floor(context.now / DAY_MS)
  const last = Math.min(today + AHEAD_DAYS, Math.floor(before / DAY_MS) + 1)
  for (
    let day = nextDay(state.rule, today - 1, last);
    day !== null;
    day = nextDay(state.rule, day + 1, last)
  ) {
    const { at, live } = dueOn(state, day, context)
    if (at >= before) return null
    if (at <= context.now + SLACK_MS || !live) continue
    const occurrence = occurrenceOn(state.rule, day)!
    const hasReason = events.some(
      (event) =>
        event.replayOf === null &&
        (originalOf(event.occurrence) === occurrence || isTooSoon(state, event, at)),
    )
    if (!hasReason) return { occurrence, dueAt: at }
  }
  return null
}
