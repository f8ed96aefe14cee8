// Health checks, the index, and a complete API reference.
import { createHash } from 'node:crypto'
import { gunzipSync } from 'node:zlib'
import { describe, expect, it, vi } from 'vitest'
import { PROBLEMS } from '../../../src/api/problem.ts'
import { FIELD_CODES } from '../../../src/domain/errors.ts'
import { createTestApp, type Json } from '../support/test-app.ts'

describe('the service', () => {
  it('is alive on /healthz whether or not it is ready', async () => {
    const { send, errors } = createTestApp({ ready: () => Promise.reject(new Error('disk I/O error')) })
    expect((await send('/healthz')).json).toEqual({ status: 'ok', version: '1.2.3' })
    const { status, json, text } = await send('/readyz')
    expect([status, json.code]).toEqual([503, 'NOT_READY'])
    expect(text).not.toContain('disk')
    expect(errors).toEqual([new Error('disk I/O error')])
  })

  it('is ready on /readyz when its database is', async () => {
    const { send, store } = createTestApp()
    expect((await send('/readyz')).status).toBe(200)
    await store.close()
    expect((await send('/readyz')).status).toBe(503)
  })

  it('lists in its index only paths that exist', async () => {
    const { send } = createTestApp()
    const { json } = await send('/')
    for (const path of Object.values<string>(json.links)) expect((await send(path)).status, path).toBe(200)
  })
})

describe('GET /', () => {
  const BROWSER = { headers: { Accept: 'text/html,application/xhtml+xml,*/*;q=0.8' } }

  it('leads a browser to the dashboard, or to the reference where there is no dashboard', async () => {
    const served = await createTestApp({ web: async () => null }).send('/', BROWSER)
    expect([served.status, served.headers.get('Location')]).toEqual([302, '/app/'])
    const bare = await createTestApp().send('/', BROWSER)
    expect([bare.status, bare.headers.get('Location')]).toEqual([302, '/docs'])
  })

  it.each([undefined, '*/*', 'application/json'])('responds with JSON to Accept: %s', async (accept) => {
    const { send } = createTestApp({ web: async () => null })
    const { status, json, headers } = await send('/', accept ? { headers: { Accept: accept } } : {})
    expect([status, json.name, headers.get('Vary')]).toEqual([200, 'terce', 'Accept'])
  })
})

describe('GET /setting', () => {
  it('lists the settings of the process in order of name, with their sources', async () => {
    expect((await createTestApp().send('/setting')).json.items).toEqual([
      { name: 'DELIVER_AT', value: '10:00', source: 'environment' },
      { name: 'WEBHOOK_URL', value: null, source: 'default' },
    ])
  })
})

