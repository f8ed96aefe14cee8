// Idempotency keys of new people: whose they are, how they are stored, and until when. What holds for every resource is in
// test/http/occasions/idempotency.test.ts.
import { describe, expect, it } from 'vitest'
import { ADA, createTestApp } from '../support/test-app.ts'

const KEY = { 'Idempotency-Key': 'signup-42' }

describe('Idempotency-Key of a new person', () => {
  it('returns the stored response until a day has passed, to the millisecond', async () => {
    const { post, setClock } = createTestApp()
    const first = await post('/user', ADA, KEY)
    setClock('2026-11-16T04:00:00.000Z')
    const last = await post('/user', ADA, KEY)
    expect([last.text, last.headers.get('Idempotent-Replayed')]).toEqual([first.text, 'true'])
    setClock('2026-11-16T04:00:00.001Z')
    const next = await post('/user', ADA, KEY)
    expect([next.status, next.headers.get('Idempotent-Replayed')]).toEqual([201, null])
  })

  it('keeps the stored response of a day when another key is used within it', async () => {
    const { post, setClock } = createTestApp()
    const first = await post('/user', ADA, KEY)
    setClock('2026-11-16T03:59:59Z')
    await post('/user', { ...ADA, firstName: 'Grace' }, { 'Idempotency-Key': 'signup-43' })
    expect((await post('/user', ADA, KEY)).text).toBe(first.text)
  })

  it('belongs to the API key of the caller: another key gets a response of its own', async () => {
    const app = createTestApp({ environmentKey: 'a-key-of-the-environment' })
    const first = { Authorization: 'Bearer a-key-of-the-environment' }
    const { key } = (await app.post('/key', { name: 'other', scope: 'admin' }, first)).json
    const other = { Authorization: `Bearer ${key}` }
    const one = await app.post('/user', ADA, { ...KEY, ...first })
    const two = await app.post('/user', { ...ADA, firstName: 'Grace' }, { ...KEY, ...other })
    expect([one.status, two.status, two.headers.get('Idempotent-Replayed')]).toEqual([201, 201, null])
    expect((await app.post('/user', ADA, { ...KEY, ...first })).text).toBe(one.text)
    const signedIn = await app.post('/session', { key })
    const Cookie = signedIn.headers.get('Set-Cookie')!.split(';')[0]!
    expect((await app.post('/user', { ...ADA, firstName: 'Grace' }, { ...KEY, Cookie })).text).toBe(two.text)
  })

  it('belongs to callers without a key if it was used before the first key: no key gets its response', async () => {
    const { post } = createTestApp()
    const first = await post('/user', ADA, { 'Idempotency-Key': 'zero' })
    const { key } = (await post('/key', { name: 'ci', scope: 'write' })).json
    const headers = { 'Idempotency-Key': 'zero', Authorization: `Bearer ${key}` }
    const other = await post('/user', ADA, headers)
    expect([other.status, other.headers.get('Idempotent-Replayed')]).toEqual([201, null])
    expect(other.json.user.id).not.toBe(first.json.user.id)
  })

  it('is stored as a hash, because a key can name the person', async () => {
    const { post, store } = createTestApp()
    const createUsers = store.createUsers
    const stored: unknown[] = []
    store.createUsers = (people, response) => {
      stored.push(response?.key)
      return createUsers(people, response)
    }
    await post('/user', ADA, { 'Idempotency-Key': 'ada@example.com' })
    expect(stored).toEqual(['sha256:b5fc85e55755f9e0d030a10ab4429b6b2944855f9a0d60077fe832becbc41d72'])
  })

  it('returns no stored response after the person was deleted', async () => {
    const { post, send } = createTestApp()
    const { user } = (await post('/user', ADA, KEY)).json
    await send(`/user/${user.id}`, { method: 'DELETE' })
    const again = await post('/user', ADA, KEY)
    expect(again.json).toMatchObject({ status: 410, code: 'RESPONSE_ERASED' })
    expect(again.text).not.toContain('Lovelace')
    expect((await send('/user')).json.items).toEqual([])
  })

  it('is not used up by a conflict on the external id', async () => {
    const { post, send } = createTestApp()
    const body = { ...ADA, externalId: 'hr-1' }
    const racers = ['one', 'two'].map(async (key) => {
      const repeat = () => post('/user', body, { 'Idempotency-Key': key })
      return { repeat, ...(await repeat()) }
    })
    const [won, lost] = (await Promise.all(racers)).sort((a, b) => a.status - b.status)
    expect([won!.status, lost!.json.code]).toEqual([201, 'EXTERNAL_ID_TAKEN'])
    expect((await lost!.repeat()).json.code).toBe('EXTERNAL_ID_TAKEN')
    await send(`/user/${won!.json.user.id}`, { method: 'DELETE' })
    expect((await lost!.repeat()).status).toBe(201)
  })

  it('also applies to POST /user/bulk', async () => {
    const { post, send } = createTestApp()
    const users = [ADA, { ...ADA, timezone: 'PST' }, ADA]
    const first = await post('/user/bulk', { users }, KEY)
    const second = await post('/user/bulk', { users }, KEY)
    expect(second.text).toBe(first.text)
    expect(second.headers.get('Idempotent-Replayed')).toBe('true')
    expect((await send('/user')).json.items).toHaveLength(2)
    await send(`/user/${first.json.results[2].user.id}`, { method: 'DELETE' })
    expect((await post('/user/bulk', { users }, KEY)).json.code).toBe('RESPONSE_ERASED')
  })
})
