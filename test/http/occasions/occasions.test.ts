// Occasions over HTTP: accepted and rejected input, and the responses.
import { describe, expect, it } from 'vitest'
import { openSharedSqliteStore } from '../../../src/stores/sqlite/sqlite-store.ts'
import { work } from '../support/event-steps.ts'
import { ADA, createTestApp, NO_ONE } from '../support/test-app.ts'

const BODY = { type: 'WORK_ANNIVERSARY', date: '2019-03-01' }
const TASK = { title: 'Renew the passport', dueAt: '2026-11-20T12:00:00Z' }

async function begin(options: Parameters<typeof createTestApp>[0] = {}) {
  const app = createTestApp(options)
  const { json } = await app.post('/user', ADA)
  const userId: string = json.user.id
  return { ...app, userId, path: `/user/${userId}/occasion` }
}

const codes = (json: { problems: { field: string; code: string }[] }) =>
  json.problems.map(({ field, code }) => `${field} ${code}`)

describe('POST /user/:id/occasion', () => {
  it('adds an occasion and returns its next event', async () => {
    const { post, path, userId, planned } = await begin()
    const { status, json, headers } = await post(path, BODY)
    expect(status).toBe(201)
    expect(headers.get('Location')).toBe(`/occasion/${json.id}`)
    expect(headers.get('ETag')).toBe('"v1"')
    expect(json).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      userId,
      externalId: null,
      type: 'WORK_ANNIVERSARY',
      date: '2019-03-01',
      localTime: '09:00',
      repeats: 'YEARLY',
      calendar: 'gregorian',
      leapDay: 'MARCH_1',
      shift: null,
      onWeekend: null,
      until: null,
      template: null,
      channel: null,
      notAfter: null,
      data: null,
      pausedAt: null,
      version: 1,
      next: {
        eventId: expect.any(String),
        occurrence: '2027',
        targetTimestampUTC: '2027-03-01T16:00:00.000Z',
        targetTimestampLocal: '2027-03-01T09:00:00-07:00',
      },
      nextReason: null,
      dryRun: false,
    })
    expect(planned.at(-1)).toBe(Date.parse('2027-03-01T16:00:00Z'))
  })

  it.each([
    ['PAST', 'ONCE on a date that has passed', { date: '2020-03-01', repeats: 'ONCE' }],
    ['ENDED', 'a rule that is over', { date: '2020-03-01', repeats: 'FREQ=DAILY;COUNT=3' }],
    ['ENDED', 'a last date that has passed', { date: '2019-03-01', until: '2020-03-01' }],
  ])('says %s for %s, which has no next event', async (nextReason, _, fields) => {
    const { post, send, path } = await begin()
    const body = { type: 'PARTY', template: 'Hi', ...fields }
    const { status, json } = await post(path, body)
    expect([status, json.next, json.nextReason]).toEqual([201, null, nextReason])
    expect((await send(path)).json.items[1]).toMatchObject({ next: null, nextReason })
    const preview = { ...fields, type: 'PARTY', timezone: 'Etc/UTC' }
    expect((await post('/occasion/preview', preview)).json).toMatchObject({ occurrences: [], nextReason })
  })

  it('says SENT for ONCE whose message was sent, also where the date is ahead again in another timezone', async () => {
    const app = await begin()
    const once = { type: 'PARTY', template: 'Hi', date: '2026-11-16', repeats: 'ONCE' }
    const { id, next } = (await app.post(app.path, once)).json
    await work(app, Date.parse(next.targetTimestampUTC), {
      status: 'COMPLETED',
      failure: null,
      statusCode: 200,
    })
    app.setClock(next.targetTimestampUTC)
    await app.put(`/user/${app.userId}`, { timezone: 'Pacific/Pago_Pago' })
    expect((await app.send(`/occasion/${id}`)).json).toMatchObject({ next: null, nextReason: 'SENT' })
    const changed = (await app.put(`/occasion/${id}`, { localTime: '23:00' })).json.occasion
    expect([changed.next, changed.nextReason]).toEqual([null, 'SENT'])
    const extended = (await app.put(`/occasion/${id}`, { date: '2026-12-01' })).json.occasion
    expect([extended.next.occurrence, extended.nextReason]).toEqual(['2:once', null])
  })

  it('says NOT_PLANNED for an occasion that is owed a message and has no event', async () => {
    const { db, store } = openSharedSqliteStore(':memory:', '')
    const { post, send, path } = await begin({ store })
    const { json } = await post(path, BODY)
    db.exec(`DELETE FROM events WHERE occasion_id = '${json.id}'`)
    const unplanned = { next: null, nextReason: 'NOT_PLANNED' }
    expect((await send(`/occasion/${json.id}`)).json).toMatchObject(unplanned)
    expect((await send(path)).json.items[1]).toMatchObject(unplanned)
    await post(`/occasion/${json.id}/pause`, {})
    const resumed = await post(`/occasion/${json.id}/resume`, {})
    expect(resumed.json).toMatchObject({ next: { eventId: expect.any(String) }, nextReason: null })
  })

  it('keeps a rule that needs the year when the year is removed, and accepts none without it', async () => {
    const { post, put, send, path, userId } = await begin()
    const { id } = (await send(path)).json.items[0]
    expect((await put(`/occasion/${id}`, { calendar: 'hebrew' })).status).toBe(200)
    for (const dateOfBirth of ['--12-15', null]) {
      await put(`/user/${userId}`, { dateOfBirth })
      const { status, json } = await put(`/occasion/${id}`, { localTime: '10:00', calendar: 'hebrew' })
      expect([status, json.occasion?.nextReason]).toEqual([200, 'NO_DATE'])
      expect(codes((await put(`/occasion/${id}`, { calendar: 'persian' })).json)).toEqual([
        'calendar CONFLICTING_FIELDS',
      ])
      const once = { calendar: 'gregorian', repeats: 'ONCE' }
      expect(codes((await put(`/occasion/${id}`, once)).json)).toEqual(['repeats CONFLICTING_FIELDS'])
      const preview = { type: 'BIRTHDAY', userId, calendar: 'hebrew' }
      expect((await post('/occasion/preview', preview)).json).toMatchObject({ nextReason: 'NO_DATE' })
    }
    const task = (await post('/task', { ...TASK, userId })).json
    await post(`/task/${task.id}/complete`, {})
    expect((await send(`/occasion/${task.id}`)).json.nextReason).toBe('PAST')
  })

  it('rejects an occasion beyond the 100th of a person', async () => {
    const { post, send, path, userId } = await begin()
    await post(`/user/${userId}/task`, TASK)
    for (let i = 0; i < 99; i++) expect((await post(path, BODY)).status).toBe(201)
    const { status, json } = await post(path, BODY)
    expect([status, json.code]).toEqual([409, 'LIMIT_REACHED'])
    expect((await send(path)).json.items).toHaveLength(100)
  })

  it('stores nothing in a dry run', async () => {
    const { post, send, path } = await begin()
    expect(await post(`${path}?dryRun=true`, BODY)).toMatchObject({ status: 200, json: { version: 1 } })
    expect((await send(path)).json.items).toHaveLength(1)
  })

  it.each([
    [{ ...BODY, type: 'anniversary' }, ['type INVALID_TYPE']],
    [{ type: 'PARTY' }, ['date REQUIRED']],
    [{ ...BODY, date: '2019-02-29', localTime: '9am' }, ['date INVALID_DATE', 'localTime INVALID_TIME']],
    [{ ...BODY, repeats: 'FREQ=HOURLY' }, ['repeats INVALID_RULE']],
    [{ ...BODY, calendar: 'mayan' }, ['calendar INVALID_VALUE']],
    [{ ...BODY, calendar: 'hebrew', repeats: 'ONCE' }, ['calendar CONFLICTING_FIELDS']],
    [{ ...BODY, type: 'JUBILEE', calendar: 'chinese', date: '1850-01-01' }, ['date DATE_OUT_OF_RANGE']],
    [{ ...BODY, leapDay: 'MARCH_2', until: 'never' }, ['leapDay INVALID_VALUE', 'until INVALID_DATE']],
    [{ ...BODY, template: '{{ nobody }}' }, ['template BAD_TEMPLATE']],
    [{ ...BODY, channel: NO_ONE }, ['channel UNKNOWN_CHANNEL']],
    [{ ...BODY, colour: 'red' }, ['colour UNKNOWN_FIELD']],
  ])('rejects %j and stores nothing', async (body, expected) => {
    const { post, send, path } = await begin()
    const { status, json } = await post(path, body)
    expect(status).toBe(400)
    expect(codes(json)).toEqual(expected)
    expect((await send(path)).json.items).toHaveLength(1)
  })

  it('returns USER_NOT_FOUND for an unknown user', async () => {
    const { post } = await begin()
    expect(await post(`/user/${NO_ONE}/occasion`, BODY)).toMatchObject({
      status: 404,
      json: { code: 'USER_NOT_FOUND' },
    })
  })
})

