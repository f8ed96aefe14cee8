// Describes a schedule in words, without the task title. The year of a date is named only where it decides the days.
import { parseCivilDate, parseMonthDay } from '../time/calendar.ts'
import { formatDuration } from '../time/duration.ts'
import { hasYear } from '../users/date-of-birth.ts'
import type { Occasion } from './occasion.ts'
import { parseRule } from './rules/rrule.ts'
import { MONTHS, recurrenceInWords } from './rules/rrule-in-words.ts'
import { originOf, type Schedule } from './schedule.ts'
import { shiftInWords, type WeekendRule } from './send-day.ts'

export function ruleInWords({ occasion, user, task }: Schedule): string {
  if (task !== null)
    return `${formatDuration(task.remindBeforeMs)} before the task is due${quiet(task.quietHours)}`
  return occasionInWords({ ...occasion, date: originOf(occasion, user) })
}

type Dated = Pick<Occasion, 'repeats' | 'localTime' | 'until'> &
  Partial<Pick<Occasion, 'shiftDays' | 'onWeekend'>> & { date: string | null; calendar: string }

/** `every month on the second Tuesday at 09:00 local time from 2026-01-05 on` */
export function occasionInWords({ shiftDays, onWeekend, ...dated }: Dated): string {
  const shift = shiftDays ? `${shiftInWords(shiftDays)}: ` : ''
  return `${shift}${dateInWords(dated)}${onWeekend ? ON_WEEKEND[onWeekend] : ''}`
}

const ON_WEEKEND: Readonly<Record<WeekendRule, string>> = {
  EXACT: '',
  BEFORE: ', on Friday instead of a weekend',
  AFTER: ', on Monday instead of a weekend',
  SKIP: ', not on a weekend',
}

function dateInWords({ repeats, calendar, localTime, until, date }: Dated): string {
  const clock = `at ${localTime} local time`
  const end = until === null ? '' : `, until ${until}`
  const isYearly = repeats === 'YEARLY' && calendar === 'gregorian'
  if (date === null || !(isYearly || hasYear(date)))
    return `${clock}, once the date of birth is known${date === null ? '' : ' with its year'}`
  const day = dayInWords(date)
  if (repeats === 'ONCE') return `once, on ${date} ${clock}`
  if (repeats !== 'YEARLY') {
    const parsed = parseRule(repeats)
    const time = `${clock} from ${date} on`
    if (!parsed.ok) return `by the rule ${repeats} ${time}${end}`
    return `${recurrenceInWords(parsed.rule, parseCivilDate(date)!, time)}${end}`
  }
  if (calendar !== 'gregorian')
    return `every year of the ${calendar} calendar, on the day that was ${day} ${yearOf(date)}, ${clock}${end}`
  return `every year on ${day} ${clock}${end}`
}

function quiet(quietHours: string | null): string {
  return quietHours === null ? '' : `, outside quiet hours ${quietHours} local time`
}

function yearOf(date: string): number {
  return parseCivilDate(date)!.year
}

/** `15 December`, without the year. */
function dayInWords(date: string): string {
  const { month, day } = (parseCivilDate(date) ?? parseMonthDay(date))!
  return `${day} ${MONTHS[month - 1]}`
}
