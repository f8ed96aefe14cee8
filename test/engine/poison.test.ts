// A poison event, which cannot be delivered, must not delay other events.
import { describe, expect, it } from 'vitest'
import type { Notice } from '../../src/ports/telemetry.ts'
import { onlyDestination } from '../support/fixed-parts.ts'
import { MINUTE, makePeople, makePerson, SECOND, turn, untilAborted } from '../support/fixtures.ts'
import { NINE, useWorld, world } from './support/use-world.ts'
import { SETTINGS } from './support/world.ts'

const NEXT_YEAR = Date.parse('2027-06-15T09:00:00Z')

useWorld()

describe('a poison event', () => {
  const others = () => makePeople(120, () => ({ targetAt: NINE, dateOfBirth: '1990-06-15' }))

  /** The others were delivered, a new event is delivered within a second, and the engine stops. */
  async function expectOthersUnharmed(people: ReturnType<typeof others>, engine: { stop(): Promise<void> }) {
    expect(await world.statuses(people)).toEqual({ COMPLETED: people.length })
    const late = makePerson({ targetAt: world.clock.now(), dateOfBirth: '1990-06-15' })
    await world.put(late)
    world.app.onPlanned(world.clock.now())
    await world.clock.advance(SECOND)
    expect(await world.statuses([late])).toEqual({ COMPLETED: 1 })
    let stopped = false
    void engine.stop().then(() => {
      stopped = true
    })
    await world.clock.advance(2 * SETTINGS.graceMs)
    expect(stopped).toBe(true)
  }

  it('with a bad template is the only one to fail, with a reason and a successor', async () => {
    const poisoned = makePerson({ targetAt: NINE, dateOfBirth: '1990-06-15', template: 'Hi {{ nickname }}' })
    const people = others()
    await world.put(poisoned, ...people)
    const engine = world.start()
    await world.clock.advanceTo(NINE + SECOND)
    expect(await world.event(poisoned.events[0]!.id)).toMatchObject({
      status: 'FAILED',
      failureCode: 'BAD_TEMPLATE',
      lastError: expect.stringMatching(/^BAD_TEMPLATE: .*nickname/),
      wakeAt: null,
    })
    expect((await world.events(poisoned.user.id))[1]).toMatchObject({
      status: 'PENDING',
      targetAt: NEXT_YEAR,
    })
    await expectOthersUnharmed(people, engine)
  })

  it('whose channel rejects is retried by the retry policy and becomes FAILED', async () => {
    const poisoned = makePerson({ targetAt: NINE, dateOfBirth: '1990-06-15' })
    const people = others()
    await world.put(poisoned, ...people)
    const id = poisoned.events[0]!.id
    world.channel.script(id, ...Array(4).fill(() => Promise.reject(new Error('a bug in the channel'))))
    const engine = world.start()
    await world.clock.advanceTo(NINE + 10 * MINUTE)
    expect(await world.event(id)).toMatchObject({
      status: 'FAILED',
      lastError: 'CHANNEL_ERROR: Error',
      retryCount: 3,
    })
    await expectOthersUnharmed(people, engine)
  })

  it('whose attempt throws is claimed again when its lease expires, and keeps to the concurrency of its channel', async () => {
    const poisoned = makePerson({ targetAt: NINE - 1, dateOfBirth: '1990-06-15' })
    const people = others().slice(0, 4)
    await world.put(poisoned, ...people)
    const id = poisoned.events[0]!.id
    const { destinations, mostAtOnce } = oneAtATime()
    let throws = true
    const telemetry = (notice: Notice) => {
      world.notices.push(notice)
      if (notice.kind !== 'attempt' || notice.eventId !== id || !throws) return
      throws = false
      throw new Error('a bug in telemetry')
    }
    const engine = world.start({}, { destinations, telemetry })
    await world.clock.advanceTo(NINE + SECOND)
    expect(await world.event(id)).toMatchObject({ status: 'PROCESSING' })
    expect(world.notices).toContainEqual(expect.objectContaining({ operation: 'send', eventId: id }))
    await world.clock.advanceTo(NINE + SETTINGS.leaseMs + SECOND)
    expect(await world.statuses([poisoned])).toEqual({ COMPLETED: 1 })
    expect(mostAtOnce()).toBe(1)
    await expectOthersUnharmed(people, engine)
  })

  /** A channel with a concurrency of one, which records how many sends were in flight at once. */
  function oneAtATime() {
    let now = 0
    let most = 0
    const destinations = onlyDestination({
      ...world.channel,
      async deliver(delivery, signal) {
        now += 1
        most = Math.max(most, now)
        await turn()
        now -= 1
        return world.channel.deliver(delivery, signal)
      },
    })
    destinations.of(null).limits.concurrency = 1
    return { destinations, mostAtOnce: () => most }
  }

  it.each([
    ['whose channel never responds', { dateOfBirth: '1990-06-15' }],
    ['whose successor cannot be planned', { timezone: 'Mars/Olympus_Mons' }],
  ])('%s does not delay the others', async (what, over) => {
    const poisoned = makePerson({ targetAt: NINE, ...over })
    const people = others()
    await world.put(poisoned, ...people)
    if (what === 'whose channel never responds') world.channel.script(poisoned.events[0]!.id, untilAborted)
    const engine = world.start()
    await world.clock.advanceTo(NINE + SECOND)
    await expectOthersUnharmed(people, engine)
  })

  it('does not delay the others even if there are three times as many as may be in flight', async () => {
    const poisoned = makePeople(SETTINGS.concurrency * 3, () => ({
      targetAt: NINE - 1,
      template: '{{ oops }}',
    }))
    const people = others()
    await world.put(...poisoned, ...people)
    const engine = world.start()
    await world.clock.advanceTo(NINE + SECOND)
    expect(await world.statuses(poisoned)).toEqual({ FAILED: poisoned.length })
    await expectOthersUnharmed(people, engine)
  })
})
