import { Webhook } from 'standardwebhooks'
import { describe, expect, it } from 'vitest'
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
      expect(await check({ headers, body })).toMatchObject({ kind: 'refused', code: 'MISSING_HEADER' })
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
    expect(result.kind === 'refused' ? result.code : undefined).toBe(code)
  })

  it('is rejected if its signed body is not JSON or its timestamp is not a number', async () => {
    expect(await check(signed({ body: '{' }))).toMatchObject({ code: 'BAD_BODY' })
    expect(await check(signed({ at: Number.NaN }))).toMatchObject({ code: 'STALE_TIMESTAMP' })
  })

  it('is never accepted without a valid secret: verify throws', async () => {
    await expect(check(signed(), [])).rejects.toThrow(/no webhook secret/)
    await expect(check(signed(), ['whsec_short'])).rejects.toThrow(/secret 1 is not usable/)
  })
})

it('the Message type of the receiver has the fields that are sent', () => {
  const { user, events } = makePerson()
  const event = { ...events[0]!, eventType: 'BIRTHDAY', occasion: { date: null } }
  const text = { body: 'Hello', subject: null, from: 'a test' }
  const sent = renderBody(
    { event, person: { ...user, dateOfBirth: '1990-12-15' }, now: NOW, table: tzdb },
    text,
  )
  const fields: Record<keyof Message, string> = {
    eventId: 'string',
    type: 'string',
    message: 'string',
    userId: 'string',
    occurrence: 'string',
    targetTimestampUTC: 'string',
    targetTimestampLocal: 'string',
    timezone: 'string',
    lateBySeconds: 'number',
  }
  const types = Object.fromEntries(
    Object.entries(JSON.parse(sent)).map(([name, value]) => [name, typeof value]),
  )
  expect(types).toEqual(fields)
})
