// terce/client over HTTP: typed calls for every resource, and errors with a code.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createClient, TerceError, type User } from '../../src/client/client.ts'
import { DUE, FAILED, work } from '../http/support/event-steps.ts'
import { ADA, createTestApp, NO_ONE, type TestApp } from '../http/support/test-app.ts'
import { useServer } from './support/serve.ts'

const KEY = 'terce_of_the_test_with_many_characters'
const start = useServer()
let terce: TestApp
let url: string

beforeEach(async () => {
  terce = createTestApp({ environmentKey: KEY })
  url = await start(terce.app)
})
afterEach(() => terce.store.close())

async function rejectionOf(call: Promise<unknown>): Promise<TerceError> {
  const error = await call.then(
    () => null,
    (thrown: unknown) => thrown,
  )
  if (!(error instanceof TerceError)) throw error ?? new Error('It was not rejected.')
  return error
}

describe('the client', () => {
  it('has people, occasions, tasks and events by name, as the library has', async () => {
    const { users, occasions, tasks, events } = createClient({ url, key: KEY })
    const { user } = await users.create({ ...ADA, externalId: 'crm-1' }, { idempotencyKey: 'once' })
    expect((await users.create({ ...ADA, externalId: 'crm-1' }, { idempotencyKey: 'once' })).user).toEqual(
      user,
    )
    const ada = { externalId: 'crm-1' }
    expect((await users.change(ada, { timezone: 'Asia/Tokyo' })).rescheduled).toBe(1)
    expect((await users.get(user.id)).timezone).toBe('Asia/Tokyo')
    expect((await users.list({ timezone: 'Asia/Tokyo' }).next()).value).toMatchObject(ada)
    const { id } = await occasions.create(ada, { type: 'WORK_ANNIVERSARY', date: '2020-12-01' })
    expect((await occasions.pause(id)).pausedAt).not.toBeNull()
    const task = await tasks.create({ ...ada, title: 'Bake', dueAt: '2026-12-20T12:00:00Z' })
    expect((await tasks.complete(task.id)).completed).toBe(true)
    expect((await events.ofUser(ada, { type: 'BIRTHDAY' }).next()).value).toMatchObject(ada)
    await expect(users.delete(ada, { signal: AbortSignal.abort() })).rejects.toThrow(/abort/)
    await users.delete(ada)
    expect((await rejectionOf(users.byExternalId('crm-1'))).code).toBe('USER_NOT_FOUND')
  })

  it('takes data of an interface, and optional fields that are undefined', async () => {
    interface Plan {
      plan: string
    }
    const data: Plan = { plan: 'gold' }
    const email: string | undefined = undefined
    const { users, occasions } = createClient({ url, key: KEY })
    const { user } = await users.create({ ...ADA, email })
    expect(user.email).toBeNull()
    const trial = {
      type: 'TRIAL',
      date: '2026-12-01',
      repeats: 'ONCE',
      template: 'Hi',
      data,
      until: undefined,
    }
    expect((await occasions.create(user.id, trial)).data).toEqual({ plan: 'gold' })
  })

  it('repeats what the server could not take, but no creation that may be stored', async () => {
    let rejections = [429, 503]
    const asked: string[] = []
    const client = createClient({
      url,
      key: KEY,
      fetch: async (to, init) => {
        asked.push(`${init.method} ${new URL(to).pathname}`)
        const status = rejections.shift()
        const headers = { 'Retry-After': '0' }
        return status === undefined ? fetch(to, init) : new Response('', { status, headers })
      },
    })
    expect((await client.get('/user')).items).toEqual([])
    expect(asked).toEqual(Array(3).fill('GET /user'))
    rejections = [503]
    expect((await rejectionOf(client.users.create(ADA))).status).toBe(503)
    rejections = [503]
    await client.users.create(ADA, { idempotencyKey: 'once' })
    expect(asked.slice(3)).toEqual(Array(3).fill('POST /user'))
    rejections = [503, 503]
    const path = { id: NO_ONE }
    const changes = [
      client.delete('/user/{id}', { path }),
      client.put('/user/{id}', { path, header: { 'If-Match': '"v1"' }, body: {} }),
    ]
    for (const call of changes) expect((await rejectionOf(call)).status).toBe(503)
    const away = createClient({ url: 'http://127.0.0.1:9' }).get('/user')
    await expect(away).rejects.toThrow('Cannot reach http://127.0.0.1:9: ')
  })

  it('waits as long as a server asks for up to a minute, and no longer', async () => {
    const stop = new AbortController()
    const ask = (seconds: number) =>
      createClient({
        url,
        key: KEY,
        fetch: async () => {
          setImmediate(() => stop.abort(new Error('stopped while it waits')))
          return new Response('', { status: 429, headers: { 'Retry-After': `${seconds}` } })
        },
      }).get('/user', { signal: stop.signal })
    expect((await rejectionOf(ask(61))).status).toBe(429)
    await expect(ask(60)).rejects.toThrow('stopped while it waits')
  })

  it('creates, reads, changes, replays and deletes with typed calls', async () => {
    const client = createClient({ url: `${url}/`, key: KEY })
    const { user, nextBirthdayEvent } = await client.post('/user', {
      body: ADA,
      header: { 'Idempotency-Key': 'once' },
    })
    const again = await client.post('/user', { body: ADA, header: { 'Idempotency-Key': 'once' } })
    expect(again.user.id).toBe(user.id)
    expect((await client.get('/user', { query: { search: 'love', limit: 5 } })).items).toMatchObject([user])

    const path = { id: user.id }
    const body = { timezone: 'Asia/Tokyo' }
    const tried = await client.put('/user/{id}', { path, body, query: { dryRun: true } })
    expect(tried.moves.map(({ eventId }) => eventId)).toEqual([nextBirthdayEvent!.id])
    expect((await client.get('/user/{id}', { path })).timezone).toBe(ADA.timezone)

    const anniversary = { type: 'WORK_ANNIVERSARY', date: '2020-12-01' }
    const added = { path, body: anniversary, header: { 'Idempotency-Key': 'anniversary' } }
    const occasion = await client.post('/user/{id}/occasion', added)
    expect(occasion.type).toBe('WORK_ANNIVERSARY')
    expect(await client.post('/user/{id}/occasion', added)).toEqual(occasion)
    const baking = { userId: user.id, title: 'Bake', dueAt: '2026-12-20T12:00:00Z' }
    const due = { body: baking, header: { 'Idempotency-Key': 'bake' } }
    const task = await client.post('/task', due)
    expect((await client.post('/task', due)).id).toBe(task.id)
    expect((await client.get('/task/{id}', { path: { id: task.id } })).title).toBe('Bake')

    await work(terce, DUE, FAILED)
    const events = await client.get('/user/{id}/event', {
      path,
      query: { status: 'FAILED', type: 'BIRTHDAY' },
    })
    expect(events.items.map(({ id }) => id)).toEqual([nextBirthdayEvent!.id])
    const event = { id: nextBirthdayEvent!.id }
    expect((await client.get('/event/{id}/explain', { path: event })).summary).toContain('BIRTHDAY')
    const replay = await client.post('/event/{id}/replay', { path: event })
    expect([replay.replayOf, replay.status]).toEqual([event.id, 'PENDING'])

    expect(await client.delete('/user/{id}', { path })).toBeUndefined()
    expect((await rejectionOf(client.get('/user/{id}', { path }))).code).toBe('USER_NOT_FOUND')
  })

  it('iterates over all pages of a list, and imports and exports CSV as text', async () => {
    const client = createClient({ url, key: KEY })
    const rows = Array.from({ length: 5 }, (_, i) => `Ada${i},Lovelace,1990-12-15,UTC`)
    const table = ['firstName,lastName,dateOfBirth,timezone', ...rows].join('\n')
    expect(await client.post('/user/import', { body: table })).toMatchObject({ created: 5, rejected: 0 })
    const names: string[] = []
    for await (const { firstName } of client.each('/user', { query: { limit: 2 } })) names.push(firstName)
    expect(names).toEqual(['Ada0', 'Ada1', 'Ada2', 'Ada3', 'Ada4'])
    expect(await client.get('/user/export')).toContain('Ada4,Lovelace,1990-12-15,UTC')
  })

  it('follows the pages of an export, and throws if the end is missing', async () => {
    const client = createClient({ url, key: KEY })
    for (const firstName of ['Ada', 'Grace', 'Radia'])
      await client.post('/user', { body: { ...ADA, firstName } })
    for (const format of ['csv', 'json'] as const) {
      const pages: string[] = []
      for await (const page of client.exportPeople({ query: { format, limit: 2 } })) pages.push(page)
      expect(pages).toHaveLength(2)
      expect(pages.join('')).toBe(await client.get('/user/export', { query: { format } }))
      const cut = async () => new Response(pages.join('').replace(/(#end|\{"end).*\s+$/, ''))
      const incomplete = createClient({ url, fetch: cut }).exportPeople({ query: { format } })
      expect((await rejectionOf(incomplete.next())).code).toBe('INCOMPLETE_EXPORT')
    }
  })

  it('continues an import that the server ends before the table does, and adds up the parts', async () => {
    const asked: string[] = []
    const part = { read: 3, created: 2, unchanged: 1, different: 0, rejected: 0, errors: [] }
    const error = { line: 9, field: 'timezone', code: 'UNKNOWN_TIMEZONE', message: 'Unknown.' }
    const fetch = async (address: string) => {
      asked.push(new URL(address).search)
      const isLast = asked.length % 2 === 0
      const rest = { read: 2, created: 0, unchanged: 1, different: 0, rejected: 1 }
      if (asked.length === 4) {
        const soFar = { ...rest, next: 6 }
        return Response.json({ code: 'INTERNAL', status: 500, detail: 'Down.', soFar }, { status: 500 })
      }
      const sharedDates = [{ date: '1900-01-01', people: isLast ? 10 : 12 }]
      if (isLast) return Response.json({ ...rest, next: null, errors: [error], sharedDates })
      return Response.json({ ...part, next: 4, sharedDates })
    }
    const client = createClient({ url, fetch })
    const sums = { read: 5, created: 2, unchanged: 2, different: 0, rejected: 1 }
    const all = await client.importPeople('a table', { query: { dryRun: true } })
    const sharedDates = [{ date: '1900-01-01', people: 22 }]
    expect(all).toEqual({ ...sums, next: null, errors: [error], sharedDates })
    expect(asked).toEqual(['?dryRun=true', '?dryRun=true&from=4'])
    expect((await rejectionOf(client.importPeople('a table'))).soFar).toEqual({ ...sums, next: 6 })
  })

  it('throws a TerceError with the code and one problem per invalid field', async () => {
    const wrong = { ...ADA, timezone: 'Jakarta', firstName: '' }
    const rejected = await rejectionOf(createClient({ url, key: KEY }).post('/user', { body: wrong }))
    expect(rejected).toMatchObject({ name: 'TerceError', code: 'INVALID_INPUT', status: 400 })
    expect(rejected.problems.map(({ field, code }) => `${field} ${code}`)).toEqual([
      'firstName INVALID_NAME',
      'timezone UNKNOWN_TIMEZONE',
    ])
    expect(rejected.message).toContain('timezone: Unknown timezone "Jakarta"')
    const unauthorized = await rejectionOf(createClient({ url, key: 'no key' }).get('/user'))
    expect([unauthorized.code, unauthorized.status]).toEqual(['UNAUTHORIZED', 401])
  })

  it.each([
    [502, '<h1>Bad gateway</h1>'],
    [200, '<p>Sign in'],
    [200, 'OK'],
    [200, ''],
    [204, ''],
  ])('throws HTTP_%i for the response "%s" of a proxy', async (status, text) => {
    const fetch = async () => new Response(status === 204 ? null : text, { status })
    const rejected = await rejectionOf(createClient({ url, fetch }).get('/user'))
    expect([rejected.code, rejected.status]).toEqual([`HTTP_${status}`, status])
    const start = text === '' ? 'It is empty.' : `It begins: ${text}`
    expect(rejected.detail).toBe(`The response is not from Terce. Check the URL. ${start}`)
  })

  it('throws for a page of a proxy in place of an export', async () => {
    const headers = { 'content-type': 'text/html; charset=utf-8' }
    const fetch = async () => new Response('<p>Sign in', { headers })
    expect((await rejectionOf(createClient({ url, fetch }).get('/user/export'))).code).toBe('HTTP_200')
    expect(await createClient({ url, fetch }).get('/docs')).toBe('<p>Sign in')
  })

  it('throws the error of fetch unchanged if there is no response', async () => {
    const broken = new TypeError('fetch failed')
    const fetch = () => Promise.reject(broken)
    await expect(createClient({ url, fetch }).get('/user')).rejects.toBe(broken)
    const signal = AbortSignal.abort(new Error('not needed any more'))
    await expect(createClient({ url, key: KEY }).get('/user', { signal })).rejects.toThrow(
      'not needed any more',
    )
  })

  it('sends one request, follows no redirect, and rejects ids that change the path', async () => {
    const asked: string[] = []
    const fetch = async (address: string) => {
      asked.push(address)
      return new Response(null, { status: 307, headers: { Location: 'http://elsewhere.example/user' } })
    }
    const client = createClient({ url: 'http://here.example/base/', key: KEY, fetch })
    expect((await rejectionOf(client.get('/user/{id}', { path: { id: 'a/b?c' } }))).code).toBe('HTTP_307')
    expect(asked).toEqual(['http://here.example/base/user/a%2Fb%3Fc'])
    for (const id of ['', '.', '..']) {
      await expect(client.delete('/user/{id}', { path: { id } })).rejects.toThrow('cannot be the id')
    }
    expect(asked).toHaveLength(1)
  })

  it.each([301, 302, 303, 307, 308])(
    'keeps the key from the target of a redirect with %i',
    async (status) => {
      const reached: (string | null)[] = []
      const elsewhere = await start({
        fetch: (request) => {
          reached.push(request.headers.get('Authorization'))
          return Response.json({ items: [], nextCursor: null })
        },
      })
      const redirecting = await start({
        fetch: () => new Response(null, { status, headers: { Location: `${elsewhere}/user` } }),
      })
      const rejected = await rejectionOf(createClient({ url: redirecting, key: KEY }).get('/user'))
      expect([rejected.code, reached]).toEqual([`HTTP_${status}`, []])
    },
  )

  it('rejects unknown paths, methods and fields at compile time', () => {
    const client = createClient({ url })
    const calls = () => [
      // @ts-expect-error Unknown path.
      client.get('/users'),
      // @ts-expect-error The path has no such method.
      client.delete('/user', {}),
      // @ts-expect-error The id is required.
      client.get('/user/{id}'),
      // @ts-expect-error A field is misspelt.
      client.put('/user/{id}', { path: { id: NO_ONE }, body: { timeZone: 'UTC' } }),
      // @ts-expect-error Not a paginated list.
      client.each('/today'),
    ]
    const read = (): Promise<User> => client.get('/user/{id}', { path: { id: NO_ONE } })
    expect([typeof calls, typeof read]).toEqual(['function', 'function'])
  })
})
