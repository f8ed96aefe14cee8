// Checks the open event of an occasion: it must be the next occurrence, at its instant. An error is found long before its day.
import { DAY_MS } from '../../time/calendar.ts'
import { CLOCK_TOLERANCE_MS } from '../../time/clock-tolerance.ts'
import { nextDay, occurrenceOn } from '../expected/days.ts'
import { type LedgerLine, makeLine } from '../line.ts'
import { dueOn } from './due.ts'
import { isServed, permittedDay } from './permitted.ts'
import { eventLine, isAsleep } from './placing.ts'
import { checkReminder } from './reminders.ts'
import { type Case, createdAt } from './timeline.ts'

/** Occurrences further ahead are not looked for. Longer than a leap year. */
export const AHEAD_DAYS = 400
/** Entries of the journal are kept for longer. */
const RECORDED_FOR_MS = 40 * DAY_MS

export function checkPlan(of: Case): LedgerLine[] {
  const { events, task, occasion } = of.input
  const open = events.filter(({ wakeAt, replayOf }) => wakeAt !== null && replayOf === null)
  if (open.length > 1) return [eventLine(of, open[1]!, 'unexplained', 'TWO_PLANNED')]
  const [event] = open
  // The successor of an event in flight is planned when it is settled.
  if (event?.status === 'PROCESSING') return []
  if (event !== undefined && isAsleep(event, of.context.now))
    return [eventLine(of, event, 'unexplained', 'ASLEEP')]
  if (task !== null) return checkReminder(of, event)
  if (event !== undefined && permittedDay(of, event) === null)
    return [eventLine(of, event, 'unexplained', 'MISPLANNED')]
  if (!isPauseRecorded(of))
    return [makeLine('unexplained', 'PAUSE_NOT_RECORDED', { occasionId: occasion.id })]
  const next = nextOwed(of, event?.targetAt ?? Number.POSITIVE_INFINITY)
  if (next === null) return []
  if (event === undefined) return [makeLine('unexplained', 'UNPLANNED', { occasionId: occasion.id, ...next })]
  return [{ ...eventLine(of, event, 'unexplained', 'SKIPPED'), expectedAt: next.dueAt }]
}

/** A pause that nobody recorded would excuse every message after it. */
function isPauseRecorded({ input, context }: Case): boolean {
  const { changes } = input
  const { pausedAt } = input.occasion
  if (pausedAt === null) return true
  if (pausedAt < context.now - RECORDED_FOR_MS || pausedAt < createdAt(input) + CLOCK_TOLERANCE_MS)
    return true
  return changes.some(
    (change) =>
      change.kind === 'occasion-changed' &&
      change.before.pausedAt !== pausedAt &&
      change.at >= pausedAt - CLOCK_TOLERANCE_MS,
  )
}

/** The first occurrence ahead that has no event and is due before an instant; null if there is none. */
function nextOwed(of: Case, before: number): { occurrence: string; dueAt: number } | null {
  const { states, context } = of
  const state = states.at(-1)!
  if (state.occasion.pausedAt !== null) return null
  const today = Math.floor(context.now / DAY_MS)
  const last = Math.min(today + AHEAD_DAYS, Math.floor(before / DAY_MS) + 1)
  for (
    let day = nextDay(state.rule, today - 1, last);
    day !== null;
    day = nextDay(state.rule, day + 1, last)
  ) {
    const { at, isActive } = dueOn(state, day, context)
    if (at >= before) return null
    if (at <= context.now + CLOCK_TOLERANCE_MS || !isActive) continue
    const occurrence = occurrenceOn(state.rule, day)!
    if (!isServed(of, state, { occurrence, at })) return { occurrence, dueAt: at }
  }
  return null
}
