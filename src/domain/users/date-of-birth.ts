// A date of birth: a real calendar date that is not in the future in the person's timezone.

import type { FieldCode, FieldProblem } from '../errors.ts'
import { civilFromLocalMs, formatCivilDate, parseCivilDate } from '../time/calendar.ts'
import type { Timezone } from '../time/timezone.ts'
import type { TimezoneTable } from '../time/tzdb.ts'

export type DateOfBirth = string & { readonly brand: 'DateOfBirth' }

/** Without a timezone (it was invalid), only the calendar date is checked. */
export function parseDateOfBirth(
  text: string,
  where: { timezone: Timezone | null; now: number; table: TimezoneTable },
): { date: DateOfBirth } | { problem: FieldProblem } {
  const date = parseCivilDate(text)
  if (date === null) {
    return problem(
      'INVALID_DATE',
      `"${text.slice(0, 40)}" is not a calendar date. Use YYYY-MM-DD, such as 1990-12-15.`,
    )
  }
  const born = formatCivilDate(date)
  if (where.timezone !== null) {
    const today = civilFromLocalMs(where.now + where.table.zone(where.timezone).offsetMsAt(where.now))
    if (born > formatCivilDate(today)) {
      return problem('DATE_IN_FUTURE', `${born} is in the future in ${where.timezone}. Give a past date.`)
    }
  }
  return { date: born as DateOfBirth }
}

function problem(code: FieldCode, message: string): { problem: FieldProblem } {
  return { problem: { field: 'dateOfBirth', code, message } }
}

/** The problem of a date of hire before the date of birth; null for none. Both are dates in the form YYYY-MM-DD, or invalid. */
export function hiredBeforeBirth(field: string, hiredOn: string | null, born: string): FieldProblem | null {
  if (hiredOn === null || parseCivilDate(born) === null || hiredOn >= born) return null
  const message = 'The date of hire is before the date of birth. Correct one of them.'
  return { field, code: 'CONFLICTING_FIELDS', message }
}
