// The failure reasons of an earlier release, one sentence each, and the code and error that the migration makes of them.
export const OLD_FAILURES = [
  ['HTTP 410', 'HTTP 410', 'HTTP 410'],
  ['HTTP 400: "the last: straw"', 'HTTP 400', 'HTTP 400: "the last: straw"'],
  ['RETRIES_EXHAUSTED: 4 attempts, the last: HTTP 503', 'RETRIES_EXHAUSTED', 'HTTP 503'],
  ['RETRIES_EXHAUSTED: 2 attempts, the last: TIMEOUT: é 🪦', 'RETRIES_EXHAUSTED', 'TIMEOUT: é 🪦'],
  ['CUT_OFF: not after 10:00 there. 1 attempt, the last: HTTP 500', 'CUT_OFF', 'HTTP 500'],
  ['CUT_OFF: not after 10:00 there.', 'CUT_OFF', 'CUT_OFF: not after 10:00 there.'],
  ['RENDER_ERROR', 'RENDER_ERROR', 'RENDER_ERROR'],
] as const
