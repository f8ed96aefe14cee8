// The response of each attempt, and the signed request of an event.
import { Webhook } from 'standardwebhooks'
import { describe, expect, it } from 'vitest'
import type { Exchange } from '../../../src/domain/events/exchange.ts'
import { ADA, createTestApp, INBOX_SECRET, NO_ONE } from '../support/test-app.ts'

const BODY = `{"message":"Hey, it's your birthday"}`
const DUE = '2026-12-15T16:00:00.000Z'

/** An event that was claimed at its time. */
async function withClaim(options: Parameters<typeof createTestApp>[0] = {}) {
  const app = createTestApp(options)
  const { nextBirthdayEvent } = (await app.post('/user', ADA)).json
  app.setClock(DUE)
  const claim = async (at = Date.parse(DUE)) =>
    (
      await app.store.claimDue({
        now: at,
        limit: 1,
        leaseMs: 1_000,
        claimedBy: 'w',
        render: () => BODY,
      })
    )[0]!
  const path = `/event/${nextBirthdayEvent.id}`
  return { ...app, path, key: nextBirthdayEvent.idempotencyKey, claim }
}

const WEBHOOK = { kind: 'webhook', name: 'crm', url: 'https://example.com/hook?token=1', isDefault: true }

describe('GET /event/:id', () => {
  it('has the destination and the response of each attempt', async () => {
    const { send, store, claim, path } = await withClaim()
    const { id: eventId, version } = await claim()
    const at = Date.parse(DUE)
    const exchange: Exchange = {
      destination: 'https://example.com/hook',
      response: { headers: { 'content-type': 'text/plain' }, body: 'try later', shortened: false },
    }
    await store.settle([
      { eventId, version, at, kind: 'retry', wakeAt: at, error: 'HTTP 500', statusCode: 500, exchange },
    ])
    await claim()
    await store.settle([
      {
        ...{ eventId, version: version + 2, at, kind: 'terminal', status: 'COMPLETED', failure: null },
        ...{ statusCode: 200, planRevision: 0, successor: null },
      },
    ])
    const { attempts } = (await send(path)).json
    expect(attempts).toMatchObject([
      { statusCode: 500, ...exchange, destination: 'https://example.com' },
      { statusCode: 200, destination: null, response: null },
    ])
  })
})

describe('POST /event/:id/request', () => {
  it('returns the request with a valid signature, and a curl command', async () => {
    const { post, claim, path, key } = await withClaim()
    const { secret } = (await post('/channel', WEBHOOK)).json
    await claim()
    const { status, json, headers } = await post(`${path}/request`, undefined)
    expect([status, headers.get('Cache-Control')]).toEqual([200, 'no-store'])
    expect(json).toMatchObject({ channel: 'crm', method: 'POST', url: WEBHOOK.url, body: BODY })
    expect(json.headers).toMatchObject({ 'x-idempotency-key': key, 'webhook-id': key })
    expect(json.headers['webhook-timestamp']).toBe(String(Date.parse(DUE) / 1000))
    expect(json.headers['webhook-signature']).toBe(new Webhook(secret).sign(key, new Date(DUE), BODY))
    expect(json.curl).toContain(`curl -X POST '${WEBHOOK.url}'`)
    expect(json.curl).toContain(`webhook-signature: ${json.headers['webhook-signature']}`)
  })

  it('returns the request to the built-in inbox while no channel is the default', async () => {
    const { post, send, claim, path, key } = await withClaim()
    await claim()
    const { url, headers, body } = (await post(`${path}/request`, undefined)).json
    expect(headers['webhook-signature']).toBe(new Webhook(INBOX_SECRET).sign(key, new Date(DUE), BODY))
    expect((await send(url, { method: 'POST', text: body, headers })).status).toBe(204)
    expect((await send('/inbox')).json.items).toMatchObject([{ idempotencyKey: key, verified: true }])
  })

  it('is recorded in the audit log', async () => {
    const { send, post, claim, path } = await withClaim()
    await claim()
    await post(`${path}/request`, undefined)
    const { items } = (await send('/audit?action=event.signed')).json
    expect(items).toMatchObject([{ object: { kind: 'event', id: path.slice(7) } }])
  })

  it('rejects an event that is unknown, was not claimed yet, or has no webhook', async () => {
    const { post, claim, path } = await withClaim({ inbox: null })
    const request = async (of = path) => (await post(`${of}/request`, undefined)).json
    expect((await request(`/event/${NO_ONE}`)).code).toBe('EVENT_NOT_FOUND')
    expect((await request()).code).toBe('NOT_RENDERED')
    await claim()
    expect((await request()).code).toBe('NOT_A_WEBHOOK')
    const mail = { kind: 'resend', name: 'mail', apiKey: 're_1234567890', from: 'hello@example.com' }
    await post('/channel', { ...mail, isDefault: true })
    expect(await request()).toMatchObject({ code: 'NOT_A_WEBHOOK', detail: expect.stringContaining('mail') })
  })
})
