// Destinations that are down, gone, unauthorized or limited: no event is lost, and other destinations are not affected.
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { ChannelRecord } from '../../../src/domain/settings/channel.ts'
import { BREAKER } from '../../../src/engine/deliver/circuit-breaker.ts'
import type { DeliveryResult } from '../../../src/ports/channel.ts'
import { samplesOf } from '../../../src/telemetry/samples.ts'
import { DELIVERED, GONE, MINUTE, SECOND, UNAVAILABLE } from '../../support/fixtures.ts'
import { wrapStore } from '../support/world.ts'
import {
  destinationsOf,
  NINE,
  peopleOf,
  respondWith,
  type SetUp,
  setUp,
  start,
  useWorld,
  world,
} from './support/outage-world.ts'

const DENIED: DeliveryResult = { kind: 'permanent', error: 'HTTP 401', statusCode: 401 }

const MONITOR = new URL('../../../docs/monitor.md', import.meta.url)
const [, metric, value, minutes] =
  /alert: TerceDestinationDown.*\n +expr: min by \(channel\) \((\w+)\) == (\d)\n +for: (\d)m\n/.exec(
    readFileSync(MONITOR, 'utf8'),
  )!
const DOWN_ALERT = { metric, value: Number(value), forMs: Number(minutes) * MINUTE }

useWorld()

/** A channel whose receiver returns `result`, and people who are due at nine. */
async function dueWhile(result: DeliveryResult, count: number, takesMs?: number) {
  const crm = await setUp('crm')
  const responses = respondWith(crm.receiver, result, takesMs)
  const people = peopleOf(crm, count)
  await world.put(...people)
  return { crm, responses, people }
}

