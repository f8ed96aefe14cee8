// A part of a serverless home is down for a quarter of an hour. The queue behaves as each home deploys it.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { StoreUnavailableError } from '../../../src/domain/errors.ts'
import { BREAKER } from '../../../src/engine/deliver/circuit-breaker.ts'
import type { EngineDeps } from '../../../src/engine/engine-deps.ts'
import { createQueueConsumer, retryAfter } from '../../../src/engine/queue/consumer.ts'
import { dispatchUntil } from '../../../src/engine/queue/dispatcher.ts'
import type { ClaimRef } from '../../../src/ports/claim.ts'
import type { Disposition, Message } from '../../../src/ports/queue.ts'
import { QUEUE_LEASE_MS } from '../../../src/runtimes/shared/serverless.ts'
import { readTemplate } from '../../deploy/support/template.ts'
import { readWrangler } from '../../deploy/support/wrangler.ts'
import { depsOf } from '../../engine/queue/support/recording-queue.ts'
import { createWorld, type World, wrapStore } from '../../engine/support/world.ts'
import { onlyDestination } from '../../support/fixed-parts.ts'
import { DELIVERED, MINUTE, makePeople, SECOND, UNAVAILABLE } from '../../support/fixtures.ts'

const NINE = Date.parse('2026-06-15T09:00:00Z')
const OUTAGE_MS = 15 * MINUTE
/** How long a queue collects messages. */
const LINGER_MS = SECOND

type QueueSettings = {
  /** How often a message is received before it is a dead letter. */
  receives: number
  /** When a batch whose handler threw comes back. */
  redeliverMs: number
  /** SQS notices that a message was received too often when it is visible again, Cloudflare when it is returned. */
  deadAfterDelay: boolean
}

const [due] = readWrangler().queues.consumers
const { VisibilityTimeout, RedrivePolicy } = readTemplate().Resources.Deliveries.Properties
const HOMES: Record<string, QueueSettings> = {
  Cloudflare: {
    receives: due.max_retries + 1,
    redeliverMs: due.retry_delay * SECOND,
    deadAfterDelay: false,
  },
  AWS: {
    receives: RedrivePolicy.maxReceiveCount,
    redeliverMs: VisibilityTimeout * SECOND,
    deadAfterDelay: true,
  },
}

type Part = 'database' | 'start of the consumers' | 'queue' | 'receiver'
const PARTS: Part[] = ['database', 'start of the consumers', 'queue', 'receiver']

let world: World
let down: Part | null
beforeEach(() => {
  world = createWorld(NINE - MINUTE)
  down = null
})
afterEach(() => world.close())

/** Starts a scheduler that runs once a minute, a queue and its consumers. */
function deploy({ receives, redeliverMs, deadAfterDelay }: QueueSettings): void {
  const { clock } = world
  const store = wrapStore(world.store, async (_, call) => {
    if (down === 'database')
      throw new StoreUnavailableError('The database cannot be reached', 'GONE', undefined)
    return call()
  })
  const channel = {
    deliver: async () => (down === 'receiver' ? UNAVAILABLE : DELIVERED),
    close: async () => {},
  }
  const deps: EngineDeps = { ...depsOf(world), store, destinations: onlyDestination(channel) }
  const settings = { leaseMs: QUEUE_LEASE_MS, concurrency: 6, breaker: BREAKER }

  async function consume(messages: readonly Message[], how: 'work' | 'deadLetter'): Promise<void> {
    const later = (delayOf: (message: Message) => number) =>
      messages.map((message): Disposition => ({ kind: 'retry', delayMs: delayOf(message) }))
    const dispositions =
      down === 'start of the consumers'
        ? later(({ receives }) => retryAfter(QUEUE_LEASE_MS)(receives))
        : await createQueueConsumer(deps, settings)
            [how](messages, clock.now() + 20 * SECOND)
            .catch(() => later(() => redeliverMs))
    for (const [i, message] of messages.entries()) {
      const disposition = dispositions[i]!
      if (disposition.kind === 'ack') continue
      const isDead = how === 'work' && message.receives >= receives
      const again = [{ ...message, receives: isDead ? 1 : message.receives + 1 }]
      const delayMs = isDead && !deadAfterDelay ? 0 : disposition.delayMs
      clock.after(delayMs + LINGER_MS, () => void consume(again, isDead ? 'deadLetter' : how))
    }
  }

  const queue = {
    async send(refs: readonly ClaimRef[]) {
      if (down === 'queue') return { failed: [...refs], error: new Error('The queue is down.') }
      const messages = refs.map((ref) => ({ ...ref, receives: 1 }))
      clock.after(LINGER_MS, () => void consume(messages, 'work'))
      return { failed: [], error: null }
    },
  }

  function run(): void {
    const until = clock.now() + 50 * SECOND
    const how = { claimedBy: 'run', leaseMs: QUEUE_LEASE_MS, batchSize: 100, until }
    void dispatchUntil({ ...deps, queue }, how).catch(() => {})
    clock.after(MINUTE, run)
  }
  run()
}

for (const [home, settings] of Object.entries(HOMES)) {
  describe(`a quarter of an hour on ${home}`, () => {
    it.each(PARTS)('without the %s fails no event, and each is delivered afterwards', async (part) => {
      // Some are in the queue when the outage begins, some fall due within it, one after it.
      const people = makePeople(31, (i) => ({
        targetAt: NINE + (i < 10 ? 0 : (i - 10) * 45 * SECOND),
        dateOfBirth: '1990-06-15',
      }))
      await world.put(...people)
      deploy(settings)
      await world.clock.advanceTo(NINE + LINGER_MS / 2)
      down = part
      await world.clock.advance(OUTAGE_MS)
      down = null
      expect(await world.statuses(people)).not.toHaveProperty('FAILED')
      await world.clock.advance(QUEUE_LEASE_MS + 5 * MINUTE)
      expect(await world.statuses(people)).toEqual({ COMPLETED: people.length })
    })
  })
}
