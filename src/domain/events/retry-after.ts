// How long a far side asks to be left alone, as the HTTP header Retry-After says it.

/** It may ask for a pause, but not for so long that the event is as good as lost. */
const LONGEST_PAUSE_MS = 24 * 60 * 60 * 1000

/** Seconds, or a date of HTTP. Anything else is as if it were not there. */
export function readRetryAfter(text: string | null | undefined, now: number): number | null {
  if (text === null || text === undefined) return null
  const ms = /^\d{1,10}$/.test(text) ? Number(text) * 1000 : Date.parse(text) - now
  return ms > 0 ? Math.min(ms, LONGEST_PAUSE_MS) : null
}
