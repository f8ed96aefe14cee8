// Destinations fail, refuse and have their limits. None of it loses an event, and one's trouble is not another's.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { ChannelLimits, ChannelRecord } from '../../../src/domain/settings/channel.ts'
import { breakerFor } from '../../../src/engine/sending/circuit-breaker.ts'
import { createDestinations, type Destinations } from '../../../src/engine/sending/destinations.ts'
import type { DeliveryResult } from '../../../src/ports/channel.ts'
import type { Store } from '../../../src/ports/store.ts'
import {
  createScriptedChannel,
  DELIVERED,
  GONE,
  MINUTE,
  makePeople,
  newId,
  type ScriptedChannel,
  SECOND,
  UNAVAILABLE,
} from '../../support/fixtures.ts'
import { createWorld, type World, wrapStore } from '../support/world.ts'

const NINE = Date.parse('2026-06-15T09:00:00Z')
const DENIED: DeliveryResult = { kind: 'permanent', error: 'HTTP 401', statusCode: 401 }

let world: World
/** The far side of each channel, by its id. */
const far = new Map<string, ScriptedChannel>()
beforeEach(() => {
  world = createWorld('2026-06-15T08:00:00Z')
})
afterEach(() => world.close())

/** A channel that is set up, and its far side. */
async function setUp(name: string, limits: Partial<ChannelLimits> = {}) {
  const record: ChannelRecord = {
    id: newId(NINE),
    name,
    settings: {
      kind: 'webhook',
      url: `https://${name}.example`,
      perSecond: null,
      concurrency: null,
      ...limits,
    },
    secrets: [],
    defaultSince: null,
    status: 'ACTIVE',
    statusReason: null,
    version: 1,
    createdAt: NINE,
    updatedAt: NINE,
  }
  await world.store.saveChannel(record)
  const side = createScriptedChannel(world.clock)
  far.set(record.id, side)
  return { ...record, far: side }
}

type SetUp = Awaited<ReturnType<typeof setUp>>

function destinationsOf(store: Store = world.store): Destinations {
  return createDestinations({
    store,
    clock: world.clock,
    telemetry: (notice) => void world.notices.push(notice),
    open: ({ id }) => far.get(id)!,
    fallback: {
      id: 'inbox',
      name: 'inbox',
      kind: 'webhook',
      status: 'ACTIVE',
      limits: { perSecond: null, concurrency: null },
      channel: world.channel,
    },
  })
}

function peopleOf(channel: SetUp, count: number) {
  const people = makePeople(count, () => ({ targetAt: NINE, dateOfBirth: '1990-06-15' }))
  for (const person of people) person.occasions[0]!.channelId = channel.id
  return people
}

/** Answers so until told otherwise. */
function answering(far: ScriptedChannel, first: DeliveryResult) {
  const state = { answer: first, underWay: 0, most: 0 }
  const { deliver } = far
  far.deliver = async (delivery, signal) => {
    state.underWay += 1
    state.most = Math.max(state.most, state.underWay)
    await deliver(delivery, signal)
    await new Promise<void>((resolve) => world.clock.after(5, resolve))
    state.underWay -= 1
    return state.answer
  }
  return state
}

function start(): void {
  world.start({ breaker: breakerFor(4), concurrency: 32 }, { destinations: destinationsOf() })
}

