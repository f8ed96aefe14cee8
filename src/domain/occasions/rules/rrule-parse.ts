// Parses and formats recurrence rules. An unsupported part is rejected by name, never ignored.
import { type CivilDate, parseCivilDate, twoDigits } from '../../time/calendar.ts'
import type { Frequency, ParsedRule, RecurrenceRule, RuleWeekday } from './rrule-rule.ts'

const FREQUENCIES: readonly Frequency[] = ['DAILY', 'WEEKLY', 'MONTHLY', 'YEARLY']
const WEEKDAYS = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU']
const PARTS = ['FREQ', 'INTERVAL', 'BYMONTH', 'BYMONTHDAY', 'BYDAY', 'WKST', 'COUNT', 'UNTIL']
const EXAMPLE = 'such as FREQ=WEEKLY;BYDAY=MO,WE'

/** The remedy for each unsupported part. */
const REMEDIES: Readonly<Record<string, string>> = {
  BYSETPOS: 'Pick one day of a month with BYDAY=-1FR or BYMONTHDAY=-1.',
  BYHOUR: 'Give the time of day as localTime.',
  BYMINUTE: 'Give the time of day as localTime.',
  BYSECOND: 'Give the time of day as localTime.',
  BYWEEKNO: 'Use BYMONTH with BYDAY or BYMONTHDAY.',
  BYYEARDAY: 'Use BYMONTH with BYMONTHDAY.',
  DTSTART: 'Give the start as date.',
  EXDATE: 'Single days cannot be left out.',
  EXRULE: 'Single days cannot be left out.',
  RDATE: 'Make an occasion that repeats ONCE for a single day.',
  RSCALE: 'Give the calendar as calendar.',
}

type Parts = ReadonlyMap<string, string>

/** Records a problem. The parser then continues with any value, because the result is discarded. */
type Reject = (message: string) => void

export function readRule(text: string): ParsedRule {
  const problems: string[] = []
  const reject = (message: string) => void problems.push(message)
  const rule = ruleFrom(partsOf(text, reject), reject)
  return problems.length > 0
    ? { ok: false, message: problems[0]! }
    : { ok: true, rule, text: formatRule(rule) }
}

function partsOf(text: string, reject: Reject): Parts {
  const rule = text.trim().replace(/^RRULE:/i, '')
  const parts = new Map<string, string>()
  // toUpperCase could turn a non-ASCII letter into an ASCII one.
  if (!/^[\w=;,:+-]+$/.test(rule)) {
    reject(`"${shown(text)}" is not a recurrence rule. Separate its parts with ;, ${EXAMPLE}.`)
    return parts
  }
  for (const part of rule.toUpperCase().split(';')) {
    const [, name, value] = /^([^=:]*)[=:](.*)$/.exec(part) ?? []
    const isSupported = name !== undefined && PARTS.includes(name)
    if (!name || !value || (isSupported && part[name.length] === ':')) {
      reject(`"${shown(part)}" is not a part of a rule. Use NAME=VALUE, ${EXAMPLE}.`)
    } else if (!isSupported) {
      reject(`${shown(name)} is not supported. ${REMEDIES[name] ?? `Use ${listed(PARTS)}.`}`)
    } else if (parts.has(name)) reject(`${name} is given twice. Give it once.`)
    else parts.set(name, value)
  }
  return parts
}

function ruleFrom(parts: Parts, reject: Reject): RecurrenceRule {
  const frequency = readFrequency(parts.get('FREQ'), reject)
  const interval = readNumber(parts, 'INTERVAL', 9_999, reject) ?? 1
  const months = readNumbers(parts, 'BYMONTH', /^\d{1,2}$/, 12, reject)
  const monthDays = readNumbers(parts, 'BYMONTHDAY', /^[+-]?\d{1,2}$/, 31, reject)
  if (monthDays.length > 0 && frequency === 'WEEKLY') {
    reject('BYMONTHDAY cannot be used with FREQ=WEEKLY. Use FREQ=MONTHLY, or BYDAY instead.')
  }
  const weekdays = readWeekdays(parts, frequency, reject)
  const weekStart = readWeekStart(parts.get('WKST'), reject)
  const count = readNumber(parts, 'COUNT', 99_999, reject)
  const until = readUntil(parts.get('UNTIL'), reject)
  if (parts.has('COUNT') && parts.has('UNTIL'))
    reject('COUNT and UNTIL cannot be used together. Give one of them.')
  const everyOtherWeek = frequency === 'WEEKLY' && interval > 1
  const counted = { weekStart: everyOtherWeek ? weekStart : 0, count, until }
  return { frequency, interval, months, monthDays, weekdays, ...counted }
}

function readFrequency(value: string | undefined, reject: Reject): Frequency {
  const found = FREQUENCIES.find((one) => one === value)
  if (found !== undefined) return found
  const problem = value === undefined ? 'FREQ is missing' : `FREQ=${shown(value)} is not supported`
  reject(`${problem}. Use FREQ=${listed(FREQUENCIES, 'or')}.`)
  return 'YEARLY'
}

