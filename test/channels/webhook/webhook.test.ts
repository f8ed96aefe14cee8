// The webhook channel, and the meaning of HTTP responses.
import { afterEach, describe, expect, it } from 'vitest'
import { createNodeDial } from '../../../src/channels/dial/node-dial.ts'
import { readResponse } from '../../../src/channels/webhook/response.ts'
import { createWebhook } from '../../../src/channels/webhook/webhook.ts'
import type { Channel } from '../../../src/ports/channel.ts'
import { startSink } from '../../runtimes/support/sink.ts'
import { createTestClock, delivery, never } from './support/fixtures.ts'

const cleanups: (() => Promise<unknown>)[] = []

afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

function webhook(url: string, { timeoutMs = 5_000, secrets = [] as string[] } = {}): Channel {
  const settings = { url, timeoutMs, connections: 4, secrets }
  const channel = createWebhook({ clock: createTestClock(), dial: createNodeDial('any') }, settings)
  cleanups.push(() => channel.close())
  return channel
}

async function sink(answer?: Parameters<typeof startSink>[0]) {
  const started = await startSink(answer)
  cleanups.unshift(() => started.close())
  return started
}

describe('the webhook channel', () => {
  it('posts the unchanged body with its key and the headers of Standard Webhooks, without a signature if it has no secret', async () => {
    const receiver = await sink()
    expect(await webhook(receiver.url).deliver(delivery, never)).toEqual({
      kind: 'delivered',
      statusCode: 200,
    })
    expect(receiver.arrivals).toMatchObject([
      { method: 'POST', key: delivery.idempotencyKey, body: delivery.body },
    ])
    const { headers } = receiver.arrivals[0]!
    expect(headers).toMatchObject({
      'content-type': 'application/json',
      'webhook-id': delivery.idempotencyKey,
    })
    expect(Math.abs(Number(headers['webhook-timestamp']) - Date.now() / 1000)).toBeLessThan(10)
    expect(headers).not.toHaveProperty('webhook-signature')
  })

  it('keeps the start of the response and its headers, without cookies', async () => {
    const receiver = await sink((response) => {
      response.writeHead(422, { 'x-request-id': '7', 'set-cookie': 'session=1' })
      response.write('no such hook ')
      response.end('é'.repeat(4_000))
    })
    const result = await webhook(`${receiver.url}?token=1`).deliver(
      { ...delivery, keepResponses: 'all' },
      never,
    )
    expect(result.response?.headers).toEqual({ 'x-request-id': '7' })
    expect(result.response).toMatchObject({ body: `no such hook ${'é'.repeat(2_041)}`, shortened: true })
  })

  it('sends more messages than it has connections, replaces broken ones, and rejects once it is closed', async () => {
    let requests = 0
    const receiver = await sink((response) => {
      requests += 1
      if (requests % 3 === 0) response.destroy()
      else response.end('ok')
    })
    const channel = webhook(receiver.url)
    const results = await Promise.all(Array.from({ length: 30 }, () => channel.deliver(delivery, never)))
    const delivered = results.filter(({ kind }) => kind === 'delivered').length
    expect([delivered, results.length - delivered, requests]).toEqual([20, 10, 30])
    await channel.close()
    await expect(channel.deliver(delivery, never)).rejects.toThrow('The channel is closed.')
  })

  it('does not send what was aborted while it waited for a connection', async () => {
    const held: (() => void)[] = []
    const receiver = await sink((response) => held.push(() => response.end('ok')))
    const channel = webhook(receiver.url)
    const sending = Array.from({ length: 4 }, () => channel.deliver(delivery, never))
    const stop = new AbortController()
    const waiting = channel.deliver({ ...delivery, body: '"aborted"' }, stop.signal)
    await receiver.waitFor(4)
    stop.abort()
    expect(await waiting).toMatchObject({ kind: 'transient' })
    for (const respond of held) respond()
    await Promise.all(sending)
    const last = channel.deliver(delivery, never)
    await receiver.waitFor(5)
    held.at(-1)!()
    await last
    expect(receiver.arrivals.map(({ body }) => body)).toEqual(Array(5).fill(delivery.body))
  })
})

describe('the response of a receiver', () => {
  const now = Date.UTC(2026, 10, 15, 9)
  it.each([
    [200, 'delivered'],
    [204, 'delivered'],
    [301, 'permanent'],
    [400, 'permanent'],
    [401, 'permanent'],
    [408, 'transient'],
    [410, 'permanent'],
    [425, 'transient'],
    [429, 'transient'],
    [500, 'transient'],
    [599, 'transient'],
  ])('%i means %s', (statusCode, kind) => {
    expect(readResponse(statusCode, undefined, now)).toMatchObject({ kind, statusCode })
  })

  it('is about the event if it is 425, and about the receiver otherwise', () => {
    expect(readResponse(425, '5', now)).toMatchObject({ about: 'event', retryAfterMs: 5_000 })
    for (const statusCode of [408, 429, 500, 503])
      expect(readResponse(statusCode, '5', now)).not.toHaveProperty('about')
  })

  it.each([
    ['120', 120_000],
    ['Sun, 15 Nov 2026 09:00:30 GMT', 30_000],
    ['999999999', 86_400_000],
  ])('sets the delay by Retry-After, up to a day: %s', (header, retryAfterMs) => {
    expect(readResponse(503, header, now)).toMatchObject({ retryAfterMs })
  })
})
