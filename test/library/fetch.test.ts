// The API and the dashboard under a path of an application, and who has access to them.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { TerceOptions } from '../../src/library/library.ts'
import { createTerce } from '../../src/library/terce.ts'
import { builtDashboard } from '../web/support/browser.ts'

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

// The page of the dashboard is a file of its build.
beforeAll(() => builtDashboard(), 300_000)

const ORIGIN = 'https://app.example.com'
const BASE = '/admin/terce'
const KEY = 'terce_for-the-tests-of-an-application'
const ADA = { firstName: 'Ada', lastName: 'Lovelace', dateOfBirth: '1990-12-15', timezone: 'Asia/Jakarta' }

function mount(options: Partial<TerceOptions> = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'terce-fetch-'))
  cleanups.push(() => rmSync(folder, { recursive: true }))
  const { settings, ...rest } = options
  const terce = createTerce({
    database: join(folder, 'app.db'),
    basePath: BASE,
    settings: { LOG_LEVEL: 'silent', ...settings },
    ...rest,
  })
  cleanups.push(() => terce.stop())
  const get = (path: string, headers: Record<string, string> = {}) =>
    terce.fetch(new Request(ORIGIN + path, { headers, redirect: 'manual' }))
  const post = (path: string, body: unknown, headers: Record<string, string> = {}) => {
    const init = { 'Content-Type': 'application/json', ...headers }
    return terce.fetch(
      new Request(ORIGIN + path, { method: 'POST', headers: init, body: JSON.stringify(body) }),
    )
  }
  return { terce, get, post }
}

/** The application knows its callers by a cookie. */
const authenticate: TerceOptions['authenticate'] = (request) => {
  const name = /user=(\w+)/.exec(request.headers.get('Cookie') ?? '')?.[1]
  return name === undefined ? null : { name, scope: name === 'guest' ? 'read' : 'admin' }
}
const GRACE = { Cookie: 'user=grace' }

describe('terce.fetch with the authentication of the application', () => {
  it('serves the API under its path, and nothing outside', async () => {
    const { get, post } = mount({ authenticate })
    const created = await post(`${BASE}/user`, ADA, GRACE)
    expect(created.status).toBe(201)
    const location = created.headers.get('Location')!
    expect(location).toMatch(/^\/admin\/terce\/user\/[0-9a-f-]+$/)
    expect(await (await get(location, GRACE)).json()).toMatchObject({ firstName: 'Ada' })
    for (const path of ['/', '/user', '/admin', '/admin/tercet/user', '/app/'])
      expect([path, (await get(path, GRACE)).status]).toEqual([path, 404])
  }, 30_000)

  it('rejects a caller that the application does not know, at every path but health checks and calendars', async () => {
    const { get, post } = mount({ authenticate })
    for (const path of ['', '/', '/user', '/app/', '/docs', '/openapi.json', '/session', '/metrics'])
      expect([path, (await get(BASE + path)).status]).toEqual([path, 401])
    const bearer = { Authorization: `Bearer ${KEY}` }
    expect((await get(`${BASE}/user`, bearer)).status).toBe(401)
    for (const path of ['/healthz', '/readyz']) expect((await get(BASE + path)).status).toBe(200)
    const { url } = (await (await post(`${BASE}/feed`, {}, GRACE)).json()) as { url: string }
    expect(url).toMatch(/^https:\/\/app\.example\.com\/admin\/terce\/calendar\/terce_[\w-]+\.ics$/)
    expect((await get(new URL(url).pathname)).status).toBe(200)
  }, 30_000)

  it('grants the scope that the application gives, and records the name of the caller', async () => {
    const { get, post } = mount({ authenticate })
    const guest = { Cookie: 'user=guest' }
    expect((await get(`${BASE}/user`, guest)).status).toBe(200)
    expect((await post(`${BASE}/user`, ADA, guest)).status).toBe(403)
    expect((await post(`${BASE}/feed`, {}, GRACE)).status).toBe(201)
    const { items } = (await (await get(`${BASE}/audit`, GRACE)).json()) as {
      items: { action: string; actor: string }[]
    }
    const seen = items.map(({ action, actor }) => `${action} ${actor}`)
    expect(seen).toContain('feed.created host:grace')
    expect(seen).toContain('request.rejected host:guest')
  }, 30_000)

  it('rejects requests of pages of another origin, whose browser sends the cookie too', async () => {
    const { get, post } = mount({ authenticate })
    for (const headers of [{ 'Sec-Fetch-Site': 'cross-site' }, { Origin: 'https://evil.example.com' }]) {
      expect((await post(`${BASE}/user`, ADA, { ...GRACE, ...headers })).status).toBe(401)
      expect((await get(`${BASE}/user`, { ...GRACE, ...headers })).status).toBe(401)
    }
  }, 30_000)

  it('asks the application once for each request', async () => {
    let asked = 0
    const { get } = mount({
      authenticate: () => {
        asked += 1
        return { name: 'grace', scope: 'admin' }
      },
    })
    await get(`${BASE}/user`)
    await get(`${BASE}/session`)
    expect(asked).toBe(2)
  }, 30_000)

  it('passes the second argument of fetch to authenticate', async () => {
    const { terce } = mount({ authenticate: (_, env) => env.caller })
    const request = () => new Request(`${ORIGIN}${BASE}/session`)
    const known = await terce.fetch(request(), { caller: { name: 'grace', scope: 'write' } })
    expect(await known.json()).toMatchObject({ open: false, scope: 'write', hasSession: false })
    expect((await terce.fetch(request(), { caller: null })).status).toBe(401)
  }, 30_000)

  it('responds with a problem if authenticate throws', async () => {
    const { get } = mount({
      authenticate: () => {
        throw new Error('no session store')
      },
    })
    const response = await get(`${BASE}/user`)
    expect(response.status).toBe(500)
    expect(await response.text()).not.toContain('session store')
  }, 30_000)
})

