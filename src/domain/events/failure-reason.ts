// Why a delivery failed, without the words of the far side: those can quote an address, a name or a body.

/** `HTTP 503`, `SMTP 550 5.1.1`, `CONNECTION: ECONNREFUSED`, `TIMEOUT`: the part of a reason that names no one. */
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
  TIMEOUT: 'the receiver did not answer in time',
  CONNECTION: 'the receiver could not be reached',
  RETRIES_EXHAUSTED: 'every retry failed',
  MISSED_WINDOW: 'it was found too late to be sent',
  CUT_OFF: 'it could not be delivered by the end of the time set for its day',
  CHANNEL_DISABLED: 'its channel is switched off',
  NO_ADDRESS: 'the person has no e-mail address',
  TASK_COMPLETED: 'its task was done before it got through',
  QUEUE_EXHAUSTED: 'the queue gave it to workers as often as it may, and none came back',
  BAD_TEMPLATE: 'its text could not be written',
  RENDER_ERROR: 'its text could not be written',
}

/** For people: `the receiver answered HTTP 503`. */
export function reasonInWords(reason: string | null, statusCode: number | null): string {
  const code = reasonCode(reason ?? '')
  if (/^(HTTP|SMTP) /.test(code)) return `the receiver answered ${code}`
  const words = WORDS[code.split(':')[0]!]
  if (words === undefined) return `the reason noted is ${code}`
  return statusCode === null ? words : `${words}, the last answer being ${statusCode}`
}
