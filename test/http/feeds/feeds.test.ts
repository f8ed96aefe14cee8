// Calendar feeds: the secret URL is returned once and stored as a hash; it returns the planned events.
import { describe, expect, it } from 'vitest'
import { sha256Hex } from '../../../src/domain/formats/sha256.ts'
import { parseCalendar } from '../../support/calendar-reader.ts'
import { DAY, makePeople } from '../../support/fixtures.ts'
import { ADA, createTestApp, NO_ONE, type TestApp } from '../support/test-app.ts'

const NOW = Date.parse('2026-11-15T04:00:00Z')

/** A feed of one person. */
async function withFeed(over: object = {}) {
  const app = createTestApp()
  const { user } = (await app.post('/user', { ...ADA, ...over })).json
  const feed = await makeFeed(app, user.id)
  return { ...app, app, user, ...feed, read: () => readFeed(app, feed.path) }
}

async function makeFeed(app: TestApp, userId?: string) {
  const { status, json } = await app.post('/feed', userId === undefined ? {} : { userId })
  expect(status).toBe(201)
  return { ...json, path: new URL(json.url).pathname } as { id: string; url: string; path: string }
}

async function readFeed({ send }: TestApp, path: string) {
  const { status, headers, text } = await send(path)
  expect([status, headers.get('Content-Type')]).toEqual([200, 'text/calendar; charset=utf-8'])
  return parseCalendar(text)
}

const shown = ({ DTSTART, SUMMARY }: Record<string, string>) => `${DTSTART} ${SUMMARY}`

describe('a calendar feed', () => {
  it('returns its URL once, stores only a hash, and is listed without the URL', async () => {
    const { send, store, user, id, url } = await withFeed()
    const token = /^http:\/\/localhost\/calendar\/([\w-]{43,})\.ics$/.exec(url)![1]!
    const listed = await send('/feed')
    expect(listed.json).toEqual({ items: [{ id, userId: user.id, createdAt: '2026-11-15T04:00:00.000Z' }] })
    expect(listed.text).not.toContain(token)
    const [stored] = await store.listFeeds()
    expect(stored!.tokenHash).toBe(sha256Hex(token))
    expect(JSON.stringify(stored)).not.toContain(token)
  })

  it('has a URL that begins with PUBLIC_URL, also behind a proxy', async () => {
    const { url } = await makeFeed(createTestApp({ publicUrl: 'https://terce.example' }))
    expect(url).toMatch(/^https:\/\/terce\.example\/calendar\/[\w-]{43,}\.ics$/)
  })

  it('is readable until it or its user is deleted; a second deletion is FEED_NOT_FOUND', async () => {
    const { app, send, user, id, path, read } = await withFeed()
    await read()
    expect((await send(`/feed/${id}`, { method: 'DELETE' })).status).toBe(204)
    expect((await send(path)).json.code).toBe('FEED_NOT_FOUND')
    expect((await send(`/feed/${id}`, { method: 'DELETE' })).json.code).toBe('FEED_NOT_FOUND')
    const another = await makeFeed(app, user.id)
    await send(`/user/${user.id}`, { method: 'DELETE' })
    expect((await send(another.path)).status).toBe(404)
    expect((await send('/feed')).json.items).toEqual([])
  })

  it.each([NO_ONE, 'x'])('is not created for the unknown user %s', async (userId) => {
    const { json, status } = await createTestApp().post('/feed', { userId })
    expect([status, json.code]).toEqual([404, 'USER_NOT_FOUND'])
  })

  it('is for everyone if the body is empty; unknown or invalid fields are rejected', async () => {
    const app = createTestApp()
    expect((await app.send('/feed', { method: 'POST' })).json).toMatchObject({ userId: null })
    expect((await app.post('/feed', { user: NO_ONE })).json.problems).toMatchObject([
      { code: 'UNKNOWN_FIELD' },
    ])
    expect((await app.post('/feed', { userId: 7 })).json.code).toBe('INVALID_INPUT')
  })

  it('is FEED_NOT_FOUND for a wrong token, and for the hash of its token', async () => {
    const { store, send, errors } = await withFeed()
    const [feed] = await store.listFeeds()
    for (const guess of ['x', '', '%00', '%ff', 'terce_', 'a'.repeat(5_000), feed!.tokenHash]) {
      const { status, json } = await send(`/calendar/${guess}.ics`)
      expect([status, json.code], guess.slice(0, 20)).toEqual([404, 'FEED_NOT_FOUND'])
    }
    expect(errors).toEqual([])
  })

  it('is read without a key', async () => {
    const app = createTestApp({ environmentKey: 'an-admin-key-for-tests' })
    const { json } = await app.post('/feed', {}, { Authorization: 'Bearer an-admin-key-for-tests' })
    await readFeed(app, new URL(json.url).pathname)
  })

  it('is rate limited', async () => {
    const app = createTestApp({ perMinute: 2 })
    const { path } = await makeFeed(app)
    expect((await app.send(path)).status).toBe(200)
    const { status, json, headers } = await app.send(path)
    expect([status, json.code, headers.get('Retry-After')]).toEqual([429, 'RATE_LIMITED', '30'])
  })
})

