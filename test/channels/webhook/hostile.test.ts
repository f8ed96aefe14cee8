import { Webhook } from 'standardwebhooks'
import { afterEach, describe, expect, it } from 'vitest'
import { createWebhook } from '../../../src/channels/webhook/webhook.ts'
import type { Channel, DeliveryResult } from '../../../src/ports/channel.ts'
import { createTestClock, delivery, dialled, never, SECRET } from './support/fixtures.ts'
import {
  answers,
  floods,
  type HostileSink,
  type Misdeed,
  says,
  startHostileSink,
  trickles,
} from './support/hostile-sink.ts'

const DEADLINE_MS = 400
/** What a busy machine may add. */
const SLACK_MS = 3_000
const MINUTE_MS = 60_000

const METADATA = 'location: http://169.254.169.254/latest/meta-data/'
const OK = 'HTTP/1.1 200 OK\r\n'
const CHUNKED = 'transfer-encoding: chunked\r\n\r\n'
const CHUNK = `10000\r\n${'x'.repeat(0x10000)}\r\n`

const delivered = { kind: 'delivered', statusCode: 200 }
const timedOut = {
  kind: 'transient',
  error: `TIMEOUT: no response within ${DEADLINE_MS} ms`,
  statusCode: null,
}
const broken = {
  kind: 'transient',
  error: expect.stringMatching(/^CONNECTION: (E|UND_ERR_|HPE_|HTTPParserError)/),
  statusCode: null,
}
const transient = (statusCode: number) => ({ kind: 'transient', error: `HTTP ${statusCode}`, statusCode })
const permanent = (statusCode: number) => ({ kind: 'permanent', error: `HTTP ${statusCode}`, statusCode })

const MISDEEDS: Record<string, [Misdeed, object]> = {
  'has trouble': [answers('500 Oops'), transient(500)],
  'is overloaded': [answers('503 Busy', 'retry-after: 7'), { ...transient(503), retryAfterMs: 7_000 }],
  'asks for a pause': [
    answers('429 Slow Down', 'retry-after: 7'),
    { ...transient(429), retryAfterMs: 7_000 },
  ],
  'asks for a pause of a century': [
    answers('429 Slow Down', 'retry-after: 3155760000'),
    { ...transient(429), retryAfterMs: 86_400_000 },
  ],
  'is gone': [answers('410 Gone'), permanent(410)],
  'does not know us': [answers('401 Who'), permanent(401)],
  'forbids it': [answers('403 No'), permanent(403)],
  'sends us to the metadata of its cloud (301)': [answers('301 There', METADATA), permanent(301)],
  'sends us to the metadata of its cloud (302)': [answers('302 There', METADATA), permanent(302)],
  'sends us to the metadata of its cloud (307)': [answers('307 There', METADATA), permanent(307)],
  'sends us to the metadata of its cloud (308)': [answers('308 There', METADATA), permanent(308)],
  'never answers': [{}, timedOut],
  'hangs up after reading': [{ onRequest: (socket) => socket.end() }, broken],
  'resets after reading': [{ onRequest: (socket) => socket.resetAndDestroy() }, broken],
  'accepts and resets': [
    { onRequest: (socket) => socket.write(`${OK}content-length: 9\r\n\r\n`, () => socket.resetAndDestroy()) },
    delivered,
  ],
  'trickles its headers': [trickles(`${OK}x-slow: `, '.'), timedOut],
  'trickles its answer': [trickles(OK + CHUNKED, '1\r\n.\r\n'), delivered],
  'trickles its trouble': [trickles(`HTTP/1.1 500 Oops\r\n${CHUNKED}`, '1\r\n.\r\n'), transient(500)],
  'accepts and talks without end': [floods(OK + CHUNKED, CHUNK), delivered],
  'refuses and talks without end': [floods(`HTTP/1.1 400 Bad\r\n${CHUNKED}`, CHUNK), permanent(400)],
  'sends headers without end': [floods(OK, `x-long: ${'x'.repeat(1000)}\r\n`), broken],
  'speaks another protocol': [says('220 mail.example ESMTP\r\n'), broken],
  'speaks gibberish': [says('\0\u0001\u0002\r\n\r\n'), broken],
  'speaks of an impossible status': [says('HTTP/1.1 9999 Huh\r\ncontent-length: 0\r\n\r\n'), broken],
  'contradicts itself on the length': [says(`${OK}content-length: 1\r\ncontent-length: 2\r\n\r\nab`), broken],
  'breaks its chunks': [says(`${OK}${CHUNKED}zz\r\n`), delivered],
  'hints before it answers (103)': [
    says(`HTTP/1.1 103 Early Hints\r\nlink: </a.css>\r\n\r\n${OK}content-length: 0\r\n\r\n`),
    delivered,
  ],
  'hints and hangs up': [{ onRequest: (socket) => socket.end('HTTP/1.1 103 Early Hints\r\n\r\n') }, broken],
  'hints for ever': [trickles('', 'HTTP/1.1 103 Early Hints\r\n\r\n'), timedOut],
  'wants to speak something else (101)': [
    says('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n'),
    broken,
  ],
}

