// The days of a recurrence rule (RFC 5545 without its rare parts). Knows no zones, reads no clock.
import { type CivilDate, civilFromLocalMs, DAY_MS, dayNumber, daysFromCivil } from '../../time/calendar.ts'
import { readRule } from './rrule-parse.ts'
import type { ParsedRule, RecurrenceRule } from './rrule-rule.ts'
import { daysWithin, type Spans, spansOf, weekdayOf } from './rrule-spans.ts'

/** Returns `text` in canonical spelling: capitals, parts and lists in a fixed order, without defaults. */
export function parseRule(text: string): ParsedRule {
  const parsed = readRule(text)
  if (!parsed.ok || canHappen(parsed.rule)) return parsed
  const message = `${parsed.text} has no occurrence: no year has such a day. Change BYMONTH, BYMONTHDAY or BYDAY.`
  return { ok: false, message }
}

/** These years cover every kind of year: leap and non-leap, beginning on each weekday. */
const ALL_KINDS_OF_YEARS = {
  from: { year: 2000, month: 1, day: 1 },
  until: { year: 2027, month: 12, day: 31 },
}

function canHappen(rule: RecurrenceRule): boolean {
  const { from, until } = ALL_KINDS_OF_YEARS
  return !daysOf({ ...rule, interval: 1, count: null, until }, from, from).next().done
}

/** The Gregorian calendar repeats every 400 years. */
const SPANS_IN_400_YEARS = { DAILY: 146_097, WEEKLY: 20_871, MONTHLY: 4_800, YEARLY: 400 }

/** After this many spans in a row without a day, the rule has no further day. */
function maxEmptySpans({ frequency, interval }: RecurrenceRule): number {
  const spans = SPANS_IN_400_YEARS[frequency]
  return spans / greatestCommonDivisor(spans, interval)
}

function greatestCommonDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestCommonDivisor(b, a % b)
}

const LAST_DAY = daysFromCivil(9990, 12, 31)

/** Where the last search of a rule with COUNT began, and the days that were left: the next search need not count them again. */
const counted = new WeakMap<RecurrenceRule, { first: number; index: number; left: number }>()

/**
 * The days of the rule in order, from the first that is not before `from`. `start` is one of them only if it matches the
 * rule: "every Monday" from a Wednesday on begins on the next Monday.
 */
export function* daysOf(rule: RecurrenceRule, start: CivilDate, from: CivilDate): Generator<CivilDate> {
  const first = dayNumber(start)
  const earliest = Math.max(first, dayNumber(from))
  const last = rule.until === null ? LAST_DAY : Math.min(LAST_DAY, dayNumber(rule.until))
  const pattern = inLongSpans(withStart(rule, start))
  const spans = spansOf(pattern, start)
  const enough = maxEmptySpans(pattern)
  const wanted = spans.indexOf(earliest)
  const known = counted.get(rule)
  let { index, left } =
    known?.first === first && known.index <= wanted ? known : entry(pattern, spans, first, wanted)
  for (let empty = 0; empty < enough; index++) {
    const span = spans.at(index)
    if (span.begins > last) return
    if (index === wanted && rule.count !== null) counted.set(rule, { first, index, left })
    const days = daysWithin(span, pattern)
    empty = days.length === 0 ? empty + 1 : 0
    for (const day of days) {
      if (day < first) continue
      if (day > last || left <= 0) return
      left -= 1
      if (day >= earliest) yield civilFromLocalMs(day * DAY_MS)
    }
  }
}

/** Parts that the rule omits come from its start date. */
export function withStart(rule: RecurrenceRule, start: CivilDate): RecurrenceRule {
  const { frequency, months, monthDays, weekdays } = rule
  // YEARLY with BYMONTHDAY or BYDAY but without BYMONTH is complete: it means these days of every month.
  if (monthDays.length > 0 || weekdays.length > 0 || frequency === 'DAILY') return rule
  if (frequency === 'WEEKLY')
    return { ...rule, weekdays: [{ weekday: weekdayOf(dayNumber(start)), ordinal: null }] }
  const takesMonth = frequency === 'YEARLY' && months.length === 0
  return { ...rule, months: takesMonth ? [start.month] : months, monthDays: [start.day] }
}

/** Turns DAILY into WEEKLY or MONTHLY with the same days, so that fewer spans are visited. */
export function inLongSpans(rule: RecurrenceRule): RecurrenceRule {
  if (rule.frequency !== 'DAILY' || rule.interval > 1) return rule
  if (rule.months.length > 0 || rule.monthDays.length > 0) return { ...rule, frequency: 'MONTHLY' }
  return rule.weekdays.length > 0 ? { ...rule, frequency: 'WEEKLY' } : rule
}

/** The span to start with, and how many days of COUNT remain from there. */
function entry(
  rule: RecurrenceRule,
  spans: Spans,
  first: number,
  index: number,
): { index: number; left: number } {
  if (rule.count === null) return { index, left: Number.POSITIVE_INFINITY }
  const each = daysInEverySpan(rule)
  if (index === 0 || each === null) return { index: 0, left: rule.count }
  const beforeStart = daysWithin(spans.at(0), rule).filter((day) => day < first).length
  return { index, left: rule.count + beforeStart - index * each }
}

/** Null if spans differ in length. They are then visited one by one, at about a microsecond per month. */
function daysInEverySpan({ frequency, months, monthDays, weekdays }: RecurrenceRule): number | null {
  if (months.length > 0 || monthDays.length > 0) return null
  if (frequency === 'DAILY') return weekdays.length === 0 ? 1 : null
  return frequency === 'WEEKLY' ? weekdays.length : null
}
