// What hostile receivers do, and the result that every form of the webhook has.
import { answers, floods, type Misdeed, says, trickles } from './hostile-sink.ts'

export const DEADLINE_MS = 400
/** Allowance for a busy machine. */
export const SLACK_MS = 3_000
export const METADATA = 'location: http://169.254.169.254/latest/meta-data/'
export const OK = 'HTTP/1.1 200 OK\r\n'
export const CHUNKED = 'transfer-encoding: chunked\r\n\r\n'
const CHUNK = `10000\r\n${'x'.repeat(0x10000)}\r\n`

export const delivered = { kind: 'delivered', statusCode: 200 }
export const timedOut = {
  kind: 'transient',
  error: `TIMEOUT: no response within ${DEADLINE_MS} ms`,
  statusCode: null,
}
export const transient = (statusCode: number) => ({
  kind: 'transient',
  error: `HTTP ${statusCode}`,
  statusCode,
})
export const permanent = (statusCode: number) => ({
  kind: 'permanent',
  error: `HTTP ${statusCode}`,
  statusCode,
})

/** `broken` is the result of a connection that breaks. */
export const misdeeds = (broken: object): Record<string, [Misdeed, object]> => ({
  'responds with 500': [answers('500 Oops'), transient(500)],
  'responds with 429 and Retry-After': [
    answers('429 Slow Down', 'retry-after: 7'),
    { ...transient(429), retryAfterMs: 7_000 },
  ],
  'responds with 410': [answers('410 Gone'), permanent(410)],
  'redirects to cloud metadata (302)': [answers('302 There', METADATA), permanent(302)],
  'redirects to cloud metadata (307)': [answers('307 There', METADATA), permanent(307)],
  'never responds': [{}, timedOut],
  'closes the connection after the request': [{ onRequest: (socket) => socket.end() }, broken],
  'resets the connection after the request': [{ onRequest: (socket) => socket.resetAndDestroy() }, broken],
  'responds with 200 and resets the connection in the body': [
    { onRequest: (socket) => socket.write(`${OK}content-length: 9\r\n\r\n`, () => socket.resetAndDestroy()) },
    delivered,
  ],
  'trickles its headers': [trickles(`${OK}x-slow: `, '.'), timedOut],
  'responds with 200 and trickles its body': [trickles(OK + CHUNKED, '1\r\n.\r\n'), delivered],
  'responds with 500 and trickles its body': [
    trickles(`HTTP/1.1 500 Oops\r\n${CHUNKED}`, '1\r\n.\r\n'),
    transient(500),
  ],
  'responds with 200 and an endless body': [floods(OK + CHUNKED, CHUNK), delivered],
  'responds with 400 and an endless body': [floods(`HTTP/1.1 400 Bad\r\n${CHUNKED}`, CHUNK), permanent(400)],
  'responds with binary garbage': [says('\0\u0001\u0002\r\n\r\n'), broken],
  'responds with 200 and invalid chunks': [says(`${OK}${CHUNKED}zz\r\n`), delivered],
})
