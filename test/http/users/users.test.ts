// People over HTTP: create, read, change, delete, list.
import { describe, expect, it } from 'vitest'
import { ADA, createTestApp, NO_ONE } from '../support/test-app.ts'

describe('POST /user', () => {
  it('creates a person and schedules 09:00 by the rules of their timezone', async () => {
    const { post, planned } = createTestApp()
    const { status, json, headers } = await post('/user', ADA)
    expect(status).toBe(201)
    expect(json.user).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      ...ADA,
      email: null,
      language: null,
      externalId: null,
      createdAt: '2026-11-15T04:00:00.000Z',
      updatedAt: '2026-11-15T04:00:00.000Z',
      version: 1,
    })
    expect(json.nextBirthdayEvent).toMatchObject({
      userId: json.user.id,
      eventType: 'BIRTHDAY',
      occurrence: '2026',
      status: 'PENDING',
      targetTimestampUTC: '2026-12-15T16:00:00.000Z',
      targetTimestampLocal: '2026-12-15T09:00:00-07:00',
      targetTimezone: 'America/Vancouver',
      wakeAt: '2026-12-15T16:00:00.000Z',
      idempotencyKey: expect.stringMatching(/^event-[0-9a-f]{32}$/),
      deliveryPayload: null,
    })
    expect(headers.get('Location')).toBe(`/user/${json.user.id}`)
    expect(headers.get('ETag')).toBe('"v1"')
    expect(planned).toEqual([Date.parse('2026-12-15T16:00:00Z')])
  })

  it('returns the user and the event exactly as GET returns them afterwards', async () => {
    const { post, send } = createTestApp()
    const { json, headers } = await post('/user', ADA)
    expect((await send(headers.get('Location')!)).json).toEqual(json.user)
    const details = { attempts: [], channel: null, moves: [], replays: [], successor: null }
    const found = (await send(`/event/${json.nextBirthdayEvent.id}`)).json
    expect(found).toEqual({ ...json.nextBirthdayEvent, ...details })
  })

  it('accepts birthDate and location as aliases of dateOfBirth and timezone, also beside equal values', async () => {
    const { post } = createTestApp()
    const { dateOfBirth, timezone, ...names } = ADA
    const aliases = { birthDate: dateOfBirth, location: 'america/vancouver' }
    expect((await post('/user', { ...names, ...aliases })).json.user).toMatchObject(ADA)
    expect((await post('/user', { ...ADA, birthDate: dateOfBirth, location: timezone })).status).toBe(201)
  })

  it('rejects a field and its alias with different values, and names both', async () => {
    const { post } = createTestApp()
    const { json } = await post('/user', { ...ADA, birthDate: '1991-01-01', location: 'Asia/Jakarta' })
    const message = expect.stringMatching(/"dateOfBirth" and "birthDate"/)
    const code = 'CONFLICTING_FIELDS'
    expect(json).toMatchObject({ status: 400, problems: [{ code, message }, { code }] })
  })

  it('rejects an abbreviation or an offset as a timezone in every request that has one', async () => {
    const { post, put } = createTestApp()
    const { id } = (await post('/user', ADA)).json.user
    const occasion = { type: 'PARTY', date: '2020-01-01', template: 'Hi' }
    for (const timezone of ['EST', 'CET', 'GMT', 'EST5EDT', 'Etc/GMT+5']) {
      const rejected = [
        (await post('/user', { ...ADA, timezone })).json.problems[0],
        (await put(`/user/${id}`, { timezone })).json.problems[0],
        (await post('/occasion/preview', { ...occasion, timezone })).json.problems[0],
        (await post('/user/bulk', { users: [{ ...ADA, timezone }] })).json.results[0].problems[0],
      ]
      for (const problem of rejected) {
        expect(problem).toMatchObject({ code: 'UNKNOWN_TIMEZONE' })
        expect(problem.message).toContain(`"${timezone}" is not the timezone of a place.`)
      }
    }
  })
})

describe('PUT /user/:id', () => {
  it('reschedules the pending event and keeps its idempotency key', async () => {
    const { post, put, send } = createTestApp()
    const { user, nextBirthdayEvent } = (await post('/user', ADA)).json
    const timezone = 'Europe/London'
    const { status, json, headers } = await put(`/user/${user.id}`, { timezone })
    expect(status).toBe(200)
    const from = {
      ...{ utc: '2026-12-15T16:00:00.000Z', local: '2026-12-15T09:00:00-07:00' },
      timezone: ADA.timezone,
    }
    const to = { utc: '2026-12-15T09:00:00.000Z', local: '2026-12-15T09:00:00+00:00', timezone }
    expect(json).toEqual({
      user: { ...user, timezone, version: 2 },
      ...{ rescheduled: 1, skipped: 0, dryRun: false },
      moves: [{ eventId: nextBirthdayEvent.id, type: 'BIRTHDAY', from, to }],
    })
    expect(headers.get('ETag')).toBe('"v2"')
    const event = (await send(`/event/${nextBirthdayEvent.id}`)).json
    expect(event.targetTimestampUTC).toBe('2026-12-15T09:00:00.000Z')
    expect(event.idempotencyKey).toBe(nextBirthdayEvent.idempotencyKey)
  })

  it('keeps fields that are left out, and clears the e-mail address with null', async () => {
    const { post, put } = createTestApp()
    const { user } = (await post('/user', { ...ADA, email: 'ada@example.com' })).json
    const renamed = (await put(`/user/${user.id}`, { lastName: 'King' })).json.user
    expect(renamed).toMatchObject({ firstName: 'Ada', lastName: 'King', email: 'ada@example.com' })
    expect((await put(`/user/${user.id}`, { email: null })).json.user.email).toBeNull()
  })
})

