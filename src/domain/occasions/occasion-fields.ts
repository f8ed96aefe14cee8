// Validates an occasion: returns the parsed fields, or every problem with them.

import { CALENDARS, type CalendarName, knownDates, toCalendar } from '../calendars/calendars.ts'
import type { FieldCode, FieldProblem, Parsed } from '../errors.ts'
import { type Data, parseData } from '../formats/data.ts'
import type { CpuClock } from '../messages/render-budget.ts'
import { parseTemplateText } from '../messages/template.ts'
import { formatCivilDate, parseCivilDate } from '../time/calendar.ts'
import { parseLocalTime } from '../time/local-time.ts'
import { hasYear, hiredBeforeBirth } from '../users/date-of-birth.ts'
import type { LeapDay } from './next-occurrence.ts'
import type { Occasion } from './occasion.ts'
import { isTypeName, occasionType } from './occasion-types.ts'
import { checkRule, parseRepeats } from './rules/rule-fields.ts'
import { formatShift, MOST_SHIFT_DAYS, parseShift, WEEKEND_RULES } from './send-day.ts'

/** The fields as the caller sent them. */
export type OccasionInput = {
  type: string
  date?: string | null | undefined
  localTime?: string | undefined
  repeats?: string | undefined
  calendar?: string | undefined
  leapDay?: string | undefined
  /** An ISO 8601 duration in days or weeks, such as `-P3D`. */
  shift?: string | null | undefined
  onWeekend?: string | null | undefined
  until?: string | null | undefined
  template?: string | null | undefined
  /** The id of a channel. */
  channel?: string | null | undefined
  notAfter?: string | null | undefined
  data?: Data | null | undefined
}

type OccasionFields = Omit<
  Occasion,
  'id' | 'userId' | 'ruleRevision' | 'pausedAt' | 'bulkPausedAt' | 'version'
>

/** Defaults for fields that the caller omits. */
type OccasionDefaults = {
  /** Limits the time for which the template is rendered. */
  clock?: CpuClock
  deliverAt: string
  notAfter?: string | null
  /** The original date of a birthday. */
  dateOfBirth?: string | null
  /** Whether the rule may need a year of birth that is not known: nothing is planned then. */
  keepsRule?: boolean
}

export function parseOccasion(input: OccasionInput, defaults: OccasionDefaults): Parsed<OccasionFields> {
  const problems: FieldProblem[] = []
  const reject = (field: string, code: FieldCode, message: string) => problems.push({ field, code, message })
  const shown = (text: string) => text.slice(0, 60)

  const { type } = input
  if (!isTypeName(type)) reject('type', 'INVALID_TYPE', 'Use a name in capitals, such as WORK_ANNIVERSARY.')
  const owner = isTypeName(type) ? occasionType(type).belongsTo : null
  if (owner === 'task') reject('type', 'INVALID_TYPE', 'A reminder is created with its task. Use POST /task.')

  const date = input.date ?? null
  if (date === null && owner !== 'user')
    reject('date', 'REQUIRED', 'Give the original date as YYYY-MM-DD, such as 2019-03-01.')
  const civil = date === null ? null : parseCivilDate(date)
  if (date !== null && civil === null)
    reject(
      'date',
      'INVALID_DATE',
      `"${shown(date)}" is not a calendar date. Use YYYY-MM-DD, such as 2019-03-01.`,
    )

  const early = type === 'WORK_ANNIVERSARY' ? hiredBeforeBirth('date', date, defaults.dateOfBirth) : null
  if (civil !== null && early !== null) problems.push(early)

  const localTime = input.localTime ?? defaults.deliverAt
  if (parseLocalTime(localTime) === null)
    reject(
      'localTime',
      'INVALID_TIME',
      `"${shown(localTime)}" is not a time of day. Use HH:MM, such as 09:00.`,
    )

  const calendar = (input.calendar ?? 'gregorian') as CalendarName
  const repeats = parseRepeats(input.repeats ?? 'YEARLY', problems)
  if (!CALENDARS.includes(calendar)) {
    reject('calendar', 'INVALID_VALUE', `Give one of ${CALENDARS.join(', ')}.`)
  } else if (calendar !== 'gregorian') {
    if (repeats !== null && repeats !== 'YEARLY')
      reject(
        'calendar',
        'CONFLICTING_FIELDS',
        'Only YEARLY occasions can use another calendar than the Gregorian.',
      )
    const original = civil ?? parseCivilDate(defaults.dateOfBirth ?? '')
    if (original !== null && toCalendar(calendar, original) === null) {
      const { from, to } = knownDates(calendar)
      const known = `from ${formatCivilDate(from)} to ${formatCivilDate(to)}`
      reject(
        civil === null ? 'calendar' : 'date',
        'DATE_OUT_OF_RANGE',
        `The ${calendar} calendar is supported ${known}.`,
      )
    }
  }
  if (date === null && !defaults.keepsRule) checkYear({ calendar, repeats }, defaults, problems)
  const leapDay = (input.leapDay ?? 'MARCH_1') as LeapDay
  if (leapDay !== 'MARCH_1' && leapDay !== 'FEBRUARY_28')
    reject('leapDay', 'INVALID_VALUE', 'Give MARCH_1 or FEBRUARY_28.')

  const send = parseSendRule(input, problems)
  if (repeats !== null)
    checkRule({ repeats, civil, date: date ?? defaults.dateOfBirth ?? undefined, send }, problems)

  const until = input.until ?? null
  if (until !== null && parseCivilDate(until) === null)
    reject(
      'until',
      'INVALID_DATE',
      `"${shown(until)}" is not a calendar date. Use YYYY-MM-DD, such as 2030-12-31.`,
    )

  const notAfter = input.notAfter === undefined ? (defaults.notAfter ?? null) : input.notAfter
  if (notAfter !== null && parseLocalTime(notAfter) === null)
    reject('notAfter', 'INVALID_TIME', `"${shown(notAfter)}" is not a time of day. Use HH:MM, such as 21:00.`)

  const template = input.template ?? null
  if (template !== null) {
    const text = parseTemplateText({ body: template }, defaults.clock ?? {})
    if (!text.ok) for (const { code, message } of text.problems) reject('template', code, message)
  }
  const data = parseData(input.data, problems)
  if (problems.length > 0) return { ok: false, problems }
  const channelId = input.channel ?? null
  const value = {
    type,
    date,
    localTime,
    leapDay,
    ...send,
    repeats: repeats!,
    calendar,
    until,
    template,
    channelId,
    notAfter,
    data,
  }
  return { ok: true, value }
}