describe('an occasion', () => {
  it('is read, listed beside the birthday, changed and deleted', async () => {
    const { post, put, send, path } = await begin()
    const { dryRun: _, ...added } = (await post(path, BODY)).json
    const own = `/occasion/${added.id}`
    expect((await send(own)).json).toEqual(added)
    const listed = (await send(path)).json.items
    expect(listed.map(({ type }: { type: string }) => type)).toEqual(['BIRTHDAY', 'WORK_ANNIVERSARY'])
    const changed = await put(own, { localTime: '17:30' })
    expect(changed).toMatchObject({
      status: 200,
      json: {
        occasion: { version: 2, localTime: '17:30' },
        moves: [{ from: { utc: '2027-03-01T16:00:00.000Z' }, to: { utc: '2027-03-02T00:30:00.000Z' } }],
        skipped: 0,
      },
    })
    const outdated = await put(own, { localTime: '10:00' }, { 'If-Match': '"v1"' })
    expect(outdated.json).toMatchObject({ status: 412, code: 'OUTDATED' })
    expect((await send(own, { method: 'DELETE' })).status).toBe(204)
    expect((await send(own)).json).toMatchObject({ status: 404, code: 'OCCASION_NOT_FOUND' })
  })

  it('is paused and resumed', async () => {
    const { post, path } = await begin()
    const { json } = await post(path, BODY)
    const paused = (await post(`/occasion/${json.id}/pause`, undefined)).json
    const pausedAt = '2026-11-15T04:00:00.000Z'
    expect(paused).toMatchObject({ pausedAt, next: null, nextReason: 'PAUSED' })
    const resumed = (await post(`/occasion/${json.id}/resume`, undefined)).json
    expect(resumed).toMatchObject({ pausedAt: null, next: { occurrence: '2027' }, nextReason: null })
  })

  it('is sent days before its date and not on a weekend, also when that is changed on the way', async () => {
    const { post, put, path } = await begin()
    const body = { type: 'WORK_ANNIVERSARY', date: '2019-12-15', shift: '-P3D', onWeekend: 'BEFORE' }
    const { json } = await post(path, body)
    // 12 December 2026 is a Saturday.
    expect(json).toMatchObject({ shift: '-P3D', onWeekend: 'BEFORE' })
    expect(json.next).toMatchObject({ occurrence: '2026', targetTimestampUTC: '2026-12-11T16:00:00.000Z' })
    const own = `/occasion/${json.id}`
    const event = (await post('/occasion/preview', { ...body, timezone: 'Asia/Tokyo', count: 1 })).json
    expect(event.rule).toBe(
      '3 days before: every year on 15 December at 09:00 local time, on Friday instead of a weekend',
    )
    expect(event.occurrences).toMatchObject([
      {
        ...{ occurrence: '2026', occursOn: '2026-12-11', date: '2026-12-15', note: 'MOVED_FROM_WEEKEND' },
        reason:
          'It is sent 3 days before 2026-12-15. Saturday, 2026-12-12 is on a weekend: it is sent on Friday, 2026-12-11.',
      },
    ])
    const changed = (await put(own, { shift: null })).json
    expect(changed.occasion.next).toMatchObject({
      occurrence: '2026',
      targetTimestampUTC: '2026-12-15T16:00:00.000Z',
    })
    // The day of sending is past: the message is still owed, and is sent at once.
    const past = (await put(own, { shift: '-P60D' })).json
    expect(past.occasion.next).toMatchObject({
      occurrence: '2026',
      targetTimestampUTC: '2026-11-15T04:00:00.000Z',
    })
  })

  it('has a problem for each bad shift and weekend, and for a rule that would never be sent', async () => {
    const { post, path } = await begin()
    const problems = async (more: object) => codes((await post(path, { ...BODY, ...more })).json)
    for (const shift of ['-P91D', 'PT3H', '3'])
      expect(await problems({ shift })).toEqual(['shift INVALID_DURATION'])
    expect(await problems({ onWeekend: 'SUNDAY' })).toEqual(['onWeekend INVALID_VALUE'])
    const saturdays = { repeats: 'FREQ=WEEKLY;BYDAY=SA', onWeekend: 'SKIP' }
    expect(await problems(saturdays)).toEqual(['onWeekend CONFLICTING_FIELDS'])
    // 5 December 2026 is a Saturday.
    const once = { ...BODY, repeats: 'ONCE', date: '2026-12-05', onWeekend: 'SKIP' }
    expect((await post(path, once)).json).toMatchObject({ next: null, nextReason: 'SKIPPED' })
  })

  it('of type BIRTHDAY cannot be deleted, but can be paused', async () => {
    const { post, send, path } = await begin()
    const [birthday] = (await send(path)).json.items
    const kept = await send(`/occasion/${birthday.id}`, { method: 'DELETE' })
    expect(kept.json).toMatchObject({ status: 409, code: 'OCCASION_OWNED' })
    expect((await post(`/occasion/${birthday.id}/pause`, undefined)).status).toBe(200)
  })
})