describe('a destination that is down for longer than all retries', () => {
  it('gets every event when it is up again, and no event has failed', async () => {
    const { crm, responses, people } = await dueWhile(UNAVAILABLE, 1_000)
    start()
    await world.clock.advanceTo(NINE + 30 * MINUTE)
    const { PROCESSING = 0, PENDING = 0 } = await world.statuses(people)
    expect(PROCESSING + PENDING).toBe(1_000)
    // The first sends, a probe a second for five minutes, and then 300 for each time that the outage becomes e times as long.
    expect(crm.receiver.sent.length).toBeLessThan(2 * 32 + 300 + 300 * Math.log(6))
    expect(world.notices).toContainEqual(expect.objectContaining({ kind: 'destination', state: 'down' }))

    responses.result = DELIVERED
    responses.most = 0
    await world.clock.advanceTo(NINE + 31 * MINUTE)
    expect(await world.statuses(people)).toEqual({ COMPLETED: 1_000 })
    const retries = (await world.firstEvents(people)).map(({ retryCount }) => retryCount)
    expect(Math.max(...retries)).toBe(0)
    expect(world.notices).toContainEqual(expect.objectContaining({ kind: 'destination', state: 'up' }))
  })

  it.each([
    ['refused connections', { kind: 'transient', error: 'CONNECTION: ECONNREFUSED', statusCode: null }],
    ['responded with 502', { kind: 'transient', error: 'HTTP 502', statusCode: 502 }],
    ['responded with 503', UNAVAILABLE],
    ['responded with 504', { kind: 'transient', error: 'HTTP 504', statusCode: 504 }],
  ] satisfies [string, DeliveryResult][])(
    'gets a single event when it is up again, without the use of a retry, if it %s for 20 minutes',
    async (_, down) => {
      const { responses, people } = await dueWhile(down, 1)
      start()
      await world.clock.advanceTo(NINE + 20 * MINUTE)
      expect(await world.statuses(people)).toEqual({ PROCESSING: 1 })
      responses.result = DELIVERED
      await world.clock.advance(2 * MINUTE)
      expect(await world.event(people[0]!.events[0]!.id)).toMatchObject({
        status: 'COMPLETED',
        retryCount: 0,
      })
    },
  )

  it.each([
    ['responds with 503', UNAVAILABLE, 5],
    ['never responds', { kind: 'transient', error: 'TIMEOUT: no response', statusCode: null }, 10 * SECOND],
  ] satisfies [string, DeliveryResult, number][])(
    'makes the alert rule of docs/monitor.md fire until it is up again, if it %s',
    async (_, down, takesMs) => {
      const { responses } = await dueWhile(down, 20, takesMs)
      start()
      let trueSince: number | null = null
      /** As Prometheus does: the alert fires once the expression was true at every evaluation for `forMs`. */
      const evaluate = async () => {
        await world.clock.advance(15 * SECOND)
        const now = world.clock.now()
        const sample = world.notices.flatMap(samplesOf).findLast(({ name }) => name === DOWN_ALERT.metric)
        trueSince = sample?.value === DOWN_ALERT.value ? (trueSince ?? now) : null
        return trueSince !== null && now - trueSince >= DOWN_ALERT.forMs
      }
      await world.clock.advanceTo(NINE + 30 * SECOND)
      const fires = []
      for (let evaluations = 0; evaluations < 20; evaluations++) fires.push(await evaluate())
      // Pending for two minutes, then firing.
      expect(fires).toEqual([...Array(8).fill(false), ...Array(12).fill(true)])
      Object.assign(responses, { result: DELIVERED, takesMs: 5 })
      await world.clock.advance(MINUTE)
      expect(await evaluate()).toBe(false)
    },
  )

  it.each([10, 40])(
    'gets one request at a time as soon as all processes know, each of %d s',
    async (seconds) => {
      const crm = await setUp('crm')
      const timeout: DeliveryResult = { kind: 'transient', error: 'TIMEOUT: no response', statusCode: null }
      const responses = respondWith(crm.receiver, timeout, seconds * SECOND)
      await world.put(...peopleOf(crm, 500))
      for (const workerId of ['a', 'b', 'c', 'd']) start({ workerId })
      await world.clock.advanceTo(NINE + 2 * MINUTE)
      responses.most = 0
      crm.receiver.sent.length = 0
      await world.clock.advance(5 * MINUTE)
      expect(responses.most).toBe(1)
      expect(crm.receiver.sent.length).toBeGreaterThan(200 / seconds)
    },
  )

  it('gets its events within seconds although the process that probes it is killed', async () => {
    const { responses, people } = await dueWhile(UNAVAILABLE, 20)
    let isKilled = false
    const store = wrapStore(world.store, (_, call) => (isKilled ? new Promise(() => {}) : call()))
    world.start({ breaker: BREAKER, workerId: 'a' }, { store, destinations: destinationsOf(store) })
    await world.clock.advanceTo(NINE + 10 * SECOND)
    responses.takesMs = 60 * MINUTE
    await world.clock.advance(3 * SECOND)
    expect(responses.inFlight).toBe(1)
    isKilled = true
    Object.assign(responses, { result: DELIVERED, takesMs: 5 })
    start({ workerId: 'b' })
    await world.clock.advance(15 * SECOND)
    // The event of the killed process is leased to it for some seconds more.
    expect((await world.statuses(people)).COMPLETED).toBeGreaterThanOrEqual(19)
  })

  it('does not delay the events of another destination', async () => {
    const [down, up] = [await setUp('down'), await setUp('up')]
    respondWith(down.receiver, UNAVAILABLE)
    const [late, onTime] = [peopleOf(down, 200), peopleOf(up, 100)]
    await world.put(...late, ...onTime)
    start()
    await world.clock.advanceTo(NINE + SECOND)
    expect(await world.statuses(onTime)).toEqual({ COMPLETED: 100 })
    expect(Math.max(...up.receiver.sent.map(({ at }) => at - NINE))).toBeLessThan(200)
  })
})

