// Rejected requests: one problem document, a stable code, all invalid fields at once, nothing stored, no 5xx.
import { describe, expect, it } from 'vitest'
import { StoreUnavailableError } from '../../../src/domain/errors.ts'
import { ADA, createTestApp, type Json, NO_ONE, type Sent } from '../support/test-app.ts'

type Case = [what: string, path: string, sent: Sent, status: number, code: string]

const post = (sent: Sent): Sent => ({ method: 'POST', ...sent })
const withHeader = (name: string, value: string) => post({ body: ADA, headers: { [name]: value } })
const typed = (type: string, text: string) => post({ text, headers: { 'Content-Type': type } })

const CASES: Case[] = [
  ['a body that is no JSON', '/user', post({ text: '{"firstName":' }), 400, 'MALFORMED_JSON'],
  ['an empty body', '/user', post({ text: '' }), 400, 'MALFORMED_JSON'],
  ['a null for a person', '/user', post({ text: 'null' }), 400, 'INVALID_INPUT'],
  ['a number for a person', '/user', post({ text: '1e999' }), 400, 'INVALID_INPUT'],
  ['deep nesting', '/user', post({ text: '['.repeat(30_000) + ']'.repeat(30_000) }), 400, 'INVALID_INPUT'],
  ['no content type', '/user', typed('', '{}'), 415, 'UNSUPPORTED_MEDIA_TYPE'],
  ['a form', '/user', typed('application/x-www-form-urlencoded', 'a=b'), 415, 'UNSUPPORTED_MEDIA_TYPE'],
  ['a compressed body', '/user', withHeader('Content-Encoding', 'gzip'), 415, 'UNSUPPORTED_MEDIA_TYPE'],
  ['64 KiB and a byte', '/user', post({ text: '"'.padEnd(64 * 1024 + 1, 'x') }), 413, 'BODY_TOO_LARGE'],
  ['1 MiB and a byte', '/user/bulk', post({ text: '"'.padEnd(1024 * 1024 + 1, 'x') }), 413, 'BODY_TOO_LARGE'],
  ['no person', '/user/bulk', post({ body: { users: [] } }), 400, 'INVALID_INPUT'],
  ['1001 people', '/user/bulk', post({ body: { users: Array(1001).fill(1) } }), 400, 'INVALID_INPUT'],
  ['an empty key', '/user', withHeader('Idempotency-Key', ''), 400, 'INVALID_HEADER'],
  ['a key with a space', '/user', withHeader('Idempotency-Key', 'a b'), 400, 'INVALID_HEADER'],
  ['a key with é', '/user', withHeader('Idempotency-Key', 'é'), 400, 'INVALID_HEADER'],
  ['256 characters as a key', '/user', withHeader('Idempotency-Key', 'k'.repeat(256)), 400, 'INVALID_HEADER'],
  ['a change of nothing', `/user/${NO_ONE}`, { method: 'PUT', body: {} }, 400, 'NOTHING_TO_CHANGE'],
  ['a change of nobody', `/user/${NO_ONE}`, { method: 'PUT', body: { email: null } }, 404, 'USER_NOT_FOUND'],
  ['the events of an unknown user', `/user/${NO_ONE}/event`, {}, 404, 'USER_NOT_FOUND'],
  ['an unknown event', `/event/${NO_ONE}`, {}, 404, 'EVENT_NOT_FOUND'],
  ['an unknown path', '/users', {}, 404, 'ROUTE_NOT_FOUND'],
  ['a slash too many', '/user/', {}, 404, 'ROUTE_NOT_FOUND'],
  ['bad percent-encoding in a path', '/user/%E0%A4%A', {}, 404, 'USER_NOT_FOUND'],
  ['bad percent-encoding elsewhere', '/%ff%', {}, 404, 'ROUTE_NOT_FOUND'],
  ['a wrong method', '/user', { method: 'PATCH' }, 405, 'METHOD_NOT_ALLOWED'],
]

