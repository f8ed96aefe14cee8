// Describes a schedule in words, without the task title. The year of a date is named only where it decides the days.
import { parseCivilDate } from '../time/calendar.ts'
import { formatDuration } from '../time/duration.ts'
import type { Schedule } from './schedule.ts'

const MONTHS = 'January February March April May June July August September October November December'.split(
  ' ',
)

export function ruleInWords({ occasion, user, task }: Schedule): string {
  if (task !== null)
    return `${formatDuration(task.remindBeforeMs)} before the task is due${quiet(task.quietHours)}`
  const { repeats, calendar, localTime, until } = occasion
  const day = dayInWords(occasion.date ?? user.dateOfBirth)
  const clock = `at ${localTime} local time`
  const end = until === null ? '' : `, until ${until}`
  if (repeats === 'ONCE') return `once, on ${occasion.date ?? user.dateOfBirth} ${clock}`
  if (repeats !== 'YEARLY')
    return `by the rule ${repeats} from ${occasion.date ?? user.dateOfBirth} on, ${clock}${end}`
  if (calendar !== 'gregorian')
    return `every year of the ${calendar} calendar, on the day that was ${day} ${yearOf(occasion.date ?? user.dateOfBirth)}, ${clock}${end}`
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
  const { month, day } = parseCivilDate(date)!
  return `${day} ${MONTHS[month - 1]}`
}