describe('a destination that responds again', () => {
  it('gets its first events within two seconds and all of them soon after, from two processes', async () => {
    const { crm, responses, people } = await dueWhile(UNAVAILABLE, 5_000)
    for (const workerId of ['a', 'b']) start({ workerId })
    await world.clock.advanceTo(NINE + 18 * SECOND)
    responses.result = DELIVERED
    crm.receiver.sent.length = 0
    await world.clock.advance(2 * SECOND)
    expect(crm.receiver.sent.length).toBeGreaterThan(100)
    await world.clock.advance(10 * SECOND)
    expect(await world.statuses(people)).toEqual({ COMPLETED: 5_000 })
  })

  it('gets an event again after its Retry-After only, although another process finds it up before', async () => {
    const { crm, people } = await dueWhile(UNAVAILABLE, 500)
    for (const workerId of ['a', 'b']) start({ workerId })
    await world.clock.advanceTo(NINE + 8 * SECOND)
    // The probe is accepted, the next request gets a Retry-After, and every later one is accepted.
    let isUp = false
    const { deliver } = crm.receiver
    const asked: { eventId: string; at: number }[] = []
    crm.receiver.deliver = async (delivery, signal) => {
      const later: DeliveryResult = {
        kind: 'transient',
        error: 'HTTP 503',
        statusCode: 503,
        retryAfterMs: 20 * SECOND,
      }
      const isFirst = isUp && asked.length === 0
      isUp = true
      if (isFirst) asked.push({ eventId: delivery.eventId, at: world.clock.now() })
      await deliver(delivery, signal)
      return isFirst ? later : DELIVERED
    }
    await world.clock.advance(15 * SECOND)
    expect(await world.statuses(people)).toEqual({ COMPLETED: 499, PROCESSING: 1 })
    await world.clock.advance(15 * SECOND)
    expect(await world.statuses(people)).toEqual({ COMPLETED: 500 })
    const [{ eventId, at }] = asked as [(typeof asked)[0]]
    const again = crm.receiver.sent.filter((sent) => sent.eventId === eventId && sent.at > at)
    expect(again.map((sent) => sent.at - at)).toEqual([expect.closeTo(20 * SECOND, -3)])
  })

  it('gets an event that was parked many times, from a process that has met the outage once', async () => {
    const { crm, responses, people } = await dueWhile(UNAVAILABLE, 1)
    const ended = world.start({ breaker: BREAKER }, { destinations: destinationsOf() })
    await world.clock.advanceTo(NINE + 10 * MINUTE)
    void ended.stop()
    await world.clock.advance(SECOND)
    crm.receiver.sent.length = 0
    start()
    await world.clock.advance(SECOND)
    expect(crm.receiver.sent).toHaveLength(1)
    responses.result = DELIVERED
    await world.clock.advance(5 * SECOND)
    expect(await world.statuses(people)).toEqual({ COMPLETED: 1 })
  })

  it('gets an event that the store was still parking when the first probe was due', async () => {
    const { crm, responses, people } = await dueWhile(UNAVAILABLE, 1)
    const store = wrapStore(world.store, async (name, call) => {
      if (name === 'settle') await new Promise<void>((resolve) => world.clock.after(4 * SECOND, resolve))
      return call()
    })
    world.start({ breaker: BREAKER }, { store, destinations: destinationsOf() })
    // Three attempts, each with its 4 s to park the event, open the breaker at 8 s. Nobody finds the event before 12 s.
    await world.clock.advanceTo(NINE + 9 * SECOND)
    expect(world.notices).toContainEqual(expect.objectContaining({ kind: 'destination', state: 'down' }))
    responses.result = DELIVERED
    await world.clock.advanceTo(NINE + 14 * SECOND)
    expect(crm.receiver.sent).toHaveLength(4)
    await world.clock.advance(5 * SECOND)
    expect(await world.statuses(people)).toEqual({ COMPLETED: 1 })
  })
})