const cleanups: (() => Promise<unknown>)[] = []

afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

async function stage(misdeed: Misdeed) {
  const clock = createTestClock()
  const sink = await startHostileSink(misdeed)
  cleanups.push(() => sink.close())
  const settings = {
    url: sink.url,
    timeoutMs: DEADLINE_MS,
    connections: 2,
    secrets: [SECRET],
    guard: 'any' as const,
  }
  const channel = createWebhook(clock, settings)
  cleanups.push(() => channel.close())
  return { clock, sink, channel }
}

async function timed(channel: Channel): Promise<{ result: DeliveryResult; tookMs: number }> {
  const startedAt = performance.now()
  const result = await channel.deliver(delivery, never)
  return { result, tookMs: performance.now() - startedAt }
}

/** Two attempts a minute apart: the same bytes and id, each with its own time and a signature that holds. */
function expectSameMessageTwice({ requests }: HostileSink): void {
  expect(requests).toHaveLength(2)
  for (const { headers, body } of requests) {
    expect(body.equals(Buffer.from(delivery.body))).toBe(true)
    expect(headers['webhook-id']).toBe(delivery.idempotencyKey)
    expect(headers['x-idempotency-key']).toBe(delivery.idempotencyKey)
    expect(new Webhook(SECRET).verify(body, headers)).toEqual(JSON.parse(delivery.body))
  }
  const [first, second] = requests.map(({ headers }) => Number(headers['webhook-timestamp']))
  expect(second! - first!).toBeGreaterThanOrEqual(MINUTE_MS / 1000)
  expect(second! - first!).toBeLessThan(MINUTE_MS / 1000 + 10)
}

describe('a receiver that', () => {
  it.each(Object.entries(MISDEEDS))('%s', async (_, [misdeed, expected]) => {
    const { clock, sink, channel } = await stage(misdeed)
    const hosts = await dialled(async () => {
      for (const shiftMs of [0, MINUTE_MS]) {
        clock.shiftMs = shiftMs
        const { result, tookMs } = await timed(channel)
        expect(result).toEqual(expected)
        expect(tookMs).toBeLessThan(DEADLINE_MS + SLACK_MS)
      }
    })
    expect(new Set(hosts)).toEqual(new Set(['127.0.0.1']))
    expectSameMessageTwice(sink)
    // 64 KiB are read of each answer; what is more stood in the buffers of two sockets.
    expect(sink.bytesSent()).toBeLessThan(32 * 1024 * 1024)
  })

  it('resets before reading', async () => {
    const { channel } = await stage({ onConnect: (socket) => socket.resetAndDestroy() })
    expect((await timed(channel)).result).toEqual(broken)
  })

  it('is not there', async () => {
    const { sink, channel } = await stage({})
    await sink.close()
    expect((await timed(channel)).result).toEqual({ ...broken, error: 'CONNECTION: ECONNREFUSED' })
  })

  it('answers twice has its second answer thrown away', async () => {
    const twice = says(`${OK}content-length: 0\r\n\r\n${OK}content-length: 0\r\n\r\n`)
    const once = answers('500 Oops')
    const { channel } = await stage({
      onRequest: (socket, count) => (count === 1 ? twice : once).onRequest!(socket, count),
    })
    expect((await timed(channel)).result).toEqual(delivered)
    expect((await timed(channel)).result).toEqual(transient(500))
  })
})