const QUERIES: [query: string, field: string, code: string][] = [
  ['/user?limit=0', 'limit', 'INVALID_VALUE'],
  ['/user?limit=201', 'limit', 'INVALID_VALUE'],
  ['/user?limit=1e1', 'limit', 'INVALID_VALUE'],
  ['/user?limit=1&limit=2', 'limit', 'REPEATED_PARAMETER'],
  ['/user?__proto__=2', '__proto__', 'UNKNOWN_PARAMETER'],
  ['/user?cursor=', 'cursor', 'INVALID_CURSOR'],
  [`/user?cursor=${NO_ONE}`, 'cursor', 'INVALID_CURSOR'],
  [`/user?cursor=${btoa('x'.repeat(36))}`, 'cursor', 'INVALID_CURSOR'],
  [`/user?cursor=${btoa(NO_ONE.replace('7000', '7ABC'))}`, 'cursor', 'INVALID_CURSOR'],
  ['/user?timezone=PST', 'timezone', 'UNKNOWN_TIMEZONE'],
  ['/user?search=', 'search', 'INVALID_VALUE'],
  ['/user?search=a%00b', 'search', 'INVALID_VALUE'],
  [`/user?search=${'a'.repeat(101)}`, 'search', 'INVALID_VALUE'],
  ['/event?status=pending', 'status', 'INVALID_VALUE'],
  ['/event?type=a%00b', 'type', 'INVALID_VALUE'],
  ['/event?dueFrom=2026-12-15', 'dueFrom', 'INVALID_VALUE'],
  ['/event?dueBefore=2026-12-15T16:00:00+07:00', 'dueBefore', 'INVALID_VALUE'],
  ['/user?order=name', 'order', 'INVALID_VALUE'],
  ['/user?type=birthday', 'type', 'INVALID_VALUE'],
  ['/user?paused=yes', 'paused', 'INVALID_VALUE'],
  ['/user?failed=false', 'failed', 'INVALID_VALUE'],
  ['/user?dueWithin=week', 'dueWithin', 'INVALID_DURATION'],
  ['/user?dueWithin=9999d', 'dueWithin', 'INVALID_DURATION'],
  ['/event?cursor=%00', 'cursor', 'INVALID_CURSOR'],
]

const BAD_FIELDS: [fields: Record<string, unknown>, field: string, code: string][] = [
  [{ firstName: undefined }, 'firstName', 'REQUIRED'],
  [{ firstName: null }, 'firstName', 'WRONG_TYPE'],
  [{ firstName: { $gt: '' } }, 'firstName', 'WRONG_TYPE'],
  [{ dateOfBirth: 19901215 }, 'dateOfBirth', 'WRONG_TYPE'],
  [{ email: ['a@b'] }, 'email', 'WRONG_TYPE'],
  [{ dateOfBirth: undefined, birthDate: 1 }, 'birthDate', 'WRONG_TYPE'],
  [{ firstName: ' ' }, 'firstName', 'INVALID_NAME'],
  [{ dateOfBirth: '1990-02-30' }, 'dateOfBirth', 'INVALID_DATE'],
  [{ dateOfBirth: '2026-11-16' }, 'dateOfBirth', 'DATE_IN_FUTURE'],
  [{ dateOfBirth: undefined, birthDate: '15.12.1990' }, 'birthDate', 'INVALID_DATE'],
  [{ timezone: 'PST' }, 'timezone', 'UNKNOWN_TIMEZONE'],
  [{ timezone: undefined, location: 'Jakarta' }, 'location', 'UNKNOWN_TIMEZONE'],
  [{ email: 'ada' }, 'email', 'INVALID_EMAIL'],
  [{ constructor: 1 }, 'constructor', 'UNKNOWN_FIELD'],
  [JSON.parse('{"__proto__":{"email":"a@b"}}'), '__proto__', 'UNKNOWN_FIELD'],
]

