// Recovery in the serverless form: a scheduler that runs once a minute, a queue, and consumers that keep their state.
import { beforeEach, describe, expect, it } from 'vitest'
import { BREAKER } from '../../../src/engine/deliver/circuit-breaker.ts'
import { createDestinations } from '../../../src/engine/deliver/destinations.ts'
import { NO_DESTINATION } from '../../../src/engine/deliver/no-destination.ts'
import type { EngineDeps } from '../../../src/engine/engine-deps.ts'
import { createQueueConsumer, type QueueConsumer } from '../../../src/engine/queue/consumer.ts'
import { dispatchUntil } from '../../../src/engine/queue/dispatcher.ts'
import type { DeliveryResult } from '../../../src/ports/channel.ts'
import type { ClaimRef } from '../../../src/ports/claim.ts'
import { makeChannel } from '../../contracts/store/settings.ts'
import {
  DELIVERED,
  HOUR,
  MINUTE,
  makePeople,
  SECOND,
  seededDice,
  UNAVAILABLE,
} from '../../support/fixtures.ts'
import { dueAtNine, NINE, useWorld, world } from '../support/use-world.ts'
import { depsOf, LEASE, received } from './support/recording-queue.ts'

/** As long as the cron of Cloudflare may run. */
const RUN_MS = 50 * SECOND
/** How long the queue collects messages. */
const LINGER_MS = SECOND

let response: DeliveryResult
const deliveredAt: number[] = []
useWorld(NINE)
beforeEach(() => {
  response = UNAVAILABLE
  deliveredAt.length = 0
})

const CRM = makeChannel({
  settings: { kind: 'webhook', url: 'https://crm.example', perSecond: null, concurrency: null },
  secrets: [],
  defaultSince: NINE,
})

/** The dependencies of one process: each reads the channels itself. */
function newProcess(): EngineDeps {
  const { store, clock } = world
  const channel = {
    async deliver() {
      await new Promise<void>((resolve) => clock.after(200, resolve))
      if (response === DELIVERED) deliveredAt.push(clock.now())
      return response
    },
    close: async () => {},
  }
  const telemetry = () => {}
  const destinations = createDestinations({
    ...{ store, clock, telemetry, open: () => channel, fallback: NO_DESTINATION },
  })
  return { ...depsOf(world), dice: seededDice(7), destinations }
}

/** Starts the scheduler, and gives each batch of the queue to the next consumer; with `cold`, to a new one each time. */
function deploy(consumers: number, { cold = false } = {}): void {
  const { clock } = world
  const newConsumer = () =>
    createQueueConsumer(newProcess(), { leaseMs: LEASE, concurrency: 6, breaker: BREAKER })
  const warm: QueueConsumer[] = Array.from({ length: consumers }, newConsumer)
  let batch: ClaimRef[] = []

  function consume(): void {
    const refs = batch
    batch = []
    // One batch at a time for each consumer: a busy one is not in the list.
    const consumer = warm.shift()
    if (consumer === undefined) {
      batch = refs
      clock.after(LINGER_MS, consume)
    } else
      void consumer
        .work(received(refs), clock.now() + 30 * SECOND)
        .then(() => warm.push(cold ? newConsumer() : consumer))
  }

  const queue = {
    async send(refs: readonly ClaimRef[]) {
      if (batch.length === 0) clock.after(LINGER_MS, consume)
      batch.push(...refs)
      return { failed: [], error: null }
    },
  }
  const scheduler = newProcess()

  function run(): void {
    const settings = { claimedBy: 'cron', leaseMs: LEASE, batchSize: 100, until: clock.now() + RUN_MS }
    void dispatchUntil({ ...scheduler, queue }, settings)
    clock.after(MINUTE, run)
  }
  run()
}

describe('a backlog in the serverless form', () => {
  it.each([
    { events: 300, consumers: 1, minutes: 5, second: 30, cold: false },
    { events: 2, consumers: 1, minutes: 5, second: 2, cold: false },
    { events: 2, consumers: 1, minutes: 360, second: 4, cold: false },
    { events: 2, consumers: 1, minutes: 361, second: 4, cold: false },
    { events: 2, consumers: 1, minutes: 361, second: 56, cold: false },
    { events: 5, consumers: 2, minutes: 360, second: 8, cold: false },
    { events: 5, consumers: 2, minutes: 360, second: 52, cold: false },
    { events: 5, consumers: 1, minutes: 5, second: 30, cold: true },
  ])(
    'moves within two minutes: $events events, $consumers consumers (cold: $cold), outage of $minutes min and $second s',
    async ({ events, consumers, minutes, second, cold }) => {
      await world.store.saveChannel(CRM)
      await dueAtNine(events)
      deploy(consumers, { cold })
      await world.clock.advanceTo(NINE + minutes * MINUTE + second * SECOND)
      response = DELIVERED
      await world.clock.advance(2 * MINUTE)
      // The first delivery is the probe. Others follow only if it woke them.
      expect(deliveredAt.length).toBeGreaterThan(1)
      await world.clock.advance(10 * MINUTE)
      expect(deliveredAt).toHaveLength(events)
    },
  )

  it('moves within two minutes although a consumer met the outage a moment before it got the next probe', async () => {
    await world.store.saveChannel(CRM)
    const up = NINE + 6 * HOUR + 48 * SECOND
    const dueAt = (targetAt: number) => () => ({ targetAt, dateOfBirth: '1990-06-15' })
    await world.put(...makePeople(2, dueAt(NINE)), ...makePeople(1, dueAt(up - 3 * SECOND)))
    deploy(1)
    await world.clock.advanceTo(up)
    response = DELIVERED
    await world.clock.advance(2 * MINUTE)
    expect(deliveredAt).toHaveLength(3)
  })
})
