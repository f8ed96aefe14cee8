// Signing a browser in and out: what its cookie holds, which requests may use it, when it ends, and how many guesses a caller has.
import { describe, expect, it } from 'vitest'
import { ADMIN, ENVIRONMENT_KEY } from '../support/test-access.ts'
import { createKeyedApp, type TestApp } from '../support/test-app.ts'

async function signIn({ app }: TestApp, url = '/session', { headers = {}, key = ENVIRONMENT_KEY } = {}) {
  const response = await app.request(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify({ key }),
  })
  const [pair, ...attributes] = (response.headers.getSetCookie().at(-1) ?? '').split('; ')
  const [name, token] = pair!.split('=')
  return { status: response.status, pair: pair!, name, token: token!, attributes }
}

const statusWith = async ({ send }: TestApp, cookie: string) =>
  (await send('/user', { headers: { Cookie: cookie } })).status

describe('the session cookie', () => {
  it.each([
    ['the browser signed in over https', {}, 'https://terce.example/session', {}],
    ['a proxy ends the https connection', {}, '/session', { 'X-Forwarded-Proto': 'https' }],
    ['the first of two proxies does', {}, '/session', { 'X-Forwarded-Proto': 'https, http' }],
    ['PUBLIC_URL is https', { publicUrl: 'https://terce.example' }, '/session', {}],
  ])('is sent only over https if %s', async (_, options, url, headers) => {
    const { name, attributes } = await signIn(createKeyedApp(options), url, { headers })
    expect([name, attributes.includes('Secure')]).toEqual(['__Host-terce', true])
  })

  it('is accepted over http behind a PUBLIC_URL of https', async () => {
    const app = createKeyedApp({ publicUrl: 'https://terce.example' })
    expect(await statusWith(app, (await signIn(app)).pair)).toBe(200)
  })

  it('has a name over https that other hosts cannot set, and the cookie of plain http is not accepted there', async () => {
    const app = createKeyedApp()
    const { name, token } = await signIn(app, 'https://terce.example/session')
    expect(name).toBe('__Host-terce')
    const status = async (cookie: string) =>
      (await app.app.request('https://terce.example/user', { headers: { Cookie: cookie } })).status
    expect(await status(`__Host-terce=${token}`)).toBe(200)
    expect(await status(`terce_session=${token}`)).toBe(401)
  })

  it('is hidden from scripts, bound to this site and every path, and expires after 30 days', async () => {
    const { pair, attributes } = await signIn(createKeyedApp(), '/session')
    expect(pair).toMatch(/^terce_session=[\w-]{43}$/)
    expect([...attributes].sort()).toEqual([
      'HttpOnly',
      `Max-Age=${30 * 86_400}`,
      'Path=/',
      'SameSite=Strict',
    ])
  })

  it('holds no API key, is in no stored session, and is not accepted in place of an API key', async () => {
    const app = createKeyedApp()
    const { token } = await signIn(app)
    expect(token).not.toContain(ENVIRONMENT_KEY)
    expect(JSON.stringify(await app.store.listSessions())).not.toContain(token)
    expect((await app.post('/session', { key: token })).status).toBe(401)
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
    const app = createKeyedApp()
    const { pair } = await signIn(app, 'https://terce.example/session')
    const response = await app.app.request('https://terce.example/user', {
      headers: { Cookie: pair, ...headers },
    })
    expect(response.status).toBe(verdict === 'accepted' ? 200 : 401)
  })

  it('does not stand in for a wrong key in the Authorization header', async () => {
    const app = createKeyedApp()
    const { pair } = await signIn(app, '/session')
    const headers = { Cookie: pair, Authorization: 'Bearer terce_wrong' }
    expect((await app.send('/user', { headers })).status).toBe(401)
  })
})