/** The occasion with some fields replaced. Its type cannot change: another type is another occasion. */
export function parseOccasionChange(
  occasion: Occasion,
  change: Partial<OccasionInput>,
  defaults: OccasionDefaults,
): Parsed<OccasionFields> {
  if (change.type !== undefined && change.type !== occasion.type) {
    const message = `The type ${occasion.type} cannot change. Create a new occasion of the other type.`
    return { ok: false, problems: [{ field: 'type', code: 'INVALID_TYPE', message }] }
  }
  // The stored template and data were validated when they were saved.
  const { channelId, template, data, shiftDays, ...fields } = occasion
  const shift = shiftDays === null ? null : formatShift(shiftDays)
  const given = Object.entries(change).filter(([, value]) => value !== undefined)
  // A stored date that is before a corrected date of birth does not forbid other changes.
  const { dateOfBirth: _, ...others } = defaults
  const keepsRule = given.every(([name, value]) => !RULE_FIELDS.has(name) || value === fields[name as 'date'])
  const parsed = parseOccasion(
    { ...fields, shift, channel: channelId, ...Object.fromEntries(given) },
    { ...(occasion.date !== null && change.date === undefined ? others : defaults), keepsRule },
  )
  if (!parsed.ok) return parsed
  const stored = {
    ...(change.template === undefined && { template }),
    ...(change.data === undefined && { data }),
  }
  return { ok: true, value: { ...parsed.value, ...stored } }
}

/** Some rules need a year: that of the date, or of the date of birth. */
const RULE_FIELDS = new Set(['calendar', 'repeats', 'date'])

function parseSendRule(
  { shift = null, onWeekend = null }: OccasionInput,
  problems: FieldProblem[],
): Pick<Occasion, 'shiftDays' | 'onWeekend'> {
  const shiftDays = shift === null ? null : parseShift(shift)
  if (shift !== null && shiftDays === null) {
    const message = `Give whole days or weeks from -P${MOST_SHIFT_DAYS}D to P${MOST_SHIFT_DAYS}D, such as -P3D for three days before.`
    problems.push({ field: 'shift', code: 'INVALID_DURATION', message })
  }
  const rule = WEEKEND_RULES.find((one) => one === onWeekend) ?? null
  if (onWeekend !== null && rule === null)
    problems.push({
      field: 'onWeekend',
      code: 'INVALID_VALUE',
      message: `Give one of ${WEEKEND_RULES.join(', ')}.`,
    })
  return { shiftDays, onWeekend: rule }
}

/** Every rule but a Gregorian year needs the year of the date of birth. */
function checkYear(
  { calendar, repeats }: { calendar: CalendarName; repeats: string | null },
  { dateOfBirth }: OccasionDefaults,
  problems: FieldProblem[],
): void {
  if (dateOfBirth === undefined || hasYear(dateOfBirth)) return
  if (calendar === 'gregorian' && repeats === 'YEARLY') return
  const field = calendar === 'gregorian' ? 'repeats' : 'calendar'
  const message = 'This needs the year of birth. Add it to the date of birth, or give a date.'
  problems.push({ field, code: 'CONFLICTING_FIELDS', message })
}
