// Why a delivery failed, without the words of the far side: those can quote an address, a name or a body.

/** `HTTP 503`, `SMTP 550 5.1.1`, `CONNECTION: ECONNREFUSED`, `TIMEOUT`: the part of a reason that names no one. */
export function reasonCode(reason: string): string {
  return SAFE.exec(reason)?.[0] ?? 'OTHER'
}

const SAFE =
  /^(?:(?:HTTP|SMTP) \d{3}(?: \d\.\d{1,3}\.\d{1,3})?|CONNECTION: [A-Z][A-Z0-9_]+|[A-Z][A-Z_]+)(?![\w@])/

/** What introduces the last answer in the reason of an event that was tried in vain. */
export const THE_LAST = 'the last: '
export const BRIEF_LENGTH = 80

/**
 * The code, and the last thing the far side said: `RETRIES_EXHAUSTED: HTTP 503`, after however many attempts. Failures are
 * put together by it, also by the stores in their own words.
 */
export function briefReason(reason: string): string {
  const [code = reason] = reason.split(':', 1)
  const at = reason.indexOf(THE_LAST)
  if (at === -1) return code
  return `${code}: ${[...reason.slice(at + THE_LAST.length)].slice(0, BRIEF_LENGTH).join('')}`
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