describe('a destination that is down for longer than all retries', () => {
  it('gets every event once it is back, and none has failed', async () => {
    const crm = await setUp('crm')
    const far = answering(crm.far, UNAVAILABLE)
    const people = peopleOf(crm, 5_000)
    await world.put(...people)
    start()
    await world.clock.advanceTo(NINE + 30 * MINUTE)
    expect(await world.statuses(people)).toEqual({ PROCESSING: 5_000 })
    // Tried with one at a time, at most once a minute: not with everything again and again.
    expect(crm.far.sent.length).toBeLessThan(2 * 32 + 60)
    expect(world.notices).toContainEqual(expect.objectContaining({ kind: 'breaker', state: 'open' }))

    far.answer = DELIVERED
    far.most = 0
    await world.clock.advanceTo(NINE + 34 * MINUTE)
    expect(await world.statuses(people)).toEqual({ COMPLETED: 5_000 })
    const retries = await Promise.all(
      people.map(async ({ events }) => (await world.event(events[0]!.id)).retryCount),
    )
    expect(Math.max(...retries)).toBeLessThanOrEqual(1)
    expect(world.notices).toContainEqual(expect.objectContaining({ kind: 'breaker', state: 'closed' }))
  })

  it('shows attempts in vain that did not count as such', async () => {
    const crm = await setUp('crm')
    answering(crm.far, UNAVAILABLE)
    const people = peopleOf(crm, 40)
    await world.put(...people)
    start()
    await world.clock.advanceTo(NINE + MINUTE)
    const outcomes = await Promise.all(people.map(({ events }) => world.attempts(events[0]!.id)))
    const counts = Map.groupBy(outcomes.flat(), ({ outcome }) => outcome)
    expect(counts.get('RETRY')!.length).toBeLessThanOrEqual(32)
    expect(counts.get('PARKED')!.length).toBeGreaterThan(0)
  })

  it('is given up on by no lone event as long as it does not answer at all', async () => {
    const crm = await setUp('crm')
    const far = answering(crm.far, { kind: 'transient', error: 'CONNECTION: ECONNREFUSED', statusCode: null })
    const people = peopleOf(crm, 1)
    await world.put(...people)
    start()
    await world.clock.advanceTo(NINE + 60 * MINUTE)
    expect(await world.statuses(people)).toEqual({ PROCESSING: 1 })
    far.answer = DELIVERED
    await world.clock.advance(2 * MINUTE)
    expect(await world.statuses(people)).toEqual({ COMPLETED: 1 })
  })

  it('does not hold up another', async () => {
    const [down, up] = [await setUp('down'), await setUp('up')]
    answering(down.far, UNAVAILABLE)
    const [late, onTime] = [peopleOf(down, 200), peopleOf(up, 100)]
    await world.put(...late, ...onTime)
    start()
    await world.clock.advanceTo(NINE + SECOND)
    expect(await world.statuses(onTime)).toEqual({ COMPLETED: 100 })
    expect(Math.max(...up.far.sent.map(({ at }) => at - NINE))).toBeLessThan(200)
  })
})

describe('a receiver that is gone', () => {
  it('switches its channel off: what comes after fails with the reason and keeps its next year', async () => {
    const crm = await setUp('crm')
    answering(crm.far, GONE)
    const people = peopleOf(crm, 60)
    await world.put(...people)
    start()
    await world.clock.advanceTo(NINE + MINUTE)
    expect(await world.store.listChannels()).toMatchObject([{ status: 'DISABLED', statusReason: 'HTTP 410' }])
    const ends = await Promise.all(people.map(({ events }) => world.event(events[0]!.id)))
    const reasons = new Set(ends.map(({ failureCode }) => failureCode))
    expect(reasons).toEqual(new Set(['HTTP 410', 'CHANNEL_DISABLED']))
    expect(crm.far.sent.length).toBeLessThan(60)
    for (const { user } of people) expect(await world.events(user.id)).toHaveLength(2)
    expect(world.notices).toContainEqual(expect.objectContaining({ kind: 'channel', status: 'DISABLED' }))
  })
})

describe('a receiver that does not know us', () => {
  it('pauses its channel: events wait until it is resumed', async () => {
    const crm = await setUp('crm')
    const far = answering(crm.far, DENIED)
    const people = peopleOf(crm, 60)
    await world.put(...people)
    start()
    await world.clock.advanceTo(NINE + 10 * MINUTE)
    expect(await world.store.listChannels()).toMatchObject([{ status: 'PAUSED', statusReason: 'HTTP 401' }])
    expect(await world.statuses(people)).toEqual({ PROCESSING: 60 })
    const sent = crm.far.sent.length
    expect(sent).toBeLessThanOrEqual(32)
    far.answer = DELIVERED
    const resumed = { id: crm.id, from: 'PAUSED', to: 'ACTIVE', reason: null, at: world.clock.now() } as const
    await world.store.setChannelStatus(resumed)
    await world.clock.advance(2 * MINUTE)
    expect(await world.statuses(people)).toEqual({ COMPLETED: 60 })
  })
})

