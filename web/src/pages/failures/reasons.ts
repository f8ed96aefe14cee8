// Failure reasons as text.

const WORDS: readonly (readonly [RegExp, string])[] = [
  [/^RETRIES_EXHAUSTED/, 'All retries failed'],
  [/^MISSED_WINDOW/, 'Too late to send'],
  [/^CUT_OFF/, 'Past its cut-off time'],
  [/^BAD_TEMPLATE|^RENDER_ERROR/, 'The template could not be rendered'],
  [/^TEMPLATE_LIMIT/, 'Rendering the template takes too much'],
  [/^TIMEOUT/, 'The receiver timed out'],
  [/^CONNECTION/, 'Could not connect to the receiver'],
  [/^HTTP 410/, 'The receiver is gone (410)'],
  [/^HTTP 4/, 'The receiver rejected the message'],
  [/^HTTP 3/, 'The receiver redirected; redirects are not followed'],
  [/^HTTP/, 'The receiver returned an error'],
  [/^SMTP/, 'The mail server rejected the message'],
]

export function reasonText(reason: string): string {
  return WORDS.find(([pattern]) => pattern.test(reason))?.[1] ?? 'Failed'
}
