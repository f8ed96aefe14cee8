// Detects a birthday that is today, after the delivery time has passed.
import { occurrenceInYear } from '../../../../src/domain/occasions/next-occurrence.ts'
import { parseTimezone } from '../../../../src/domain/time/timezone.ts'
import { hasYear } from '../../../../src/domain/users/date-of-birth.ts'
import { wallAt, wallIn } from '../../clock/format.ts'

/** Null unless the birthday is today and its delivery time has passed. The day of birth is no birthday. */
export function missedBirthday(
  person: { dateOfBirth: string; timezone: string },
  deliverAt: number,
  now: number,
): { nextYear: number; passedAt: number } | null {
  const timezone = parseTimezone(person.timezone)
  if (timezone === null || !/^(\d{4}|-)-\d\d-\d\d$/.test(person.dateOfBirth)) return null
  const { date, year } = wallIn(now, timezone)
  const localTime = wallAt(deliverAt * 60_000, 0).time
  try {
    const rule = { date: person.dateOfBirth, timezone, localTime }
    const { occursOn, instant } = occurrenceInYear(rule, year)
    const isBorn = !hasYear(person.dateOfBirth) || Number(person.dateOfBirth.slice(0, 4)) < year
    const isBirthday = occursOn === date && isBorn
    return isBirthday && instant < now ? { nextYear: year + 1, passedAt: instant } : null
  } catch {
    return null
  }
}