it('a destination that is down again while its backlog is sent gets one event as a probe every one to two seconds', async () => {
  const { crm, responses } = await dueWhile(UNAVAILABLE, 2_000)
  let claimed = 0
  const store = wrapStore(world.store, async (name, call) => {
    const result = await call()
    if (name === 'claimDue') claimed += (result as unknown[]).length
    return result
  })
  world.start({ breaker: BREAKER }, { store, destinations: destinationsOf() })
  await world.clock.advanceTo(NINE + 10 * SECOND)
  responses.result = DELIVERED
  await world.clock.advance(SECOND / 2)
  responses.result = UNAVAILABLE
  await world.clock.advance(5 * SECOND)
  claimed = 0
  crm.receiver.sent.length = 0
  await world.clock.advance(10 * SECOND)
  expect(crm.receiver.sent.length).toBeGreaterThanOrEqual(6)
  expect(claimed).toBe(crm.receiver.sent.length)
})

it.each(['HELD', 'DISABLED'] as const)(
  'a destination that is down and then %s is looked at every second at most',
  async (to) => {
    const { crm } = await dueWhile(UNAVAILABLE, 20)
    const destinations = destinationsOf()
    let looks = 0
    // A loop without a wait ends after 1,000 turns, so that the test fails instead of running for ever.
    const refresh = () => (++looks > 1_000 ? new Promise<void>(() => {}) : destinations.refresh())
    world.start({ breaker: BREAKER }, { destinations: { ...destinations, refresh } })
    await world.clock.advanceTo(NINE + 10 * SECOND)
    await world.store.setChannelStatus({ id: crm.id, from: 'ACTIVE', to, reason: null, at: NINE })
    await world.clock.advance(2 * MINUTE)
    looks = 0
    await world.clock.advance(20 * SECOND)
    expect(looks).toBeLessThanOrEqual(50)
  },
)

it('a worker reads the channels once or twice for a hundred announced changes, and not after its stop', async () => {
  await setUp('crm')
  const destinations = destinationsOf()
  let reads = 0
  const refresh = (at?: number) => {
    reads += 1
    return destinations.refresh(at)
  }
  const engine = world.start({ breaker: BREAKER }, { destinations: { ...destinations, refresh } })
  await world.clock.advance(SECOND)
  reads = 0
  for (let i = 0; i < 100; i++) engine.reload()
  await world.clock.advance(10)
  expect(reads).toBeLessThanOrEqual(10)
  const stopped = engine.stop()
  await world.clock.advance(SECOND)
  await stopped
  reads = 0
  engine.reload()
  await world.clock.advance(MINUTE)
  expect(reads).toBe(0)
})

describe('an event to which the receiver never responds', () => {
  const NO_RESPONSE: DeliveryResult = { kind: 'transient', error: 'HTTP 502', statusCode: 502 }

  it('fails when its retries are used up, if the receiver responds to other events', async () => {
    const crm = await setUp('crm')
    const [poison] = peopleOf(crm, 1)
    await world.put(poison!)
    const { deliver } = crm.receiver
    crm.receiver.deliver = async (delivery, signal) =>
      delivery.eventId === poison!.events[0]!.id ? NO_RESPONSE : deliver(delivery, signal)
    start()
    for (let minute = 0; minute < 60; minute++) {
      const [other] = peopleOf(crm, 1)
      await world.put(other!)
      await world.clock.advanceTo(NINE + minute * MINUTE)
    }
    expect(await world.event(poison!.events[0]!.id)).toMatchObject({
      status: 'FAILED',
      failureCode: 'RETRIES_EXHAUSTED',
      retryCount: 3,
    })
    expect(await world.events(poison!.user.id)).toHaveLength(2)
  })

  it('fails at once if there are no retries', async () => {
    const crm = await setUp('crm')
    respondWith(crm.receiver, NO_RESPONSE)
    const [poison] = peopleOf(crm, 1)
    await world.put(poison!)
    world.start({ breaker: BREAKER }, { destinations: destinationsOf(), retryPolicy: { delaysMs: [] } })
    await world.clock.advanceTo(NINE + SECOND)
    expect(await world.event(poison!.events[0]!.id)).toMatchObject({ status: 'FAILED', retryCount: 0 })
  })
})

