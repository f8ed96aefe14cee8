// Signing a body for the test of a receiver: as the sender does, and as the receiver accepts it.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { receive, sign, verify } from '../../src/receiver/receiver.ts'
import { BODY, KEY, NOW, OTHER_SECRET, requestOf, SECRET, signed } from './support/signed.ts'

const at = { id: KEY, timestamp: NOW / 1000 }

describe('sign()', () => {
  it('returns the headers that the sender sends', async () => {
    expect(await sign(BODY, SECRET, at)).toEqual(signed().headers)
    const secrets = [SECRET, OTHER_SECRET]
    expect(await sign(BODY, secrets, at)).toEqual(signed({ secrets }).headers)
  })

  it('returns the signature that the page of Standard Webhooks gives', async () => {
    const headers = await sign('{"test": 2432232314}', SECRET, {
      id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      timestamp: 1614265330,
    })
    expect(headers['webhook-signature']).toBe('v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=')
  })

  it('equals the sender for any text, id and time, and is verified', async () => {
    const id = fc.stringMatching(/^[!-~]{1,40}$/)
    const secondsOf = fc.double({ min: 0, max: 4e9, noNaN: true })
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'grapheme' }), id, secondsOf, async (text, id, timestamp) => {
        const body = JSON.stringify({ message: text })
        const headers = await sign(new TextEncoder().encode(body), SECRET, { id, timestamp })
        expect(headers).toEqual(signed({ body, key: id, at: Math.floor(timestamp) * 1000 }).headers)
        const result = await verify({ headers, body, secrets: [SECRET], now: timestamp * 1000 })
        expect(result).toEqual({ kind: 'verified', key: id, message: { message: text } })
      }),
      { numRuns: 50 },
    )
  })

  it('makes requests that receive() accepts', async () => {
    const hook = receive({ secrets: [SECRET], seen: null, handle: () => {}, now: () => NOW })
    const headers = await sign(BODY, SECRET, at)
    expect((await hook(requestOf({ headers, body: BODY }))).status).toBe(204)
    expect((await hook(requestOf({ headers, body: `${BODY} ` }))).status).toBe(401)
  })

  it('rejects a secret that is missing or invalid', async () => {
    await expect(sign(BODY, undefined as never, at)).rejects.toThrow(/not a list/)
    await expect(sign(BODY, 'whsec_short', at)).rejects.toThrow(/not usable/)
  })
})