describe('a destination with limits', () => {
  it('gets no more than so many a second', async () => {
    const slow = await setUp('slow', { perSecond: 10 })
    const people = peopleOf(slow, 200)
    await world.put(...people)
    start()
    await world.clock.advanceTo(NINE + 19 * SECOND)
    const bySecond = Map.groupBy(slow.far.sent, ({ at }) => Math.floor((at - NINE) / 1000))
    const counts = [...bySecond.values()].map((sent) => sent.length)
    expect(Math.max(...counts.slice(1))).toBeLessThanOrEqual(11)
    expect(counts[0]).toBeLessThanOrEqual(21)
    await world.clock.advanceTo(NINE + 40 * SECOND)
    expect(await world.statuses(people)).toEqual({ COMPLETED: 200 })
  })

  it('gets no more than so many at once', async () => {
    const narrow = await setUp('narrow', { concurrency: 2 })
    const far = answering(narrow.far, DELIVERED)
    const people = peopleOf(narrow, 30)
    await world.put(...people)
    start()
    await world.clock.advanceTo(NINE + MINUTE)
    expect(far.most).toBe(2)
    expect(await world.statuses(people)).toEqual({ COMPLETED: 30 })
  })
})

describe('a channel of e-mail', () => {
  it('is given the rendered mail, and fails who has no address', async () => {
    const mail = await setUp('mail')
    const settings = {
      from: 'a@example.com',
      replyTo: null,
      listUnsubscribe: null,
      perSecond: null,
      concurrency: null,
    }
    await world.store.saveChannel({ ...strip(mail), version: 2, settings: { kind: 'smtp', ...settings } })
    const [reachable, not] = peopleOf(mail, 2)
    reachable!.user.email = 'ada@example.com'
    await world.put(reachable!, not!)
    start()
    await world.clock.advanceTo(NINE + SECOND)
    expect(mail.far.sent.map(({ body }) => JSON.parse(body))).toMatchObject([
      { to: 'ada@example.com', subject: expect.stringContaining('Ada'), text: expect.any(String) },
    ])
    expect(await world.event(not!.events[0]!.id)).toMatchObject({
      status: 'FAILED',
      failureCode: 'NO_ADDRESS',
    })
  })
})

describe('the default channel', () => {
  it('takes what names no channel; the latest to be named is it', async () => {
    const [first, second] = [await setUp('first'), await setUp('second')]
    await world.store.saveChannel({ ...strip(first), version: 2, defaultSince: NINE - 2 })
    await world.store.saveChannel({ ...strip(second), version: 2, defaultSince: NINE - 1 })
    await world.add()
    start()
    await world.clock.advanceTo(NINE + SECOND)
    expect([first, second].map(({ far }) => far.sent.length)).toEqual([0, 1])
    expect(world.channel.sent).toEqual([])
  })

  it('is the fallback while none is named', async () => {
    await setUp('first')
    await world.add()
    start()
    await world.clock.advanceTo(NINE + SECOND)
    expect(world.channel.sent).toHaveLength(1)
  })
})

it('does not take an answer that was overtaken for what channels are now', async () => {
  const channel = await setUp('slow')
  let hold: Promise<void> | null = null
  const store = wrapStore(world.store, async (_, call) => {
    const [answer, held] = [await call(), hold]
    hold = null
    await held
    return answer
  })
  const destinations = destinationsOf(store)
  await destinations.refresh()
  await world.clock.advance(MINUTE)
  const { promise, resolve } = Promise.withResolvers<void>()
  hold = promise
  const overtaken = destinations.refresh()
  await world.store.setChannelStatus({
    id: channel.id,
    from: 'ACTIVE',
    to: 'DISABLED',
    reason: null,
    at: NINE,
  })
  await destinations.refresh()
  resolve()
  await overtaken
  expect(destinations.of(channel.id).status).toBe('DISABLED')
})

function strip({ far: _, ...record }: SetUp): ChannelRecord {
  return record
}

describe('a channel made a moment ago', () => {
  it('gets its events, and no other does', async () => {
    const crm = await setUp('crm')
    world.start({}, { destinations: destinationsOf() })
    await world.put(...peopleOf(crm, 1))
    await world.clock.advanceTo(NINE + MINUTE)
    const late: SetUp = await setUp('late')
    crm.far.sent.length = 0
    const [person] = peopleOf(late, 1)
    await world.put(person!)
    await world.clock.advance(MINUTE)
    expect(crm.far.sent).toEqual([])
    expect(world.channel.sent).toEqual([])
    expect(await world.event(person!.events[0]!.id)).toMatchObject({ status: 'COMPLETED' })
    expect(late.far.sent).toHaveLength(1)
  })
})
