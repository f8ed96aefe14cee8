// Replays of failed events: linked to the failed event, one at a time, single or in bulk.
import { describe, expect, it } from 'vitest'
import { createPerson, DUE, FAILED, work } from '../support/event-steps.ts'
import { ADA, createTestApp, NO_ONE } from '../support/test-app.ts'

async function withFailed(over: object = {}) {
  const testApp = createTestApp()
  const { user, nextBirthdayEvent } = await createPerson(testApp, over)
  await work(testApp, DUE, FAILED)
  testApp.planned.length = 0
  testApp.setClock('2026-12-16T12:00:00Z')
  return { ...testApp, user, failed: nextBirthdayEvent }
}

const NOON = Date.parse('2026-12-16T12:00:00Z')

describe('POST /event/:id/replay', () => {
  it('creates a new event, due now, with the same idempotency key, and wakes the worker', async () => {
    const { send, planned, failed } = await withFailed()
    const before = (await send(`/event/${failed.id}`)).json
    const { status, headers, json } = await send(`/event/${failed.id}/replay`, { method: 'POST' })
    expect(status).toBe(201)
    expect(headers.get('Location')).toBe(`/event/${json.id}`)
    expect(json).toMatchObject({
      status: 'PENDING',
      replayOf: failed.id,
      occurrence: '2026~1',
      wakeAt: '2026-12-16T12:00:00.000Z',
      idempotencyKey: failed.idempotencyKey,
      deliveryPayload: { message: 'Hey, Ada' },
    })
    expect(planned).toEqual([NOON])
    const related = { id: json.id, replayOf: failed.id, status: 'PENDING' }
    const after = (await send(`/event/${failed.id}`)).json
    expect(after).toMatchObject({ ...before, replays: [related] })
  })

  it('uses a new idempotency key with newKey', async () => {
    const { post, put, user, failed } = await withFailed()
    await put(`/user/${user.id}`, { firstName: 'Augusta' })
    const { status, json } = await post(`/event/${failed.id}/replay`, { newKey: true })
    expect(status).toBe(201)
    expect(json.idempotencyKey).not.toBe(failed.idempotencyKey)
    expect(json.deliveryPayload).toBeNull()
  })

  it('rejects an event that cannot be replayed, with the reason as a code', async () => {
    const testApp = await withFailed()
    const { send, failed } = testApp
    const replay = async (id: string) => {
      const { status, json } = await send(`/event/${id}/replay`, { method: 'POST' })
      return [status, json.code ?? json.id]
    }
    expect(await replay(NO_ONE)).toEqual([404, 'EVENT_NOT_FOUND'])
    expect(await replay('x')).toEqual([404, 'EVENT_NOT_FOUND'])
    const [, first] = await replay(failed.id)
    expect(await replay(first)).toEqual([409, 'NOT_FAILED'])
    expect(await replay(failed.id)).toEqual([409, 'REPLAY_IN_FLIGHT'])
    await work(testApp, NOON, FAILED)
    const [status, second] = await replay(failed.id)
    expect(status).toBe(201)
    await work(testApp, NOON, {})
    expect(await replay(failed.id)).toEqual([409, 'ALREADY_DELIVERED'])
    expect(await replay(first)).toEqual([409, 'ALREADY_DELIVERED'])
    expect(await replay(second)).toEqual([409, 'NOT_FAILED'])
  })

  it('rejects an invalid body, and plans nothing', async () => {
    const { post, send, planned, failed } = await withFailed()
    const path = `/event/${failed.id}/replay`
    for (const body of [{ newkey: true }, { newKey: 'yes' }, []])
      expect((await post(path, body)).json.code).toBe('INVALID_INPUT')
    expect((await send(path, { method: 'POST', text: '{' })).json.code).toBe('MALFORMED_JSON')
    const unnamed = { method: 'POST', text: '{}', headers: { 'Content-Type': '' } }
    expect((await send(path, unnamed)).json.code).toBe('UNSUPPORTED_MEDIA_TYPE')
    expect(planned).toEqual([])
  })
})

const DONE = { parts: null, dryRun: false, nextCursor: null }

