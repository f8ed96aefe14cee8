// Local times of day, as milliseconds since midnight. Knows no dates and no zones.
import { digitsAt, twoDigits } from './calendar.ts'

/** Reads exactly `HH:MM` or `HH:MM:SS`, from 00:00 to 23:59:59; anything else is null. */
export function parseLocalTime(text: string): number | null {
  if ((text.length !== 5 && text.length !== 8) || text.charCodeAt(2) !== 58) return null
  const hour = digitsAt(text, 0, 2)
  const minute = digitsAt(text, 3, 2)
  if (hour < 0 || hour > 23 || minute < 0 || minute > 59) return null
  if (text.length === 5) return (hour * 60 + minute) * 60_000
  const second = digitsAt(text, 6, 2)
  if (text.charCodeAt(5) !== 58 || second < 0 || second > 59) return null
  return ((hour * 60 + minute) * 60 + second) * 1000
}

/** `HH:MM`, with `:SS` only if the seconds are not zero. */
export function formatLocalTime(msOfDay: number): string {
  const seconds = Math.floor(msOfDay / 1000)
  const hoursAndMinutes = `${twoDigits(Math.floor(seconds / 3600))}:${twoDigits(Math.floor(seconds / 60) % 60)}`
  return seconds % 60 === 0 ? hoursAndMinutes : `${hoursAndMinutes}:${twoDigits(seconds % 60)}`
}
