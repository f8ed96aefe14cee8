// Failure reasons as codes and in words, without the receiver's own text, which can contain personal data.

/** The part of a reason without personal data: `HTTP 503`, `SMTP 550 5.1.1`, `CONNECTION: ECONNREFUSED`, `TIMEOUT`. */
export function reasonCode(reason: string): string {
  return SAFE.exec(reason)?.[0] ?? 'OTHER'
}

const SAFE =
  /^(?:(?:HTTP|SMTP) \d{3}(?: \d\.\d{1,3}\.\d{1,3})?|CONNECTION: [A-Z][A-Z0-9_]+|[A-Z][A-Z_]+)(?![\w@])/

/** Why an event is FAILED, as it is stored. */
export type Failure = {
  /** `HTTP 410`, `NO_ADDRESS`, `RETRIES_EXHAUSTED`. */
  code: string
  /** The last error in full. It begins with the code unless attempts were given up: then it is the last attempt's error. */
  lastError: string
}

/** The failure of an event that one error ended: `HTTP 410: gone` has the code `HTTP 410`. */
export function failureFrom(error: string): Failure {
  return { code: error.split(':', 1)[0]!, lastError: error }
}

/** The one place that composes the reason of a failed event: `RETRIES_EXHAUSTED: 4 attempts, the last: HTTP 503`. */
export function failureReason(event: {
  failureCode: string | null
  lastError: string | null
  retryCount: number
}): string | null {
  const { failureCode: code, lastError, retryCount } = event
  if (code === null || lastError === null) return null
  if (lastError.startsWith(code)) return lastError
  const attempts = retryCount === 0 ? '1 attempt' : `${retryCount + 1} attempts`
  return `${code}: ${attempts}, the last: ${lastError}`
}

const WORDS: Readonly<Record<string, string>> = {
  TIMEOUT: 'the receiver did not respond in time',
  CONNECTION: 'the receiver could not be reached',
  RETRIES_EXHAUSTED: 'every retry failed',
  MISSED_WINDOW: 'it was too late to send it',
  CUT_OFF: 'it was not delivered before the cut-off time of its day',
  NO_ADDRESS: 'the person has no e-mail address',
  TASK_COMPLETED: 'its task was completed before it was delivered',
  OCCASION_PAUSED: 'its occasion was paused before it was delivered',
  QUEUE_EXHAUSTED: 'the queue delivered it to workers the maximum number of times without a result',
  BAD_TEMPLATE: 'its text could not be rendered',
  TEMPLATE_LIMIT: 'rendering its text reached a limit of size, work or time',
  RENDER_ERROR: 'its text could not be rendered',
  HANDLER_ERROR: 'its handler failed',
}

/** For people: `the receiver responded with HTTP 503`. */
export function reasonInWords(reason: string | null, statusCode: number | null): string {
  const code = reasonCode(reason ?? '')
  if (/^(HTTP|SMTP) /.test(code)) return `the receiver responded with ${code}`
  const words = WORDS[code.split(':')[0]!]
  if (words === undefined) return `the recorded reason is ${code}`
  return statusCode === null ? words : `${words}; the last status was ${statusCode}`
}
