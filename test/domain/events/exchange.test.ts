// The stored form of a response.
import { describe, expect, it } from 'vitest'
import { isKept, responseFrom, responseFromText } from '../../../src/domain/events/exchange.ts'

describe('a response as it is stored', () => {
  it('keeps a body of 4 kB whole', () => {
    const body = 'x'.repeat(4_096)
    expect(responseFromText([], body)).toEqual({ headers: {}, body, shortened: false })
  })

  it('shortens a longer body, and says so', () => {
    const { body, shortened } = responseFromText([], 'x'.repeat(4_097))
    expect([body.length, shortened]).toEqual([4_096, true])
  })

  it.each(['é', '€', '😀'])('does not cut %s in two', (character) => {
    for (const before of [4_093, 4_094, 4_095]) {
      const start = 'x'.repeat(before)
      const { body } = responseFromText([], start + character.repeat(9))
      const whole = Math.floor((4_096 - before) / Buffer.byteLength(character))
      expect(body).toBe(start + character.repeat(whole))
    }
  })

  it('replaces bytes that are no text', () => {
    expect(responseFrom([], Uint8Array.of(0x6f, 0xff, 0x6b)).body).toBe('o\ufffdk')
  })

  it('keeps headers without credentials and without those of the connection', () => {
    const headers = {
      'content-type': 'text/plain',
      'x-request-id': '7',
      vary: ['accept', 'origin'],
      date: 'Sun, 15 Nov 2026 09:00:00 GMT',
      connection: 'keep-alive',
      'set-cookie': ['a=1', 'b=2'],
      'www-authenticate': 'Bearer',
      'x-csrf-token': 't',
      'x-api-key': 'k',
    }
    expect(responseFromText(Object.entries(headers), '').headers).toEqual({
      'content-type': 'text/plain',
      'x-request-id': '7',
      vary: 'accept, origin',
    })
  })

  it('drops user, password, query and fragment of URLs in values', () => {
    const values = {
      location: 'https://user:PW@example.com/a/b?token=T1#T2',
      'content-location': '/login?code=T3&state=T4',
      link: '<https://example.com/p?key=T5>; rel="next", <https://example.com/q>; rel="prev"',
      refresh: '5; url=//me@example.com/#T6',
      'x-error': 'Why? See below, issue #, or a@b.example',
    }
    const { headers } = responseFrom(Object.entries(values), new Uint8Array())
    expect(headers).toEqual({
      location: 'https://example.com/a/b',
      'content-location': '/login',
      link: '<https://example.com/p>; rel="next", <https://example.com/q>; rel="prev"',
      refresh: '5; url=//example.com/',
      'x-error': 'Why? See below, issue #, or a@b.example',
    })
  })

  it('keeps 2 kB of headers', () => {
    const headers = Array.from({ length: 100 }, (_, i) => [`x-${i}`, 'x'.repeat(100)] as const)
    expect(JSON.stringify(responseFromText(headers, '').headers).length).toBeLessThan(2_300)
  })
})

describe('KEEP_RESPONSES', () => {
  it('decides by the outcome of the attempt', () => {
    const table = (['all', 'failures', 'none'] as const).map((keep) => [
      isKept(keep, true),
      isKept(keep, false),
    ])
    expect(table).toEqual([
      [true, true],
      [false, true],
      [false, false],
    ])
  })
})
