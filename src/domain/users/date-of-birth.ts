// A date of birth: a real calendar date that is not in the future in the person's timezone, or a day of the year without a year.

import type { FieldProblem } from '../errors.ts'
import { civilFromLocalMs, formatCivilDate, parseCivilDate, parseMonthDay } from '../time/calendar.ts'
import type { Timezone } from '../time/timezone.ts'
import type { TimezoneTable } from '../time/tzdb.ts'

/** `1990-12-15`, or `--12-15` without the year (RFC 6350). */
export type DateOfBirth = string & { readonly brand: 'DateOfBirth' }

/** The problem does not quote the date: lists of problems are passed on. */
export function parseDateOfBirth(
  text: string,
): { value: DateOfBirth } | { problem: Omit<FieldProblem, 'field'> } {
  const date = parseCivilDate(text)
  if (date !== null) return { value: formatCivilDate(date) as DateOfBirth }
  if (parseMonthDay(text) !== null) return { value: text as DateOfBirth }
  const message =
    'This is not a calendar date. Use YYYY-MM-DD, such as 1990-12-15, or --12-15 without the year.'
  return { problem: { code: 'INVALID_DATE', message } }
}

/** False for a day of the year and for no date: nothing can be counted from them. */
export function hasYear(date: string | null): date is string {
  return date !== null && !date.startsWith('--')
}

/** The problem of a date of birth after today in the timezone; null for none. */
export function bornInFuture(
  born: DateOfBirth,
  timezone: Timezone,
  { now, table }: { now: number; table: TimezoneTable },
): FieldProblem | null {
  if (!hasYear(born)) return null
  const today = civilFromLocalMs(now + table.zone(timezone).offsetMsAt(now))
  if (born <= formatCivilDate(today)) return null
  const message = `The date is in the future in ${timezone}. Give a past date.`
  return { field: 'dateOfBirth', code: 'DATE_IN_FUTURE', message }
}

/** The problem of a date of hire before the date of birth; null for none. Either may be missing or invalid, and a day of birth without a year is before no date. */
export function hiredBeforeBirth(
  field: string,
  hiredOn: string | null,
  born: string | null | undefined,
): FieldProblem | null {
  if (hiredOn === null || born == null || parseCivilDate(born) === null || hiredOn >= born) return null
  const message = 'The date of hire is before the date of birth. Correct one of them.'
  return { field, code: 'CONFLICTING_FIELDS', message }
}
