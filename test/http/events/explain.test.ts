// The history and explanation of an event: complete, in plain words, without personal data.
import { describe, expect, it } from 'vitest'
import { openSharedSqliteStore } from '../../../src/stores/sqlite/sqlite-store.ts'
import { makeChannel } from '../../contracts/store/settings.ts'
import { createPerson, DUE, FAILED, work } from '../support/event-steps.ts'
import { createTestApp, type Json, NO_ONE, type TestApp } from '../support/test-app.ts'

const LEASE = 60_000
const at = (ms: number) => new Date(ms).toISOString()

/** The birthday of a person, and what the API says of it. */
async function begin(over: object = {}, testApp = createTestApp()) {
  const { user, nextBirthdayEvent } = await createPerson(testApp, over)
  const { id } = nextBirthdayEvent
  const explain = async (eventId = id) => (await testApp.send(`/event/${eventId}/explain`)).json
  return { ...testApp, testApp, user, id, explain }
}

const codes = ({ notes }: Json) => notes.map(({ code }: { code: string }) => code)

/** An event that was retried, released, lost with its worker, failed, replayed and delivered. */
async function live(testApp: TestApp) {
  const { user, nextBirthdayEvent } = await createPerson(testApp, { email: 'ada@example.com' })
  await work(testApp, DUE, { kind: 'retry' })
  await work(testApp, DUE + 5_000, {
    kind: 'release',
    attempt: { error: 'CONNECTION: ECONNREFUSED to ada@x', statusCode: 503 },
  })
  await work(testApp, DUE + 10_000, null, 'worker-2')
  const failure = { code: 'RETRIES_EXHAUSTED', lastError: 'said "Ada"' }
  await work(testApp, DUE + 10_000 + LEASE, { ...FAILED, failure, statusCode: 503 })
  testApp.setClock('2026-12-16T12:00:00Z')
  const replay = (await testApp.send(`/event/${nextBirthdayEvent.id}/replay`, { method: 'POST' })).json
  await work(testApp, Date.parse('2026-12-16T12:00:00Z'), {}, 'worker-3')
  return { user, failedId: nextBirthdayEvent.id as string, replayId: replay.id as string }
}

describe('GET /event/:id', () => {
  it('returns every attempt, the replays and the successor', async () => {
    const testApp = createTestApp()
    const { failedId, replayId } = await live(testApp)
    const { json } = await testApp.send(`/event/${failedId}`)
    expect(json.attempts.map(({ outcome }: { outcome: string }) => outcome)).toEqual([
      'RETRY',
      'RELEASED',
      'UNKNOWN',
      'FAILED',
    ])
    expect(json.replays).toMatchObject([{ id: replayId, status: 'COMPLETED', replayOf: failedId }])
    expect(json.successor).toBeNull()
    const replay = (await testApp.send(`/event/${replayId}`)).json
    expect(replay).toMatchObject({ replayOf: failedId, replays: [], status: 'COMPLETED' })
  })

  it.each(['2027', '10:2027'])('returns the next occurrence of the occasion, %s', async (occurrence) => {
    const { testApp, send, store, id } = await begin()
    const { event } = (await store.findEvent(id))!
    const targetAt = DUE + 365 * 86_400_000
    await work(testApp, DUE, { successor: { ...event, id: NO_ONE, occurrence, targetAt } })
    expect((await send(`/event/${id}`)).json.successor).toEqual({
      ...{ id: NO_ONE, occurrence, status: 'PENDING', targetTimestampUTC: at(targetAt) },
      ...{ executedAt: null, failureReason: null, replayOf: null },
    })
    expect((await send(`/event/${NO_ONE}`)).json.successor).toBeNull()
  })
})

