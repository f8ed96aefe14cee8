import { Webhook } from 'standardwebhooks'
import { describe, expect, it, vi } from 'vitest'
import { renderBody } from '../../src/domain/messages/message.ts'
import { tzdb } from '../../src/domain/time/tzdb.ts'
import { type Message, verify } from '../../src/receiver/receiver.ts'
import { makePerson } from '../support/fixtures.ts'
import { BODY, KEY, NOW, OTHER_SECRET, SECRET, signed } from './support/signed.ts'

const check = (
  delivery: { headers: Record<string, string>; body: string | Uint8Array },
  secrets = [SECRET],
  now = NOW,
) => verify({ ...delivery, secrets, now })

describe('a delivery', () => {
  it('is verified, and returned with its key and its message', async () => {
    const verified = { kind: 'verified', key: KEY, message: JSON.parse(BODY) }
    const delivery = signed()
    expect(await check(delivery)).toEqual(verified)
    expect(await check({ ...delivery, body: new TextEncoder().encode(BODY) })).toEqual(verified)
    expect(
      await verify({ ...delivery, headers: new Headers(delivery.headers), secrets: [SECRET], now: NOW }),
    ).toEqual(verified)
  })

  it('can be signed by any implementation of Standard Webhooks', async () => {
    const at = new Date(NOW)
    const headers = {
      'webhook-id': 'msg_1',
      'webhook-timestamp': String(NOW / 1000),
      'webhook-signature': new Webhook(SECRET).sign('msg_1', at, BODY),
    }
    expect(await check({ headers, body: BODY })).toMatchObject({ kind: 'verified', key: 'msg_1' })
  })

  it('is accepted with the old and the new secret during a rotation', async () => {
    const rotating = signed({ secrets: [OTHER_SECRET, SECRET] })
    expect(await check(rotating, [SECRET])).toMatchObject({ kind: 'verified' })
    expect(await check(rotating, [OTHER_SECRET])).toMatchObject({ kind: 'verified' })
    expect(await check(signed(), [OTHER_SECRET, SECRET])).toMatchObject({ kind: 'verified' })
  })

  it('can have signatures of unknown versions beside a valid one', async () => {
    const { headers, body } = signed()
    headers['webhook-signature'] = `v1a,AAAA v2,BBBB ${headers['webhook-signature']}`
    expect(await check({ headers, body })).toMatchObject({ kind: 'verified' })
  })

  it.each(['webhook-id', 'webhook-timestamp', 'webhook-signature'])(
    'is rejected without %s',
    async (name) => {
      const { headers, body } = signed()
      delete headers[name]
      expect(await check({ headers, body })).toMatchObject({ kind: 'rejected', code: 'MISSING_HEADER' })
    },
  )

  it.each([
    ['webhook-id', 'event-another'],
    ['webhook-timestamp', String(NOW / 1000 + 1)],
    ['webhook-timestamp', 'soon'],
    ['webhook-signature', ''],
    ['webhook-signature', 'v1,'],
    ['webhook-signature', 'v1,not base64'],
    ['webhook-signature', 'v1,AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA='],
    ['webhook-signature', signed().headers['webhook-signature']!.replace('v1,', 'v2,')],
    ['webhook-signature', `${'v1,AAAA '.repeat(10)}${signed().headers['webhook-signature']}`],
  ])('is rejected if %s was changed to %j', async (name, value) => {
    const { headers, body } = signed()
    expect(await check({ headers: { ...headers, [name]: value }, body })).toMatchObject({
      code: 'BAD_SIGNATURE',
    })
  })

  it('is rejected if its body was changed or the secret differs', async () => {
    const { headers } = signed()
    expect(await check({ headers, body: `${BODY} ` })).toMatchObject({ code: 'BAD_SIGNATURE' })
    expect(await check(signed(), [OTHER_SECRET])).toMatchObject({ code: 'BAD_SIGNATURE' })
  })

  it.each([
    [-301, 'STALE_TIMESTAMP'],
    [-300, undefined],
    [300, undefined],
    [301, 'STALE_TIMESTAMP'],
  ])('signed %i seconds from now is rejected with %s', async (seconds, code) => {
    const result = await check(signed({ at: NOW + seconds * 1000 }))
    expect(result.kind === 'rejected' ? result.code : undefined).toBe(code)
  })

  it('is rejected if its signed body is not JSON or its timestamp is not a number', async () => {
    expect(await check(signed({ body: '{' }))).toMatchObject({ code: 'BAD_BODY' })
    expect(await check(signed({ at: Number.NaN }))).toMatchObject({ code: 'STALE_TIMESTAMP' })
  })

  it.each([
    [
      'as Standard Webhooks writes them',
      (name: string) => name.replace(/(^|-)\w/g, (letter) => letter.toUpperCase()),
    ],
    ['in capitals', (name: string) => name.toUpperCase()],
  ])('is verified with header names %s', async (_, spell) => {
    const { headers, body } = signed()
    const spelled = Object.fromEntries(Object.entries(headers).map(([name, value]) => [spell(name), value]))
    expect(await check({ headers: spelled, body })).toMatchObject({ kind: 'verified', key: KEY })
  })

  it.each([
    ['a parsed object', JSON.parse(BODY)],
    ['nothing', undefined],
    ['null', null],
    ['a parsed list', []],
  ])('makes verify throw a clear error if the body is %s', async (_, body) => {
    const { headers } = signed()
    const remedy = /body as it was received, a string or bytes.*express\.raw/
    await expect(check({ headers, body: body as never })).rejects.toThrow(remedy)
  })

  it('is verified with its body in an ArrayBuffer or in a Buffer', async () => {
    const { headers } = signed()
    const { buffer } = new TextEncoder().encode(BODY)
    expect(await check({ headers, body: buffer as never })).toMatchObject({ kind: 'verified' })
    expect(await check({ headers, body: Buffer.from(BODY) })).toMatchObject({ kind: 'verified' })
  })

  it.each([
    ['text', (bytes: number) => 'x'.repeat(bytes)],
    ['bytes', (bytes: number) => new Uint8Array(bytes)],
  ])('is rejected with more than maxBytes of %s, before its signature is computed', async (_, make) => {
    const { headers } = signed()
    const sent = (body: string | Uint8Array, maxBytes?: number) =>
      verify({ headers, body, secrets: [SECRET], now: NOW, ...(maxBytes && { maxBytes }) })
    const tooLarge = { kind: 'rejected', code: 'BODY_TOO_LARGE', status: 413 }
    expect(await sent(make(1_048_577))).toMatchObject(tooLarge)
    expect(await sent(make(1_048_576))).toMatchObject({ code: 'BAD_SIGNATURE' })
    expect(await sent(make(101), 100)).toMatchObject(tooLarge)
    expect(await sent('ü'.repeat(100), 199)).toMatchObject(tooLarge)
  })

  it('cannot be verified by a runtime without WebCrypto: the error says what to do', async () => {
    vi.stubGlobal('crypto', undefined)
    try {
      await expect(check(signed())).rejects.toThrow('terce/receiver needs WebCrypto: Node 20 or later')
    } finally {
      vi.unstubAllGlobals()
    }
  })

  it('is never accepted without a valid secret: verify throws', async () => {
    await expect(check(signed(), [undefined as never])).rejects.toThrow(/secret 1 is missing.*WEBHOOK_SECRET/)
    await expect(check(signed(), null as never)).rejects.toThrow(/Give a list/)
    await expect(check(signed(), SECRET as never)).rejects.toThrow(/Give a list/)
    await expect(check(signed(), [])).rejects.toThrow(/no webhook secret/)
    await expect(check(signed(), ['whsec_short'])).rejects.toThrow(/secret 1 is not usable/)
  })
})

it('the Message type of the receiver has the fields that are sent', () => {
  const { user, events } = makePerson({ externalId: 'crm-4711' })
  const event = { ...events[0]!, eventType: 'BIRTHDAY', occasion: { date: null } }
  const text = { body: 'Hello', subject: null, from: 'a test', isStored: false }
  const sent = renderBody(
    { event, person: { ...user, dateOfBirth: '1990-12-15' }, now: NOW, table: tzdb },
    text,
  )
  const fields: Record<keyof Message, string> = {
    eventId: 'string',
    type: 'string',
    message: 'string',
    userId: 'string',
    externalId: 'string',
    occasionId: 'string',
    occurrence: 'string',
    targetTimestampUTC: 'string',
    targetTimestampLocal: 'string',
    timezone: 'string',
    lateBySeconds: 'number',
    data: 'object',
  }
  const types = Object.fromEntries(
    Object.entries(JSON.parse(sent)).map(([name, value]) => [name, typeof value]),
  )
  expect(types).toEqual(fields)
})
