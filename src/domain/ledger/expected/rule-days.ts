// Whether a recurrence rule (RFC 5545, the parts in docs/occasions.md) falls on a day: the day is tested against each part of the
// rule. The planner generates the days of a rule instead.
import { type Civil, civilOf, dayNumber, isLeap, monthLength, readCivil, weekdayOf } from './civil.ts'

const WEEKDAYS = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU']
const DAY = `(${WEEKDAYS.join('|')})`
const BYDAY = `(-?\\d+)?${DAY}`
/** The spelling in which rules are stored. */
const RULE = new RegExp(
  `^FREQ=(DAILY|WEEKLY|MONTHLY|YEARLY)(;(INTERVAL=[1-9]\\d*|BYMONTH=\\d+(,\\d+)*|BYMONTHDAY=-?\\d+(,-?\\d+)*|` +
    `BYDAY=${BYDAY}(,${BYDAY})*|WKST=${DAY}|COUNT=[1-9]\\d*|UNTIL=\\d{8}))*$`,
)

/** An empty list means that the part is not given. */
type Rule = {
  frequency: string
  interval: number
  months: number[]
  monthDays: number[]
  /** `ordinal` 0: every such weekday. */
  weekdays: { weekday: number; ordinal: number }[]
  weekStart: number
  count: number | null
  /** The last possible day. */
  until: number
}

type Start = Civil & { number: number }

/** A rule with its first possible day. `key` tells it from other rules and other starts. */
type Started = { rule: Rule; start: Start; key: string }

export function ruleFallsOn(text: string, date: string, day: number): boolean {
  const started = startedOn(text, date)
  return matches(started, day) && isWithinCount(started, day)
}

/** The first day in [from, to] on which the rule falls. */
export function nextRuleDay(text: string, date: string, from: number, to: number): number | null {
  const started = startedOn(text, date)
  const last = Math.min(to, started.rule.until)
  for (let day = Math.max(from, started.start.number); day <= last; day = nextCandidate(started, day)) {
    if (matches(started, day)) return isWithinCount(started, day) ? day : null
  }
  return null
}

function startedOn(text: string, date: string): Started {
  const { year, month, day } = readCivil(date)
  const start = { year, month, day, number: dayNumber(year, month, day) }
  return { rule: ruleOf(text), start, key: `${date} ${text}` }
}

/** Whether the day meets every part of the rule but COUNT. */
function matches({ rule, start }: Started, day: number): boolean {
  if (day < start.number || day > rule.until) return false
  const date = civilOf(day)
  return (
    isInStep(rule, start, day, date) &&
    isInMonths(rule, start, date) &&
    isOnMonthDay(rule, start, date) &&
    isOnWeekday(rule, start, day, date)
  )
}

/** INTERVAL: whether the day, week, month or year is a whole number of intervals after that of the start. */
function isInStep(rule: Rule, start: Start, day: number, date: Civil): boolean {
  return periodsSince(rule, start, day, date) % rule.interval === 0
}

function periodsSince({ frequency, weekStart }: Rule, start: Start, day: number, date: Civil): number {
  switch (frequency) {
    case 'DAILY':
      return day - start.number
    case 'WEEKLY':
      return weekOf(day, weekStart) - weekOf(start.number, weekStart)
    case 'MONTHLY':
      return (date.year - start.year) * 12 + date.month - start.month
    default:
      return date.year - start.year
  }
}

/** Weeks are counted from one that contains 1970-01-01, a Thursday. */
function weekOf(day: number, weekStart: number): number {
  return Math.floor((day + 3 - weekStart) / 7)
}

function isInMonths({ frequency, months, monthDays, weekdays }: Rule, start: Start, date: Civil): boolean {
  if (months.length > 0) return months.includes(date.month)
  const isByStart = frequency === 'YEARLY' && monthDays.length === 0 && weekdays.length === 0
  return !isByStart || date.month === start.month
}

function isOnMonthDay({ frequency, monthDays, weekdays }: Rule, start: Start, date: Civil): boolean {
  if (monthDays.length > 0) {
    const fromEnd = date.day - monthLength(date.year, date.month) - 1
    return monthDays.includes(date.day) || monthDays.includes(fromEnd)
  }
  const isByStart = (frequency === 'MONTHLY' || frequency === 'YEARLY') && weekdays.length === 0
  return !isByStart || date.day === start.day
}

