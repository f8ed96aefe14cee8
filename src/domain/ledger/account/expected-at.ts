// Where the present state of an occasion puts an occurrence whose event is, or was, at another instant.
import { DAY_MS } from '../../time/calendar.ts'
import { dayOf, nextDay } from '../expected/days.ts'
import type { LedgerLine } from '../line.ts'
import { dueOn } from './due.ts'
import { AHEAD_DAYS } from './plan-check.ts'
import { presentReminder } from './reminders.ts'
import type { Case } from './timeline.ts'

const MISPLACED = new Set(['NOT_OWED', 'MISPLANNED', 'CHANGED'])

/** Adds `expectedAt` to a line about a misplaced occurrence. */
export function withExpected(of: Case, line: LedgerLine): LedgerLine {
  const { reason, occurrence, dueAt } = line
  if (reason === null || !MISPLACED.has(reason) || occurrence === null || dueAt === null) return line
  const at = of.input.task === null ? presentlyDue(of, occurrence, dueAt) : presentReminder(of)
  return at === dueAt ? line : { ...line, expectedAt: at }
}

/** When the occurrence is due or, if the present rule has none of that name, the next one since `from`; null if it is paused or has ended. */
function presentlyDue({ states, context }: Case, occurrence: string, from: number): number | null {
  const state = states.at(-1)!
  const first = Math.floor(from / DAY_MS) - 1
  const day = dayOf(state.rule, occurrence) ?? nextDay(state.rule, first, first + AHEAD_DAYS)
  if (day === null) return null
  const { at, isActive } = dueOn(state, day, context)
  return isActive ? at : null
}
