// Days and instants of the ledger as text.
import { wallAt } from '../../clock/format.ts'

/** `Mon 16 Nov 2026` */
export function dayText(day: string): string {
  const { day: text, year } = wallAt(Date.parse(day), 0)
  return `${text} ${year}`
}

/** `Mon 16 Nov 2026 09:00:04Z` */
export function instantText(at: string): string {
  const { date, timeWithSeconds } = wallAt(Date.parse(at), 0)
  return `${dayText(date)} ${timeWithSeconds}Z`
}
