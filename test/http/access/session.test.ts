// Signing a browser in: which requests may use its cookie, and how many guesses a caller has.
import { describe, expect, it } from 'vitest'
import { createTestApp } from '../support/test-app.ts'

const KEY = 'a-key-of-the-environment'

const keyed = (perMinute?: number) =>
  createTestApp({ environmentKey: KEY, ...(perMinute !== undefined && { perMinute }) })

async function signIn({ app }: ReturnType<typeof createTestApp>, url: string, headers = {}) {
  const response = await app.request(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify({ key: KEY }),
  })
  const [pair, ...attributes] = (response.headers.get('Set-Cookie') ?? '').split('; ')
  return { status: response.status, pair: pair!, attributes }
}

describe('the session cookie', () => {
  it('is sent only over https if the browser signed in over https', async () => {
    const { attributes } = await signIn(keyed(), 'https://terce.example/session')
    expect(attributes).toContain('Secure')
  })

  it('is sent only over https if a proxy ends the https connection', async () => {
    const proxied = await signIn(keyed(), '/session', { 'X-Forwarded-Proto': 'https' })
    expect(proxied.attributes).toContain('Secure')
    const chain = await signIn(keyed(), '/session', { 'X-Forwarded-Proto': 'https, http' })
    expect(chain.attributes).toContain('Secure')
  })

  it('works over plain http on this computer', async () => {
    const { attributes } = await signIn(keyed(), 'http://localhost:3000/session')
    expect(attributes).not.toContain('Secure')
  })

  it('is hidden from scripts, bound to this site and every path, and expires after 30 days', async () => {
    const { pair, attributes } = await signIn(keyed(), '/session')
    expect(pair).toBe(`terce_session=${KEY}`)
    expect([...attributes].sort()).toEqual([
      'HttpOnly',
      `Max-Age=${30 * 86_400}`,
      'Path=/',
      'SameSite=Strict',
    ])
  })

  it.each([
    ['accepted', 'a page of this origin', { 'Sec-Fetch-Site': 'same-origin' }],
    ['accepted', 'an address typed by the user', { 'Sec-Fetch-Site': 'none' }],
    ['rejected', 'a page of another subdomain', { 'Sec-Fetch-Site': 'same-site' }],
    ['rejected', 'a page of another site', { 'Sec-Fetch-Site': 'cross-site' }],
    ['rejected', 'an unknown kind of page', { 'Sec-Fetch-Site': 'something-new' }],
    ['accepted', 'an older browser, from this origin', { Origin: 'https://terce.example' }],
    ['rejected', 'an older browser, from another subdomain', { Origin: 'https://evil.terce.example' }],
    ['rejected', 'an older browser, from a sandboxed frame', { Origin: 'null' }],
    [
      'rejected',
      'a page whose Origin and Sec-Fetch-Site disagree',
      { Origin: 'https://terce.example', 'Sec-Fetch-Site': 'same-site' },
    ],
  ])('is %s from %s', async (verdict, _, headers) => {
    const app = keyed()
    const { pair } = await signIn(app, 'https://terce.example/session')
    const response = await app.app.request('https://terce.example/user', {
      headers: { Cookie: pair, ...headers },
    })
    expect(response.status).toBe(verdict === 'accepted' ? 200 : 401)
  })

  it('does not stand in for a wrong key in the Authorization header', async () => {
    const app = keyed()
    const { pair } = await signIn(app, '/session')
    const headers = { Cookie: pair, Authorization: 'Bearer terce_wrong' }
    expect((await app.send('/user', { headers })).status).toBe(401)
  })
})

describe('signing in', () => {
  it('counts every guess against the rate limit of the caller', async () => {
    const { post } = keyed(60)
    const guess = (i: number, address: string) =>
      post('/session', { key: `terce_guess_${i}` }, { 'X-Test-Address': address })
    const statuses = []
    for (let i = 0; i < 62; i++) statuses.push((await guess(i, '10.0.0.1')).status)
    expect(statuses).toEqual([...Array(60).fill(401), 429, 429])
    const limited = await post('/session', { key: KEY }, { 'X-Test-Address': '10.0.0.1' })
    expect([limited.status, limited.headers.get('Retry-After')]).toEqual([429, '1'])
    expect((await guess(0, '10.0.0.2')).status).toBe(401)
  })

  it('returns no cookie for a wrong key', async () => {
    const refused = await keyed().post('/session', { key: 'terce_wrong' })
    expect([refused.status, refused.headers.get('Set-Cookie')]).toEqual([401, null])
  })
})
