// The ledger over HTTP: days, lines with their evidence, and days that are not closed.
import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { openSharedSqliteStore } from '../../../src/stores/sqlite/sqlite-store.ts'
import { openClosedDays } from '../../app/ledger/support/closed-days.ts'
import { createTestApp, type Json, NO_ONE } from '../support/test-app.ts'

/** Three closed days, and an account of 2026-11-17 that is being computed at 2026-11-18T13:00Z. */
async function begin() {
  const closed = await openClosedDays()
  await closed.saveLines('2026-11-17', closed.linesFor('2026-11-17', ['open', 'delivered']))
  const app = createTestApp({ store: closed.store })
  app.setClock('2026-11-18T13:00:00Z')
  return { ...closed, ...app }
}

describe('GET /ledger', () => {
  it('lists the days, the newest first, with their counts and hashes', async () => {
    const { send, closed } = await begin()
    const { status, json } = await send('/ledger')
    expect(status).toBe(200)
    expect(json.items.map(({ day, state }: Json) => [day, state])).toEqual([
      ['2026-11-17', 'closing'],
      ['2026-11-16', 'closed'],
      ['2026-11-15', 'closed'],
      ['2026-11-14', 'closed'],
    ])
    expect(json.items[1]).toEqual({
      day: '2026-11-16',
      state: 'closed',
      closedAt: '2026-11-17T12:00:00.000Z',
      people: 1000,
      ...{ owed: 5, delivered: 3, late: 0, failed: 1, excused: 1, open: 0, unexplained: 0, surplus: 0 },
      ...{ carried: 0, early: 0, hash: closed[2]!.day.hash },
      tzVersion: '2026a',
      prunedAt: null,
    })
    expect(json.items[0]).toMatchObject({ closedAt: null, hash: null, people: 1, open: 1 })
  })

  it('lists a range of days that have ended, and at most as many as asked for', async () => {
    const { send, setClock } = await begin()
    const days = async (query: string) =>
      (await send(`/ledger?${query}`)).json.items.map(({ day }: Json) => day)
    expect(await days('from=2026-11-15&to=2026-11-16')).toEqual(['2026-11-16', '2026-11-15'])
    expect(await days('limit=1')).toEqual(['2026-11-17'])
    const { nextCursor } = (await send('/ledger?limit=3')).json
    expect(await days(`cursor=${nextCursor}`)).toEqual(['2026-11-14'])
    expect((await send('/ledger?from=2026-11-15')).json.nextCursor).toBeNull()
    // A day is prepared before it has ended.
    setClock('2026-11-18T11:59:59Z')
    expect(await days('limit=1')).toEqual(['2026-11-16'])
  })

  it('rejects a limit, a date or a parameter that is none', async () => {
    const { send } = await begin()
    for (const query of ['limit=367', 'limit=0', 'from=yesterday', 'to=2026-02-30', 'day=2026-11-15'])
      expect((await send(`/ledger?${query}`)).json.code, query).toBe('INVALID_QUERY')
  })
})

