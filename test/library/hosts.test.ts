// The API, the dashboard and its live updates inside real web servers of applications.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createTerce } from '../../src/library/terce.ts'
import { builtDashboard } from '../web/support/browser.ts'
import { BASE, onExpress, onFastify, onHono, onNext, onNode } from './support/hosts.ts'

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

beforeAll(() => builtDashboard(), 300_000)

const ADA = { firstName: 'Ada', lastName: 'Lovelace', dateOfBirth: '1990-12-15', timezone: 'Asia/Jakarta' }
const headers = { 'Content-Type': 'application/json', Cookie: 'user=grace' }

function createMounted() {
  const folder = mkdtempSync(join(tmpdir(), 'terce-hosts-'))
  cleanups.push(() => rmSync(folder, { recursive: true }))
  const terce = createTerce({
    database: join(folder, 'app.db'),
    basePath: BASE,
    authenticate: (request) =>
      request.headers.get('Cookie') === 'user=grace' ? { name: 'grace', scope: 'admin' } : null,
    settings: { LOG_LEVEL: 'silent' },
  })
  cleanups.push(() => terce.stop())
  return terce
}

describe.each([
  ['Hono', onHono],
  ['node:http', onNode],
  ['Express', onExpress],
  ['Fastify', onFastify],
  ['a route of Next', onNext],
] as const)('Terce in the web server of %s', (name, start) => {
  it('serves the API and the dashboard under its path', async () => {
    const host = await start(createMounted())
    cleanups.push(() => host.close())
    const call = (path: string, init: RequestInit = {}) =>
      fetch(host.url + path, { headers, redirect: 'manual', ...init })

    expect(await (await call('/')).text()).toBe('the application')
    expect((await call(BASE, { headers: {} })).status).toBe(401)
    const front = await call(BASE, { headers: { ...headers, Accept: 'text/html' } })
    expect([front.status, front.headers.get('Location')]).toEqual([302, `${BASE}/app/`])
    expect(await (await call(`${BASE}/app/people`)).text()).toContain(`src="${BASE}/app/assets/`)

    const created = await call(`${BASE}/user`, { method: 'POST', body: JSON.stringify(ADA) })
    expect(created.status).toBe(201)
    const read = await call(created.headers.get('Location')!)
    expect(await read.json()).toMatchObject({ firstName: 'Ada' })
    await call(`${BASE}/feed`, { method: 'POST', body: '{}' })
    const { items } = (await (await call(`${BASE}/audit`)).json()) as { items: object[] }
    // A route of Next does not know the address of its caller.
    const address = name === 'a route of Next' ? null : '127.0.0.1'
    expect(items).toMatchObject([{ action: 'feed.created', actor: 'host:grace', address }])
  }, 60_000)
})
