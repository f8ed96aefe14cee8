// Access: without keys only this computer; with keys, each as far as its scope allows.
import { describe, expect, it } from 'vitest'
import { bearer, cookieOf } from '../support/test-access.ts'
import { ADA, createTestApp, type TestApp } from '../support/test-app.ts'

const MINUTE = 60_000

async function withKeys() {
  const app = createTestApp()
  const make = async (scope: string) =>
    (await app.post('/key', { name: scope, scope })).json as { key: string; apiKey: { id: string } }
  const admin = await make('admin')
  app.setClock('2026-11-15T04:01:00Z')
  const others = await Promise.all(
    ['read', 'write'].map(
      async (scope) => (await app.post('/key', { name: scope, scope }, bearer(admin.key))).json,
    ),
  )
  app.setClock('2026-11-15T04:02:00Z')
  return { ...app, admin, read: others[0], write: others[1] }
}

describe('without API keys', () => {
  it.each([
    ['a request for another host name', 'http://evil.example/user', {}],
    ['a foreign Origin', '/user', { Origin: 'https://evil.example' }],
    ['Sec-Fetch-Site: cross-site', '/user', { 'Sec-Fetch-Site': 'cross-site' }],
    ['Origin: null', '/user', { Origin: 'null' }],
    ['a page on another port', 'http://localhost:3000/user', { Origin: 'http://localhost:22920' }],
    ['a page on another loopback name', 'http://127.0.0.1:3000/user', { Origin: 'http://localhost:3000' }],
    ['Sec-Fetch-Site: same-site', 'http://localhost:3000/user', { 'Sec-Fetch-Site': 'same-site' }],
    ['X-Forwarded-For', '/user', { 'X-Forwarded-For': '8.8.8.8' }],
    ['X-Forwarded-Host', '/user', { 'X-Forwarded-Host': 'terce.example' }],
    ['X-Forwarded-Proto', '/user', { 'X-Forwarded-Proto': 'https' }],
    ['X-Real-IP', '/user', { 'X-Real-IP': '8.8.8.8' }],
    ['Forwarded', '/user', { Forwarded: 'for=8.8.8.8' }],
    ['Via', '/user', { Via: '1.1 proxy' }],
  ])('the API rejects %s', async (_what, url, headers) => {
    const { app } = createTestApp()
    const response = await app.request(url, { headers })
    expect(response.status).toBe(403)
    expect(await response.json()).toMatchObject({ code: 'FORBIDDEN_ORIGIN' })
  })

  it('the reference is readable through a link from another site', async () => {
    const { app } = createTestApp()
    const response = await app.request('/docs', { headers: { 'Sec-Fetch-Site': 'cross-site' } })
    expect(response.status).toBe(200)
  })

  it('nobody has access if other computers can reach the API', async () => {
    const { send } = createTestApp({ local: false })
    expect((await send('/user')).status).toBe(401)
    expect((await send('/healthz')).status).toBe(200)
  })

  it('pages served by Terce itself have access', async () => {
    const { app } = createTestApp()
    for (const origin of ['http://127.0.0.1:3000', 'http://localhost:3000', 'http://[::1]:3000'])
      for (const headers of [{ Origin: origin }, { 'Sec-Fetch-Site': 'same-origin' }])
        expect((await app.request(`${origin}/user`, { headers })).status, origin).toBe(200)
  })

  it.each([
    ['accepts', 'localhost'],
    ['accepts', 'LOCALHOST:3000'],
    ['accepts', 'terce.localhost:3000'],
    ['accepts', '127.0.0.1'],
    ['accepts', '127.255.0.9:3000'],
    ['accepts', '[::1]:3000'],
    ['rejects', 'localhost.evil.example'],
    ['rejects', 'evillocalhost'],
    ['rejects', '127.0.0.1.evil.example'],
    ['rejects', '128.0.0.1'],
    ['rejects', '[::2]'],
  ])('the API %s the host %s', async (verdict, host) => {
    const { app } = createTestApp()
    expect((await app.request(`http://${host}/user`)).status).toBe(verdict === 'accepts' ? 200 : 403)
    const headers = { Origin: `http://${host}` }
    const byOrigin = await app.request(`http://${host}/user`, { headers })
    expect(byOrigin.status).toBe(verdict === 'accepts' ? 200 : 403)
  })
})

