// Instants as text: ISO 8601 in UTC and in local time.

/** `2026-12-15T16:00:00.000Z` */
export const formatInstant = cachingLast((instant) => new Date(instant).toISOString())

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
