// What a worker claims ahead of its sends, and what stops a claimed event that is not sent yet.
import { describe, expect, it } from 'vitest'
import { pauseOccasion } from '../../src/app/occasions/occasions.ts'
import { completeTask, createTask } from '../../src/app/tasks/tasks.ts'
import type { Delivery } from '../../src/ports/channel.ts'
import { onlyDestination } from '../support/fixed-parts.ts'
import { HOUR, MINUTE, SECOND } from '../support/fixtures.ts'
import { dueAtNine, NINE, useWorld, world } from './support/use-world.ts'
import { SETTINGS, wrapStore } from './support/world.ts'

useWorld()

/** A receiver that takes `ms`, after the first `fast` messages, and the time at which each send to it began. */
function slowReceiver(ms: number, fast = 0) {
  const begun = new Map<string, number>()
  const destinations = onlyDestination({
    async deliver({ eventId }: Delivery) {
      begun.set(eventId, world.clock.now())
      await new Promise<void>((resolve) => world.clock.after(begun.size > fast ? ms : 1, resolve))
      return { kind: 'delivered', statusCode: 200 } as const
    },
    close: async () => {},
  })
  return { begun, destinations }
}

async function countClaimed(): Promise<number> {
  const { items } = await world.store.listEvents({ limit: 10_000, cursor: null, status: 'PROCESSING' })
  return items.length
}

describe('an event that was claimed and is not sent yet', () => {
  it('is not sent when its person was deleted more than a second ago', async () => {
    const people = await dueAtNine(40)
    const { begun, destinations } = slowReceiver(2 * SECOND, 4)
    world.start({ concurrency: 4, batchSize: 40 }, { destinations })
    await world.clock.advanceTo(NINE + 1_500)
    expect(await countClaimed()).toBe(36)
    const inFlight = new Set(begun.keys())
    for (const { user } of people) await world.store.deleteUser(user.id, world.clock.now())
    await world.clock.advance(MINUTE)
    expect([...begun.keys()].filter((id) => !inFlight.has(id))).toEqual([])
  })

  it('is confirmed only if it can start soon', async () => {
    await dueAtNine(40)
    const { begun, destinations } = slowReceiver(2 * SECOND, 4)
    const asked: number[] = []
    const store = wrapStore(world.store, (name, call, [refs]) => {
      if (name === 'confirmClaims') asked.push((refs as unknown[]).length)
      return call()
    })
    world.start({ concurrency: 4, batchSize: 40 }, { destinations, store })
    await world.clock.advanceTo(NINE + 10 * SECOND)
    expect(begun.size).toBeLessThanOrEqual(24)
    // Four slots start two sends a second. The first calls still expect the pace of the first, fast sends.
    expect(asked.length).toBeGreaterThanOrEqual(4)
    expect(Math.max(...asked.slice(2))).toBeLessThanOrEqual(8)
    await world.clock.advanceTo(NINE + 30 * SECOND)
    expect(begun.size).toBe(40)
  })

  it('fails when its task was completed meanwhile, and is not sent', async () => {
    const { user } = await world.add()
    const ids: string[] = []
    for (let i = 0; i < 8; i++) {
      const made = await createTask(world.app, user.id, {
        title: `Task ${i}`,
        dueAt: new Date(NINE + 2 * 24 * HOUR + i).toISOString(),
        remindBefore: 'P2D',
      })
      if (made.kind === 'saved') ids.push(made.task.id)
    }
    const { begun, destinations } = slowReceiver(2 * SECOND, 2)
    world.start({ concurrency: 2, batchSize: 20 }, { destinations })
    await world.clock.advanceTo(NINE + 1_500)
    expect(begun.size).toBe(4)
    for (const id of ids) expect(await completeTask(world.app, id)).toMatchObject({ kind: 'saved' })
    await world.clock.advance(MINUTE)
    expect(begun.size).toBe(4)
    const { items } = await world.store.listEvents({ limit: 100, cursor: null, status: 'FAILED' })
    expect(items.map(({ failureCode }) => failureCode)).toEqual(
      Array.from({ length: 5 }, () => 'TASK_COMPLETED'),
    )
  })

  it('fails when its occasion was paused meanwhile, and is not sent', async () => {
    const people = await dueAtNine(12)
    const { begun, destinations } = slowReceiver(2 * SECOND, 2)
    world.start({ concurrency: 2, batchSize: 20 }, { destinations })
    await world.clock.advanceTo(NINE + 1_500)
    const inFlight = begun.size
    for (const { occasions } of people) await pauseOccasion(world.app, occasions[0]!.id)
    await world.clock.advance(MINUTE)
    expect(begun.size).toBe(inFlight)
    const { items } = await world.store.listEvents({ limit: 100, cursor: null, status: 'FAILED' })
    expect(items.map(({ failureCode }) => failureCode)).toEqual(
      Array.from({ length: 12 - inFlight }, () => 'OCCASION_PAUSED'),
    )
  })

  it('is not sent while the store cannot confirm the claim, and is sent when it can', async () => {
    const people = await dueAtNine(12)
    const { begun, destinations } = slowReceiver(2 * SECOND, 2)
    let isDown = false
    const store = wrapStore(world.store, async (_name, call) => {
      if (isDown) throw new Error('no route')
      return call()
    })
    world.start({ concurrency: 2, batchSize: 20 }, { destinations, store })
    await world.clock.advanceTo(NINE + 3_500)
    isDown = true
    const before = begun.size
    await world.clock.advance(10 * SECOND)
    expect(begun.size).toBe(before)
    isDown = false
    await world.clock.advance(2 * MINUTE)
    expect(await world.statuses(people)).toEqual({ COMPLETED: 12 })
  })
})

