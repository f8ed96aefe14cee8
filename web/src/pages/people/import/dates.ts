// Reads dates that are not written YYYY-MM-DD, to suggest how to write them. Guesses nothing for the user: of 4/5/1979 both readings
// are suggested.
import { formatCivilDate, parseCivilDate } from '../../../../../src/domain/time/calendar.ts'

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']

/** At most two dates, the most likely first; none if the text is no date. */
export function suggestDates(text: string): string[] {
  const [first, second, third, ...more] = text
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((part) => part !== '')
  if (first !== undefined && second === undefined && /^\d{8}$/.test(first))
    return readings([[first.slice(0, 4), first.slice(4, 6), first.slice(6)]])
  // A time of day may follow, as in 1979-04-21T00:00:00Z.
  if (first === undefined || second === undefined || third === undefined) return []
  if (/^\d{4}$/.test(first)) return readings([[first, second, third.replace(/t\d*$/, '')]])
  if (more.length > 0 || !/^\d{4}$/.test(third)) return []
  const dayFirst = [third, second, first] as const
  const monthFirst = [third, first, second] as const
  // Points are European; slashes are read the American way first.
  return readings(text.includes('.') ? [dayFirst, monthFirst] : [monthFirst, dayFirst])
}

function readings(parts: readonly (readonly [string, string, string])[]): string[] {
  const dates = parts.flatMap(([year, month, day]) => {
    const number = monthNumber(month)
    const date = number === null ? null : parseCivilDate(`${year}-${number}-${day.padStart(2, '0')}`)
    return date === null ? [] : [formatCivilDate(date)]
  })
  return [...new Set(dates)]
}

function monthNumber(text: string): string | null {
  if (/^\d{1,2}$/.test(text)) return text.padStart(2, '0')
  const index = MONTHS.indexOf(text.slice(0, 3))
  return index === -1 ? null : String(index + 1).padStart(2, '0')
}
