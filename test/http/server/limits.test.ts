// Limits by address: requests without a key, wrong keys, and which address counts behind a proxy.
import { describe, expect, it } from 'vitest'
import { ADMIN, bearer, cookieOf, ENVIRONMENT_KEY } from '../support/test-access.ts'
import { createKeyedApp, type TestApp } from '../support/test-app.ts'

const from = (address: string, more: Record<string, string> = {}) => ({ 'X-Test-Address': address, ...more })
const repeat = async (times: number, call: (i: number) => Promise<{ status: number }>) => {
  const statuses: number[] = []
  for (let i = 0; i < times; i++) statuses.push((await call(i)).status)
  return statuses
}

describe('the limit of requests without a key', () => {
  it.each(['/', '/docs', '/openapi.json', '/session', '/nowhere'])('applies to %s', async (path) => {
    const { send } = createKeyedApp({ perMinute: 2 })
    const statuses = await repeat(3, () => send(path, { headers: from('192.0.2.1') }))
    expect(statuses.at(1)).not.toBe(429)
    expect(statuses.at(2)).toBe(429)
    const limited = await send(path, { headers: from('192.0.2.1') })
    expect([limited.json.code, limited.headers.get('Retry-After')]).toEqual(['RATE_LIMITED', '30'])
    expect((await send(path, { headers: from('192.0.2.2') })).status).not.toBe(429)
  })

  it.each(['/healthz', '/readyz'])('does not apply to %s', async (path) => {
    const { send } = createKeyedApp({ perMinute: 1 })
    expect(await repeat(5, () => send(path))).toEqual(Array(5).fill(200))
  })

  it('does not apply to deliveries to the built-in inbox', async () => {
    const { send } = createKeyedApp({ perMinute: 1 })
    const deliver = () => send('/inbox?token=inbox-token', { method: 'POST', text: '{}' })
    expect(await repeat(5, deliver)).toEqual(Array(5).fill(204))
  })

  it('counts all addresses of an IPv6 /64 as one caller', async () => {
    const { send } = createKeyedApp({ perMinute: 2 })
    const statuses = await repeat(3, (i) => send('/docs', { headers: from(`2001:db8:1:2::${i}`) }))
    expect(statuses).toEqual([200, 200, 429])
    expect((await send('/docs', { headers: from('2001:db8:1:3::1') })).status).toBe(200)
  })
})

describe('the cost of a call', () => {
  it.each([
    ['GET', '/user', undefined, 1],
    ['GET', '/user?search=ada', undefined, 10],
    ['GET', '/event?reason=HTTP', undefined, 10],
    ['POST', '/template/preview', { body: 'Hi' }, 1],
    ['GET', '/user/export', undefined, 50],
  ])('%s %s is charged', async (method, path, body, cost) => {
    const { send } = createKeyedApp({ perMinute: 150 })
    const call = () => send(path, { method, body, headers: ADMIN })
    const first = await call()
    expect([first.status, first.headers.get('RateLimit-Remaining')]).toEqual([200, String(150 - cost)])
    const more = await repeat(Math.floor(150 / cost), call)
    expect(more.indexOf(429)).toBe(Math.floor(150 / cost) - 1)
  })

  it.each([
    [{ 'Content-Length': '131073' }, 3],
    [{}, 1024],
  ])('of an import is one request for each 64 KiB of its length %j', async (length, cost) => {
    const { send } = createKeyedApp({ perMinute: 2_000 })
    const headers = { ...ADMIN, ...length, 'Content-Type': 'text/csv' }
    const text = 'firstName,lastName,dateOfBirth,timezone\n'
    const first = await send('/user/import', { method: 'POST', text, headers })
    expect([first.status, first.headers.get('RateLimit-Remaining')]).toEqual([200, String(2_000 - cost)])
  })

  it('is at most the whole limit: a costly call is possible with a low limit too', async () => {
    const { send } = createKeyedApp({ perMinute: 10 })
    expect(await repeat(2, () => send('/user/export', { headers: ADMIN }))).toEqual([200, 429])
  })
})