describe('a receiver that responds with 410', () => {
  it('disables its channel: the other events wait until it is released', async () => {
    const { crm, responses, people } = await dueWhile(GONE, 60)
    start()
    await world.clock.advanceTo(NINE + MINUTE)
    expect(await world.store.listChannels()).toMatchObject([{ status: 'DISABLED', statusReason: 'HTTP 410' }])
    const sent = crm.receiver.sent.length
    expect(sent).toBeLessThan(60)
    expect(await world.statuses(people)).toMatchObject({ FAILED: sent })
    expect(world.notices).toContainEqual(expect.objectContaining({ kind: 'channel', status: 'DISABLED' }))
    responses.result = DELIVERED
    const released = {
      id: crm.id,
      from: 'DISABLED',
      to: 'ACTIVE',
      reason: null,
      at: world.clock.now(),
    } as const
    await world.store.setChannelStatus(released)
    await world.clock.advance(3 * SECOND)
    expect(await world.statuses(people)).toEqual({ FAILED: sent, COMPLETED: 60 - sent })
  })

  it('gets events again that are due right after its channel was released', async () => {
    const { crm, responses } = await dueWhile(GONE, 1)
    start({ pollMs: SECOND })
    await world.clock.advanceTo(NINE + MINUTE)
    const [disabled] = await world.store.listChannels()
    expect(disabled).toMatchObject({ status: 'DISABLED' })
    responses.result = DELIVERED
    await world.store.saveChannel({ ...disabled!, status: 'ACTIVE', version: disabled!.version + 1 })
    // Each poll claims, and the channels were read by one of the last two.
    const people = peopleOf(crm, 10)
    await world.put(...people)
    await world.clock.advance(2 * SECOND)
    expect(await world.statuses(people)).toEqual({ COMPLETED: 10 })
  })
})

describe('a receiver that responds with 401', () => {
  it('holds its channel: events wait until the channel is released', async () => {
    const { crm, responses, people } = await dueWhile(DENIED, 60)
    start()
    await world.clock.advanceTo(NINE + 10 * MINUTE)
    expect(await world.store.listChannels()).toMatchObject([{ status: 'HELD', statusReason: 'HTTP 401' }])
    expect(await world.statuses(people)).not.toHaveProperty('FAILED')
    const sent = crm.receiver.sent.length
    expect(sent).toBeLessThanOrEqual(32)
    responses.result = DELIVERED
    const released = { id: crm.id, from: 'HELD', to: 'ACTIVE', reason: null, at: world.clock.now() } as const
    await world.store.setChannelStatus(released)
    await world.clock.advance(3 * SECOND)
    expect(await world.statuses(people)).toEqual({ COMPLETED: 60 })
  })
})