function readNumber(parts: Parts, name: string, max: number, reject: Reject): number | null {
  const value = parts.get(name)
  if (value === undefined) return null
  const number = /^\d+$/.test(value) ? Number(value) : 0
  if (number >= 1 && number <= max) return number
  reject(`${name}=${shown(value)} is out of range. Use a whole number from 1 to ${max}.`)
  return null
}

function readNumbers(parts: Parts, name: string, form: RegExp, max: number, reject: Reject): number[] {
  const numbers = new Set<number>()
  for (const item of parts.get(name)?.split(',') ?? []) {
    const number = form.test(item) ? Number(item) : 0
    if (number !== 0 && Math.abs(number) <= max) numbers.add(number)
    else {
      const fromEnd = form.test('-1') ? `, or -1 to -${max} from the end` : ''
      reject(`"${shown(item)}" in ${name} is out of range. Use 1 to ${max}${fromEnd}.`)
    }
  }
  return [...numbers].sort((a, b) => a - b)
}

function readWeekdays(parts: Parts, frequency: Frequency, reject: Reject): RuleWeekday[] {
  const within = frequency === 'YEARLY' && !parts.has('BYMONTH') ? 53 : 5
  const found = new Map<string, RuleWeekday>()
  for (const item of parts.get('BYDAY')?.split(',') ?? []) {
    const [, digits = '', letters = ''] = /^([+-]?\d{1,2})?([A-Z]{2})$/.exec(item) ?? []
    const weekday = WEEKDAYS.indexOf(letters)
    const ordinal = digits === '' ? null : Number(digits)
    if (weekday === -1) reject(`"${shown(item)}" in BYDAY is not a weekday. Use ${listed(WEEKDAYS, 'or')}.`)
    else if (ordinal !== null && (frequency === 'DAILY' || frequency === 'WEEKLY')) {
      reject(`"${item}" in BYDAY needs a month or a year. Use FREQ=MONTHLY or YEARLY, or ${letters} alone.`)
    } else if (ordinal !== null && (ordinal === 0 || Math.abs(ordinal) > within)) {
      const range = `1${letters} to ${within}${letters}, or -1${letters} to -${within}${letters} from the end`
      reject(`"${item}" in BYDAY is out of range. Use ${range}.`)
    }
    found.set(formatWeekday({ weekday, ordinal }), { weekday, ordinal })
  }
  return [...found.values()].sort((a, b) => (a.ordinal ?? 0) - (b.ordinal ?? 0) || a.weekday - b.weekday)
}

function readWeekStart(value: string | undefined, reject: Reject): number {
  const weekday = WEEKDAYS.indexOf(value ?? 'MO')
  if (weekday === -1) reject(`WKST=${shown(value!)} is not a weekday. Use ${listed(WEEKDAYS, 'or')}.`)
  return weekday
}

function readUntil(value: string | undefined, reject: Reject): CivilDate | null {
  if (value === undefined) return null
  const [, year, month, day, time] = /^(\d{4})(\d\d)(\d\d)(T.*)?$/.exec(value) ?? []
  const until = parseCivilDate(`${year}-${month}-${day}`)
  if (until === null) reject(`UNTIL=${shown(value)} is not a date. Give a date, such as UNTIL=20271231.`)
  else if (time !== undefined) {
    reject(`UNTIL=${shown(value)} has a time of day. Give a date: UNTIL=${formatDate(until)}.`)
  }
  return until
}

function formatRule(rule: RecurrenceRule): string {
  const { interval, months, monthDays, weekdays, weekStart, count, until } = rule
  const parts = [`FREQ=${rule.frequency}`]
  if (interval > 1) parts.push(`INTERVAL=${interval}`)
  if (months.length > 0) parts.push(`BYMONTH=${months.join()}`)
  if (monthDays.length > 0) parts.push(`BYMONTHDAY=${monthDays.join()}`)
  if (weekdays.length > 0) parts.push(`BYDAY=${weekdays.map(formatWeekday).join()}`)
  if (weekStart > 0) parts.push(`WKST=${WEEKDAYS[weekStart]}`)
  if (count !== null) parts.push(`COUNT=${count}`)
  if (until !== null) parts.push(`UNTIL=${formatDate(until)}`)
  return parts.join(';')
}

function formatWeekday({ weekday, ordinal }: RuleWeekday): string {
  return `${ordinal ?? ''}${WEEKDAYS[weekday]}`
}

function formatDate({ year, month, day }: CivilDate): string {
  return `${String(year).padStart(4, '0')}${twoDigits(month)}${twoDigits(day)}`
}

/** `MO, TU and WE` */
export function listed(items: readonly string[], last: 'and' | 'or' = 'and'): string {
  return items.length < 2 ? items.join('') : `${items.slice(0, -1).join(', ')} ${last} ${items.at(-1)}`
}

function shown(text: string): string {
  return text.length > 60 ? `${text.slice(0, 60)}…` : text
}