describe('the moves of an event', () => {
  it('are in GET /event/:id and in its explanation, with their cause', async () => {
    const { put, send, setClock, user, id, explain } = await begin()
    setClock('2026-11-16T04:00:00Z')
    await put(`/user/${user.id}`, { timezone: 'Asia/Tokyo' })
    expect((await send(`/event/${id}`)).json.moves).toEqual([
      {
        at: '2026-11-16T04:00:00.000Z',
        cause: 'TIMEZONE_CHANGED',
        from: {
          occurrence: '2026',
          utc: '2026-12-15T16:00:00.000Z',
          local: '2026-12-15T09:00:00-07:00',
          timezone: 'America/Vancouver',
        },
        to: {
          occurrence: '2026',
          utc: '2026-12-15T00:00:00.000Z',
          local: '2026-12-15T09:00:00+09:00',
          timezone: 'Asia/Tokyo',
        },
      },
    ])
    expect((await explain()).history).toEqual([
      { at: '2026-11-15T04:00:00.000Z', text: 'Planned.' },
      {
        at: '2026-11-16T04:00:00.000Z',
        text: 'Moved from 2026-12-15 at 09:00 in America/Vancouver to 2026-12-15 at 09:00 in Asia/Tokyo: the timezone of the person changed.',
      },
    ])
    await put(`/user/${user.id}`, { timezone: 'Europe/Paris', dateOfBirth: '1990-12-20' })
    expect((await explain()).history[2].text).toBe(
      'Moved from 2026-12-15 at 09:00 in Asia/Tokyo to 2026-12-20 at 09:00 in Europe/Paris: the date of birth changed.',
    )
  })

  it('name the pause and the resumption of its occasion', async () => {
    const { post, send, user } = await begin()
    const visit = { type: 'VISIT', date: '2020-12-24', template: 'Hello' }
    const { id } = (await post(`/user/${user.id}/occasion`, visit)).json
    await post(`/occasion/${id}/pause`, undefined)
    const resumed = (await post(`/occasion/${id}/resume`, undefined)).json
    const { json } = await send(`/event/${resumed.next.eventId}`)
    expect(json.moves.map(({ cause, from, to }: Json) => [cause, from !== null, to !== null])).toEqual([
      ['OCCASION_PAUSED', true, false],
      ['OCCASION_RESUMED', false, true],
    ])
  })
})