describe('POST /event/replay', () => {
  const FAILURES = [
    { code: 'HTTP 410', lastError: 'HTTP 410' },
    { code: 'HTTP 404', lastError: 'HTTP 404' },
    { code: 'RETRIES_EXHAUSTED', lastError: 'HTTP 503' },
  ]

  async function withFailures() {
    const testApp = createTestApp()
    const ids: string[] = []
    for (const [index, failure] of FAILURES.entries()) {
      const { nextBirthdayEvent } = await createPerson(testApp, { dateOfBirth: `1990-12-1${index}` })
      ids.push(nextBirthdayEvent.id)
      await work(testApp, Date.parse(`2026-12-1${index}T17:00:00Z`), { ...FAILED, failure })
    }
    await createPerson(testApp, { dateOfBirth: '1990-12-13' })
    await work(testApp, Date.parse('2026-12-13T17:00:00Z'), {})
    testApp.setClock('2026-12-16T12:00:00Z')
    testApp.planned.length = 0
    return { ...testApp, ids }
  }

  it('replays only the named events, and counts those of them that failed', async () => {
    const { post, ids } = await withFailures()
    const two = { ids: [ids[0], ids[2], NO_ONE] }
    const counted = (await post('/event/replay', { ...two, dryRun: true })).json
    expect(counted).toMatchObject({ matched: 2, replayed: 0, parts: { now: 2 } })
    expect((await post('/event/replay', two)).json).toMatchObject({ matched: 2, replayed: 2, skipped: 0 })
    expect((await post('/event/replay', { dryRun: true })).json.parts).toMatchObject({ now: 1, inFlight: 2 })
    expect((await post('/event/replay', { ids: [] })).status).toBe(400)
    expect((await post('/event/replay', { ids: ['x'] })).status).toBe(400)
  })

  it('replays all failed events and counts them; a repeated request replays nothing', async () => {
    const { send, post, planned, ids } = await withFailures()
    const { status, json } = await post('/event/replay', {})
    expect([status, json]).toEqual([200, { matched: 3, replayed: 3, skipped: 0, ...DONE }])
    expect(planned).toEqual([NOON])
    const { items } = (await send('/event?status=PENDING')).json
    expect(items.map(({ replayOf }: { replayOf: string }) => replayOf)).toEqual(ids)
    const again = await post('/event/replay', {})
    expect(again.json).toEqual({ matched: 3, replayed: 0, skipped: 3, ...DONE })
    expect(planned).toEqual([NOON])
  })

  it('leaves out dismissed failures unless they are named', async () => {
    const { post, send, failed } = await withFailed()
    const { channelId, reason: exactReason } = (await send('/failures')).json.groups[0]
    const failedBefore = '2026-12-16T12:00:00Z'
    await post('/failures/dismiss', { channel: channelId ?? 'unknown', exactReason, failedBefore })
    expect((await post('/event/replay', {})).json).toMatchObject({ matched: 0, replayed: 0 })
    expect((await post('/event/replay', { ids: [failed.id] })).json).toMatchObject({ replayed: 1 })
  })

  it('only counts in a dry run', async () => {
    const { send, post, planned } = await withFailures()
    const { json } = await post('/event/replay', { dryRun: true })
    const parts = { now: 3, pastCutOff: [], inFlight: 0, delivered: 0, repeated: 0 }
    expect(json).toEqual({ matched: 3, replayed: 0, skipped: 0, parts, dryRun: true, nextCursor: null })
    expect([planned, (await send('/event?status=PENDING')).json.items]).toEqual([[], []])
  })

  it('counts in a dry run the events to send now, past notAfter, in progress and delivered', async () => {
    const testApp = createTestApp()
    const { post, send } = testApp
    const add = async (occasion: object) => {
      const { user } = await createPerson(testApp)
      await post(`/user/${user.id}/occasion`, { type: 'TEA', date: '2020-12-15', template: 'x', ...occasion })
    }
    // Nine in Vancouver is 16:00 UTC: at noon of the next day 21:00 there has passed, and 05:30 has not.
    for (const notAfter of ['21:00', '21:00', null, '05:30', null])
      await add({ localTime: '08:59', notAfter })
    await work(testApp, DUE, FAILED)
    testApp.setClock('2026-12-16T12:00:00Z')
    const tea = { type: 'TEA', dryRun: true }
    expect((await post('/event/replay', tea)).json.parts).toMatchObject({
      now: 3,
      pastCutOff: [{ notAfter: '21:00', count: 2 }],
    })
    const teas = (await send('/event?type=TEA&status=FAILED')).json.items
    await send(`/event/${teas[2].id}/replay`, { method: 'POST' })
    await work(testApp, NOON, {})
    await send(`/event/${teas[4].id}/replay`, { method: 'POST' })
    expect((await post('/event/replay', tea)).json).toMatchObject({
      matched: 5,
      parts: {
        now: 1,
        pastCutOff: [{ notAfter: '21:00', count: 2 }],
        inFlight: 1,
        delivered: 1,
        repeated: 0,
      },
    })
    const rest = { type: 'TEA', pastCutOff: 'skip' }
    expect((await post('/event/replay', rest)).json).toMatchObject({ matched: 5, replayed: 1, skipped: 4 })
    await work(testApp, NOON, FAILED)
    testApp.setClock('2026-12-16T12:01:00Z')
    const twice = (await post('/event/replay', { ...tea, dryRun: true })).json
    expect(twice.parts.repeated, 'the originals of the two that failed again').toBe(2)
    expect((await post('/event/replay', { type: 'TEA' })).json.replayed, 'sent at any local time').toBe(4)
  })

  it('replays only the events that match the filter', async () => {
    const { post, send, ids } = await withFailures()
    const { userId } = (await send(`/event/${ids[1]}`)).json
    const matched = async (filter: object) =>
      (await post('/event/replay', { ...filter, dryRun: true })).json.matched
    expect(await matched({ reason: 'HTTP 4' })).toBe(2)
    expect(await matched({ reason: 'RETRIES_EXHAUSTED' })).toBe(1)
    expect(await matched({ type: 'BIRTHDAY' })).toBe(3)
    expect(await matched({ type: 'WORK_ANNIVERSARY' })).toBe(0)
    expect(await matched({ userId: userId.toUpperCase() })).toBe(1)
    expect(await matched({ people: { ids: [userId], timezone: 'america/vancouver' } })).toBe(1)
    expect(await matched({ people: { ids: [userId], timezone: 'UTC' } })).toBe(0)
    expect(await matched({ people: { failed: true } })).toBe(3)
    expect(await matched({ failedFrom: '2026-12-11T17:00:00.200Z' })).toBe(2)
    expect(await matched({ failedBefore: '2026-12-11T17:00:00.200Z' })).toBe(1)
    expect(await matched({ dueFrom: '2026-12-11T00:00:00Z', dueBefore: '2026-12-12T00:00:00Z' })).toBe(1)
    expect(await matched({ reason: 'HTTP', dueFrom: '2026-12-12T00:00:00Z' })).toBe(0)
    expect(await matched({ exactReason: 'HTTP 4' })).toBe(0)
    expect(await matched({ exactReason: 'HTTP 404' })).toBe(1)
    expect(await matched({ exactReason: 'RETRIES_EXHAUSTED: HTTP 503', channel: 'default' })).toBe(1)
    expect(await matched({ channel: NO_ONE })).toBe(0)
  })

  it('continues at the cursor of the response', async () => {
    const { post } = await withFailures()
    const request = { limit: 2, newKey: true }
    const first = (await post('/event/replay', request)).json
    expect(first).toMatchObject({ matched: 2, replayed: 2 })
    const second = (await post('/event/replay', { ...request, cursor: first.nextCursor })).json
    expect(second).toEqual({ matched: 1, replayed: 1, skipped: 0, ...DONE })
  })

  it('does not replay a replay that failed between two pages', async () => {
    const testApp = await withFailures()
    const first = (await testApp.post('/event/replay', { limit: 1 })).json
    await work(testApp, NOON, { ...FAILED, at: NOON + 50 })
    testApp.setClock('2026-12-16T13:00:00Z')
    const second = (await testApp.post('/event/replay', { cursor: first.nextCursor })).json
    expect(second).toEqual({ matched: 2, replayed: 2, skipped: 0, ...DONE })
  })

  it('replays more events than fit in a batch', async () => {
    const testApp = createTestApp()
    await testApp.post('/user/bulk', { users: Array(700).fill(ADA) })
    await work(testApp, DUE, FAILED)
    testApp.setClock('2026-12-16T12:00:00Z')
    const { json } = await testApp.post('/event/replay', {})
    expect(json).toEqual({ matched: 700, replayed: 700, skipped: 0, ...DONE })
  })

  it('reports every invalid field', async () => {
    const { post } = createTestApp()
    for (const [body, field, code] of [
      [{ status: 'FAILED' }, 'status', 'UNKNOWN_FIELD'],
      [{ reason: '' }, 'reason', 'INVALID_VALUE'],
      [{ userId: 'ada' }, 'userId', 'INVALID_VALUE'],
      [{ failedFrom: 'yesterday' }, 'failedFrom', 'INVALID_VALUE'],
      [{ limit: 0 }, 'limit', 'INVALID_VALUE'],
      [{ limit: 1.5 }, 'limit', 'WRONG_TYPE'],
      [{ dryRun: 1 }, 'dryRun', 'WRONG_TYPE'],
      [{ channel: 'crm' }, 'channel', 'INVALID_VALUE'],
      [{ pastCutOff: 'maybe' }, 'pastCutOff', 'INVALID_VALUE'],
      [{ cursor: 'abc' }, 'cursor', 'INVALID_CURSOR'],
    ] as const) {
      const { json } = await post('/event/replay', body)
      expect(json.problems, JSON.stringify(body)).toMatchObject([{ field, code }])
    }
  })
})
