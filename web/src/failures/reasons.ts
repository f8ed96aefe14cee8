// Why a delivery failed, in words.

const WORDS: readonly (readonly [RegExp, string])[] = [
  [/^RETRIES_EXHAUSTED/, 'Every retry failed'],
  [/^MISSED_WINDOW/, 'Found too late to be sent'],
  [/^CUT_OFF/, 'Past the hour after which it is not sent'],
  [/^CHANNEL_DISABLED/, 'The channel is switched off'],
  [/^BAD_TEMPLATE|^RENDER_ERROR/, 'The text could not be written'],
  [/^TIMEOUT/, 'The receiver did not answer in time'],
  [/^CONNECTION/, 'The receiver could not be reached'],
  [/^HTTP 410/, 'The receiver wants no more (410)'],
  [/^HTTP 4/, 'The receiver refused it for good'],
  [/^HTTP 3/, 'The receiver redirected, which is never followed'],
  [/^HTTP/, 'The receiver failed'],
  [/^SMTP/, 'The mail server refused it'],
]

export function reasonText(reason: string): string {
  return WORDS.find(([pattern]) => pattern.test(reason))?.[1] ?? 'Failed'
}