describe('GET /ledger/{day}', () => {
  it('returns the lines of a day page by page, problems first', async () => {
    const { send } = await begin()
    const found: Json[] = []
    let cursor = ''
    for (let pages = 0; pages < 3; pages++) {
      const { json } = await send(`/ledger/2026-11-15?limit=2${cursor}`)
      expect(json.day.day).toBe('2026-11-15')
      found.push(...json.items)
      if (json.nextCursor === null) break
      cursor = `&cursor=${json.nextCursor}`
    }
    expect(found.map(({ number }) => number)).toEqual([3, 4, 1, 2, 5])
    // The journal entry of line 4 was pruned.
    expect(found[1]).toMatchObject({ column: 'excused', reason: 'PAUSED', evidence: null })
  })

  it('returns a line with its instants, lateness and reason', async () => {
    const { send, closed, person } = await begin()
    const { items: lines } = (await send('/ledger/2026-11-15?column=delivered')).json
    expect(lines).toHaveLength(3)
    const stored = closed[1]!.lines.find(({ column }) => column === 'delivered')!
    expect(lines[0]).toEqual({
      column: 'delivered',
      reason: null,
      reasonText: 'It was delivered.',
      occasionId: stored.occasionId,
      eventId: stored.eventId,
      userId: person.user.id,
      externalId: person.user.externalId,
      firstName: person.user.firstName,
      lastName: person.user.lastName,
      occasionType: 'BIRTHDAY',
      localTime: '2026-11-15T00:00',
      occurrence: '2026-11-15',
      dueAt: new Date(stored.dueAt!).toISOString(),
      expectedAt: null,
      settledAt: new Date(stored.settledAt!).toISOString(),
      lateSeconds: 0.25,
      attempt: 1,
      because: null,
      carriedFrom: null,
      number: stored.number,
      evidence: null,
    })
  })

  it('has the local time of the timezone that an event was planned for, and of the person for a line without an event', async () => {
    const { send, put, person, linesFor, closeDay } = await begin()
    const [event] = person.events
    await put(`/user/${person.user.id}`, { timezone: 'Asia/Tokyo' })
    const planned = (await send(`/event/${event!.id}`)).json
    const dueAt = Date.parse(planned.targetTimestampUTC)
    const [sent, missing] = linesFor('2026-11-18', ['surplus', 'unexplained'])
    const lines = [
      { ...sent!, eventId: event!.id, dueAt },
      { ...missing!, eventId: null, dueAt: dueAt + 3_600_000 },
    ]
    await closeDay('2026-11-18', lines)
    const { json } = await send('/ledger/2026-11-18')
    const local = planned.targetTimestampLocal.slice(0, 13)
    expect(local).toMatch(/T09$/)
    expect(json.items.map(({ localTime }: Json) => localTime)).toEqual([
      `${local}:00`,
      `${local.slice(0, 11)}10:00`,
    ])
  })

  it('returns the deletion that excuses a line, without the id of the person', async () => {
    const { send, store, person, linesFor, closeDay } = await begin()
    await send(`/user/${person.user.id}`, { method: 'DELETE' })
    const [entry] = (await store.readJournal({ kinds: ['person-deleted'], from: 0 })).entries
    const nobody = { occasionId: null, eventId: null, occurrence: null, dueAt: null, settledAt: null }
    const lines = linesFor('2026-11-18', ['excused']).map((line) => ({ ...line, ...nobody }))
    const excused = lines.map((line) => ({ ...line, reason: 'DELETED', entry: entry!.number }))
    await closeDay('2026-11-18', excused)
    const { json, text } = await send('/ledger/2026-11-18')
    expect(json.items[0]).toMatchObject({
      userId: null,
      firstName: null,
      occasionType: null,
      reason: 'DELETED',
    })
    expect(json.items[0].evidence).toEqual({
      number: entry!.number,
      at: '2026-11-18T13:00:00.000Z',
      kind: 'person-deleted',
      text: 'The person was deleted.',
      idHash: createHash('sha256').update(person.user.id).digest('hex'),
    })
    expect(text).not.toContain(person.user.id)
  })

  it('says when the lines of a day were pruned, and has the lines so far of a day that is being closed', async () => {
    const { send, db } = await begin()
    const { day, items: lines } = (await send('/ledger/2026-11-17')).json
    expect([day.state, lines.length]).toEqual(['closing', 2])
    db.exec(`UPDATE ledger_days SET pruned_at = 1000 WHERE day = '2026-11-14'`)
    expect((await send('/ledger/2026-11-14')).json.day.prunedAt).toBe('1970-01-01T00:00:01.000Z')
  })

  it.each([
    ['2026-11-13', 'DAY_NOT_FOUND', 'The days from 2026-11-14 to 2026-11-16 are closed.'],
    [
      '2026-11-18',
      'DAY_NOT_CLOSED',
      'The account of 2026-11-18 is closed soon after 2026-11-19T12:00:00.000Z',
    ],
    ['2027-01-01', 'DAY_NOT_CLOSED', 'The days from 2026-11-14 to 2026-11-16 are closed.'],
    ['yesterday', 'DAY_NOT_FOUND', '"yesterday" is not a date such as 2026-12-15.'],
  ])('says of %s that it is %s', async (day, code, detail) => {
    const { send } = await begin()
    const { status, json } = await send(`/ledger/${day}`)
    expect([status, json.code]).toEqual([404, code])
    expect(json.detail).toContain(detail)
  })

  it('says that no day is closed in a ledger that has just begun', async () => {
    const { send, store } = createTestApp()
    const { json } = await send('/ledger/2026-11-14')
    expect([json.code, json.detail]).toEqual([
      'DAY_NOT_FOUND',
      'The ledger does not have 2026-11-14. No day is closed yet.',
    ])
    expect((await send('/ledger/2026-11-15')).json.code).toBe('DAY_NOT_CLOSED')
    await store.openLedgerDay({ day: '2026-11-14', startedAt: 0 })
    expect((await send('/ledger/2026-11-14')).json.code).toBe('DAY_NOT_CLOSED')
    expect((await send('/ledger')).json).toEqual({ items: [], nextCursor: null })
  })

  it('rejects an unknown column and a cursor of another list', async () => {
    const { send } = await begin()
    for (const query of ['column=late', `cursor=${btoa(NO_ONE)}`, 'limit=201'])
      expect((await send(`/ledger/2026-11-15?${query}`)).json.code, query).toBe('INVALID_QUERY')
  })
})