describe('the calendar of a feed', () => {
  it('contains planned events as UTC instants, and yearly occasions for two years', async () => {
    const { post, user, read } = await withFeed()
    await post(`/user/${user.id}/occasion`, { type: 'WORK_ANNIVERSARY', date: '2020-03-01' })
    await post('/user', { ...ADA, firstName: 'Eve' })
    const { head, events } = await read()
    expect(head['X-WR-CALNAME']).toBe('Terce: Ada Lovelace')
    expect(events.map(shown).sort()).toEqual([
      // Vancouver stays at UTC-7 from November 2026 on.
      '20261215T160000Z Ada Lovelace: BIRTHDAY',
      '20270301T160000Z Ada Lovelace: WORK_ANNIVERSARY',
      '20271215T160000Z Ada Lovelace: BIRTHDAY',
      '20280301T160000Z Ada Lovelace: WORK_ANNIVERSARY',
    ])
    expect(events.map(({ DTSTAMP }) => DTSTAMP)).toEqual(Array(4).fill('20261115T040000Z'))
  })

  it('keeps the UID of an event when it is rescheduled, and in the feed for everyone', async () => {
    const { app, put, user, path } = await withFeed()
    const uids = async (of: string) => (await readFeed(app, of)).events.map(({ UID }) => UID)
    const before = await uids(path)
    expect(before).toHaveLength(2)
    await put(`/user/${user.id}`, { timezone: 'Asia/Tokyo' })
    const moved = await readFeed(app, path)
    expect(moved.events.map(({ UID }) => UID)).toEqual(before)
    expect(moved.events[0]!.DTSTART).toBe('20261215T000000Z')
    expect(await uids((await makeFeed(app)).path)).toEqual(before)
  })

  it('contains a task reminder with the title of the task', async () => {
    const { post, user, read } = await withFeed()
    await post('/task', { userId: user.id, title: 'Renew; the passport', dueAt: '2026-12-01T12:00:00Z' })
    const reminder = { SUMMARY: 'Ada Lovelace: TASK_REMINDER', DESCRIPTION: 'Renew; the passport' }
    expect((await read()).events).toContainEqual(expect.objectContaining(reminder))
  })

  it('is a valid empty calendar while the only occasion is paused', async () => {
    const { post, send, user, read } = await withFeed()
    const { items } = (await send(`/user/${user.id}/occasion`)).json
    await post(`/occasion/${items[0].id}/pause`, {})
    const { events, components } = await read()
    expect([events, components[0]?.name]).toEqual([[], 'VTIMEZONE'])
  })

  it('preserves special characters and long names', async () => {
    const { read } = await withFeed({ firstName: 'a;b,c\\n', lastName: '漢'.repeat(60) })
    expect((await read()).events[0]!.SUMMARY).toBe(`a;b,c\\n ${'漢'.repeat(60)}: BIRTHDAY`)
  })

  it('for everyone covers two years with up to 2,000 people, and thirty days with more', async () => {
    const app = createTestApp()
    const people = makePeople(2_000, (i) => ({ firstName: `P${i}`, targetAt: NOW + (i + 1) * (DAY / 10) }))
    await app.store.createUsers(people)
    const { path } = await makeFeed(app)
    const few = await readFeed(app, path)
    expect(few.events.length).toBeGreaterThan(4_000)

    await app.store.createUsers(makePeople(1, () => ({ firstName: 'Last', targetAt: NOW + DAY })))
    const { events } = await readFeed(app, path)
    expect(events).toHaveLength(300)
    expect(events.map(({ SUMMARY }) => SUMMARY)).toContain('Last Lovelace: BIRTHDAY')
    expect(events.map(({ DTSTART }) => DTSTART! < '20261215T040000Z')).not.toContain(false)
    expect(few.events.map(({ UID }) => UID)).toContain(events[0]!.UID)
  })

  it('for many people contains an event that was moved by days', async () => {
    const app = createTestApp()
    await app.store.createUsers(makePeople(2_000, (i) => ({ targetAt: NOW + (i + 60) * DAY })))
    await app.store.createUsers(
      makePeople(2, (i) => ({ firstName: `Soon${i}`, targetAt: NOW + (i + 4) * DAY })),
    )
    const born = { ...ADA, firstName: 'Moved', timezone: 'Etc/UTC', dateOfBirth: '1990-11-15' }
    const { user } = (await app.post('/user', born)).json
    await app.put(`/user/${user.id}`, { dateOfBirth: '1990-11-19' })
    app.setClock('2026-11-18T04:00:00Z')
    const { events } = await readFeed(app, (await makeFeed(app)).path)
    expect(events.map(shown).sort()).toEqual([
      '20261119T040000Z Soon0 Lovelace: BIRTHDAY',
      '20261119T090000Z Moved Lovelace: BIRTHDAY',
      '20261120T040000Z Soon1 Lovelace: BIRTHDAY',
    ])
  })
})