describe('GET /event/:id/explain', () => {
  it('explains the due time', async () => {
    const { explain } = await begin()
    expect(await explain()).toEqual({
      summary:
        'This BIRTHDAY message is due on 2026-12-15 at 09:00 in America/Vancouver, which is 16:00 UTC. It has not been sent yet.',
      instant: {
        utc: '2026-12-15T16:00:00.000Z',
        local: '2026-12-15T09:00:00-07:00',
        timezone: 'America/Vancouver',
        offset: '-07:00',
        tzVersion: '2026f',
        rule: 'every year on 15 December at 09:00 local time',
        why: 'On 2026-12-15 the clocks in America/Vancouver are at UTC-07:00 (IANA 2026f), so 09:00 there is 16:00 UTC.',
      },
      notes: [{ code: 'OFFSET_CHANGED', text: expect.stringContaining('the law there changed') }],
      history: [{ at: '2026-11-15T04:00:00.000Z', text: 'Planned.' }],
    })
  })

  it('names the year of the date that a birthday by another calendar follows', async () => {
    const { put, send, user, explain } = await begin()
    const { items } = (await send(`/user/${user.id}/occasion`)).json
    const changed = await put(`/occasion/${items[0].id}`, { calendar: 'hebrew' })
    expect((await explain(changed.json.occasion.next.eventId)).instant.rule).toBe(
      'every year of the hebrew calendar, on the day that was 15 December 1990, at 09:00 local time',
    )
  })

  it('says that the quiet hours of a task end at the time of its reminder, and does not call it odd', async () => {
    const { post, send, user, explain } = await begin()
    const due = { dueAt: '2026-11-20T14:00:00Z', remindBefore: 'PT4H', quietHours: '22:00-05:30' }
    await post('/task', { userId: user.id, title: 'Call', ...due })
    const { items } = (await send('/event?type=TASK_REMINDER')).json
    const { instant, notes } = await explain(items[0].id)
    expect(instant.rule).toBe('PT4H before the task is due, outside quiet hours 22:00-05:30 local time')
    expect(instant.why).toMatch(/so 05:30 there is 12:30 UTC\. Its quiet hours \(22:00-05:30\) end then\.$/)
    expect(notes).toEqual([])
  })

  it('lists the history step by step', async () => {
    const testApp = createTestApp()
    const { failedId, replayId } = await live(testApp)
    const { json } = await testApp.send(`/event/${failedId}/explain`)
    expect(json.summary).toBe(
      `This BIRTHDAY message was due on 2026-12-15 at 09:00 in America/Vancouver, which is 16:00 UTC. It failed at ${at(DUE + 10_200 + LEASE)}: every retry failed; the last status was 503. It was replayed as event ${replayId}, which was delivered.`,
    )
    const taken = (number: number, by: string, when: number) =>
      `Attempt ${number}, claimed by ${by} at ${at(when)},`
    expect(json.history).toEqual([
      { at: '2026-11-15T04:00:00.000Z', text: 'Planned.' },
      {
        at: at(DUE + 200),
        text: `${taken(1, 'worker-1', DUE)} failed: the receiver responded with HTTP 503. It will be retried.`,
      },
      {
        at: at(DUE + 5_200),
        text: `${taken(2, 'worker-1', DUE + 5_000)} failed because its destination was down: the receiver could not be reached; the last status was 503. It waits and uses no retry.`,
      },
      {
        at: at(DUE + 10_000 + LEASE),
        text: `${taken(3, 'worker-2', DUE + 10_000)} has an unknown outcome: the worker stopped responding. The message may have arrived; it is sent again with the same key, so that the receiver can recognise the duplicate.`,
      },
      {
        at: at(DUE + 10_200 + LEASE),
        text: `${taken(4, 'worker-1', DUE + 10_000 + LEASE)} failed permanently: every retry failed; the last status was 503.`,
      },
      { at: '2026-12-16T12:00:00.000Z', text: `Replayed as event ${replayId}.` },
      {
        at: '2026-12-16T12:00:00.200Z',
        text: `The replay, event ${replayId}, was delivered.`,
      },
    ])
    const replay = (await testApp.send(`/event/${replayId}/explain`)).json
    expect(replay.history[0].text).toBe(
      `Created as a replay of the failed event ${failedId}, with the same key and content.`,
    )
    expect(replay.summary).toContain('It was delivered by attempt 1, 20 hours after it was due.')
  })

  it('contains no name, no message text and no text of a receiver', async () => {
    const testApp = createTestApp()
    const { user, failedId, replayId } = await live(testApp)
    for (const id of [failedId, replayId]) {
      const { text } = await testApp.send(`/event/${id}/explain`)
      expect(text).not.toMatch(/Ada|Lovelace|1990|ada@|Hey/)
      expect(text).not.toContain(user.id)
    }
  })

  it('describes an event in flight', async () => {
    const { testApp, explain } = await begin()
    await work(testApp, DUE, { kind: 'retry' })
    expect((await explain()).summary).toContain(`1 attempt failed; the next is due at ${at(DUE + 5_000)}.`)
    await work(testApp, DUE + 5_000, null, 'worker-9')
    const { summary, history } = await explain()
    expect(summary).toContain('It is being delivered.')
    const text = 'Claimed by worker-9. The attempt is in progress.'
    expect(history.at(-1)).toEqual({ at: at(DUE + 5_000), text })
  })

  it('says that an event waits for its channel, why, and until when', async () => {
    const { testApp, store, post, setClock, explain } = await begin()
    const crm = makeChannel({ name: 'crm', defaultSince: DUE - 1 })
    await store.saveChannel(crm)
    const change = { id: crm.id, reason: 'HTTP 401', at: DUE } as const
    await store.setChannelStatus({ ...change, from: 'ACTIVE', to: 'HELD' })
    expect((await explain()).summary).toMatch(
      /16:00 UTC\. It has not been sent yet: its channel crm is held \(HTTP 401\)\. It is not sent before the channel is released\.$/,
    )
    await work(testApp, DUE, { kind: 'release', wakeAt: DUE, channelId: crm.id })
    const released = await explain()
    expect(released.summary).toMatch(
      /It is waiting: its channel crm is held \(HTTP 401\)\. It is sent when the channel is released, and uses no retry until then\.$/,
    )
    expect(released.history.at(-1).text).toBe('Claimed by worker-1 and released without being sent.')
    await store.setChannelStatus({ ...change, from: 'HELD', to: 'ACTIVE', reason: null })
    const down = { since: DUE, error: 'HTTP 503', nextProbeAt: DUE + 1_000, seen: null }
    await store.markDown({ ...down, channelId: crm.id })
    setClock(at(DUE))
    expect((await explain()).summary).toMatch(
      /It is waiting: its channel crm is down\. It is sent when the channel responds again, and uses no retry until then\.$/,
    )
    await store.markUp(crm.id, DUE + 1_000)
    const until = at(DUE + 3_000)
    await post(`/channel/${crm.id}/hold`, { until })
    expect((await explain()).summary).toContain(
      `It is waiting: its channel crm is held until ${until}. It is sent then, and uses no retry until then.`,
    )
    setClock(until)
    expect((await explain()).summary).toMatch(/It is waiting: a worker sends it at .* or later\.$/)
    await work(testApp, DUE + 5_000, null)
    expect((await explain()).summary).toMatch(/It is being delivered\.$/)
  })

  it('says that an event waits for a worker which was released before it was sent', async () => {
    const { testApp, explain } = await begin()
    await work(testApp, DUE, { kind: 'release' })
    const { summary, history } = await explain()
    expect(summary).toMatch(/It is waiting: a worker sends it at 2026-12-15T17:00:05\.000Z or later\.$/)
    expect(history.at(-1).text).toBe('Claimed by worker-1 and released without being sent.')
  })

  it('explains a leap day', async () => {
    const { explain } = await begin({ dateOfBirth: '1992-02-29', timezone: 'UTC' })
    expect(codes(await explain())).toEqual(['LEAP_DAY_MOVED'])
  })

  it('explains an event planned by an earlier rule', async () => {
    const { testApp, put, user, explain } = await begin()
    await work(testApp, DUE, {})
    await put(`/user/${user.id}`, { dateOfBirth: '1990-12-20' })
    const { instant, notes } = await explain()
    expect(instant.utc).toBe('2026-12-15T16:00:00.000Z')
    expect(notes).toEqual([
      {
        code: 'CHANGED_SINCE',
        text: "It was planned under the rules at the time. Since then the date or the time of day has changed: by today's rule it would be 2026-12-20T09:00:00-07:00.",
      },
    ])
  })

  it('says where the person and the occasion of today contradict the event', async () => {
    const { db, store } = openSharedSqliteStore(':memory:', '')
    const { explain } = await begin({ timezone: 'Europe/Berlin' }, createTestApp({ store }))
    expect((await explain()).notes).toEqual([])
    db.exec(`UPDATE users SET timezone = 'America/New_York'; UPDATE occasions SET paused_at = 1`)
    expect((await explain()).notes).toEqual([
      {
        code: 'TIMEZONE_DIFFERS',
        text: 'It was planned for Europe/Berlin, and the person is in America/New_York now: by that timezone it would be 2026-12-15T09:00:00-05:00.',
      },
      { code: 'PAUSED', text: 'Its occasion is paused, and the event is still planned.' },
    ])
  })

  it('returns EVENT_NOT_FOUND for an unknown id', async () => {
    const { explain } = await begin()
    for (const id of [NO_ONE, 'x']) expect((await explain(id)).code).toBe('EVENT_NOT_FOUND')
  })
})

it('An event created with sendTodayNow is explained as SENT_AT_ONCE alone, also if it was stored a moment after it was planned, and so is its replay', async () => {
  const { testApp, post, store, setClock, user, explain } = await begin()
  const trial = { type: 'TRIAL', date: '2026-11-14', repeats: 'ONCE', localTime: '00:00', template: 'Hello' }
  const { json } = await post(`/user/${user.id}/occasion`, { ...trial, sendTodayNow: true })
  const id = json.next.eventId
  // On a server some milliseconds pass between planning and writing.
  const found = (await store.findEvent(id))!
  const { findEvent } = store
  store.findEvent = async () => ({
    ...found,
    event: { ...found.event, createdAt: found.event.createdAt + 3 },
  })
  expect(codes(await explain(id))).toEqual(['SENT_AT_ONCE'])
  store.findEvent = findEvent
  await work(testApp, Date.parse('2026-11-15T04:00:00Z'), FAILED)
  setClock('2026-11-15T05:00:00Z')
  const replay = (await post(`/event/${id}/replay`, undefined)).json
  expect(codes(await explain(replay.id))).toEqual(['SENT_AT_ONCE'])
})
