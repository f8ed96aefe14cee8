// The API of the dashboard: overview, people, failures, upcoming counts, demo people, sign-in.
import { describe, expect, it } from 'vitest'
import { INBOX_CHANNEL } from '../../../src/domain/settings/channel.ts'
import { makeChannel } from '../../contracts/store/settings.ts'
import { DAY, HOUR, MINUTE, makePerson, SECOND } from '../../support/fixtures.ts'
import { work } from '../support/event-steps.ts'
import { ADA, createTestApp, type Json, NO_ONE } from '../support/test-app.ts'

const NOW = Date.parse('2026-11-15T04:00:00Z')

/** People with delivered, failed, in-flight and future events. */
async function begin() {
  const app = createTestApp()
  const due = NOW - 2 * HOUR
  const people = [due, due, due, NOW + HOUR].map((targetAt) =>
    makePerson({ targetAt, timezone: 'Asia/Tokyo' }),
  )
  await app.store.createUsers(people)
  const claims = await app.store.claimDue({
    ...{ now: due + 30, limit: 10, leaseMs: DAY, claimedBy: 'worker-1' },
    render: () => '{}',
  })
  const end = { at: due + 50, kind: 'terminal', planRevision: 0, successor: null, statusCode: 200 } as const
  const [sent, failed] = claims.map(({ id, version }) => ({ ...end, eventId: id, version }))
  const failure = { code: 'RETRIES_EXHAUSTED', lastError: 'HTTP 503' }
  await app.store.settle([
    { ...sent!, status: 'COMPLETED', failure: null },
    { ...failed!, status: 'FAILED', failure, channelId: INBOX_CHANNEL },
  ])
  return { ...app, claims, people }
}

describe('GET /today', () => {
  it('returns the counts of the day and the messages by due time', async () => {
    const { send, people } = await begin()
    const { status, json } = await send('/today')
    expect(status).toBe(200)
    expect(json).toMatchObject({
      now: '2026-11-15T04:00:00.000Z',
      counts: { people: 4, inFlight: 1, waiting: 0, sent24h: 1, failed24h: 1, ambiguous24h: 0 },
      lateness: { p50Ms: 50, p95Ms: 50 },
      zones: [{ timezone: 'Asia/Tokyo', offsetMinutes: 540, people: 4 }],
    })
    expect(json.wave).toEqual([
      { dueAt: '2026-11-15T02:00:00.000Z', offsetMinutes: 0, sent: 1, inFlight: 1, failed: 1, remaining: 0 },
      { dueAt: '2026-11-15T05:00:00.000Z', offsetMinutes: 0, sent: 0, inFlight: 0, failed: 0, remaining: 1 },
    ])
    expect(json.recent).toHaveLength(3)
    const { firstName, lastName } = people[0]!.user
    expect(json.recent[0]).toMatchObject({ firstName, lastName })
  })
})

describe('the workers in GET /today', () => {
  it('are those with a heartbeat in the last 30 seconds, whether or not they send', async () => {
    const { send, store } = await begin()
    await store.recordWorker({ id: 'host-1', seenAt: NOW - 30_000 }, 0)
    await store.recordWorker({ id: 'host-2', seenAt: NOW - 30_001 }, 0)
    expect((await send('/today')).json.instances).toEqual([
      { id: 'host-1', seenAt: '2026-11-15T03:59:30.000Z' },
    ])
  })

  it('are none if no process has a heartbeat, and null where functions are started on demand', async () => {
    expect((await createTestApp().send('/today')).json.instances).toEqual([])
    expect((await createTestApp({ onDemand: true }).send('/today')).json.instances).toBeNull()
  })
})

it('The next messages in GET /today are due at the earliest instant of the coming 36 hours, and counted', async () => {
  const nextAfter = async (...delays: number[]) => {
    const { send, store } = createTestApp()
    await store.createUsers(delays.map((ms) => makePerson({ targetAt: NOW + ms })))
    return (await send('/today')).json.next
  }
  expect(await nextAfter(3 * DAY)).toBeNull()
  const next = { dueAt: '2026-11-15T04:00:18.250Z', count: 2 }
  expect(await nextAfter(18_250, 18_250, 19_250)).toEqual(next)
})

