// Validates the rule of an occasion: its spelling, and whether it has days and messages at all.
import type { FieldProblem } from '../../errors.ts'
import { type CivilDate, dayNumber, parseCivilDate } from '../../time/calendar.ts'
import type { Occasion } from '../occasion.ts'
import { MOST_SKIPPED } from '../recurring.ts'
import { sendRuleOf } from '../schedule.ts'
import { type SendRule, sendDay } from '../send-day.ts'
import { daysOf, parseRule } from './rrule.ts'

/** Occurrences are counted one by one from the date on, which takes up to 70 ms of CPU from the year 1. */
const COUNTED_FROM = '1900-01-01'

/** The rule in its canonical spelling; null if it is invalid. */
export function parseRepeats(text: string, problems: FieldProblem[]): string | null {
  if (text === 'YEARLY' || text === 'ONCE') return text
  const parsed = parseRule(text)
  if (parsed.ok) return parsed.text
  problems.push({ field: 'repeats', code: 'INVALID_RULE', message: parsed.message })
  return null
}

/** Whether the rule has days from the date on, and messages. `date` is that of the occasion or of birth, `civil` only that of the occasion. */
export function checkRule(
  rule: {
    repeats: string
    civil: CivilDate | null
    date: string | undefined
    send: Pick<Occasion, 'shiftDays' | 'onWeekend'>
  },
  problems: FieldProblem[],
): void {
  const { repeats, civil, date = COUNTED_FROM, send } = rule
  if (repeats.includes('COUNT=') && date < COUNTED_FROM) {
    const field = civil === null ? 'repeats' : 'date'
    const message = `COUNT counts from ${COUNTED_FROM} at the earliest. Give a later date, or UNTIL instead of COUNT.`
    problems.push({ field, code: 'DATE_OUT_OF_RANGE', message })
  }
  const from = civil ?? parseCivilDate(date)
  if (civil !== null && !everFalls(repeats, civil)) {
    const message = `From ${date} on, this rule has no occurrence. Give another date.`
    problems.push({ field: 'repeats', code: 'INVALID_RULE', message })
  } else if (from !== null && !everSent(repeats, from, sendRuleOf(send))) {
    const message =
      'Each day of this rule would be sent on a weekend, so it has no messages. Give BEFORE or AFTER.'
    problems.push({ field: 'onWeekend', code: 'CONFLICTING_FIELDS', message })
  }
}

/** A valid rule may have no occurrence from this date on, because of its interval. */
function everFalls(repeats: string, from: CivilDate): boolean {
  if (repeats === 'YEARLY' || repeats === 'ONCE') return true
  const parsed = parseRule(repeats)
  return parsed.ok && !daysOf(parsed.rule, from, from).next().done
}

/** Whether one of its days is not skipped because of a weekend. A single date may be, and says so. */
function everSent(repeats: string, from: CivilDate, send: SendRule): boolean {
  const parsed = parseRule(repeats)
  if (send.onWeekend !== 'SKIP' || !parsed.ok) return true
  let days = 0
  for (const day of daysOf(parsed.rule, from, from)) {
    if (sendDay(dayNumber(day), send) !== null) return true
    if (++days === MOST_SKIPPED) return false
  }
  return false
}