describe('signing in', () => {
  it('counts every guess against the rate limit of the caller', async () => {
    const { post } = createKeyedApp({ perMinute: 60 })
    const guess = (i: number, address: string) =>
      post('/session', { key: `terce_guess_${i}` }, { 'X-Test-Address': address })
    const statuses = []
    for (let i = 0; i < 62; i++) statuses.push((await guess(i, '10.0.0.1')).status)
    expect(statuses).toEqual([...Array(60).fill(401), 429, 429])
    const limited = await post('/session', { key: ENVIRONMENT_KEY }, { 'X-Test-Address': '10.0.0.1' })
    expect([limited.status, limited.headers.get('Retry-After')]).toEqual([429, '1'])
    expect((await guess(0, '10.0.0.2')).status).toBe(401)
  })

  it.each([
    [0, 400],
    [1, 401],
    [300, 401],
    [301, 400],
  ])('with a wrong key of %i characters gets %i and no cookie', async (length, status) => {
    const rejected = await createKeyedApp().post('/session', { key: 'x'.repeat(length) })
    expect([rejected.status, rejected.headers.get('Set-Cookie')]).toEqual([status, null])
  })
})

describe('a session', () => {
  it('ends when the browser signs out', async () => {
    const app = createKeyedApp()
    const { pair } = await signIn(app)
    expect(await statusWith(app, pair)).toBe(200)
    const out = await app.send('/session', { method: 'DELETE', headers: { Cookie: pair } })
    expect([out.status, out.headers.get('Set-Cookie')!.split(';')[0]]).toEqual([204, 'terce_session='])
    expect(await statusWith(app, pair)).toBe(401)
    expect(await app.store.listSessions()).toEqual([])
  })

  it('ends when the browser signs in again', async () => {
    const app = createKeyedApp()
    const { pair } = await signIn(app)
    const again = await signIn(app, '/session', { headers: { Cookie: pair } })
    expect([await statusWith(app, pair), await statusWith(app, again.pair)]).toEqual([401, 200])
  })

  it('ends with its key, and has the scope of its key', async () => {
    const app = createKeyedApp()
    const made = (await app.post('/key', { name: 'me', scope: 'read' }, ADMIN)).json
    const { pair } = await signIn(app, '/session', { key: made.key })
    expect((await app.send('/session', { headers: { Cookie: pair } })).json.scope).toBe('read')
    await app.send(`/key/${made.apiKey.id}`, { method: 'DELETE', headers: ADMIN })
    expect(await statusWith(app, pair)).toBe(401)
  })

  it('ends after 12 hours without a request, and 30 days after sign-in with requests', async () => {
    const app = createKeyedApp()
    const { pair } = await signIn(app)
    const start = Date.parse('2026-11-15T04:00:00Z')
    const statusAfter = (hours: number) => {
      app.setClock(new Date(start + hours * 3_600_000).toISOString())
      return statusWith(app, pair)
    }
    for (let hours = 11; hours < 30 * 24; hours += 11) expect(await statusAfter(hours)).toBe(200)
    expect(await statusAfter(30 * 24)).toBe(401)
    const idle = await signIn(app)
    app.setClock(new Date(start + (30 * 24 + 12) * 3_600_000).toISOString())
    expect(await statusWith(app, idle.pair)).toBe(401)
  })

  it('ends with all sessions of its key when the browser signs out everywhere', async () => {
    const app = createKeyedApp()
    const { key } = (await app.post('/key', { name: 'me', scope: 'read' }, ADMIN)).json
    const [one, two] = [await signIn(app, '/session', { key }), await signIn(app, '/session', { key })]
    const ofAnotherKey = await signIn(app)
    const url = '/session?everywhere=true'
    expect((await app.send(url, { method: 'DELETE', headers: { Cookie: one.pair } })).status).toBe(204)
    const statuses = [one, two, ofAnotherKey].map(({ pair }) => statusWith(app, pair))
    expect(await Promise.all(statuses)).toEqual([401, 401, 200])
    const { items } = (await app.send('/audit?action=session.ended', { headers: ADMIN })).json
    expect(items).toMatchObject([{ details: { sessions: 2 } }])
  })
})