describe('with API keys', () => {
  it('a request without a valid key is rejected', async () => {
    const { send, read } = await withKeys()
    const [none, invalid] = ['Send a key as "Authorization: Bearer', 'Invalid or revoked key.']
    for (const [headers, detail] of [
      [{}, none],
      [{ Authorization: 'Bearer terce_wrong' }, invalid],
      [{ 'X-Api-Key': 'terce_wrong' }, invalid],
      [{ Authorization: `Basic ${read.key}` }, none],
    ] as const) {
      const rejected = await send('/user', { headers })
      expect([rejected.status, rejected.json.code]).toEqual([401, 'UNAUTHORIZED'])
      expect(rejected.json.detail).toContain(detail)
      expect(rejected.headers.get('WWW-Authenticate')).toBe('Bearer')
    }
    expect((await send('/user', { headers: { 'X-Api-Key': read.key } })).status).toBe(200)
  })

  it('a caller without the scope gets a problem that names it', async () => {
    const { send, write } = await withKeys()
    const { json } = await send('/key', { headers: bearer(write.key) })
    expect(json).toMatchObject({ code: 'FORBIDDEN', detail: expect.stringContaining('admin') })
  })

  it('a delivery to the inbox needs its token', async () => {
    const { send } = await withKeys()
    expect((await send('/inbox', { method: 'POST', text: '{}' })).status).toBe(401)
    expect((await send('/inbox?token=inbox-token', { method: 'POST', text: '{}' })).status).toBe(204)
  })

  it('a new or revoked key takes effect at once in the process that handled the request', async () => {
    const { send, post, admin } = await withKeys()
    const made = (await post('/key', { name: 'new', scope: 'read' }, bearer(admin.key))).json
    expect((await send('/user', { headers: bearer(made.key) })).status).toBe(200)
    const { items } = (await send('/key', { headers: bearer(admin.key) })).json
    const { lastUsedAt } = items.find(({ id }: { id: string }) => id === made.apiKey.id)
    expect(lastUsedAt).toBe('2026-11-15T04:02:00.000Z')
    const revoke = () => send(`/key/${made.apiKey.id}`, { method: 'DELETE', headers: bearer(admin.key) })
    expect((await revoke()).status).toBe(204)
    expect((await send('/user', { headers: bearer(made.key) })).status).toBe(401)
    expect((await revoke()).json.code).toBe('KEY_NOT_FOUND')
  })

  it('a key is rejected from the instant it expires, and so is a session that was opened with it', async () => {
    const { send, post, admin, setClock } = await withKeys()
    const expiresAt = '2026-11-15T06:00:00.000Z'
    const made = (await post('/key', { name: 'short', scope: 'read', expiresAt }, bearer(admin.key))).json
    expect(made.apiKey).toMatchObject({ expiresAt, allowedFrom: [] })
    const signedIn = await post('/session', { key: made.key })
    const cookie = cookieOf(signedIn)
    const statuses = async () => [
      (await send('/user', { headers: bearer(made.key) })).status,
      (await send('/user', { headers: cookie })).status,
    ]
    setClock('2026-11-15T05:59:59.999Z')
    expect(await statuses()).toEqual([200, 200])
    setClock(expiresAt)
    expect(await statuses()).toEqual([401, 401])
    const past = await post('/key', { name: 'late', scope: 'read', expiresAt }, bearer(admin.key))
    expect([past.status, past.json.problems[0].field]).toEqual([400, 'expiresAt'])
  })

  it('a key with an address list is accepted from these addresses alone, and so are its sessions', async () => {
    const { send, post, admin } = await withKeys()
    const allowedFrom = ['10.0.0.0/8', '2001:db8::/32']
    const made = (await post('/key', { name: 'office', scope: 'read', allowedFrom }, bearer(admin.key))).json
    expect(made.apiKey).toMatchObject({ allowedFrom, expiresAt: null })
    const from = (address: string, more: object) => ({ 'X-Test-Address': address, ...more })
    const status = async (address: string, more: object) =>
      (await send('/user', { headers: from(address, more) })).status
    const key = bearer(made.key)
    expect(await status('10.1.2.3', key)).toBe(200)
    expect(await status('2001:db8::7', key)).toBe(200)
    expect(await status('192.0.2.1', key)).toBe(403)
    const rejected = await send('/user', { headers: from('192.0.2.1', key) })
    expect(rejected.json.code).toBe('FORBIDDEN_ADDRESS')
    expect((await post('/session', { key: made.key }, from('192.0.2.1', {}))).status).toBe(403)
    const signedIn = await post('/session', { key: made.key }, from('10.0.0.1', {}))
    const cookie = cookieOf(signedIn)
    expect([await status('10.0.0.1', cookie), await status('192.0.2.1', cookie)]).toEqual([200, 403])
    const noNetwork = { name: 'x', scope: 'read', allowedFrom: ['10.0.0.1/8'] }
    const wrong = await post('/key', noNetwork, bearer(admin.key))
    expect([wrong.status, wrong.json.problems[0].field]).toEqual([400, 'allowedFrom.0'])
  })

  it('a key that expires or is limited to addresses creates no keys, and neither do its sessions', async () => {
    const { post, admin } = await withKeys()
    for (const limit of [{ expiresAt: '2026-11-15T06:00:00.000Z' }, { allowedFrom: ['127.0.0.0/8'] }]) {
      const made = (await post('/key', { name: 'x', scope: 'admin', ...limit }, bearer(admin.key))).json
      const signedIn = await post('/session', { key: made.key })
      const cookie = cookieOf(signedIn)
      for (const headers of [bearer(made.key), cookie]) {
        const { status, json } = await post('/key', { name: 'y', scope: 'read' }, headers)
        expect([status, json.code]).toEqual([403, 'FORBIDDEN'])
      }
    }
  })

  it.each([
    ['https://terce.example', 'max-age=31536000'],
    ['http://terce.example', null],
    [undefined, null],
  ])('with PUBLIC_URL=%s the header Strict-Transport-Security is %s', async (publicUrl, expected) => {
    const { send } = createTestApp(publicUrl === undefined ? {} : { publicUrl })
    expect((await send('/healthz')).headers.get('Strict-Transport-Security')).toBe(expected)
  })

  it('health does not depend on the database that stores the keys', async () => {
    const { send, store } = await withKeys()
    await store.close()
    expect((await send('/healthz')).status).toBe(200)
    expect((await send('/user')).status).toBe(500)
  })

  it('the text of a key is only in the response that created it', async () => {
    const { send, admin, store } = await withKeys()
    const listed = (await send('/key', { headers: bearer(admin.key) })).text
    expect(listed + JSON.stringify(await store.listApiKeys())).not.toContain('terce_')
  })
})