describe('the stopped channels in GET /today', () => {
  const notHeld = { heldUntil: null, heldBy: null }
  const down = { error: 'HTTP 503', since: NOW - HOUR, nextProbeAt: NOW + SECOND, seen: null }

  async function beginWaiting() {
    const app = await begin()
    return { ...app, stopped: async () => (await app.send('/today')).json.stoppedChannels }
  }

  it('are the held and disabled ones, with the number of messages that wait, until they are released', async () => {
    const crm = makeChannel({ name: 'crm', status: 'HELD', statusReason: 'HTTP 401', defaultSince: NOW })
    const { store, post, stopped } = await beginWaiting()
    await store.saveChannel(makeChannel({ name: 'up' }))
    await store.saveChannel(crm)
    const { id, name, status, statusReason } = crm
    const held = { id, name, status, statusReason, since: null, nextProbeAt: null, ...notHeld }
    expect(await stopped()).toEqual([{ ...held, isDefault: true, waiting: 1 }])
    await post(`/channel/${id}/release`, undefined)
    expect(await stopped()).toEqual([])
  })

  it('are also those whose destination does not respond, the inbox included, until it does', async () => {
    const { store, post, send, stopped } = await beginWaiting()
    await store.markDown({ channelId: INBOX_CHANNEL, ...down })
    const since = new Date(down.since).toISOString()
    const nextProbeAt = new Date(down.nextProbeAt).toISOString()
    const inbox = { id: INBOX_CHANNEL, name: 'inbox', status: 'DOWN', statusReason: 'HTTP 503' }
    expect(await stopped()).toEqual([
      { ...inbox, ...notHeld, since, nextProbeAt, isDefault: true, waiting: 1 },
    ])
    const crm = makeChannel({ name: 'crm' })
    const read = async () => (await send(`/channel/${crm.id}`)).json
    await store.saveChannel(crm)
    await store.markDown({ channelId: crm.id, ...down })
    const isDown = { status: 'ACTIVE', downSince: since, lastError: 'HTTP 503', nextProbeAt }
    expect(await read()).toMatchObject(isDown)
    // An operator who changes or releases a channel gives it another chance at once.
    await post(`/channel/${crm.id}/release`, undefined)
    await store.markUp(INBOX_CHANNEL, NOW)
    expect(await stopped()).toEqual([])
    expect(await read()).toMatchObject({ downSince: null, nextProbeAt: null })
  })

  it('are without an inbox that is down once messages go to a default channel and none waits for it', async () => {
    const { store, send } = await begin()
    await store.markDown({ channelId: INBOX_CHANNEL, ...down })
    expect((await send('/today')).json.stoppedChannels).toMatchObject([{ id: INBOX_CHANNEL, waiting: 1 }])
    await store.saveChannel(makeChannel({ name: 'crm', defaultSince: NOW }))
    expect((await send('/today')).json.stoppedChannels).toEqual([])
  })
})

