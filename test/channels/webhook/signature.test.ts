// Signatures and secrets of Standard Webhooks.
import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { Webhook } from 'standardwebhooks'
import { describe, expect, it } from 'vitest'
import { createSigner } from '../../../src/channels/webhook/signature.ts'
import { isGuessable, parseSecret } from '../../../src/receiver/secret.ts'
import { NEXT_SECRET, SECRET } from './support/fixtures.ts'

describe('the signature of a delivery', () => {
  it('is the known signature for a known input', () => {
    const sign = createSigner([SECRET])
    expect(sign('msg_p5jXN8AQM9LWM0D4loKWxJek', 1_614_265_330, '{"test": 2432232314}')).toBe(
      'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    )
  })

  it('equals the signature of the reference library, for any secret and body', () => {
    const secrets = fc
      .uint8Array({ minLength: 24, maxLength: 64 })
      .map((key) => `whsec_${Buffer.from(key).toString('base64')}`)
    const seconds = fc.integer({ min: 0, max: 4_102_444_800 })
    fc.assert(
      fc.property(
        secrets,
        fc.uuid(),
        seconds,
        fc.string({ unit: 'grapheme' }),
        (secret, id, timestamp, body) => {
          const expected = new Webhook(secret).sign(id, new Date(timestamp * 1000), body)
          expect(createSigner([secret])(id, timestamp, body)).toBe(expected)
        },
      ),
    )
  })

  it('has one part per secret, so that a receiver with either secret accepts it', () => {
    const timestamp = Math.floor(Date.now() / 1000)
    const both = createSigner([NEXT_SECRET, SECRET])('event-1', timestamp, '{"a":1}')
    expect(both.split(' ')).toHaveLength(2)
    const headers = {
      'webhook-id': 'event-1',
      'webhook-timestamp': String(timestamp),
      'webhook-signature': both,
    }
    for (const secret of [SECRET, NEXT_SECRET])
      expect(new Webhook(secret).verify('{"a":1}', headers)).toEqual({ a: 1 })
    const otherSecret = `whsec_${randomBytes(32).toString('base64')}`
    expect(() => new Webhook(otherSecret).verify('{"a":1}', headers)).toThrow()
  })
})

describe('a webhook secret', () => {
  const ofText = (text: string) => `whsec_${Buffer.from(text).toString('base64')}`
  const ofBytes = (count: number) => `whsec_${Buffer.alloc(count, 7).toString('base64')}`

  it.each([24, 25, 26, 32, 64])('may have %i bytes', (count) => {
    expect(parseSecret(ofBytes(count))).toEqual(new Uint8Array(count).fill(7))
  })

  it.each([
    ['nothing', ''],
    ['a prefix alone', 'whsec_'],
    ['no prefix', SECRET.slice(6)],
    ['another prefix', `whpk_${SECRET.slice(6)}`],
    ['23 bytes', ofBytes(23)],
    ['65 bytes', ofBytes(65)],
    ['no padding', ofBytes(25).replaceAll('=', '')],
    ['the URL-safe alphabet', `whsec_${'-_'.repeat(16)}`],
    ['a blank', `${SECRET} `],
  ])('is rejected with %s', (_, text) => {
    expect(parseSecret(text)).toBeNull()
  })

  it.each([
    ['one byte', ofBytes(32)],
    ['the letter a in base64', `whsec_${'a'.repeat(32)}`],
    ['a short word', ofText('secret'.repeat(4))],
    ['a sequence', ofText('0123456789abcdefghijklmn')],
    [
      'every second byte',
      `whsec_${Buffer.from(Array.from({ length: 32 }, (_, i) => 2 * i)).toString('base64')}`,
    ],
  ])('can be guessed if it is made of %s', (_, secret) => {
    expect(isGuessable(parseSecret(secret)!)).toBe(true)
  })

  it('cannot be guessed if its bytes are random', () => {
    for (let i = 0; i < 2_000; i++) expect(isGuessable(randomBytes(24))).toBe(false)
    expect(isGuessable(parseSecret(SECRET)!)).toBe(false)
  })

  it('is not quoted in the error when it is rejected', () => {
    const secret = `whsec_${'not-base64'.repeat(4)}`
    expect(() => createSigner([SECRET, secret])).toThrow(/^Webhook secret 2 is not usable/)
    expect(() => createSigner([SECRET, secret])).not.toThrow(/not-base64/)
  })
})