describe('the operations', () => {
  it('document both headers of a key, with the scope they need', async () => {
    const { components, paths } = (await createTestApp().send('/openapi.json')).json
    expect(components.securitySchemes).toMatchObject({
      apiKey: { type: 'http', scheme: 'bearer' },
      apiKeyHeader: { type: 'apiKey', in: 'header', name: 'X-Api-Key' },
    })
    expect(paths['/user'].get.security).toEqual([{ apiKey: ['read'] }, { apiKeyHeader: ['read'] }])
  })

  it('all return the security headers', async () => {
    const { send, post } = createTestApp()
    const { user } = (await post('/user', ADA)).json
    for (const path of ['/user', `/user/${user.id}`, '/docs', '/nowhere']) {
      expect(Object.fromEntries((await send(path)).headers), path).toMatchObject({
        // The reference has no data.
        'cache-control': path === '/docs' ? 'no-cache' : 'no-store',
        'cross-origin-resource-policy': 'same-origin',
        'referrer-policy': 'no-referrer',
        'x-content-type-options': 'nosniff',
        'x-frame-options': 'DENY',
      })
    }
  })

  it('all forbid framing; only the reference may run or load anything, by its hash', async () => {
    const { send, post } = createTestApp()
    const { user } = (await post('/user', ADA)).json
    for (const path of ['/user', `/user/${user.id}`, '/openapi.json', '/healthz', '/inbox', '/nowhere'])
      expect(policyOf(await send(path)), path).toEqual({
        'default-src': ["'none'"],
        'frame-ancestors': ["'none'"],
      })
    const { 'style-src': styles, 'script-src': scripts, ...others } = policyOf(await send('/docs'))
    for (const source of [...styles!, ...scripts!]) expect(source).toMatch(/^'sha256-\S+'$/)
    expect(others['default-src']).toEqual(["'none'"])
    for (const [directive, sources] of Object.entries(others)) expect(sources, directive).toEqual(["'none'"])
  })
})

/** The directives of a content security policy, each with its sources. */
function policyOf({ headers }: { headers: Headers }): Record<string, string[]> {
  const directives = (headers.get('Content-Security-Policy') ?? '')
    .split(';')
    .map((part) => part.trim().split(/ +/))
  return Object.fromEntries(directives.map(([name, ...sources]) => [name!, sources]))
}

describe('the request rate limit', () => {
  const call = ({ send }: TestApp, address: string) =>
    send('/user', { headers: { 'X-Test-Address': address } })

  it('limits each caller per minute and returns Retry-After', async () => {
    const app = createTestApp({ perMinute: 3 })
    const statuses = []
    for (let i = 0; i < 4; i++) statuses.push((await call(app, '10.0.0.1')).status)
    expect(statuses).toEqual([200, 200, 200, 429])
    const rejected = await call(app, '10.0.0.1')
    expect(rejected.json.code).toBe('RATE_LIMITED')
    expect(rejected.headers.get('RateLimit-Limit')).toBe('3')
    expect(rejected.headers.get('RateLimit-Remaining')).toBe('0')
    expect(rejected.headers.get('Retry-After')).toBe('20')
    expect((await call(app, '10.0.0.2')).headers.get('RateLimit-Remaining')).toBe('2')
    app.setClock(new Date(Date.parse('2026-11-15T04:00:00Z') + MINUTE / 3).toISOString())
    expect((await call(app, '10.0.0.1')).status).toBe(200)
  })

  it('is reported in the response to a write', async () => {
    const { post } = createTestApp({ perMinute: 3 })
    expect((await post('/user', ADA)).headers.get('RateLimit-Remaining')).toBe('2')
  })
})
