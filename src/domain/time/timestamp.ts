// Instants as text: ISO 8601 in UTC and in local time.
import { DAY_MS, dayNumber, daysFromCivil, parseCivilDate } from './calendar.ts'
import { parseLocalTime } from './local-time.ts'

const INSTANT = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d(?::\d\d)?)(?:\.(\d{1,9}))?(?:Z|([+-])(\d\d:\d\d))$/
const FIRST_INSTANT = daysFromCivil(1, 1, 1) * DAY_MS
const LAST_INSTANT = daysFromCivil(10_000, 1, 1) * DAY_MS - 1

/**
 * `2026-12-15T16:00Z`, with Z or an offset, and seconds if wanted; anything else is null. Not Date.parse, which accepts
 * 31 February as 2 March, the year 0, and texts without an offset.
 */
export function parseInstant(text: string): number | null {
  const [, date = '', time = '', fraction = '', sign, offset] = INSTANT.exec(text) ?? []
  const day = parseCivilDate(date)
  const timeMs = parseLocalTime(time)
  const offsetMs = offset === undefined ? 0 : parseLocalTime(offset)
  if (day === null || timeMs === null || offsetMs === null || (fraction !== '' && time.length < 8))
    return null
  const wall = dayNumber(day) * DAY_MS + timeMs + Number(fraction.padEnd(3, '0').slice(0, 3))
  const instant = wall - (sign === '-' ? -offsetMs : offsetMs)
  return instant >= FIRST_INSTANT && instant <= LAST_INSTANT ? instant : null
}

/** `2026-12-15T16:00:00.000Z` */
export const formatInstant = cachingLast((instant) => new Date(instant).toISOString())

export function instantOrNull(instant: number | null): string | null {
  return instant === null ? null : formatInstant(instant)
}

const formatWall = cachingLast((wall) => new Date(wall).toISOString().slice(0, 19))

/** `2026-12-15T09:00:00-07:00`: the local time with its offset. */
export function formatLocal(instant: number, offsetSeconds: number): string {
  return `${formatWall(instant + offsetSeconds * 1000)}${formatOffset(offsetSeconds)}`
}

/** `-07:00` */
export function formatOffset(offsetSeconds: number): string {
  const sign = offsetSeconds < 0 ? '-' : '+'
  const minutes = Math.floor(Math.abs(offsetSeconds) / 60)
  const two = (n: number) => String(n).padStart(2, '0')
  return `${sign}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`
}

/** Caches the last result: the events of a spike share their instant. */
function cachingLast(format: (instant: number) => string): (instant: number) => string {
  let last = { instant: 0, text: format(0) }
  return (instant) => {
    if (last.instant !== instant) last = { instant, text: format(instant) }
    return last.text
  }
}