describe('a destination with limits', () => {
  it('gets a later event at its instant, although its queue was full when the worker went to sleep', async () => {
    const slow = await setUp('slow', { perSecond: 2 })
    const people = peopleOf(slow, 4)
    people[3]!.events[0]!.targetAt = NINE + MINUTE
    await world.put(...people)
    start({ pollMs: 60 * MINUTE })
    await world.clock.advanceTo(NINE + MINUTE + SECOND)
    expect(slow.receiver.sent).toHaveLength(4)
  })

  it('gets the events that wait when a limit is added', async () => {
    const slow = await setUp('slow', { perSecond: 5 })
    const { receiver, ...record } = slow
    const people = peopleOf(slow, 25)
    await world.put(...people)
    start()
    await world.clock.advanceTo(NINE + SECOND)
    const settings = { ...record.settings, concurrency: 10 }
    await world.store.saveChannel({ ...record, version: 2, settings })
    await world.clock.advanceTo(NINE + MINUTE)
    expect(await world.statuses(people)).toEqual({ COMPLETED: 25 })
  })

  it('gets what a worker left from the next worker at once, also if the receiver rejects the first of it', async () => {
    const slow = await setUp('slow', { perSecond: 20 })
    const responses = respondWith(slow.receiver, DELIVERED)
    const people = peopleOf(slow, 300)
    await world.put(...people)
    const ended = world.start({ breaker: BREAKER }, { destinations: destinationsOf() })
    await world.clock.advanceTo(NINE + SECOND)
    void ended.stop()
    await world.clock.advance(SECOND)
    responses.result = { kind: 'permanent', error: 'HTTP 400', statusCode: 400 }
    const sent = slow.receiver.sent.length
    start()
    while (slow.receiver.sent.length === sent) await world.clock.advance(10)
    responses.result = DELIVERED
    await world.clock.advanceTo(NINE + 20 * SECOND)
    expect(await world.statuses(people)).toMatchObject({ COMPLETED: 299 })
  })

  it('gets an event at each of its turns if a call to the store takes longer than a turn may be late', async () => {
    const slow = await setUp('slow', { perSecond: 1 })
    await world.put(...peopleOf(slow, 5))
    const wait = () => new Promise<void>((resolve) => void world.clock.after(60, resolve))
    const delayed =
      <A extends unknown[], R>(call: (...args: A) => Promise<R>) =>
      async (...args: A) => {
        await wait()
        return call(...args)
      }
    const { confirmClaims, readLeases, writeLeases } = world.store
    const store = {
      ...world.store,
      confirmClaims: delayed(confirmClaims),
      readLeases: delayed(readLeases),
      writeLeases: delayed(writeLeases),
    }
    world.start({ breaker: BREAKER }, { store, destinations: destinationsOf() })
    await world.clock.advanceTo(NINE + 10 * SECOND)
    expect(slow.receiver.sent).toHaveLength(5)
  })
})

describe('the default channel', () => {
  it('gets events without a channel; of two defaults the later one counts', async () => {
    const [first, second] = [await setUp('first'), await setUp('second')]
    await world.store.saveChannel({ ...strip(first), version: 2, defaultSince: NINE - 2 })
    await world.store.saveChannel({ ...strip(second), version: 2, defaultSince: NINE - 1 })
    await world.add()
    start()
    await world.clock.advanceTo(NINE + SECOND)
    expect([first, second].map(({ receiver }) => receiver.sent.length)).toEqual([0, 1])
    expect(world.channel.sent).toEqual([])
  })
})

it('a slow read of the channels does not overwrite the result of a later read', async () => {
  const channel = await setUp('slow')
  let hold: Promise<void> | null = null
  const store = wrapStore(world.store, async (_, call) => {
    const [result, held] = [await call(), hold]
    hold = null
    await held
    return result
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

function strip({ receiver: _, ...record }: SetUp): ChannelRecord {
  return record
}

describe('a channel that was created a moment ago', () => {
  it('gets its events, and no other channel gets them', async () => {
    const crm = await setUp('crm')
    world.start({}, { destinations: destinationsOf() })
    await world.put(...peopleOf(crm, 1))
    await world.clock.advanceTo(NINE + MINUTE)
    const late: SetUp = await setUp('late')
    crm.receiver.sent.length = 0
    const [person] = peopleOf(late, 1)
    await world.put(person!)
    await world.clock.advance(MINUTE)
    expect(crm.receiver.sent).toEqual([])
    expect(world.channel.sent).toEqual([])
    expect(await world.event(person!.events[0]!.id)).toMatchObject({ status: 'COMPLETED' })
    expect(late.receiver.sent).toHaveLength(1)
  })
})