function isOnWeekday(rule: Rule, start: Start, day: number, date: Civil): boolean {
  const { frequency, months, weekdays } = rule
  const today = weekdayOf(day)
  if (weekdays.length === 0) return frequency !== 'WEEKLY' || today === weekdayOf(start.number)
  return weekdays.some(({ weekday, ordinal }) => {
    if (weekday !== today) return false
    if (ordinal === 0) return true
    const ofYear = frequency === 'YEARLY' && months.length === 0
    const place = ofYear ? day - dayNumber(date.year, 1, 1) : date.day - 1
    const length = ofYear ? (isLeap(date.year) ? 366 : 365) : monthLength(date.year, date.month)
    // As many weekdays of this name come before it, or after it, as whole weeks fit there.
    const others = Math.floor((ordinal > 0 ? place : length - 1 - place) / 7)
    return others === Math.abs(ordinal) - 1
  })
}

/** The next day worth testing: months that the rule leaves out are skipped. */
function nextCandidate({ rule, start }: Started, day: number): number {
  const { frequency, interval } = rule
  if (frequency === 'DAILY') return day + interval - ((day - start.number) % interval)
  if (frequency === 'WEEKLY') return day + 1
  const date = civilOf(day)
  const isPossible = isInStep(rule, start, day, date) && isInMonths(rule, start, date)
  return isPossible ? day + 1 : dayNumber(date.year, date.month + 1, 1)
}

/** How far the days of a rule with COUNT were counted: `left` days remain from `next` on. `last` is the last counted day. */
type Tally = { next: number; left: number; last: number }

const tallies = new Map<string, Tally>()
const MAX_TALLIES = 10_000

/** COUNT: whether a matching day is among the first of the rule. Counts from the start up to the day. */
function isWithinCount(started: Started, day: number): boolean {
  const { rule, start, key } = started
  if (rule.count === null) return true
  let tally = tallies.get(key)
  if (tally === undefined) {
    tally = { next: start.number, left: rule.count, last: start.number }
    if (tallies.size >= MAX_TALLIES) tallies.clear()
    tallies.set(key, tally)
  }
  while (tally.left > 0 && tally.next <= day) {
    if (matches(started, tally.next)) {
      tally.left -= 1
      tally.last = tally.next
    }
    tally.next = nextCandidate(started, tally.next)
  }
  return tally.left > 0 || day <= tally.last
}

const rules = new Map<string, Rule>()
const MAX_RULES = 1_000

function ruleOf(text: string): Rule {
  let rule = rules.get(text)
  if (rule === undefined) {
    rule = readRule(text)
    if (rules.size >= MAX_RULES) rules.clear()
    rules.set(text, rule)
  }
  return rule
}

function readRule(text: string): Rule {
  if (!RULE.test(text)) throw new RangeError(`"${text}" is not a rule that the ledger can read.`)
  const rule: Rule = {
    frequency: '',
    interval: 1,
    months: [],
    monthDays: [],
    weekdays: [],
    weekStart: 0,
    count: null,
    until: Number.POSITIVE_INFINITY,
  }
  for (const part of text.split(';')) {
    const [name, value] = part.split('=') as [string, string]
    if (name === 'FREQ') rule.frequency = value
    else if (name === 'INTERVAL') rule.interval = Number(value)
    else if (name === 'BYMONTH') rule.months = value.split(',').map(Number)
    else if (name === 'BYMONTHDAY') rule.monthDays = value.split(',').map(Number)
    else if (name === 'BYDAY') rule.weekdays = value.split(',').map(readWeekday)
    else if (name === 'WKST') rule.weekStart = WEEKDAYS.indexOf(value)
    else if (name === 'COUNT') rule.count = Number(value)
    else rule.until = readUntil(value)
  }
  return rule
}

function readWeekday(item: string): Rule['weekdays'][number] {
  return { weekday: WEEKDAYS.indexOf(item.slice(-2)), ordinal: Number(item.slice(0, -2)) }
}

function readUntil(value: string): number {
  return dayNumber(Number(value.slice(0, 4)), Number(value.slice(4, 6)), Number(value.slice(6, 8)))
}