describe('the limit of wrong keys', () => {
  const guess = ({ send }: TestApp, key: string, address = '192.0.2.1') =>
    send('/session', { headers: from(address, bearer(key)) })

  it('lets an address try 60 wrong keys in a minute, and then rejects further ones', async () => {
    const app = createKeyedApp()
    expect(await repeat(60, (i) => guess(app, `terce_guess_${i}`))).toEqual(Array(60).fill(200))
    const wrong = await guess(app, 'terce_guess_60')
    expect([wrong.status, wrong.headers.get('Retry-After')]).toEqual([429, '1'])
    expect((await guess(app, 'terce_guess_60', '192.0.2.2')).status).toBe(200)
    app.setClock('2026-11-15T04:00:01Z')
    expect((await guess(app, 'terce_guess_60')).status).toBe(200)
  })

  it('counts guesses over every way to send a key together', async () => {
    const app = createKeyedApp()
    const ways = [
      (key: string) => guess(app, key),
      (key: string) => app.send('/user', { headers: from('192.0.2.1', bearer(key)) }),
      (key: string) => app.send('/user', { headers: from('192.0.2.1', { 'X-Api-Key': key }) }),
      (key: string) => app.post('/session', { key }, from('192.0.2.1')),
    ]
    const statuses = await repeat(61, (i) => ways[i % 4]!(`terce_guess_${i}`))
    expect(statuses.slice(0, 60)).not.toContain(429)
    expect(statuses.at(60)).toBe(429)
  })

  it('counts every wrong key against the rate limit of the address', async () => {
    const app = createKeyedApp({ perMinute: 100 })
    const get = (key: string) => app.send('/user', { headers: from('192.0.2.1', bearer(key)) })
    await repeat(100, (i) => get(`terce_guess_${i}`))
    const limited = await app.send('/docs', { headers: from('192.0.2.1') })
    expect(limited.json?.detail).toContain('RATE_LIMIT sets the limit.')
  })

  it('counts a wrong key that is repeated once', async () => {
    const app = createKeyedApp()
    expect(await repeat(200, () => guess(app, 'terce_outdated'))).toEqual(Array(200).fill(200))
  })

  it('never locks out a right key or a session of the same address', async () => {
    const app = createKeyedApp()
    const { key } = (await app.post('/key', { name: 'ci', scope: 'read' }, ADMIN)).json
    const signedIn = await app.post('/session', { key }, from('192.0.2.1'))
    await repeat(61, (i) => guess(app, `terce_guess_${i}`))
    expect((await app.send('/user', { headers: from('192.0.2.1', bearer(key)) })).status).toBe(200)
    expect((await app.send('/user', { headers: from('192.0.2.1', cookieOf(signedIn)) })).status).toBe(200)
    expect((await app.send('/user', { headers: from('192.0.2.1', ADMIN) })).status).toBe(200)
    expect((await app.post('/session', { key: ENVIRONMENT_KEY }, from('192.0.2.1'))).status).toBe(200)
  })
})

describe('the address of a caller', () => {
  const statusOf = async ({ send }: TestApp, peer: string, forwarded: string) =>
    (await send('/docs', { headers: from(peer, { 'X-Forwarded-For': forwarded }) })).status

  it('is that of the connection: a forwarding header from anybody is ignored', async () => {
    const app = createKeyedApp({ perMinute: 1 })
    expect(await statusOf(app, '192.0.2.1', '198.51.100.1')).toBe(200)
    expect(await statusOf(app, '192.0.2.1', '198.51.100.2')).toBe(429)
  })

  it('is the last one in X-Forwarded-For that is not a trusted proxy', async () => {
    const app = createKeyedApp({ perMinute: 1, trustedProxies: ['10.0.0.0/8'] })
    expect(await statusOf(app, '10.0.0.1', '198.51.100.1')).toBe(200)
    expect(await statusOf(app, '10.0.0.1', '198.51.100.2')).toBe(200)
    // The caller itself sent the first address; the proxies appended the others.
    expect(await statusOf(app, '10.0.0.1', '203.0.113.7, 198.51.100.1, 10.0.0.2')).toBe(429)
    expect(await statusOf(app, '198.51.100.2', '203.0.113.8')).toBe(429)
  })

  it('is that of the proxy if X-Forwarded-For is missing or unreadable', async () => {
    const app = createKeyedApp({ perMinute: 1, trustedProxies: ['10.0.0.0/8'] })
    expect((await app.send('/docs', { headers: from('10.0.0.1') })).status).toBe(200)
    expect(await statusOf(app, '10.0.0.1', 'unknown')).toBe(429)
  })
})