describe('a worker that was suspended for longer than its lease', () => {
  it('does not send what another worker claimed meanwhile', async () => {
    await dueAtNine(8)
    const { begun, destinations } = slowReceiver(2 * SECOND, 1)
    world.start({ concurrency: 1, batchSize: 8 }, { destinations })
    await world.clock.advanceTo(NINE + SECOND)
    expect(begun.size).toBe(2)
    const now = NINE + 2 * SETTINGS.leaseMs
    const how = { limit: 100, leaseMs: HOUR, claimedBy: 'engine-2', render: () => 'body' }
    expect(await world.store.claimDue({ now, ...how })).toHaveLength(7)
    // The timers are late, as after a suspended machine: the send in flight ends before any heartbeat.
    await world.clock.jumpTo(now)
    await world.clock.advance(HOUR / 2)
    expect(begun.size).toBe(2)
  })

  it('keeps the events that no other worker claimed, and sends them once it holds their lease again', async () => {
    const people = await dueAtNine(8)
    const { destinations } = slowReceiver(2 * SECOND, 1)
    world.start({ concurrency: 1, batchSize: 8 }, { destinations })
    await world.clock.advanceTo(NINE + SECOND)
    await world.clock.jumpTo(NINE + 2 * SETTINGS.leaseMs)
    await world.clock.advance(HOUR / 2)
    expect(await world.statuses(people)).toEqual({ COMPLETED: 8 })
  })
})

describe('a worker in front of a slow receiver', () => {
  it('claims no more than its free slots and what can start within a second', async () => {
    await dueAtNine(2_000)
    const { destinations } = slowReceiver(2 * SECOND)
    world.start({ concurrency: 40, batchSize: 1_000 }, { destinations })
    for (let s = 0; s < 20; s++) {
      await world.clock.advanceTo(NINE + s * SECOND + 100)
      // 40 slots turn over every 2 s: 20 starts in a second. Delivered events are settled by now.
      expect(await countClaimed()).toBeLessThanOrEqual(40 + 20)
    }
  })

  it('keeps every slot in use', async () => {
    await dueAtNine(400)
    const { begun, destinations } = slowReceiver(2 * SECOND)
    world.start({ concurrency: 40, batchSize: 1_000 }, { destinations })
    await world.clock.advanceTo(NINE + 19 * SECOND)
    expect(begun.size).toBe(400)
  })
})

describe('a worker in front of a fast receiver', () => {
  it('claims full batches, two at once', async () => {
    await dueAtNine(2_000)
    const limits: number[] = []
    const store = wrapStore(world.store, async (name, call, [first]) => {
      if (name === 'claimDue' && world.clock.now() >= NINE) limits.push((first as { limit: number }).limit)
      return call()
    })
    world.start({ concurrency: 16, batchSize: 100 }, { store })
    await world.clock.advanceTo(NINE + SECOND)
    expect(limits[0]).toBe(4)
    expect(limits.filter((limit) => limit === 100).length).toBeGreaterThanOrEqual(18)
  })

  it('holds at most four batches while the store does not settle', async () => {
    await dueAtNine(1_000)
    const store = wrapStore(world.store, async (name, call) => {
      if (name === 'settle') await new Promise<void>((resolve) => world.clock.after(HOUR, resolve))
      return call()
    })
    const { destinations } = slowReceiver(1)
    world.start({ concurrency: 16, batchSize: 50, leaseMs: 10 * HOUR }, { destinations, store })
    await world.clock.advanceTo(NINE + 30 * SECOND)
    const claimed = await countClaimed()
    expect(claimed).toBeGreaterThan(50)
    expect(claimed).toBeLessThanOrEqual(4 * 50)
  })
})