it.each(['/ledger', '/ledger/2026-11-15'])('GET %s needs a key', async (path) => {
  const { send } = createTestApp({ environmentKey: 'k'.repeat(20) })
  expect((await send(path)).status).toBe(401)
})

describe('GET /ledger/today', () => {
  const BORN = { firstName: 'Ada', lastName: 'Lovelace', timezone: 'UTC' }

  /** Two birthdays on 2026-11-18: one at 09:00 UTC, whose event is lost, and one at 09:00 in Hawaii, which is 19:00 UTC. */
  async function live() {
    const { db, store } = openSharedSqliteStore(':memory:', '')
    const app = createTestApp({ store })
    app.setClock('2026-11-17T10:00:00Z')
    const lost = await app.post('/user', { ...BORN, dateOfBirth: '1990-11-18' })
    await app.post('/user', { ...BORN, dateOfBirth: '1990-11-18', timezone: 'Pacific/Honolulu' })
    db.exec(`DELETE FROM events WHERE occasion_id = '${lost.json.nextBirthdayEvent.occasionId}'`)
    return { ...app, db, store, lost: lost.json }
  }

  it('has what was due on the running day up to now, and stores nothing', async () => {
    const { send, setClock, store, lost } = await live()
    setClock('2026-11-18T10:00:00Z')
    const { status, json } = await send('/ledger/today')
    expect([status, json.at, json.complete]).toEqual([200, '2026-11-18T10:00:00.000Z', true])
    expect(json.day).toMatchObject({
      ...{ day: '2026-11-18', state: 'running', closedAt: null, hash: null },
      ...{ people: 2, owed: 1, unexplained: 1, open: 0, delivered: 0 },
    })
    expect(json.lines).toEqual([
      expect.objectContaining({ reason: 'NO_EVENT', userId: lost.user.id, localTime: '2026-11-18T09:00' }),
    ])
    setClock('2026-11-18T20:00:00Z')
    const later = (await send('/ledger/today')).json
    expect(later.day).toMatchObject({ owed: 2, unexplained: 1, open: 1 })
    expect(later.lines.map(({ reason }: Json) => reason)).toEqual(['NO_EVENT', 'NOT_CLAIMED'])
    expect(await store.listLedgerDays({ limit: 9 })).toEqual([])
  })

  it('is computed once in ten seconds, and has no name of a person who was erased since', async () => {
    const { send, setClock, lost } = await live()
    setClock('2026-11-18T10:00:00Z')
    await send('/ledger/today')
    await send(`/user/${lost.user.id}`, { method: 'DELETE' })
    setClock('2026-11-18T10:00:09Z')
    const { json } = await send('/ledger/today')
    expect([json.at, json.day.unexplained]).toEqual(['2026-11-18T10:00:00.000Z', 1])
    expect(json.lines[0]).toMatchObject({ userId: null, firstName: null, occasionType: null })
    setClock('2026-11-18T10:00:10Z')
    expect((await send('/ledger/today')).json.day).toMatchObject({ people: 1, unexplained: 0 })
  })
})