describe('GET /occasion-type', () => {
  it('lists each type in use once, and the types with a built-in text', async () => {
    const { post, path, send } = await begin()
    for (const type of ['PAY_DAY', 'PAY_DAY']) await post(path, { type, date: '2026-01-31' })
    expect((await send('/occasion-type')).json.items).toEqual([
      { type: 'BIRTHDAY', builtInText: expect.stringContaining('birthday') },
      { type: 'PAY_DAY', builtInText: null },
      { type: 'TASK_REMINDER', builtInText: expect.any(String) },
      { type: 'WORK_ANNIVERSARY', builtInText: expect.any(String) },
    ])
  })
})

describe('POST /occasion/preview', () => {
  it('returns the next occurrences with notes on adjusted dates', async () => {
    const { post } = await begin()
    const leapDay = { type: 'PARTY', date: '1992-02-29', timezone: 'Europe/Berlin', count: 3 }
    const { status, json } = await post('/occasion/preview', leapDay)
    expect(status).toBe(200)
    expect(json.rule).toBe('every year on 29 February at 09:00 local time')
    expect(json.occurrences).toEqual([
      {
        occurrence: '2027',
        utc: '2027-03-01T08:00:00.000Z',
        local: '2027-03-01T09:00:00+01:00',
        occursOn: '2027-03-01',
        date: '2027-03-01',
        note: 'LEAP_DAY_MOVED',
        reason: '29 February does not exist in that year.',
      },
      {
        occurrence: '2028',
        utc: '2028-02-29T08:00:00.000Z',
        local: '2028-02-29T09:00:00+01:00',
        occursOn: '2028-02-29',
        date: '2028-02-29',
      },
      expect.objectContaining({ occurrence: '2029', note: 'LEAP_DAY_MOVED' }),
    ])
  })

  it('requires a user or a timezone, and an instant within the timezone table', async () => {
    const { post, userId } = await begin()
    const preview = async (more: object) =>
      (await post('/occasion/preview', { type: 'PARTY', date: '1992-05-01', ...more })).json
    expect(await preview({ userId })).toMatchObject({ occurrences: expect.any(Array) })
    expect(await preview({})).toMatchObject({ status: 400 })
    expect(await preview({ userId: NO_ONE })).toMatchObject({ status: 404 })
    expect(codes(await preview({ timezone: 'PST' }))).toEqual(['timezone UNKNOWN_TIMEZONE'])
    for (const from of ['0001-01-01T00:00:00Z', '1969-12-31T23:59:59Z', '2999-12-31T00:00:00Z'])
      expect(codes(await preview({ userId, from }))).toEqual(['from DATE_OUT_OF_RANGE'])
  })

  it('ends after 400 years', async () => {
    const { post, userId } = await begin()
    const repeats = 'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29;BYDAY=MO'
    const rare = { type: 'PARTY', date: '2000-01-01', repeats, userId, count: 100 }
    const { occurrences } = (await post('/occasion/preview', rare)).json
    expect([occurrences.length, occurrences.at(-1).occursOn]).toEqual([15, '2416-02-29'])
  })

  it('rejects a rule with COUNT that would be counted from a date before 1900', async () => {
    const { post, userId } = await begin()
    const old = (await post('/user', { ...ADA, dateOfBirth: '0002-01-03' })).json.user.id
    const counted = { type: 'STANDUP', repeats: 'FREQ=DAILY;INTERVAL=2;BYDAY=MO;COUNT=99999' }
    const preview = async (more: object) => {
      const { status, json } = await post('/occasion/preview', { ...counted, ...more })
      return status === 200 ? [] : codes(json)
    }
    expect(await preview({ userId, date: '1899-12-31' })).toEqual(['date DATE_OUT_OF_RANGE'])
    expect(await preview({ userId: old, type: 'BIRTHDAY' })).toEqual(['repeats DATE_OUT_OF_RANGE'])
    expect(await preview({ userId, date: '1900-01-01' })).toEqual([])
    expect(await preview({ userId, type: 'BIRTHDAY' })).toEqual([])
  })
})

