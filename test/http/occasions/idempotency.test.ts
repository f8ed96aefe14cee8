// Idempotency keys of new people, occasions and tasks: one key, one resource, one response.
import { describe, expect, it } from 'vitest'
import { ADA, createTestApp, type TestApp } from '../support/test-app.ts'

const KEY = { 'Idempotency-Key': 'onboarding-42' }
const WORK = { type: 'WORK_ANNIVERSARY', date: '2019-03-01' }
const PASSPORT = { title: 'Renew the passport', dueAt: '2026-12-20T16:00:00Z' }

/** How to create, change and list each kind of resource. */
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
  it('returns the stored response byte for byte, also after the resource changed', async () => {
    const { app, create, list, pathOf } = await begin(kind)
    const planned = app.planned.length
    const first = await create()
    expect(first.status).toBe(201)
    const { id } = first.json.user ?? first.json
    expect(pathOf(first)).toBe(`/${name}/${id}`)
    app.setClock('2026-11-15T05:00:00Z')
    const second = await create()
    expect(first.headers.get('Idempotent-Replayed')).toBeNull()
    expect(second.headers.get('Idempotent-Replayed')).toBe('true')
    expect([second.status, second.text]).toEqual([first.status, first.text])
    for (const header of ['Content-Type', 'Location', 'ETag'])
      expect(second.headers.get(header)).toBe(first.headers.get(header))
    expect(await list()).toHaveLength(1)
    expect(app.planned, 'the scheduler is woken for the first request').toHaveLength(planned + 1)
    expect((await app.put(pathOf(first), kind.change)).status).toBe(200)
    expect((await create()).text).toBe(first.text)
  })

  it('creates one resource from concurrent requests', async () => {
    const { create, list } = await begin(kind)
    const answers = await Promise.all(Array.from({ length: 20 }, () => create()))
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(201))
    expect(answers.filter(({ headers }) => headers.get('Idempotent-Replayed') === null)).toHaveLength(1)
    expect(await list()).toHaveLength(1)
  })

  it('rejects a key that was used for another body or for a person', async () => {
    const { app, create, list } = await begin(kind)
    await create()
    expect((await create(kind.change)).json).toMatchObject({ status: 422, code: 'IDEMPOTENCY_KEY_REUSED' })
    expect((await app.post('/user', ADA, KEY)).json.code).toBe('IDEMPOTENCY_KEY_REUSED')
    expect(await list()).toHaveLength(1)
  })

  it('is RESPONSE_ERASED after the resource was deleted, and creates nothing', async () => {
    const { app, create, list, pathOf } = await begin(kind)
    await app.send(pathOf(await create()), { method: 'DELETE' })
    expect((await create()).json).toMatchObject({ status: 410, code: 'RESPONSE_ERASED' })
    expect(await list()).toEqual([])
  })
})

describe('Idempotency-Key', () => {
  it('creates one resource when two bodies with one key arrive concurrently', async () => {
    const { create, list } = await begin()
    const racers = await Promise.all([create(), create(KINDS.occasion.change)])
    expect(racers.map(({ status }) => status).sort()).toEqual([201, 422])
    expect(await list()).toHaveLength(1)
  })

  it('is not used up by a rejected request', async () => {
    const { create } = await begin()
    expect((await create({ date: '2019-02-30' })).status).toBe(400)
    expect((await create()).status).toBe(201)
  })

  it('is optional: two requests without a key create two resources', async () => {
    const { create, list } = await begin()
    await Promise.all([create({}, {}), create({}, {})])
    expect(await list()).toHaveLength(2)
  })
})

describe('Idempotency-Key of a dry run', () => {
  it('stores no response and returns none', async () => {
    const app = createTestApp()
    const userId = (await app.post('/user', ADA)).json.user.id
    const path = `/user/${userId}/occasion`
    const tried = await app.post(`${path}?dryRun=true`, WORK, KEY)
    expect([tried.status, tried.headers.get('Idempotent-Replayed')]).toEqual([200, null])
    const first = await app.post(path, WORK, KEY)
    expect([first.status, first.headers.get('Idempotent-Replayed')]).toEqual([201, null])
    const again = await app.post(`${path}?dryRun=true`, WORK, KEY)
    expect([again.status, again.headers.get('Idempotent-Replayed')]).toEqual([200, null])
    expect(again.json.id).not.toBe(first.json.id)
    const other = await app.post(`${path}?dryRun=true`, { ...WORK, date: '2020-03-01' }, KEY)
    expect(other.status).toBe(200)
    expect((await app.post(`${path}?dryRun=false`, WORK, KEY)).text).toBe(first.text)
  })
})
