// `terce listen`: forwards signed messages unchanged, passes the response back, and prints no personal data.
import { afterEach, describe, expect, it } from 'vitest'
import { createNodeDial } from '../../../src/channels/dial/node-dial.ts'
import { createWebhook } from '../../../src/channels/webhook/webhook.ts'
import { addListen, receivedLine } from '../../../src/cli/commands/listen.ts'
import { type ListenerSettings, type ReceivedWebhook, startListener } from '../../../src/cli/listener.ts'
import { createTestClock, never } from '../../channels/webhook/support/fixtures.ts'
import { OTHER_SECRET, SECRET } from '../../receiver/support/signed.ts'
import { startSink } from '../../runtimes/support/sink.ts'
import { useDatabase } from '../support/in-process.ts'

const { terce } = useDatabase(addListen)
const cleanups: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

const KEY = 'event-0123456789abcdef0123456789abcdef'
const MESSAGE = { eventId: 'e1', type: 'BIRTHDAY', occurrence: '2026', message: 'Hey, Ada Lovelace 🎂' }
const BODY = JSON.stringify(MESSAGE)

async function start(settings: Partial<ListenerSettings>) {
  const received: ReceivedWebhook[] = []
  const onReceived = (one: ReceivedWebhook) => received.push(one)
  const listener = await startListener({
    port: 0,
    secrets: [SECRET],
    forwardTo: null,
    onReceived,
    ...settings,
  })
  cleanups.push(() => listener.close())
  return { ...listener, received }
}

/** Sends a message as Terce does. */
async function deliverTo(url: string, secret = SECRET) {
  const settings = { url, timeoutMs: 5_000, connections: 1, secrets: [secret] }
  const channel = createWebhook({ clock: createTestClock(), dial: createNodeDial('any') }, settings)
  const delivery = { eventId: 'e1', idempotencyKey: KEY, body: BODY, attempt: 1 }
  return channel.deliver(delivery, never).finally(() => channel.close())
}

describe('startListener()', () => {
  it('forwards a signed message byte for byte, and passes the response back', async () => {
    const service = await startSink((response, _, count) =>
      count === 1
        ? response.writeHead(503, { 'Retry-After': '7' }).end('later')
        : response.writeHead(202).end(),
    )
    cleanups.push(() => service.close())
    const { url, received } = await start({ forwardTo: service.url })
    expect(await deliverTo(url)).toMatchObject({ kind: 'transient', statusCode: 503, retryAfterMs: 7_000 })
    expect(await deliverTo(url)).toMatchObject({ kind: 'delivered', statusCode: 202 })
    expect(service.arrivals.map(({ key, body }) => [key, body])).toEqual([
      [KEY, BODY],
      [KEY, BODY],
    ])
    expect(service.arrivals[0]!.headers).toMatchObject({
      'webhook-id': KEY,
      'webhook-signature': expect.stringMatching(/^v1,/),
      'content-type': 'application/json',
    })
    expect(received.map(({ status, verified, key }) => [status, verified, key])).toEqual([
      [503, true, KEY],
      [202, true, KEY],
    ])
  })

  it('rejects a message that another secret signed, and does not forward it', async () => {
    const service = await startSink()
    cleanups.push(() => service.close())
    const { url, received } = await start({ forwardTo: service.url })
    expect(await deliverTo(url, OTHER_SECRET)).toMatchObject({ statusCode: 401 })
    expect(service.arrivals).toEqual([])
    expect(received[0]).toMatchObject({
      status: 401,
      verified: false,
      problem: expect.stringMatching(/^BAD_SIGNATURE/),
    })
  })

  it('responds with 502 while the service is down, so that Terce retries', async () => {
    const { url, received } = await start({ forwardTo: 'http://127.0.0.1:9/hook' })
    expect(await deliverTo(url)).toMatchObject({ kind: 'transient', statusCode: 502 })
    expect(received[0]!.problem).toMatch(/^No response from http:\/\/127\.0\.0\.1:9\/hook: /)
  })

  it('accepts every POST up to 1 MiB without secret and service', async () => {
    const { url, received } = await start({ secrets: [] })
    expect(await deliverTo(url, OTHER_SECRET)).toMatchObject({ kind: 'delivered', statusCode: 204 })
    expect((await fetch(url)).status).toBe(405)
    expect((await fetch(url, { method: 'POST', body: 'x'.repeat(1024 * 1024 + 1) })).status).toBe(413)
    expect(received.map(({ status, verified }) => [status, verified])).toEqual([
      [204, null],
      [405, null],
      [413, null],
    ])
  })

  it('rejects requests of web pages, and prints no control character of a message', async () => {
    const { url, received } = await start({ secrets: [] })
    const body = JSON.stringify({ type: 'X\u001b[2K\r\nforged', occurrence: '\u009b1G', eventId: '1' })
    const post = (headers: Record<string, string>) => fetch(url, { method: 'POST', headers, body })
    expect((await post({ Origin: 'https://evil.example' })).status).toBe(403)
    expect((await post({})).status).toBe(204)
    const lines = received.map((one) => receivedLine(one, { show: true }).replaceAll('\n  ', ''))
    expect(lines.join('')).not.toMatch(/\p{Cc}/u)
    expect(lines[1]).toContain('X\\u001b[2K\\u000d\\u000aforged \\u009b1G')
  })

  it('prints a message without personal data unless --show is set', async () => {
    const { url, received } = await start({})
    await deliverTo(url)
    const [one] = received
    const line = receivedLine(one!, {})
    expect(line).toMatch(new RegExp(`^\\S+Z {2}204 {2}BIRTHDAY 2026, event e1, ${KEY}, signed, \\d+ ms$`))
    expect(receivedLine(one!, { json: true })).not.toContain('Ada')
    expect(receivedLine(one!, { show: true })).toContain('\n  {"eventId":"e1"')
    expect(JSON.parse(receivedLine(one!, { json: true, show: true }))).toMatchObject({
      status: 204,
      message: MESSAGE,
    })
  })
})

describe('terce listen', () => {
  it.each([
    [['--port', '70000'], {}, /Use a number from 0 to 65535/],
    [['--forward-to', 'localhost:8080'], {}, /--forward-to localhost:8080 is not usable/],
    [['--secret', 'hunter2'], {}, /The secret is not usable\. Give whsec_/],
    [[], { WEBHOOK_SECRET: 'hunter2' }, /The secret is not usable\. Give whsec_/],
  ])('exits with 2 for %j %j, and prints no secret', async (args, env, why) => {
    const { code, stdout, stderr } = await terce(['listen', ...args], env)
    expect([code, stdout, stderr]).toEqual([2, '', expect.stringMatching(why)])
    expect(stderr).not.toContain('hunter2')
  })
})