describe('PUT /user/:id?dryRun=true', () => {
  it('returns what would be rescheduled and changes nothing', async () => {
    const { put, send, userId } = await begin()
    const { status, json } = await put(`/user/${userId}?dryRun=true`, { timezone: 'Europe/London' })
    expect(status).toBe(200)
    expect(json).toMatchObject({
      user: { timezone: 'America/Vancouver', version: 1 },
      rescheduled: 1,
      skipped: 0,
      moves: [{ from: { utc: '2026-12-15T16:00:00.000Z' }, to: { utc: '2026-12-15T09:00:00.000Z' } }],
    })
    expect((await send(`/user/${userId}`)).json).toMatchObject({ timezone: 'America/Vancouver', version: 1 })
  })
})

describe('a person created on their birthday after nine', () => {
  it('is greeted next year, or now with sendTodayNow', async () => {
    const { post, setClock } = createTestApp()
    setClock('2026-12-15T17:00:00Z')
    expect((await post('/user', ADA)).json.nextBirthdayEvent).toMatchObject({ occurrence: '2027' })
    expect((await post('/user', { ...ADA, sendTodayNow: true })).json.nextBirthdayEvent).toMatchObject({
      occurrence: '2026',
      targetTimestampUTC: '2026-12-15T17:00:00.000Z',
    })
  })
})

