// Failures in brief, by which they are counted and found. The expressions are valid in both dialects.

const BRIEF_LENGTH = 80

/** Whether one error ended the event. If not, attempts were given up and the last error is the last attempt's. */
const isOwnError = (event: string) =>
  `substr(${event}.last_error, 1, length(${event}.failure_code)) = ${event}.failure_code`

/** `HTTP 410`, or `RETRIES_EXHAUSTED: HTTP 503` after any number of attempts. */
export function briefReason(event: string): string {
  return `CASE WHEN ${isOwnError(event)} THEN ${event}.failure_code
    ELSE ${event}.failure_code || ': ' || substr(${event}.last_error, 1, ${BRIEF_LENGTH}) END`
}

/** The code and the whole error. */
export function fullReason(event: string): string {
  return `CASE WHEN ${isOwnError(event)} THEN ${event}.last_error
    ELSE ${event}.failure_code || ': ' || ${event}.last_error END`
}
