// The history and explanation of an event: complete, in plain words, without personal data.
import { describe, expect, it } from 'vitest'
import { openSharedSqliteStore } from '../../../src/stores/sqlite/sqlite-store.ts'
import { makeChannel } from '../../contracts/store/settings.ts'
import { createPerson, DUE, FAILED, work } from '../support/event-steps.ts'
import { ADA, createTestApp, NO_ONE, type TestApp } from '../support/test-app.ts'

const LEASE = 60_000
const at = (ms: number) => new Date(ms).toISOString()

/** An event that was retried, parked, lost with its worker, failed, replayed and delivered. */
async function live(testApp: TestApp) {
  const { user, nextBirthdayEvent } = await createPerson(testApp, { email: 'ada@example.com' })
  await work(testApp, DUE, { kind: 'retry' })
  await work(testApp, DUE + 5_000, {
    kind: 'parked',
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
      'PARKED',
      'UNKNOWN',
      'FAILED',
    ])
    expect(json.replays).toMatchObject([{ id: replayId, status: 'COMPLETED', replayOf: failedId }])
    expect(json.successor).toBeNull()
    const replay = (await testApp.send(`/event/${replayId}`)).json
    expect(replay).toMatchObject({ replayOf: failedId, replays: [], status: 'COMPLETED' })
  })

  it('returns the next occurrence of the occasion', async () => {
    const testApp = createTestApp()
    const { nextBirthdayEvent } = await createPerson(testApp)
    const { event } = (await testApp.store.findEvent(nextBirthdayEvent.id))!
    const next = { ...event, id: NO_ONE, occurrence: '2027', targetAt: DUE + 365 * 86_400_000 }
    await work(testApp, DUE, { successor: next })
    const { json } = await testApp.send(`/event/${nextBirthdayEvent.id}`)
    expect(json.successor).toEqual({
      id: NO_ONE,
      occurrence: '2027',
      status: 'PENDING',
      targetTimestampUTC: at(next.targetAt),
      executedAt: null,
      failureReason: null,
      replayOf: null,
    })
    expect((await testApp.send(`/event/${NO_ONE}`)).json.successor).toBeNull()
  })

  it('returns the next occurrence by another rule, although its name sorts before', async () => {
    const testApp = createTestApp()
    const { nextBirthdayEvent } = await createPerson(testApp)
    const { event } = (await testApp.store.findEvent(nextBirthdayEvent.id))!
    const next = { ...event, id: NO_ONE, occurrence: '10:2027', targetAt: DUE + 365 * 86_400_000 }
    await work(testApp, DUE, { successor: next })
    const { json } = await testApp.send(`/event/${nextBirthdayEvent.id}`)
    expect(json.successor).toMatchObject({ id: NO_ONE, occurrence: '10:2027' })
    expect((await testApp.send(`/event/${NO_ONE}`)).json.successor).toBeNull()
  })
})