describe('a rejected request', () => {
  it.each([
    ['{"firstName": "Ada",\n  "lastName": "Lovelace",}', /: see line 2, column \d\d\.$/],
    ['{"firstName":', /: it ends too early\.$/],
    ['Ada', /as JSON\.$/],
  ])('says where the body %s is malformed, and repeats nothing of it', async (text, place) => {
    const { detail } = (await createTestApp().send('/user', post({ text }))).json
    expect(detail).toMatch(place)
    expect(detail).not.toContain('Ada')
  })

  it('gives an example of a timezone that is left out', async () => {
    const { timezone: _, ...body } = ADA
    const { problems } = (await createTestApp().send('/user', post({ body }))).json
    expect(problems[0].message).toContain('Europe/Berlin')
  })

  it.each(CASES)('gets a problem document for %s at %s', async (_, path, sent, status, code) => {
    const { send, store, errors } = createTestApp()
    const answer = await send(path, sent)
    expect(answer.json).toMatchObject({ type: `/docs#${code}`, status, code })
    expect(answer.status).toBe(status)
    expect(answer.headers.get('Content-Type')).toBe('application/problem+json')
    expect((await store.listUsers({ limit: 1, cursor: null })).items).toEqual([])
    expect(errors).toEqual([])
  })

  it.each([
    ['/users', 'Did you mean /user? GET /docs lists all paths.'],
    ['/events/1', 'Did you mean /event? GET /docs lists all paths.'],
    ['/nothings', 'GET /docs lists all paths.'],
  ])('gets a suggestion for the plural path %s if the singular is a path', async (path, detail) => {
    expect((await createTestApp().send(path)).json).toMatchObject({ code: 'ROUTE_NOT_FOUND', detail })
  })

  it.each(QUERIES)('gets INVALID_QUERY for GET %s, field %s', async (path, field, code) => {
    const { json } = await createTestApp().send(path)
    expect(json).toMatchObject({ status: 400, code: 'INVALID_QUERY', problems: [{ field, code }] })
  })

  it.each(BAD_FIELDS)(
    'gets INVALID_INPUT for a person with %j, in POST and PUT',
    async (fields, field, code) => {
      const { post, put, send } = createTestApp()
      const { user } = (await post('/user', ADA)).json
      const person = { ...ADA, ...fields }
      const created = await post('/user', person)
      expect(created.json).toMatchObject({ status: 400, code: 'INVALID_INPUT', problems: [{ field, code }] })
      expect(created.json.problems).toHaveLength(1)
      expect((await send('/user')).json.items).toHaveLength(1)
      if (code === 'REQUIRED') return
      const changed = await put(`/user/${user.id}`, fields)
      expect(changed.json).toMatchObject({ status: 400, code: 'INVALID_INPUT', problems: [{ field, code }] })
      expect((await send(`/user/${user.id}`)).json).toEqual(user)
    },
  )

  it('reports all invalid fields at once, from schema and domain checks', async () => {
    const { post } = createTestApp()
    const { json } = await post('/user', {
      firstName: 7,
      birthDate: '1990-13-01',
      timezone: 'Jakarta',
      email: 'nobody',
      nickname: 'A',
      age: 36,
    })
    const found = json.problems.map(({ field, code }: { field: string; code: string }) => `${field} ${code}`)
    expect(found.sort()).toEqual([
      'age UNKNOWN_FIELD',
      'birthDate INVALID_DATE',
      'email INVALID_EMAIL',
      'firstName WRONG_TYPE',
      'nickname UNKNOWN_FIELD',
      'timezone UNKNOWN_TIMEZONE',
    ])
  })

  it('reports all invalid query parameters at once, including the cursor', async () => {
    const { json } = await createTestApp().send('/user?limit=0&cursor=abc&page=2')
    const codes = Object.fromEntries(json.problems.map(({ field, code }: Json) => [field, code]))
    const expected = { limit: 'INVALID_VALUE', cursor: 'INVALID_CURSOR', page: 'UNKNOWN_PARAMETER' }
    expect(codes).toEqual(expected)
  })

  it.each<[path: string, sent: Sent, field: string, code: string]>([
    ['/people/delete?dryRun=true', post({ body: { filter: {} } }), 'dryRun', 'UNKNOWN_PARAMETER'],
    ['/user?dryRun=true', post({ body: ADA }), 'dryRun', 'UNKNOWN_PARAMETER'],
    [`/user/${NO_ONE}?dryRun=true`, { method: 'DELETE' }, 'dryRun', 'UNKNOWN_PARAMETER'],
    [`/user/${NO_ONE}`, { method: 'DELETE', body: { dryRun: true } }, 'dryRun', 'UNKNOWN_FIELD'],
    ['/tz/replan', post({ body: { dryRun: true } }), 'dryRun', 'UNKNOWN_FIELD'],
    ['/tz?page=2', {}, 'page', 'UNKNOWN_PARAMETER'],
  ])('rejects what the operation does not take: %s', async (path, sent, field, code) => {
    const { status, json } = await createTestApp().send(path, sent)
    expect([status, json.problems[0].field, json.problems[0].code]).toEqual([400, field, code])
  })

  it.each<[string, Sent, string]>([
    ['/user', post({ body: { ...ADA, timezone: 'Jakarta' } }), 'timezone'],
    ['/user?timezone=Jakarta', {}, 'timezone'],
    ['/people/pause', post({ body: { filter: { timezone: 'Jakarta' } } }), 'filter.timezone'],
    [
      '/occasion/preview',
      post({ body: { type: 'TEA', date: '2026-01-05', timezone: 'Jakarta' } }),
      'timezone',
    ],
  ])('suggests an IANA timezone at %s', async (path, sent, field) => {
    const { json } = await createTestApp().send(path, sent)
    const message = 'Unknown timezone "Jakarta". It may mean Asia/Jakarta. Use an IANA name.'
    expect(json.problems).toEqual([{ field, code: 'UNKNOWN_TIMEZONE', message }])
  })

  it('lists the methods of the path in Allow', async () => {
    const { send } = createTestApp()
    const { status, headers } = await send('/user/bulk', { method: 'PATCH' })
    expect(status).toBe(405)
    expect(headers.get('Allow')!.split(', ').sort()).toEqual(['DELETE', 'GET', 'HEAD', 'POST', 'PUT'])
    expect((await send('/healthz', { method: 'POST' })).headers.get('Allow')).toBe('GET, HEAD')
  })

  it('reports at most 60 of thousands of unknown fields', async () => {
    const { post } = createTestApp()
    const fields = Array.from({ length: 5000 }, (_, i) => [`f${i}`, 0])
    const { json } = await post('/user', Object.fromEntries(fields))
    expect(json.problems.length).toBeLessThan(60)
  })
})

