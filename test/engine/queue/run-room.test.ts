// A run of the scheduler beside a destination that cannot take all that is due for it: the others are handed over, its own events are not lost.
import { expect, it } from 'vitest'
import { createQueueConsumer } from '../../../src/engine/queue/consumer.ts'
import { dispatch } from '../../../src/engine/queue/dispatcher.ts'
import { wakeForRun } from '../../../src/engine/queue/wake-for-run.ts'
import { BUILT_IN_ONLY } from '../../support/fixed-parts.ts'
import { MINUTE, SECOND } from '../../support/fixtures.ts'
import { destinationsOf, NINE, peopleOf, setUp, useWorld, world } from '../deliver/support/outage-world.ts'
import { wrapStore } from '../support/world.ts'
import { LEASE, received, rememberingQueue, WORK, whileTimePasses } from './support/recording-queue.ts'

useWorld()

const MANY = 1_500
const OTHERS = 20

/** Returns how many were handed over, and how many batches of 100 were claimed. */
async function runAt(at: number) {
  await world.clock.jumpTo(at)
  const queue = rememberingQueue()
  const destinations = destinationsOf()
  const deps = { ...world.deps({ templates: BUILT_IN_ONLY, destinations }), queue }
  let claims = 0
  const store = wrapStore(world.store, (name, call) => {
    if (name === 'claimDue') claims += 1
    return call()
  })
  const until = at + MINUTE
  await destinations.refresh()
  await wakeForRun({ ...deps, store })
  await dispatch({ ...deps, store }, { claimedBy: 'run', leaseMs: LEASE, batchSize: 100, until })
  return { refs: queue.sent, sent: queue.sent.map(({ eventId }) => eventId), claims }
}

it.each([
  ['is limited to one a second', { perSecond: 1 }, 60],
  ['is down', {}, 10],
  ['is held', {}, 0],
] as const)(
  'a destination that %s does not delay the others, and loses nothing',
  async (what, limits, own) => {
    const crowded = await setUp('crowded', limits)
    const other = await setUp('other')
    const [{ id }, now] = [crowded, NINE - MINUTE]
    if (what === 'is down')
      await world.store.markDown({
        channelId: id,
        since: now,
        error: 'HTTP 503',
        nextProbeAt: NINE + MINUTE,
        seen: null,
      })
    if (what === 'is held')
      await world.store.holdDestination({ channelId: id, heldAt: now, heldUntil: null, heldBy: null })
    const many = peopleOf(crowded, MANY)
    const others = peopleOf(other, OTHERS)
    await world.put(...many, ...others)
    const first = await runAt(NINE)
    expect(first.sent).toHaveLength(own + OTHERS)
    const ids = new Set(first.sent)
    expect(others.filter(({ events }) => ids.has(events[0]!.id))).toHaveLength(OTHERS)
    expect(first.claims).toBeLessThan(MANY / 100 / 2)
    expect(await world.statuses(many)).toEqual({ PROCESSING: MANY })
    if (own === 60) {
      const next = await runAt(NINE + 2 * MINUTE)
      expect(next.sent.length).toBeGreaterThan(55)
      expect(next.sent.length).toBeLessThanOrEqual(60)
      return
    }
    await world.store.releaseDestination(id, world.clock.now())
    await world.store.markUp(id, world.clock.now() + SECOND)
    const { sent } = await runAt(NINE + 10 * MINUTE)
    expect(sent).toHaveLength(MANY - own)
  },
)

it('a consumer sends the whole batch for a destination whose limit allows it before the deadline', async () => {
  const slow = await setUp('slow', { perSecond: 5 })
  const people = peopleOf(slow, 100)
  await world.put(...people)
  const { refs } = await runAt(NINE)
  const deps = world.deps({ templates: BUILT_IN_ONLY, destinations: destinationsOf() })
  const batch = createQueueConsumer(deps, WORK).work(received(refs), NINE + MINUTE)
  await whileTimePasses(world, batch, MINUTE)
  expect(await world.statuses(people)).toEqual({ COMPLETED: 100 })
})