describe('the moves of an event', () => {
  it('are in GET /event/:id and in its explanation, with their cause', async () => {
    const testApp = createTestApp()
    const { user, nextBirthdayEvent } = await createPerson(testApp)
    const id = nextBirthdayEvent.id
    testApp.setClock('2026-11-16T04:00:00Z')
    await testApp.put(`/user/${user.id}`, { timezone: 'Asia/Tokyo' })
    const { json } = await testApp.send(`/event/${id}`)
    expect(json.moves).toEqual([
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
    expect((await testApp.send(`/event/${id}/explain`)).json.history).toEqual([
      { at: '2026-11-15T04:00:00.000Z', text: 'Planned.' },
      {
        at: '2026-11-16T04:00:00.000Z',
        text: 'Moved from 2026-12-15 at 09:00 in America/Vancouver to 2026-12-15 at 09:00 in Asia/Tokyo: the timezone of the person changed.',
      },
    ])
  })

  it('name the pause and the resumption of its occasion', async () => {
    const testApp = createTestApp()
    const { user } = await createPerson(testApp)
    const occasions = `/user/${user.id}/occasion`
    const { json: created } = await testApp.post(occasions, {
      type: 'VISIT',
      date: '2020-12-24',
      template: 'Hello',
    })
    const path = `/occasion/${created.id}`
    await testApp.send(`${path}/pause`, { method: 'POST' })
    const { json: resumed } = await testApp.send(`${path}/resume`, { method: 'POST' })
    const { json } = await testApp.send(`/event/${resumed.next.eventId}`)
    const causes = json.moves.map(({ cause, from, to }: { cause: string; from: object; to: object }) => [
      cause,
      from !== null,
      to !== null,
    ])
    expect(causes).toEqual([
      ['OCCASION_PAUSED', true, false],
      ['OCCASION_RESUMED', false, true],
    ])
  })
})

describe('GET /event/:id/explain', () => {
  it('explains the due time', async () => {
    const testApp = createTestApp()
    const { nextBirthdayEvent } = await createPerson(testApp)
    const { json } = await testApp.send(`/event/${nextBirthdayEvent.id}/explain`)
    expect(json).toEqual({
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
    const testApp = createTestApp()
    const { user } = await createPerson(testApp)
    const { items } = (await testApp.send(`/user/${user.id}/occasion`)).json
    const changed = await testApp.put(`/occasion/${items[0].id}`, { calendar: 'hebrew' })
    const { eventId } = changed.json.occasion.next
    const { json } = await testApp.send(`/event/${eventId}/explain`)
    expect(json.instant.rule).toBe(
      'every year of the hebrew calendar, on the day that was 15 December 1990, at 09:00 local time',
    )
  })

  it('says that the quiet hours of a task end at the time of its reminder, and does not call it odd', async () => {
    const testApp = createTestApp()
    const { user } = await createPerson(testApp)
    const due = { dueAt: '2026-11-20T14:00:00Z', remindBefore: 'PT4H', quietHours: '22:00-05:30' }
    await testApp.post('/task', { userId: user.id, title: 'Call', ...due })
    const { items } = (await testApp.send(`/event?type=TASK_REMINDER`)).json
    const { json } = await testApp.send(`/event/${items[0].id}/explain`)
    expect(json.instant.rule).toBe('PT4H before the task is due, outside quiet hours 22:00-05:30 local time')
    expect(json.instant.why).toMatch(
      /so 05:30 there is 12:30 UTC\. Its quiet hours \(22:00-05:30\) end then\.$/,
    )
    expect(json.notes).toEqual([])
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
        text: `${taken(2, 'worker-1', DUE + 5_000)} failed because its destination was down: the receiver could not be reached; the last status was 503. It is parked and uses no retry.`,
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

  it('says that an event which was sent at once was delivered before it was due', async () => {
    const testApp = createTestApp()
    const { nextBirthdayEvent } = await createPerson(testApp)
    await testApp.send(`/event/${nextBirthdayEvent.id}/send-now`, { method: 'POST' })
    await work(testApp, DUE - 7_200_200, {})
    const { json } = await testApp.send(`/event/${nextBirthdayEvent.id}/explain`)
    expect(json.summary).toMatch(/attempt 1, 1 hour before it was due: it was sent at once\.$/)
  })

  it('describes an event in flight', async () => {
    const testApp = createTestApp()
    const { nextBirthdayEvent } = await createPerson(testApp)
    const explain = async () => (await testApp.send(`/event/${nextBirthdayEvent.id}/explain`)).json
    await work(testApp, DUE, { kind: 'retry' })
    expect((await explain()).summary).toContain(`1 attempt failed; the next is due at ${at(DUE + 5_000)}.`)
    await work(testApp, DUE + 5_000, null, 'worker-9')
    const { summary, history } = await explain()
    expect(summary).toContain('It is being delivered.')
    expect(history.at(-1)).toEqual({
      at: at(DUE + 5_000),
      text: 'Claimed by worker-9. The attempt is in progress.',
    })
  })

  it('says that an event which was parked before it was sent waits, why, and until when', async () => {
    const testApp = createTestApp()
    const { store } = testApp
    const { nextBirthdayEvent } = await createPerson(testApp)
    const explain = async () => (await testApp.send(`/event/${nextBirthdayEvent.id}/explain`)).json
    const crm = makeChannel({ name: 'crm', defaultSince: DUE - 1 })
    await store.saveChannel(crm)
    const change = { id: crm.id, reason: 'HTTP 401', at: DUE } as const
    await store.setChannelStatus({ ...change, from: 'ACTIVE', to: 'PAUSED' })
    expect((await explain()).summary).toMatch(
      /16:00 UTC\. It has not been sent yet: its channel crm is held \(HTTP 401\)\. It is not sent before the channel is released\.$/,
    )
    await work(testApp, DUE, { kind: 'parked', attempt: null, channelId: crm.id })
    const paused = await explain()
    expect(paused.summary).toMatch(
      /It is waiting: its channel crm is held \(HTTP 401\)\. It is sent when the channel is released, and uses no retry until then\.$/,
    )
    expect(paused.history.at(-1).text).toBe(
      'Claimed by worker-1 and parked for its channel crm without being sent.',
    )
    await store.setChannelStatus({ ...change, from: 'PAUSED', to: 'ACTIVE', reason: null })
    expect((await explain()).summary).toMatch(
      /It is waiting: its channel crm is at its limit, or has not responded to one attempt; a worker checks it at 2026-12-15T17:00:05\.000Z at the latest\.$/,
    )
    const down = { since: DUE, error: 'HTTP 503', nextProbeAt: DUE + 1_000, seen: null }
    await store.markDown({ ...down, channelId: crm.id })
    testApp.setClock(new Date(DUE).toISOString())
    expect((await explain()).summary).toMatch(
      /It is waiting: its channel crm is down\. It is sent when the channel responds again; a worker checks it at 2026-12-15T17:00:05\.000Z at the latest\.$/,
    )
    await store.markUp(crm.id, DUE + 1_000)
    expect((await explain()).summary).toMatch(/was down or held and has recovered\. It is sent next\.$/)
    const until = new Date(DUE + 3_000).toISOString()
    await testApp.post(`/channel/${crm.id}/pause`, { until })
    expect((await explain()).summary).toContain(
      `It is waiting: its channel crm is held (BY_HAND) until ${until}. It is sent then, and uses no retry until then.`,
    )
    testApp.setClock(until)
    expect((await explain()).summary).toMatch(/was down or held and has recovered\. It is sent next\.$/)
    await work(testApp, DUE + 5_000, null)
    expect((await explain()).summary).toMatch(/It is being delivered\.$/)
  })

  it('says that an event waits for a worker which was released before it was sent', async () => {
    const testApp = createTestApp()
    const { nextBirthdayEvent } = await createPerson(testApp)
    await work(testApp, DUE, { kind: 'release' })
    const { json } = await testApp.send(`/event/${nextBirthdayEvent.id}/explain`)
    expect(json.summary).toMatch(/It is waiting: a worker sends it at 2026-12-15T17:00:05\.000Z or later\.$/)
    expect(json.history.at(-1).text).toBe('Claimed by worker-1 and released without being sent.')
  })

  it('explains a leap day, and an event planned by an earlier rule', async () => {
    const testApp = createTestApp()
    const leap = await createPerson(testApp, { dateOfBirth: '1992-02-29', timezone: 'UTC' })
    const { json } = await testApp.send(`/event/${leap.nextBirthdayEvent.id}/explain`)
    expect(json.notes).toMatchObject([{ code: 'LEAP_DAY_MOVED' }])

    const { user, nextBirthdayEvent } = await createPerson(testApp)
    await work(testApp, DUE, {})
    await testApp.put(`/user/${user.id}`, { dateOfBirth: '1990-12-20' })
    const changed = (await testApp.send(`/event/${nextBirthdayEvent.id}/explain`)).json
    expect(changed.instant.utc).toBe('2026-12-15T16:00:00.000Z')
    expect(changed.notes).toEqual([
      {
        code: 'CHANGED_SINCE',
        text: "It was planned under the rules at the time. Since then the date or the time of day has changed: by today's rule it would be 2026-12-20T09:00:00-07:00.",
      },
    ])
  })

  it('says where the person and the occasion of today contradict the event', async () => {
    const { db, store } = openSharedSqliteStore(':memory:', '')
    const testApp = createTestApp({ store })
    const { nextBirthdayEvent } = await createPerson(testApp, { timezone: 'Europe/Berlin' })
    const notes = async () => (await testApp.send(`/event/${nextBirthdayEvent.id}/explain`)).json.notes
    expect(await notes()).toEqual([])
    db.exec(`UPDATE users SET timezone = 'America/New_York'; UPDATE occasions SET paused_at = 1`)
    expect(await notes()).toEqual([
      {
        code: 'TIMEZONE_DIFFERS',
        text: 'It was planned for Europe/Berlin, and the person is in America/New_York now: by that timezone it would be 2026-12-15T09:00:00-05:00.',
      },
      { code: 'PAUSED', text: 'Its occasion is paused, and the event is still planned.' },
    ])
  })

  it('returns EVENT_NOT_FOUND for an unknown id', async () => {
    const { send } = createTestApp()
    for (const id of [NO_ONE, 'x']) {
      expect((await send(`/event/${id}/explain`)).json.code).toBe('EVENT_NOT_FOUND')
    }
  })
})

describe('an event created with sendTodayNow', () => {
  it('is explained as SENT_AT_ONCE if it was stored a moment after it was planned, and so is its replay', async () => {
    const testApp = createTestApp()
    const { user } = await createPerson(testApp)
    const { json: occasion } = await testApp.post(`/user/${user.id}/occasion`, {
      type: 'TRIAL',
      date: '2026-11-14',
      repeats: 'ONCE',
      localTime: '00:00',
      template: 'Hello',
      sendTodayNow: true,
    })
    const id = occasion.next.eventId
    const { event } = (await testApp.store.findEvent(id))!
    // On a server some milliseconds pass between planning and writing.
    const late = { ...event, createdAt: event.createdAt + 3 }
    const findEvent = testApp.store.findEvent.bind(testApp.store)
    testApp.store.findEvent = async (eventId) => {
      const found = await findEvent(eventId)
      return found && { ...found, event: { ...found.event, createdAt: late.createdAt } }
    }
    const notes = async (eventId: string) =>
      (await testApp.send(`/event/${eventId}/explain`)).json.notes.map(({ code }: { code: string }) => code)
    expect(await notes(id)).toEqual(['SENT_AT_ONCE'])
    testApp.store.findEvent = findEvent
    await work(testApp, Date.parse('2026-11-15T04:00:00Z'), FAILED)
    testApp.setClock('2026-11-15T05:00:00Z')
    const replay = (await testApp.send(`/event/${id}/replay`, { method: 'POST' })).json
    expect(await notes(replay.id)).toEqual(['SENT_AT_ONCE'])
  })

  it('is explained as SENT_AT_ONCE, not as CHANGED_SINCE', async () => {
    const { post, send, setClock } = createTestApp()
    setClock('2026-12-15T17:00:00Z')
    const { json } = await post('/user', { ...ADA, sendTodayNow: true })
    const explained = await send(`/event/${json.nextBirthdayEvent.id}/explain`)
    expect(explained.json.notes.map(({ code }: { code: string }) => code)).toEqual(['SENT_AT_ONCE'])
  })
})