describe('the API reference', () => {
  it('documents exactly the mounted operations', async () => {
    const { app, send } = createTestApp()
    const { json } = await send('/openapi.json')
    const documented = Object.entries<object>(json.paths).flatMap(([path, item]) =>
      Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`),
    )
    const mounted = app.routes
      .filter(({ method }) => method !== 'ALL')
      .map(({ method, path }) => `${method} ${path.replaceAll(/:(\w+)/g, '{$1}')}`)
    expect(documented.sort()).toEqual(mounted.sort())
    expect(documented.length).toBeGreaterThan(0)
  })

  it('is OpenAPI 3.1 in which every operation and every parameter is described', async () => {
    const { json } = await createTestApp().send('/openapi.json')
    expect(json.openapi).toBe('3.1.0')
    expect(json.info).toMatchObject({ title: 'Terce', version: '1.2.3' })
    for (const [path, item] of Object.entries<Json>(json.paths)) {
      for (const operation of Object.values<Json>(item)) {
        expect(operation.summary && operation.description && operation.tags[0], path).toBeTruthy()
        expect(operation.responses).toHaveProperty('500')
        for (const parameter of operation.parameters ?? []) expect(parameter.description, path).toBeTruthy()
      }
    }
  })

  it('has an example for every path parameter, and for the id of every object', async () => {
    const { paths, components } = (await createTestApp().send('/openapi.json')).json
    const operations = Object.values<Json>(paths).flatMap((item) => Object.values<Json>(item))
    const inPaths = operations.flatMap(({ operationId, parameters = [] }) =>
      parameters
        .filter((parameter: Json) => parameter.in === 'path')
        .map(({ name, schema }: Json) => [`${operationId} ${name}`, schema]),
    )
    const ids = Object.entries<Json>(components.schemas).flatMap(([name, { properties }]) =>
      properties?.id?.format === 'uuid' ? [[name, properties.id]] : [],
    )
    expect([inPaths.length > 30, ids.length > 5]).toEqual([true, true])
    const without = [...inPaths, ...ids].filter(([, schema]) => schema.example === undefined)
    expect(without.map(([name]) => name)).toEqual([])
  })

  it('has examples that the API accepts', async () => {
    const { send, post, put } = createTestApp()
    const { schemas } = (await send('/openapi.json')).json.components
    const { json } = await post('/user', schemas.NewUser.example)
    expect((await put(`/user/${json.user.id}`, schemas.UserChange.example)).status).toBe(200)
    expect((await post('/user/bulk', schemas.NewUsers.example)).json.rejected).toBe(0)
    expect((await put('/inbox/mode', schemas.InboxMode.example)).status).toBe(200)
    expect((await post('/event/replay', schemas.Replays.example)).status).toBe(200)
    expect((await put('/template/BIRTHDAY', schemas.NewTemplate.example)).status).toBe(201)
    expect((await post('/template/preview', schemas.TemplatePreview.example)).status).toBe(200)
  })

  it('is a page with every operation and every code that loads no other file', async () => {
    const { send } = createTestApp()
    const { text, headers } = await send('/docs')
    const { json } = await send('/openapi.json')
    expect(headers.get('Content-Type')).toContain('text/html')
    for (const tag of ['script', 'style']) {
      const inline = [...text.matchAll(new RegExp(`<${tag}>(.*?)</${tag}>`, 'gs'))].map(
        ([, content]) => content!,
      )
      const hashes = inline.map((content) => createHash('sha256').update(content).digest('base64'))
      expect(headers.get('Content-Security-Policy')).toContain(`${tag}-src 'sha256-${hashes}';`)
    }
    for (const [path, item] of Object.entries<Json>(json.paths)) {
      for (const method of Object.keys(item)) {
        expect(text).toContain(`<b class="${method}">${method}</b> <code>${path}</code>`)
        expect(text).toContain(item[method].summary)
      }
    }
    for (const code of Object.keys(PROBLEMS)) expect(text).toContain(`id="${code}"`)
    for (const code of Object.keys(FIELD_CODES)) expect(text).toContain(`<code>${code}</code>`)
    expect(text).not.toMatch(/<link|src=|url\(|undefined|\[object/)
    const ids = [...text.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id)
    expect(ids.filter((id, i) => ids.indexOf(id) !== i)).toEqual([])
    for (const [, anchor] of text.matchAll(/href="#([^"]+)"/g)) expect(ids).toContain(anchor)
  })

  it.each(['/docs', '/openapi.json'])(
    '%s has an entity tag, and is not sent again to a caller that has it',
    async (path) => {
      const { send } = createTestApp()
      const first = await send(path)
      const tag = first.headers.get('ETag')!
      expect([tag, first.headers.get('Cache-Control')]).toEqual([
        expect.stringMatching(/^"[\w-]+"$/),
        'no-cache',
      ])
      const again = await send(path, { headers: { 'If-None-Match': tag } })
      expect([again.status, again.text, again.headers.get('ETag')]).toEqual([304, '', tag])
      expect((await send(path, { headers: { 'If-None-Match': '"other"' } })).text).toBe(first.text)
    },
  )

  it('is compressed for callers that accept it, as the only part of the API', async () => {
    const { app } = createTestApp({ compresses: true })
    const get = (path: string, encodings: string, tag = '') =>
      app.request(path, { headers: { 'Accept-Encoding': encodings, 'If-None-Match': tag } })
    for (const path of ['/docs', '/openapi.json']) {
      const plain = await get(path, 'identity')
      const small = await get(path, 'gzip, br')
      expect([small.headers.get('Content-Encoding'), small.headers.get('Vary')]).toEqual([
        'gzip',
        'Accept-Encoding',
      ])
      const bytes = Buffer.from(await small.arrayBuffer())
      expect(gunzipSync(bytes).toString()).toBe(await plain.text())
      expect((await get(path, 'gzip', small.headers.get('ETag')!)).status).toBe(304)
    }
    const plain = await createTestApp().app.request('/docs', { headers: { 'Accept-Encoding': 'gzip' } })
    expect(plain.headers.get('Content-Encoding'), 'where the platform compresses').toBe(null)
    for (const path of ['/setting', '/user', '/session', '/metrics'])
      expect((await get(path, 'gzip')).headers.get('Content-Encoding'), path).toBe(null)
  })

  it('is made and compressed once, for all callers and host names', async () => {
    const { app } = createTestApp({ compresses: true })
    const made = vi.spyOn(app, 'getOpenAPI31Document')
    const compressed = vi.spyOn(globalThis, 'CompressionStream')
    const headers = { 'Accept-Encoding': 'gzip' }
    for (const host of ['one.localhost', 'two.localhost', 'one.localhost'])
      for (const path of ['docs', 'openapi.json']) await app.request(`http://${host}/${path}`, { headers })
    expect([made.mock.calls.length, compressed.mock.calls.length]).toEqual([1, 2])
    compressed.mockRestore()
  })

  it('shows curl commands for PUBLIC_URL if it is set', async () => {
    const { app } = createTestApp({ publicUrl: 'https://terce.example' })
    const page = await app.request('http://localhost:3000/docs')
    expect(await page.text()).toContain('curl &#39;https://terce.example/user&#39;')
  })

  it('shows no host of a request', async () => {
    const page = await createTestApp({ environmentKey: 'any-key-will-do-here' }).app.request(
      'https://other.example/docs',
    )
    const text = await page.text()
    expect(text).not.toContain('other.example')
    expect(text).toContain('curl &#39;http://localhost:3000/user&#39;')
  })
})