describe('terce.fetch without the authentication of the application', () => {
  it('rejects everything but health checks while no API key exists', async () => {
    const { get, post } = mount()
    for (const path of ['/', '/user', '/app/', '/docs', '/session'])
      expect([path, (await get(BASE + path)).status]).toEqual([path, 401])
    expect((await post(`${BASE}/user`, ADA)).status).toBe(401)
    expect((await get(`${BASE}/healthz`)).status).toBe(200)
  }, 30_000)

  it('accepts API keys, and sessions whose cookie is bound to its path', async () => {
    const { get, post } = mount({ settings: { TERCE_API_KEYS: `dev:admin:${KEY}` } })
    expect((await get(`${BASE}/user`)).status).toBe(401)
    expect((await get(`${BASE}/user`, { Authorization: `Bearer ${KEY}` })).status).toBe(200)
    const signedIn = await post(`${BASE}/session`, { key: KEY })
    const cookie = signedIn.headers.getSetCookie().find((one) => one.startsWith('__Secure-terce='))!
    expect(cookie).toContain('Path=/admin/terce;')
    for (const attribute of ['HttpOnly', '; Secure', 'SameSite=Strict']) expect(cookie).toContain(attribute)
    const session = await get(`${BASE}/session`, { Cookie: cookie.split(';')[0]! })
    expect(await session.json()).toMatchObject({ scope: 'admin', hasSession: true })
  }, 30_000)
})

describe('the paths in responses of terce.fetch', () => {
  it('begin with the path it is served under', async () => {
    const { get } = mount({ authenticate })
    const read = async (path: string, headers = {}) => {
      const response = await get(BASE + path, { ...GRACE, ...headers })
      return { response, text: await response.text() }
    }
    const html = { Accept: 'text/html' }
    for (const path of ['', '/']) {
      const { response } = await read(path, html)
      expect([response.status, response.headers.get('Location')]).toEqual([302, `${BASE}/app/`])
    }
    expect((await read('/app')).response.headers.get('Location')).toBe(`${BASE}/app/`)
    expect(JSON.parse((await read('')).text).links.people).toBe(`${BASE}/user`)
    expect(JSON.parse((await read('/user/1')).text).type).toBe(`${BASE}/docs#USER_NOT_FOUND`)
    expect(JSON.parse((await read('/nothing')).text).type).toBe(`${BASE}/docs#ROUTE_NOT_FOUND`)
    expect(JSON.parse((await read('/openapi.json')).text).servers).toEqual([{ url: BASE }])
    const { text: docs } = await read('/docs')
    expect(docs).toContain(`http://localhost:3000${BASE}/user`)
    const links = [...docs.matchAll(/href="([^"#]+)"/g)].map(([, href]) => href)
    expect(links).toEqual([`${BASE}/openapi.json`, `${BASE}/app/`])
    const { text: page } = await read('/app/people/7')
    const files = [...page.matchAll(/(?:src|href)="(?!data:)([^"]+)"/g)].map(([, path]) => path!)
    expect(files.length).toBeGreaterThan(1)
    for (const file of files) {
      expect(file.startsWith(`${BASE}/app/assets/`)).toBe(true)
      expect((await get(file, GRACE)).status).toBe(200)
    }
  }, 30_000)

  it('are those of the root without a base path', async () => {
    const { get } = mount({ authenticate, basePath: '' })
    expect((await get('/', { ...GRACE, Accept: 'text/html' })).headers.get('Location')).toBe('/app/')
    expect((await get('/app/people', GRACE)).status).toBe(200)
  }, 30_000)
})

describe('the base path', () => {
  it.each(['admin', '/a b', '//evil', '/a"b', '/a/../b', '/%2e'])('is rejected as %s', (basePath) => {
    expect(() => createTerce({ database: 'app.db', basePath })).toThrow('must be a path such as')
  })
})
