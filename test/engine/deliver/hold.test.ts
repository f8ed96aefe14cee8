// The hold of an operator: events wait, and are sent after its end, the first due first.
import { describe, expect, it } from 'vitest'
import { BREAKER } from '../../../src/engine/deliver/circuit-breaker.ts'
import type { DeliveryResult } from '../../../src/ports/channel.ts'
import { HOUR, MINUTE, makePerson, SECOND } from '../../support/fixtures.ts'
import { destinationsOf, NINE, peopleOf, setUp, start, useWorld, world } from './support/outage-world.ts'

useWorld()

const hold = (channelId: string, heldUntil: number | null) =>
  world.store.holdDestination({ channelId, heldAt: world.clock.now(), heldUntil, heldBy: 'ops' })

const saveText = (body: string, version: number) =>
  world.store.saveTemplate({
    ...{ type: 'BIRTHDAY', language: '', subject: null, createdAt: 0, updatedAt: 0 },
    ...{ body, version },
  })

describe('a channel that an operator holds', () => {
  it('gets nothing until the end of the hold, and all of it seconds later, the first due first', async () => {
    const crm = await setUp('crm', { concurrency: 1 })
    await hold(crm.id, NINE + HOUR)
    const minutes = [40, 3, 59, 20, 0, 11]
    const people = minutes.map((minute) => makePerson({ targetAt: NINE + minute * MINUTE }))
    for (const person of people) person.occasions[0]!.channelId = crm.id
    await world.put(...people)
    start()
    await world.clock.advanceTo(NINE + HOUR - SECOND)
    expect(crm.receiver.sent).toEqual([])
    expect(await world.statuses(people)).toEqual({ PENDING: 6 })
    await world.clock.advance(5 * SECOND)
    const byDue = minutes
      .toSorted((a, b) => a - b)
      .map((minute) => people[minutes.indexOf(minute)]!.events[0]!.id)
    expect(crm.receiver.sent.map(({ eventId }) => eventId)).toEqual(byDue)
    const retries = (await world.firstEvents(people)).map(({ retryCount }) => retryCount)
    expect(Math.max(...retries)).toBe(0)
    const changes = world.notices.flatMap((one) => (one.kind === 'channel' ? [[one.status, one.reason]] : []))
    expect(changes, 'the end of the hold is in the log').toEqual([['ACTIVE', null]])
  })

  it('gets them after the end also if the worker was started during the hold', async () => {
    const crm = await setUp('crm')
    await hold(crm.id, NINE + HOUR)
    const people = peopleOf(crm, 50)
    await world.put(...people)
    const first = world.start({}, { destinations: destinationsOf() })
    await world.clock.advanceTo(NINE + MINUTE)
    await first.stop()
    start()
    await world.clock.advanceTo(NINE + HOUR - SECOND)
    expect(await world.statuses(people)).toEqual({ PENDING: 50 })
    await world.clock.advance(6 * SECOND)
    expect(await world.statuses(people)).toEqual({ COMPLETED: 50 })
  })

  it('gets the text of the time of the release, and only what is not too late then', async () => {
    const crm = await setUp('crm')
    await saveText('Old', 1)
    const minutes = [0, 40]
    const people = minutes.map((minute) => makePerson({ targetAt: NINE + minute * MINUTE }))
    for (const person of people) person.occasions[0]!.channelId = crm.id
    await world.put(...people)
    await hold(crm.id, null)
    const lateness = new Map([['BIRTHDAY', { belatedAfterMs: null, missedAfterMs: 30 * MINUTE }]])
    const idle = { pollMs: HOUR, breaker: BREAKER }
    const first = world.start(idle, { destinations: destinationsOf(), lateness })
    await world.clock.advanceTo(NINE + 45 * MINUTE)
    await first.stop()
    // Nothing is due for this worker before the release.
    world.start(idle, { destinations: destinationsOf(), lateness })
    await world.clock.advance(5 * SECOND)
    await saveText('New', 2)
    await world.store.releaseDestination(crm.id, world.clock.now())
    await world.clock.advance(4 * SECOND)
    expect(crm.receiver.sent.map(({ body }) => JSON.parse(body).message)).toEqual(['New'])
    const [missed, sent] = await world.firstEvents(people)
    expect(missed).toMatchObject({ status: 'FAILED', lastError: expect.stringContaining('MISSED_WINDOW') })
    expect(sent).toMatchObject({ status: 'COMPLETED' })
  })

  it('may be the built-in one, which has no stored settings', async () => {
    const people = [makePerson({ targetAt: NINE })]
    await world.put(...people)
    await hold('inbox', NINE + MINUTE)
    start()
    await world.clock.advanceTo(NINE + MINUTE - SECOND)
    expect(world.channel.sent).toEqual([])
    expect(await world.statuses(people)).toEqual({ PENDING: 1 })
    await world.clock.advance(5 * SECOND)
    expect(world.channel.sent).toHaveLength(1)
  })

  it('stays held after the end if the receiver rejected our credentials meanwhile', async () => {
    const crm = await setUp('crm')
    const response = Promise.withResolvers<DeliveryResult>()
    crm.receiver.deliver = () => response.promise
    const people = peopleOf(crm, 1)
    await world.put(...people)
    start()
    await world.clock.advanceTo(NINE + SECOND)
    await hold(crm.id, NINE + MINUTE)
    await world.clock.advance(4 * SECOND)
    response.resolve({ kind: 'permanent', error: 'HTTP 401', statusCode: 401 })
    await world.clock.advance(2 * MINUTE)
    expect(await world.store.listChannels()).toMatchObject([{ status: 'HELD', statusReason: 'HTTP 401' }])
    expect(await world.statuses(people)).toEqual({ PROCESSING: 1 })
    const destinations = destinationsOf()
    await destinations.refresh()
    expect(destinations.of(crm.id).status).toBe('HELD')
  })
})