it('The external id of a person is unique', async () => {
  const { post, put, userId } = await begin()
  const other = { ...ADA, externalId: 'crm-1' }
  expect((await post('/user', other)).json).toMatchObject({ user: { externalId: 'crm-1' } })
  const taken = { status: 409, code: 'EXTERNAL_ID_TAKEN' }
  expect((await post('/user', other)).json).toMatchObject(taken)
  expect((await put(`/user/${userId}`, { externalId: 'crm-1' })).json).toMatchObject(taken)
})

describe('data of the application', () => {
  it.each([
    ['an occasion', '/occasion', (userId: string) => [`/user/${userId}/occasion`, BODY] as const],
    ['a task', '/task', (userId: string) => ['/task', { ...TASK, userId }] as const],
  ])('is kept with %s, replaced, and removed by null', async (_, resource, create) => {
    const { post, put, send, userId } = await begin()
    const [path, fields] = create(userId)
    const data = { child: 'Byron "\u0000é', seats: [1, { row: null }] }
    const { json } = await post(path, { ...fields, data })
    const own = `${resource}/${json.id}`
    const stored = async () => (await send(own)).json.data
    const afterChange = async (fields: object) => [(await put(own, fields)).status, await stored()]
    expect([json.data, await stored()]).toEqual([data, data])
    const other = { [resource === '/task' ? 'title' : 'until']: '2030-01-01' }
    expect(await afterChange(other)).toEqual([200, data])
    expect(await afterChange({ data: { child: 'Ada' } })).toEqual([200, { child: 'Ada' }])
    expect(await afterChange({ data: null })).toEqual([200, null])
    const most = { text: `${'é'.repeat(2_042)}.` }
    expect(await afterChange({ data: most })).toEqual([200, most])
    const more = await put(own, { data: { text: `${most.text}.` } })
    const message = 'The data has 4097 bytes as JSON, and 4096 are the most.'
    expect(more.json.problems).toEqual([{ field: 'data', code: 'INVALID_VALUE', message }])
    const own__proto__ = JSON.parse('{ "data": { "__proto__": { "x": 1 } } }')
    expect(codes((await put(own, own__proto__)).json)).toEqual(['__proto__ UNKNOWN_FIELD'])
    expect(await stored()).toEqual(most)
    for (const data of ['text', [1], 7])
      expect(codes((await put(own, { data })).json)).toEqual(['data WRONG_TYPE'])
  })
})
