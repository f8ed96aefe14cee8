// The fetch webhook in workerd against hostile receivers. Its results must equal those of the socket webhook.
import { fileURLToPath } from 'node:url'
import { Miniflare } from 'miniflare'
import { Webhook } from 'standardwebhooks'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { bundle } from '../../../scripts/build-cloudflare.ts'
import type { Guard } from '../../../src/channels/dial/dial.ts'
import type { FetchWebhookSettings } from '../../../src/channels/webhook/fetch-webhook.ts'
import type { DeliveryResult } from '../../../src/ports/channel.ts'
import { COMPATIBILITY } from '../../support/workerd/deployment.ts'
import { keepOutput } from '../../support/workerd/terce.ts'
import { delivery, NEXT_SECRET, SECRET } from './support/fixtures.ts'
import { answers, floods, type Misdeed, says, startHostileSink, trickles } from './support/hostile-sink.ts'

const DEADLINE_MS = 400
/** Allowance for a busy machine. */
const SLACK_MS = 3_000
const MINUTE_MS = 60_000

const OK = 'HTTP/1.1 200 OK\r\n'
const CHUNKED = 'transfer-encoding: chunked\r\n\r\n'
const CHUNK = `10000\r\n${'x'.repeat(0x10000)}\r\n`
const METADATA = 'location: http://169.254.169.254/latest/meta-data/'

const delivered = { kind: 'delivered', statusCode: 200 }
const timedOut = {
  kind: 'transient',
  error: `TIMEOUT: no response within ${DEADLINE_MS} ms`,
  statusCode: null,
}
const broken = { kind: 'transient', error: 'CONNECTION: failed', statusCode: null }
const transient = (statusCode: number) => ({ kind: 'transient', error: `HTTP ${statusCode}`, statusCode })
const permanent = (statusCode: number) => ({ kind: 'permanent', error: `HTTP ${statusCode}`, statusCode })

const MISDEEDS: Record<string, [Misdeed, object]> = {
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
  'responds with 200 and trickles a body of a known length': [
    trickles(`${OK}content-length: 999\r\n\r\n`, '.'),
    delivered,
  ],
  'responds with 500 and trickles its body': [
    trickles(`HTTP/1.1 500 Oops\r\n${CHUNKED}`, '1\r\n.\r\n'),
    transient(500),
  ],
  'responds with 200 and an endless body': [floods(OK + CHUNKED, CHUNK), delivered],
  'responds with 400 and an endless body': [floods(`HTTP/1.1 400 Bad\r\n${CHUNKED}`, CHUNK), permanent(400)],
  'speaks another protocol': [says('220 mail.example ESMTP\r\n\r\n'), broken],
  'responds with binary garbage': [says('\0\u0001\u0002\r\n\r\n'), broken],
  'responds with 200 and invalid chunks': [says(`${OK}${CHUNKED}zz\r\n`), delivered],
}

const cleanups: (() => Promise<unknown>)[] = []
let workerd: Miniflare

beforeAll(async () => {
  const { text } = await bundle(fileURLToPath(new URL('../../support/workerd/webhook.ts', import.meta.url)))
  // workerd logs invalid responses to its own output, which is not shown.
  const handleRuntimeStdio = keepOutput([])
  workerd = new Miniflare({ cf: false, modules: true, script: text, handleRuntimeStdio, ...COMPATIBILITY })
  await workerd.ready
})
afterAll(() => workerd.dispose())
afterEach(async () => {
  for (const cleanup of cleanups.splice(0)) await cleanup()
})

async function stage(misdeed: Misdeed) {
  const sink = await startHostileSink(misdeed)
  cleanups.push(() => sink.close())
  return sink
}

async function deliver(
  settings: Partial<FetchWebhookSettings> & { url: string },
  shiftMs = 0,
  guard: Guard = 'any',
): Promise<DeliveryResult> {
  const whole = { timeoutMs: DEADLINE_MS, secrets: [], ...settings }
  const body = JSON.stringify({ settings: whole, guard, delivery, shiftMs })
  const response = await workerd.dispatchFetch('http://worker', { method: 'POST', body })
  return (await response.json()) as DeliveryResult
}

describe('the fetch webhook in workerd', () => {
  it.each(Object.entries(MISDEEDS))('copes with a receiver that %s', async (_, [misdeed, expected]) => {
    const sink = await stage(misdeed)
    const startedAt = performance.now()
    expect(await deliver({ url: sink.url })).toEqual(expected)
    expect(performance.now() - startedAt).toBeLessThan(DEADLINE_MS + SLACK_MS)
    expect(sink.requests).toHaveLength(1)
    // 64 KiB of each response are read; the rest was in the buffers of two sockets.
    expect(sink.bytesSent()).toBeLessThan(32 * 1024 * 1024)
  })

  it('reports a refused connection as transient', async () => {
    const sink = await stage({})
    await sink.close()
    expect(await deliver({ url: sink.url })).toEqual(broken)
  })
})

describe('the fetch webhook', () => {
  it('sends the same body and id at every attempt, each with its own signed timestamp', async () => {
    const sink = await stage(answers('200 OK'))
    const secrets = [NEXT_SECRET, SECRET]
    for (const shiftMs of [0, MINUTE_MS]) {
      expect(await deliver({ url: sink.url, secrets }, shiftMs)).toEqual(delivered)
    }
    expect(sink.requests).toHaveLength(2)
    for (const { headers, body } of sink.requests) {
      expect(body.equals(Buffer.from(delivery.body))).toBe(true)
      expect(headers).toMatchObject({
        'content-type': 'application/json',
        'x-idempotency-key': delivery.idempotencyKey,
        'webhook-id': delivery.idempotencyKey,
      })
      for (const secret of secrets)
        expect(new Webhook(secret).verify(body, headers)).toEqual(JSON.parse(delivery.body))
    }
    const [first, second] = sink.requests.map(({ headers }) => Number(headers['webhook-timestamp']))
    expect(second! - first!).toBeGreaterThanOrEqual(MINUTE_MS / 1000)
  })

  it('sends nothing to a private IP address or a private name in the URL', async () => {
    const sink = await stage(answers('200 OK'))
    const { port } = new URL(sink.url)
    for (const host of ['127.0.0.1', '0x7f.1', 'localhost', '[::1]', '169.254.169.254', 'db.internal']) {
      expect(await deliver({ url: `http://${host}:${port}/hook` }, 0, 'public')).toMatchObject({
        kind: 'permanent',
        error: expect.stringMatching(/^FORBIDDEN_TARGET: the target is a/),
      })
    }
    expect(sink.requests).toEqual([])
  })
})
