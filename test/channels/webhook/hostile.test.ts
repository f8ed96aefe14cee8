// The webhook against hostile receivers.
import { Webhook } from 'standardwebhooks'
import { afterEach, describe, expect, it } from 'vitest'
import { createNodeDial } from '../../../src/channels/dial/node-dial.ts'
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
} from './support/hostile-sink.ts'
import { DEADLINE_MS, delivered, misdeeds, OK, SLACK_MS, transient } from './support/misdeeds.ts'

/** For a connection that ends by itself, on a busy machine later than the deadline. */
const NO_DEADLINE_MS = 10_000
const MINUTE_MS = 60_000

const broken = {
  kind: 'transient',
  error: expect.stringMatching(/^CONNECTION: (E|UND_ERR_|HPE_|HTTPParserError)/),
  statusCode: null,
}

const MISDEEDS: Record<string, [Misdeed, object]> = {
  ...misdeeds(broken),
  'sends endless headers': [floods(OK, `x-long: ${'x'.repeat(1000)}\r\n`), broken],
  'speaks another protocol': [says('220 mail.example ESMTP\r\n'), broken],
  'responds with the invalid status 9999': [says('HTTP/1.1 9999 Huh\r\ncontent-length: 0\r\n\r\n'), broken],
  'sends two different content lengths': [
    says(`${OK}content-length: 1\r\ncontent-length: 2\r\n\r\nab`),
    broken,
  ],
  'sends an interim response (103) before its response': [
    says(`HTTP/1.1 103 Early Hints\r\nlink: </a.css>\r\n\r\n${OK}content-length: 0\r\n\r\n`),
    delivered,
  ],
  'sends an interim response and closes the connection': [
    { onRequest: (socket) => socket.end('HTTP/1.1 103 Early Hints\r\n\r\n') },
    broken,
  ],
  'sends endless interim responses': [
    says('HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(1_000)),
    { ...broken, error: 'CONNECTION: too many interim responses' },
  ],
  'switches protocols (101)': [
    says('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n'),
    broken,
  ],
}

const cleanups: (() => Promise<unknown>)[] = []

afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

async function stage(misdeed: Misdeed, timeoutMs = NO_DEADLINE_MS) {
  const clock = createTestClock()
  const sink = await startHostileSink(misdeed)
  cleanups.push(() => sink.close())
  const settings = {
    url: sink.url,
    timeoutMs,
    connections: 2,
    secrets: [SECRET],
  }
  const channel = createWebhook({ clock, dial: createNodeDial('any') }, settings)
  cleanups.push(() => channel.close())
  return { clock, sink, channel }
}

async function timed(channel: Channel): Promise<{ result: DeliveryResult; tookMs: number }> {
  const startedAt = performance.now()
  const { response, ...result } = await channel.deliver({ ...delivery, keepResponses: 'all' }, never)
  expect(response?.body.length ?? 0).toBeLessThanOrEqual(4_096)
  return { result, tookMs: performance.now() - startedAt }
}

/** Two attempts a minute apart have the same body and id, their own timestamps, and valid signatures. */
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

describe('the webhook', () => {
  it.each(Object.entries(MISDEEDS))('copes with a receiver that %s', async (_, [misdeed, expected]) => {
    const deadlineMs = expected === broken ? NO_DEADLINE_MS : DEADLINE_MS
    const { clock, sink, channel } = await stage(misdeed, deadlineMs)
    const hosts = await dialled(async () => {
      for (const shiftMs of [0, MINUTE_MS]) {
        clock.shiftMs = shiftMs
        const { result, tookMs } = await timed(channel)
        expect(result).toEqual(expected)
        expect(tookMs).toBeLessThan(deadlineMs + SLACK_MS)
      }
    })
    expect(new Set(hosts)).toEqual(new Set(['127.0.0.1']))
    expectSameMessageTwice(sink)
    // 64 KiB of each response are read; the rest was in the buffers of two sockets.
    expect(sink.bytesSent()).toBeLessThan(32 * 1024 * 1024)
  })

  it('copes with a receiver that resets the connection before the request', async () => {
    const { channel } = await stage({ onConnect: (socket) => socket.resetAndDestroy() })
    expect((await timed(channel)).result).toEqual(broken)
  })

  it('reports a refused connection as transient', async () => {
    const { sink, channel } = await stage({})
    await sink.close()
    expect((await timed(channel)).result).toEqual({ ...broken, error: 'CONNECTION: ECONNREFUSED' })
  })

  it('ignores the second response of a receiver that responds twice', async () => {
    const twice = says(`${OK}content-length: 0\r\n\r\n${OK}content-length: 0\r\n\r\n`)
    const once = answers('500 Oops')
    const { channel } = await stage({
      onRequest: (socket, count) => (count === 1 ? twice : once).onRequest!(socket, count),
    })
    expect((await timed(channel)).result).toEqual(delivered)
    expect((await timed(channel)).result).toEqual(transient(500))
  })
})