describe('GET /failures', () => {
  it('groups failures by channel and reason', async () => {
    const { send } = await begin()
    const { json } = await send('/failures')
    expect(json.groups).toMatchObject([
      { channel: 'inbox', reason: 'RETRIES_EXHAUSTED: HTTP 503', count: 1, byHour: expect.any(Array) },
    ])
    expect(json.groups[0].byHour[22]).toBe(1)
  })

  it('keeps a failure under the channel it was sent to when another channel becomes the default', async () => {
    const app = await begin()
    const failedId = app.claims[1]!.id
    await app.store.saveChannel(makeChannel({ name: 'crm', defaultSince: NOW }))
    expect((await app.send('/failures')).json.groups).toMatchObject([{ channel: 'inbox' }])
    expect((await app.send(`/event/${failedId}`)).json).toMatchObject({
      channelId: INBOX_CHANNEL,
      channel: 'inbox',
      attempts: [{ channel: 'inbox' }],
    })
    const { history } = (await app.send(`/event/${failedId}/explain`)).json
    expect(history[1].text).toMatch(/^Attempt 1 to inbox, claimed by worker-1/)
  })

  it('counts a failure no longer once its replay is in progress, and as delivered since after it', async () => {
    const app = await begin()
    const failedId = app.claims[1]!.id
    const counts = async () => {
      const { json } = await app.send('/failures')
      const { count, replaying, deliveredSince } = json.groups[0]
      const { failed24h } = (await app.send('/today')).json.counts
      return { count, replaying, deliveredSince, failed24h }
    }
    expect(await counts()).toEqual({ count: 1, replaying: 0, deliveredSince: 0, failed24h: 1 })
    await app.send(`/event/${failedId}/replay`, { method: 'POST' })
    app.setClock('2026-11-15T04:00:02Z')
    expect(await counts()).toEqual({ count: 0, replaying: 1, deliveredSince: 0, failed24h: 0 })
    const unresolved = '/event?status=FAILED&unresolved=true'
    expect((await app.send(unresolved)).json.items).toEqual([])
    await work(app, NOW + 3_000, {})
    app.setClock('2026-11-15T04:00:04Z')
    expect(await counts()).toEqual({ count: 0, replaying: 0, deliveredSince: 1, failed24h: 0 })
  })

  it('leaves out a group that is dismissed, until it is restored or another message fails', async () => {
    const app = await begin()
    const seen = async () => {
      const { groups } = (await app.send('/failures')).json
      return [groups.length, (await app.send('/today')).json.counts.failed24h]
    }
    const { channelId: channel, reason: exactReason, newestAt } = (await app.send('/failures')).json.groups[0]
    const failedBefore = new Date(Date.parse(newestAt) + 1).toISOString()
    const dismiss = (to: string | null) =>
      app.post('/failures/dismiss', { channel, exactReason, failedBefore: to })
    expect(await seen()).toEqual([1, 1])
    expect(await dismiss(failedBefore)).toMatchObject({ status: 200, json: { previous: null } })
    expect(await seen()).toEqual([0, 0])
    expect((await dismiss(null)).json).toEqual({ previous: failedBefore })
    expect(await seen()).toEqual([1, 1])
    await dismiss(newestAt)
    expect(await seen()).toEqual([1, 1])
    const object = { kind: 'channel', id: channel }
    expect((await app.send('/audit?action=failures.dismissed')).json.items).toMatchObject(
      [newestAt, 'none', failedBefore].map((to) => ({ object, details: { failedBefore: to } })),
    )
    const rejected = await app.post('/failures/dismiss', { channel: 'default', exactReason })
    const problems = [{ field: 'channel' }, { field: 'failedBefore', code: 'REQUIRED' }]
    expect(rejected.json).toMatchObject({ status: 400, problems })
  })

  it('filters by channel or by reason', async () => {
    const { send } = await begin()
    const count = async (query: string) => (await send(`/failures?${query}`)).json.groups.length
    expect(await count('channel=default')).toBe(1)
    expect(await count(`channel=${NO_ONE}`)).toBe(0)
    expect(await count('exactReason=RETRIES_EXHAUSTED:%20HTTP%20503')).toBe(1)
    expect(await count('exactReason=RETRIES_EXHAUSTED')).toBe(0)
    expect(await send('/failures?channel=crm')).toMatchObject({ status: 400 })
    const listed = async (query: string) => (await send(`/event?status=FAILED&${query}`)).json.items.length
    expect(await listed('exactReason=RETRIES_EXHAUSTED:%20HTTP%20503&channel=default')).toBe(1)
    expect(await listed('exactReason=HTTP%20503')).toBe(0)
    expect(await listed('reason=RETRIES')).toBe(1)
  })
})

describe('GET /upcoming', () => {
  it('counts messages by local date and returns the busiest instant', async () => {
    const { send, store } = await begin()
    const at = NOW + 3 * DAY
    await store.createUsers([makePerson({ targetAt: at }), makePerson({ targetAt: at })])
    const { json } = await send('/upcoming?days=10')
    expect(json.days).toEqual([
      { date: '2026-11-15', count: 1 },
      { date: '2026-11-18', count: 2 },
    ])
    expect(json.busiest).toEqual({ utc: new Date(at).toISOString(), count: 2 })
    expect(await send('/upcoming?days=0')).toMatchObject({ status: 400 })
  })
})

describe('the demo people', () => {
  it('are created once, one of them due within a minute, and deleted completely', async () => {
    const { send, post } = createTestApp()
    await post('/user', ADA)
    expect((await post('/demo', undefined)).json).toEqual({ loaded: 24 })
    expect((await post('/demo', undefined)).json).toEqual({ loaded: 0 })
    const { json } = await send('/user?limit=200')
    const demo = json.items.filter((row: Json) => row.externalId?.startsWith('terce-demo-'))
    expect(demo).toHaveLength(24)
    const soon = demo.filter((row: { next: { utc: string } }) => Date.parse(row.next.utc) < NOW + MINUTE)
    expect(soon).toHaveLength(1)
    expect((await send('/demo', { method: 'DELETE' })).json).toEqual({ wiped: 24 })
    expect((await send('/user')).json.items).toHaveLength(1)
  })
})

it('GET /session says that the dashboard is open to this computer while no key exists', async () => {
  const { json } = await createTestApp().send('/session')
  expect(json).toMatchObject({ open: true, scope: 'admin', inbox: true, version: '1.2.3' })
})
