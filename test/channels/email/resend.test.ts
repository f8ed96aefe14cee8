// The Resend channel against a double of Resend's API.
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { createNodeDial } from '../../../src/channels/dial/node-dial.ts'
import { parseMailbox } from '../../../src/channels/email/address.ts'
import { createMailApi } from '../../../src/channels/email/provider.ts'
import { resend } from '../../../src/channels/email/resend.ts'
import { clock, mailDelivery, never } from './support/fixtures.ts'

type Asked = { method: string; path: string; headers: IncomingHttpHeaders; body: string }

const cleanups: (() => Promise<unknown>)[] = []

afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

/** A double of Resend's API that responds by `respond` and records the requests. */
async function startResend(respond: (response: ServerResponse) => void = (response) => say(response, 200)) {
  const asked: Asked[] = []
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    asked.push({ method: request.method!, path: request.url!, headers: request.headers, body })
    respond(response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
  cleanups.push(close)
  return { base: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked, close }
}

function say(response: ServerResponse, status: number, body: unknown = { id: '1' }, headers = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers })
  response.end(JSON.stringify(body))
}

function channel(baseUrl: string, timeoutMs = 5_000, dial = createNodeDial('any')) {
  return createMailApi({ clock, dial }, resend({ baseUrl, apiKey: 're_secret' }), {
    from: parseMailbox('Grüße, Terce <hello@example.com>')!,
    replyTo: parseMailbox('help@example.com'),
    listUnsubscribe: 'https://example.com/stop/{userId}',
    timeoutMs,
  })
}

describe('the Resend channel', () => {
  it('connects to no private address, neither a literal one nor one that a name resolves to', async () => {
    const server = await startResend()
    const { port } = new URL(server.base)
    const loopback = async () => [{ address: '127.0.0.1', family: 4 }]
    const dial = createNodeDial('public', loopback)
    for (const [host, kind, error] of [
      ['127.0.0.1', 'permanent', 'FORBIDDEN_TARGET: the target is a loopback address'],
      ['api.mail.example', 'transient', 'FORBIDDEN_TARGET: the target resolves to a loopback address'],
    ]) {
      const sent = channel(`http://${host}:${port}`, 5_000, dial).deliver(mailDelivery(), never)
      expect(await sent).toEqual({ kind, error, statusCode: null })
    }
    expect(server.asked).toEqual([])
  })

  it('posts the mail with the API key and the idempotency key', async () => {
    const server = await startResend()
    const sent = await channel(server.base).deliver(mailDelivery({ subject: 'Alles Gute 🎂' }), never)
    expect(sent).toEqual({ kind: 'delivered', statusCode: 200 })
    const [asked] = server.asked
    expect(asked).toMatchObject({
      method: 'POST',
      path: '/emails',
      headers: {
        authorization: 'Bearer re_secret',
        'content-type': 'application/json',
        'idempotency-key': 'event-0123456789abcdef',
      },
    })
    expect(JSON.parse(asked!.body)).toEqual({
      from: '"Grüße, Terce" <hello@example.com>',
      to: ['"Ada Lovelace" <ada@example.com>'],
      reply_to: 'help@example.com',
      subject: 'Alles Gute 🎂',
      text: "Hey, Ada Lovelace it's your birthday",
      html: "<p>Hey, Ada Lovelace it's your birthday</p>",
      headers: {
        'X-Idempotency-Key': 'event-0123456789abcdef',
        'Auto-Submitted': 'auto-generated',
        'List-Unsubscribe': '<https://example.com/stop/u1>',
        'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      },
    })
  })

  it('accepts a base URL that ends with a slash', async () => {
    const server = await startResend()
    await channel(`${server.base}/`).deliver(mailDelivery(), never)
    expect(server.asked[0]!.path).toBe('/emails')
  })

  it('rejects a mail with header injection before it sends anything', async () => {
    const server = await startResend()
    const result = await channel(server.base).deliver(
      mailDelivery({ subject: 'a\r\nBcc: b@c.example' }),
      never,
    )
    expect(result).toMatchObject({ kind: 'permanent', error: expect.stringMatching(/^INVALID_SUBJECT: /) })
    expect(server.asked).toEqual([])
  })

  it.each([
    [200, 'id', 'delivered'],
    [301, 'moved', 'permanent'],
    [400, 'validation_error', 'permanent'],
    [401, 'missing_api_key', 'transient'],
    [403, 'invalid_api_key', 'transient'],
    [408, 'timeout', 'transient'],
    [409, 'concurrent_idempotent_requests', 'transient'],
    [409, 'invalid_idempotent_request', 'permanent'],
    [429, 'rate_limit_exceeded', 'transient'],
    [500, 'application_error', 'transient'],
  ])('interprets %i %s as %s', async (status, name, kind) => {
    const message = 'ada@example.com is not to be quoted'
    const server = await startResend((response) =>
      say(response, status, { statusCode: status, name, message }),
    )
    const result = await channel(server.base).deliver(mailDelivery(), never)
    expect(result).toMatchObject({ kind, statusCode: status })
    if (result.kind !== 'delivered') expect(result.error).toBe(`HTTP ${status} ${name}`)
  })

  it.each(['null', '{}', '<html>ada@example.com</html>', '{"name":"ada@example.com"}', '{"name":7}'])(
    'reports only the status if the body has no error name: %s',
    async (body) => {
      const server = await startResend((response) => response.writeHead(422).end(body))
      expect(await channel(server.base).deliver(mailDelivery(), never)).toMatchObject({ error: 'HTTP 422' })
    },
  )

  it('follows no redirect, so that the API key stays with its host', async () => {
    const elsewhere = await startResend()
    const location = `${elsewhere.base}/emails`
    const server = await startResend((response) => say(response, 307, {}, { location }))
    expect(await channel(server.base).deliver(mailDelivery(), never)).toMatchObject({ kind: 'permanent' })
    expect(elsewhere.asked).toEqual([])
  })
})