describe('entity tags of a user', () => {
  it.each([
    ['"v1"', 200],
    ['"v7", "v1"', 200],
    ['*', 200],
    ['"v2"', 412],
    ['W/"v1"', 412],
    ['"something"', 412],
    ['v1', 400],
    ['"v1" "v2"', 400],
    ['', 400],
  ])('respond to If-Match %s at version 1 with %d', async (tag, status) => {
    const { post, put } = createTestApp()
    const { user } = (await post('/user', ADA)).json
    expect((await put(`/user/${user.id}`, { lastName: 'King' }, { 'If-Match': tag })).status).toBe(status)
  })

  it.each([
    ['"v1"', 304],
    ['W/"v1"', 304],
    ['"v0", "v1"', 304],
    ['*', 304],
    ['"v2"', 200],
    ['rubbish', 200],
  ])('respond to If-None-Match %s at version 1 with %d', async (tag, status) => {
    const { post, send } = createTestApp()
    const { user } = (await post('/user', ADA)).json
    const answer = await send(`/user/${user.id}`, { headers: { 'If-None-Match': tag } })
    expect(answer.status).toBe(status)
    expect(answer.headers.get('ETag')).toBe('"v1"')
    expect(answer.text === '').toBe(status === 304)
  })
})

describe('DELETE /user/:id', () => {
  it('deletes the person and their events', async () => {
    const { post, send } = createTestApp()
    const { user, nextBirthdayEvent } = (await post('/user', ADA)).json
    expect((await send(`/user/${user.id}`, { method: 'DELETE' })).status).toBe(204)
    for (const path of [`/user/${user.id}`, `/user/${user.id}/event`, `/event/${nextBirthdayEvent.id}`]) {
      expect((await send(path)).status).toBe(404)
    }
    expect((await send(`/user/${user.id}`, { method: 'DELETE' })).json.code).toBe('USER_NOT_FOUND')
  })
})

describe('GET /user', () => {
  async function withPeople(count: number) {
    const testApp = createTestApp()
    const users = Array.from({ length: count }, (_, i) => ({
      ...ADA,
      firstName: i % 10 === 0 ? `Grace ${i}` : `Ada ${i}`,
      timezone: i % 4 === 0 ? 'Asia/Jakarta' : ADA.timezone,
    }))
    await testApp.post('/user/bulk', { users })
    return testApp
  }

  it('returns 50 people by default, and filters by part of the name and by timezone, in any letter case', async () => {
    const { send } = await withPeople(60)
    const count = async (query: string) => (await send(`/user?${query}`)).json.items.length
    expect(await count('')).toBe(50)
    expect(await count('search=gRaCe')).toBe(6)
    expect(await count('timezone=asia/jakarta')).toBe(15)
    expect(await count('search=grace&timezone=Asia/Jakarta')).toBe(3)
    expect((await send('/user?search=nobody')).json).toEqual({ items: [], nextCursor: null })
  })

  it('filters by external id', async () => {
    const { send, post } = await withPeople(3)
    const ada = await post('/user', { ...ADA, externalId: 'hr-1042' })
    expect((await send('/user?externalId=hr-1042')).json.items).toMatchObject([ada.json.user])
    expect((await send('/user?externalId=HR-1042')).json.items).toEqual([])
    expect((await send('/user?externalId=')).json.items).toEqual([])
  })

  it('lists the newest people first on request, each with the next and the last message', async () => {
    const { send } = await withPeople(3)
    const { items, nextCursor } = (await send('/user?order=newest&limit=2')).json
    expect(items[0]).toMatchObject({ next: { type: 'BIRTHDAY', local: expect.any(String) }, last: null })
    const rest = (await send(`/user?order=newest&cursor=${nextCursor}`)).json
    const ids = [...items, ...rest.items].map(({ id }: { id: string }) => id)
    const oldest = (await send('/user?order=oldest')).json.items.map(({ id }: { id: string }) => id)
    expect(ids).toEqual(oldest.toReversed())
    expect(Buffer.from(nextCursor, 'base64url').toString()).toBe(ids[1])
  })

  it('filters by type, pause, failure and the time until the next message', async () => {
    const { post, send } = await withPeople(3)
    const { json } = await post('/user', { ...ADA, firstName: 'Zoë', dateOfBirth: '1990-11-20' })
    const firstNames = async (query: string) =>
      (await send(`/user?${query}`)).json.items.map(({ firstName }: { firstName: string }) => firstName)
    expect(await firstNames('dueWithin=7d')).toEqual(['Zoë'])
    expect(await firstNames('dueWithin=PT168H')).toEqual(['Zoë'])
    expect(await firstNames('dueWithin=3d')).toEqual([])
    expect(await firstNames('type=BIRTHDAY')).toHaveLength(4)
    expect(await firstNames('type=NAME_DAY')).toEqual([])
    const body = { filter: { ids: [json.user.id] } }
    expect((await post('/people/pause', body)).json).toMatchObject({ people: 1, changed: 1 })
    expect(await firstNames('paused=true')).toEqual(['Zoë'])
    expect(await firstNames('paused=false')).toHaveLength(3)
    expect(await firstNames('failed=true')).toEqual([])
  })
})

it('GET and PUT of an unknown user return USER_NOT_FOUND', async () => {
  const { send, put } = createTestApp()
  for (const id of [NO_ONE, 'bulk', '%00', 'not-a-uuid', `${NO_ONE}0`]) {
    expect((await send(`/user/${id}`)).json.code).toBe('USER_NOT_FOUND')
    expect((await put(`/user/${id}`, { lastName: 'King' })).json.code).toBe('USER_NOT_FOUND')
  }
})
