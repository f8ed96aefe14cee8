// The account of one occasion for one day, computed without the planner: which occurrences were owed on that day under the
// states and the timezone rules that were in force, and what became of each.
//
// Reading order: input.ts and timeline.ts (what is known of an occasion), due.ts (when an occurrence is due), this file,
// permitted.ts (whether an event was owed), placing.ts (the column of an event), missing.ts (the column of an occurrence without
// an event). reminders.ts has the tasks, plan-check.ts the occurrences ahead, expected-at.ts where a misplaced event belongs,
// erased.ts the deleted people.
import { originalOf } from '../../events/idempotency-key.ts'
import { occurrenceOn } from '../expected/days.ts'
import { type LedgerLine, makeLine } from '../line.ts'
import { withExpected } from './expected-at.ts'
import type { AccountEvent, Context, OccasionAccount } from './input.ts'
import { accountMissing } from './missing.ts'
import { localDay, permittedDay } from './permitted.ts'
import { eventLine, place, placeCarried } from './placing.ts'
import { checkPlan } from './plan-check.ts'
import { accountReminders } from './reminders.ts'
import { type Case, caseOf } from './timeline.ts'

/**
 * The lines of an occasion on a day (days since 1970): what was owed on the day, what was open before it, and what is wrong with
 * its plan.
 */
export function accountFor(input: OccasionAccount, day: number, context: Context): LedgerLine[] {
  try {
    const of = caseOf(input, context)
    const lines = accountOccasion(of, day)
    const plan = checkPlan(of).filter((found) => !isKnown(lines, found))
    return [...lines, ...plan].map((line) => withExpected(of, line))
  } catch {
    // Rows of one occasion that cannot be read must not end the account of everyone else.
    return [makeLine('unexplained', 'UNREADABLE', { occasionId: input.occasion.id })]
  }
}

/** One fault has one line. If the next event is still missing tomorrow, the next account says so. */
function isKnown(lines: readonly LedgerLine[], found: LedgerLine): boolean {
  return lines.some(({ reason, eventId }) =>
    found.reason === 'UNPLANNED'
      ? reason === 'NO_EVENT'
      : found.eventId !== null && eventId === found.eventId && reason === found.reason,
  )
}

/** The lines of an occasion on a day, without the check of its plan. */
export function accountOccasion(of: Case, day: number): LedgerLine[] {
  const { task, carried } = of.input
  const lines = task === null ? accountDay(of, day) : accountReminders(of, day)
  const placed = new Set(lines.map(({ eventId }) => eventId))
  for (const line of carried) if (!placed.has(line.eventId)) lines.push(...placeCarried(of, line))
  return lines
}

function accountDay(of: Case, day: number): LedgerLine[] {
  const { states } = of
  const { events } = of.input
  const lines: LedgerLine[] = []
  /** The names of the occurrences that have a line. */
  const placed = new Set<string>()
  const names = new Set(events.map(({ occurrence }) => occurrence))
  for (const event of events) {
    const name = originalOf(event.occurrence)
    // A replay is placed with its original, or by itself if the original was pruned.
    if (event.replayOf !== null && (names.has(name) || placed.has(name))) continue
    const owedOn = permittedDay(of, event)
    if ((owedOn ?? localDay(event)) !== day) continue
    placed.add(name)
    lines.push(...(owedOn === null ? notOwed(of, event) : place(of, event)))
  }
  for (const { rule } of states) {
    const name = occurrenceOn(rule, day)
    if (name === null || placed.has(name)) continue
    placed.add(name)
    const line = accountMissing(of, { day, name })
    if (line !== null) lines.push(line)
  }
  return lines
}

export function notOwed(of: Case, event: AccountEvent): LedgerLine[] {
  const wasSent = event.status === 'COMPLETED' || event.attempts > 0
  // An event that is still pending is judged by the check of the plan.
  if (event.status === 'PENDING' && !wasSent) return []
  return [eventLine(of, event, wasSent ? 'surplus' : 'unexplained', 'NOT_OWED')]
}
