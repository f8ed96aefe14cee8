// Sending an event before its time, with a real engine: the message goes out now, and the next one is planned as usual.
import { afterEach, describe, expect, it } from 'vitest'
import { sendNow } from '../../../src/app/events/send-now.ts'
import { changeUser } from '../../../src/app/users/change.ts'
import { createWorld, type World, wrapStore } from '../../engine/support/world.ts'
import { SECOND } from '../../support/fixtures.ts'

let world: World
afterEach(() => world.close())

describe('sendNow()', () => {
  it('delivers the message at once under the key of its occurrence, and plans next year', async () => {
    world = createWorld('2026-03-01T12:00:00Z')
    const { user, events } = await world.add()
    world.start()
    expect((await sendNow(world.app, events[0]!.id)).kind).toBe('due')
    await world.clock.advance(SECOND)
    expect(world.channel.sent).toHaveLength(1)
    expect(JSON.parse(world.channel.sent[0]!.body)).toMatchObject({
      occurrence: '2026',
      targetTimestampUTC: '2026-06-15T09:00:00.000Z',
      lateBySeconds: 0,
    })
    expect(await world.events(user.id)).toMatchObject([
      { occurrence: '2026', status: 'COMPLETED', targetAt: Date.parse('2026-06-15T09:00:00Z') },
      { occurrence: '2027', status: 'PENDING', targetAt: Date.parse('2027-06-15T09:00:00Z') },
    ])
    expect(world.notices.find(({ kind }) => kind === 'attempt')).toMatchObject({ lateMs: 0 })
    await world.passTo(Date.parse('2026-06-16T09:00:00Z'))
    expect(world.channel.sent).toHaveLength(1)
  })

  it('tries again if the event moved since it was read', async () => {
    world = createWorld('2026-03-01T12:00:00Z')
    const { user, events } = await world.add()
    let isFirst = true
    const store = wrapStore(world.store, async (name, call) => {
      if (name === 'replan' && isFirst) {
        isFirst = false
        await changeUser(world.app, user.id, { input: { timezone: 'Asia/Tokyo' }, ifVersion: null })
      }
      return call()
    })
    const result = await sendNow({ ...world.app, store }, events[0]!.id)
    expect(result).toMatchObject({
      kind: 'due',
      event: { timezone: 'Asia/Tokyo', wakeAt: world.clock.now() },
    })
    expect(await world.event(events[0]!.id)).toMatchObject({
      timezone: 'Asia/Tokyo',
      wakeAt: world.clock.now(),
    })
  })
})
