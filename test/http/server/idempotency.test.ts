// Idempotency keys of new people, occasions and tasks: a key names one record of its caller.
import { describe, expect, it } from 'vitest'
import { ADA, createTestApp, type TestApp } from '../support/test-app.ts'

const KEY = { 'Idempotency-Key': 'onboarding-42' }
const WORK = { type: 'WORK_ANNIVERSARY', date: '2019-03-01' }
const PASSPORT = { title: 'Renew the passport', dueAt: '2026-12-20T16:00:00Z' }

/** How to create, change and list each kind of record. */
const KINDS = {
  user: {
    request: () => ({ path: '/user', body: { ...ADA, firstName: 'Eda' } as object }),
    change: { firstName: 'Grace' },
    list: async ({ send }: TestApp) =>
      (await send('/user')).json.items.filter(({ firstName }: { firstName: string }) => firstName !== 'Ada'),
  },
  occasion: {
    request: (userId: string) => ({ path: `/user/${userId}/occasion`, body: WORK as object }),
    change: { date: '2020-03-01' },
    list: async ({ send }: TestApp, userId: string) =>
      (await send(`/user/${userId}/occasion`)).json.items.filter(
        ({ type }: { type: string }) => type !== 'BIRTHDAY',
      ),
  },
  task: {
    request: (userId: string) => ({ path: '/task', body: { userId, ...PASSPORT } as object }),
    change: { title: 'Renew the visa' },
    list: async ({ send }: TestApp, userId: string) => (await send(`/task?userId=${userId}`)).json.items,
  },
}

async function begin(kind: (typeof KINDS)[keyof typeof KINDS] = KINDS.occasion) {
  const app = createTestApp()
  const userId = (await app.post('/user', ADA)).json.user.id as string
  const { path, body } = kind.request(userId)
  const create = (over: object = {}, headers: Record<string, string> = KEY) =>
    app.post(path, { ...body, ...over }, headers)
  const pathOf = ({ headers }: { headers: Headers }) => headers.get('Location')!
  return { app, userId, create, list: () => kind.list(app, userId), pathOf }
}

describe.each(Object.entries(KINDS))('Idempotency-Key of a new %s', (name, kind) => {
  it('returns the record as it is now, with status 200, also for another body', async () => {
    const { app, create, list, pathOf } = await begin(kind)
    const planned = app.planned.length
    const first = await create()
    expect(first.status).toBe(201)
    const { id } = first.json.user ?? first.json
    expect(pathOf(first)).toBe(`/${name}/${id}`)
    app.setClock('2027-11-15T05:00:00Z')
    const second = await create()
    expect([second.status, pathOf(second)]).toEqual([200, pathOf(first)])
    expect(second.json).toEqual(first.json)
    expect(second.headers.get('ETag')).toBe(first.headers.get('ETag'))
    expect(app.planned, 'the scheduler is woken for the first request').toHaveLength(planned + 1)
    expect((await app.put(pathOf(first), kind.change)).status).toBe(200)
    const third = await create({ ...kind.change, language: undefined })
    expect([third.status, third.json.user ?? third.json]).toMatchObject([
      200,
      { id, version: 2, ...kind.change },
    ])
    expect(third.headers.get('ETag')).toBe('"v2"')
    expect(await list()).toHaveLength(1)
  })

  it('creates one record from concurrent requests', async () => {
    const { create, list } = await begin(kind)
    const responses = await Promise.all(Array.from({ length: 20 }, () => create()))
    expect(new Set(responses.map(({ text }) => text)).size).toBe(1)
    expect(responses.map(({ status }) => status).sort()).toEqual([...Array(19).fill(200), 201])
    expect(await list()).toHaveLength(1)
  })

  it('rejects a key that named a record of another kind or of another person', async () => {
    const { app, userId, create, list } = await begin(kind)
    await create()
    const { user } = (await app.post('/user', { ...ADA, firstName: 'Ada' })).json
    const others = Object.values(KINDS).map((other) => other.request(user.id))
    const isSame = (path: string) => name === 'user' && path === '/user'
    for (const { path, body } of [...others, ...Object.values(KINDS).map((one) => one.request(userId))]) {
      const own = kind.request(userId)
      if (isSame(path) || (own.path === path && JSON.stringify(own.body) === JSON.stringify(body))) continue
      expect((await app.post(path, body, KEY)).json).toMatchObject({
        status: 409,
        code: 'IDEMPOTENCY_KEY_REUSED',
      })
    }
    expect(await list()).toHaveLength(1)
  })

  it('is RECORD_DELETED after the record was deleted, and creates nothing', async () => {
    const { app, create, list, pathOf } = await begin(kind)
    await app.send(pathOf(await create()), { method: 'DELETE' })
    expect((await create()).json).toMatchObject({ status: 410, code: 'RECORD_DELETED' })
    expect(await list()).toEqual([])
  })
})

describe('Idempotency-Key', () => {
  it('belongs to the API key of the caller: with another key it names another person', async () => {
    const app = createTestApp({ environmentKey: 'a-key-of-the-environment' })
    const first = { Authorization: 'Bearer a-key-of-the-environment' }
    const { key } = (await app.post('/key', { name: 'other', scope: 'admin' }, first)).json
    const other = { Authorization: `Bearer ${key}` }
    const one = await app.post('/user', ADA, { ...KEY, ...first })
    const two = await app.post('/user', { ...ADA, firstName: 'Grace' }, { ...KEY, ...other })
    expect([one.status, two.status]).toEqual([201, 201])
    expect((await app.post('/user', ADA, { ...KEY, ...first })).json).toEqual(one.json)
    const Cookie = (await app.post('/session', { key })).headers.get('Set-Cookie')!.split(';')[0]!
    expect((await app.post('/user', ADA, { ...KEY, Cookie })).json).toEqual(two.json)
  })

  it('is not used up by a rejected request, or by a conflict on the external id', async () => {
    const { app, create } = await begin()
    expect((await create({ date: '2019-02-30' })).status).toBe(400)
    expect((await create()).status).toBe(201)
    const body = { ...ADA, externalId: 'hr-1' }
    const racers = ['one', 'two'].map(async (key) => {
      const repeat = () => app.post('/user', body, { 'Idempotency-Key': key })
      return { repeat, ...(await repeat()) }
    })
    const [won, lost] = (await Promise.all(racers)).sort((a, b) => a.status - b.status)
    expect([won!.status, lost!.json.code]).toEqual([201, 'EXTERNAL_ID_TAKEN'])
    expect((await won!.repeat()).status).toBe(200)
    expect((await lost!.repeat()).json.code).toBe('EXTERNAL_ID_TAKEN')
    await app.send(`/user/${won!.json.user.id}`, { method: 'DELETE' })
    expect((await lost!.repeat()).status).toBe(201)
  })

  it('is optional: two requests without a key create two records', async () => {
    const { create, list } = await begin()
    await Promise.all([create({}, {}), create({}, {})])
    expect(await list()).toHaveLength(2)
  })

  it('is ignored in a dry run', async () => {
    const { app, userId } = await begin()
    const path = `/user/${userId}/occasion`
    expect((await app.post(`${path}?dryRun=true`, WORK, KEY)).status).toBe(200)
    const first = await app.post(path, WORK, KEY)
    expect(first.status).toBe(201)
    const again = await app.post(`${path}?dryRun=true`, WORK, KEY)
    expect([again.status, again.json.id === first.json.id]).toEqual([200, false])
  })
})
