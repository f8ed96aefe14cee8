// Instants as text: ISO 8601 in UTC, and as a wall clock shows them.

let last = { instant: 0, text: '1970-01-01T00:00:00.000Z' }

/** `2026-12-15T16:00:00.000Z` */
export function formatInstant(instant: number): string {
  // Fifty thousand events of one spike share their instant.
  if (last.instant !== instant) last = { instant, text: new Date(instant).toISOString() }
  return last.text
}

/** `2026-12-15T09:00:00-07:00`: the local time with its offset. */
export function formatLocal(instant: number, offsetSeconds: number): string {
  const wall = new Date(instant + offsetSeconds * 1000).toISOString().slice(0, 19)
  const sign = offsetSeconds < 0 ? '-' : '+'
  const minutes = Math.floor(Math.abs(offsetSeconds) / 60)
  const two = (n: number) => String(n).padStart(2, '0')
  return `${wall}${sign}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`
}