describe('a request body', () => {
  const request = (app: ReturnType<typeof createTestApp>['app'], body: ReadableStream | Uint8Array) =>
    app.request('/user', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body,
      duplex: 'half',
    } as RequestInit)

  it('that never ends is rejected at the limit, even without Content-Length', async () => {
    let served = 0
    let cancelled = false
    const endless = new ReadableStream({
      pull(controller) {
        served += 16_384
        controller.enqueue(new Uint8Array(16_384).fill(0x20))
      },
      cancel() {
        cancelled = true
      },
    })
    const response = await request(createTestApp().app, endless)
    expect(response.status).toBe(413)
    expect(served).toBeLessThanOrEqual(128 * 1024)
    expect(cancelled).toBe(true)
  })

  it('that is cut off is a client error, not a 5xx', async () => {
    const { app, errors } = createTestApp()
    const broken = new ReadableStream({ pull: (controller) => controller.error(new Error('reset')) })
    const response = await request(app, broken)
    expect(await response.json()).toMatchObject({ status: 400, code: 'INCOMPLETE_BODY' })
    expect(errors).toEqual([])
  })

  it('in invalid UTF-8 is rejected, not repaired', async () => {
    const bytes = new TextEncoder().encode(JSON.stringify({ ...ADA, firstName: 'A?a' }))
    bytes[bytes.indexOf(0x3f)] = 0xff
    const response = await request(createTestApp().app, bytes)
    expect(await response.json()).toMatchObject({ code: 'MALFORMED_JSON' })
  })

  it('with a duplicate field uses the last value', async () => {
    const { send } = createTestApp()
    const text = JSON.stringify(ADA).replace('{', '{"firstName":"Eda",')
    expect((await send('/user', { method: 'POST', text })).json.user.firstName).toBe('Ada')
  })
})

describe('an unexpected error', () => {
  it('is reported and returns 500 without details', async () => {
    const { store, post, errors } = createTestApp()
    await store.close()
    const { status, json, text } = await post('/user', ADA)
    expect(status).toBe(500)
    expect(json.code).toBe('INTERNAL')
    expect(text).not.toMatch(/database|sql|open/i)
    expect(errors).toHaveLength(1)
  })
})

describe('a database outage', () => {
  /** An app whose database went away after it had started. */
  function createAppInOutage() {
    const test = createTestApp()
    const outage = new StoreUnavailableError('The database cannot be reached', 'ECONNREFUSED', null)
    const store = test.store as unknown as Record<string, () => Promise<never>>
    for (const method of Object.keys(store)) store[method] = () => Promise.reject(outage)
    return test
  }

  it('is reported and returns 503 with Retry-After, and no details', async () => {
    const { post, errors } = createAppInOutage()
    const { status, json, text, headers } = await post('/user', ADA)
    expect([status, json.code, headers.get('Retry-After')]).toEqual([503, 'DATABASE_UNAVAILABLE', '5'])
    expect(text).not.toContain('ECONNREFUSED')
    expect(errors).toEqual([expect.any(StoreUnavailableError)])
  })

  it('returns 503 for every operation that needs a key, including those of the dashboard', async () => {
    const { app, send } = createAppInOutage()
    const { paths } = (await send('/openapi.json')).json
    const others: string[] = []
    for (const [path, item] of Object.entries<Json>(paths)) {
      for (const [method, operation] of Object.entries<Json>(item)) {
        if (operation.security.length === 0) continue
        const { status, headers } = await app.request(path.replaceAll(/\{\w+\}/g, NO_ONE), {
          method: method.toUpperCase(),
        })
        if (status !== 503 || headers.get('Retry-After') === null) others.push(`${method} ${path} ${status}`)
      }
    }
    expect(others).toEqual([])
  })

  it('makes /readyz respond with 503, Retry-After and the reason', async () => {
    const { status, headers, json } = await createAppInOutage().send('/readyz')
    expect([status, headers.get('Retry-After')]).toEqual([503, '5'])
    expect(json.detail).toContain('cannot be reached (ECONNREFUSED)')
  })
})
