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
import { answers, type Misdeed, says, startHostileSink, trickles } from './support/hostile-sink.ts'
import { DEADLINE_MS, delivered, misdeeds, OK, SLACK_MS } from './support/misdeeds.ts'

const MINUTE_MS = 60_000

const broken = { kind: 'transient', error: 'CONNECTION: failed', statusCode: null }

const MISDEEDS: Record<string, [Misdeed, object]> = {
  ...misdeeds(broken),
  'responds with 200 and trickles a body of a known length': [
    trickles(`${OK}content-length: 999\r\n\r\n`, '.'),
    delivered,
  ],
  'speaks another protocol': [says('220 mail.example ESMTP\r\n\r\n'), broken],
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
