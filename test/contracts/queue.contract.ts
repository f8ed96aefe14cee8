// What the way from the claim to the delivery promises over every queue, whatever that queue does to messages.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { ClaimRef } from '../../src/ports/claim.ts'
import type { Disposition, Message, Queue } from '../../src/ports/queue.ts'
import { MINUTE, UNAVAILABLE } from '../support/fixtures.ts'
import { createStage, failingStore, LEASE, type Stage } from './queue/fixture.ts'

export type Consumers = {
  work: (messages: readonly Message[]) => Promise<Disposition[]>
  deadLetter: (messages: readonly Message[]) => Promise<Disposition[]>
}

export type QueueUnderTest = {
  queue: Queue
  /** What one call of the service takes. */
  limit: number
  /**
   * Brings all that waits to the consumers, and what is to come again too, until nothing waits any more. A consumer that
   * throws is a process that ended: its whole batch comes again. Where a batch is held back for company, this waits for it.
   */
  drain(): Promise<void>
  /** From now on the service refuses what is said of this event; null for nothing. */
  refuse(eventId: string | null): void
  close(): Promise<void>
}

/** An empty queue that hands a message over three times, then to `deadLetter`. */
export type OpenQueue = (consumers: Consumers) => Promise<QueueUnderTest>

export const MAX_RECEIVES = 3

export function describeQueueContract(name: string, open: OpenQueue): void {
  describe(`the way over ${name}`, () => {
    let stage: Stage
    let underTest: QueueUnderTest
    /** What receives now: a test may put other workers in place. */
    let consumers: Consumers
    beforeEach(async () => {
      stage = createStage()
      consumers = stage.consumers()
      underTest = await open({
        work: (messages) => consumers.work(messages),
        deadLetter: (messages) => consumers.deadLetter(messages),
      })
    })
    afterEach(async () => {
      await underTest.close()
      await stage.close()
    })

    /** The queue with something done to what is sent. */
    const altered = (alter: (refs: readonly ClaimRef[]) => readonly ClaimRef[]): Queue => ({
      send: (refs) => underTest.queue.send(alter(refs)),
    })

    it('brings more than a call of the service can carry, each once', async () => {
      const people = await stage.people(2 * underTest.limit + 5)
      const { handedOver } = await stage.dispatch(underTest.queue)
      expect(handedOver).toBe(people.length)
      expect(await stage.statuses(people)).toEqual({ PROCESSING: people.length })
      await underTest.drain()
      expect(await stage.statuses(people)).toEqual({ COMPLETED: people.length })
      expect(stage.sends(people)).toEqual(people.map(() => 1))
    })

    it('carries which event at which version and nothing else', async () => {
      const seen: Message[] = []
      consumers = {
        ...consumers,
        work: async (messages) => {
          seen.push(...messages)
          return messages.map(() => ({ kind: 'ack' }))
        },
      }
      const [person] = await stage.people(1)
      await stage.dispatch(underTest.queue)
      await underTest.drain()
      expect(seen).toEqual([{ eventId: person!.events[0]!.id, version: 2, receives: 1 }])
    })

    it('loses a message, and the lease heals it', async () => {
      const [person] = await stage.people(1)
      await stage.dispatch(altered(() => []))
      await underTest.drain()
      stage.advance(LEASE - 1)
      expect(await stage.dispatch(underTest.queue)).toMatchObject({ handedOver: 0 })
      stage.advance(1)
      expect(await stage.dispatch(underTest.queue)).toMatchObject({ handedOver: 1 })
      await underTest.drain()
      expect(await stage.eventOf(person!)).toMatchObject({ status: 'COMPLETED' })
      expect(stage.sends([person!])).toEqual([1])
    })

    it('delivers a message twice, and it settles once', async () => {
      const people = await stage.people(6)
      await stage.dispatch(altered((refs) => [...refs, ...refs]))
      await underTest.drain()
      for (const person of people) {
        const { status, attempts } = await stage.eventOf(person)
        expect({ status, attempts: attempts.length }).toEqual({ status: 'COMPLETED', attempts: 1 })
        expect(await stage.line(person)).toEqual(['COMPLETED', 'PENDING'])
      }
    })

    it('brings a message after its event was taken again, and only the newer one counts', async () => {
      const [person] = await stage.people(1)
      let delayed: readonly ClaimRef[] = []
      const delay = (refs: readonly ClaimRef[]) => {
        delayed = refs
        return []
      }
      await stage.dispatch(altered(delay))
      stage.advance(LEASE)
      await stage.dispatch(altered((refs) => [...delayed, ...refs]))
      await underTest.drain()
      const { attempts } = await stage.eventOf(person!)
      expect(attempts.map(({ outcome }) => outcome)).toEqual(['UNKNOWN', 'DELIVERED'])
      expect(stage.sends([person!])).toEqual([1])
    })

    it('is done with a message whose event waits to be tried again, and the next run sends the same', async () => {
      const [person] = await stage.people(1)
      stage.channel.script(person!.events[0]!.id, UNAVAILABLE)
      await stage.dispatch(underTest.queue)
      await underTest.drain()
      expect(await stage.eventOf(person!)).toMatchObject({ status: 'PROCESSING', retryCount: 1 })
      await underTest.drain()
      expect(stage.channel.sent).toHaveLength(1)
      stage.advance(MINUTE)
      await stage.dispatch(underTest.queue)
      await underTest.drain()
      expect(await stage.eventOf(person!)).toMatchObject({ status: 'COMPLETED' })
      const [first, second] = stage.channel.sent
      expect([second!.body, second!.idempotencyKey]).toEqual([first!.body, first!.idempotencyKey])
    })

    it('keeps the messages of a worker that cannot reach the store', async () => {
      const people = await stage.people(3)
      let down = true
      const store = failingStore(stage.store, () => down)
      const cutOff = stage.consumers({ store })
      consumers = {
        ...consumers,
        work: async (messages) => {
          const answers = await cutOff.work(messages)
          down = false
          return answers
        },
      }
      await stage.dispatch(underTest.queue)
      await underTest.drain()
      expect(await stage.statuses(people)).toEqual({ COMPLETED: 3 })
      expect(stage.sends(people)).toEqual([1, 1, 1])
    })

    it('carries one that ends every worker, and the others of its batch get through', async () => {
      const people = await stage.people(5)
      const ids = people.map(({ events }) => events[0]!.id).sort()
      const poisoned = people.find(({ events }) => events[0]!.id === ids[2])!
      consumers = { ...consumers, work: (messages) => inMortalProcess(ids[2]!, messages) }
      await stage.dispatch(underTest.queue)
      await underTest.drain()
      const others = people.filter((person) => person !== poisoned)
      expect(await stage.statuses(others)).toEqual({ COMPLETED: 4 })
      expect(await stage.eventOf(poisoned)).toMatchObject({
        status: 'FAILED',
        lastError: expect.stringMatching(/^QUEUE_EXHAUSTED: .+ then replay/),
      })
      expect(await stage.line(poisoned)).toEqual(['FAILED', 'PENDING'])
    })

    /** A worker that is gone as soon as it begins to send that event. */
    function inMortalProcess(eventId: string, messages: readonly Message[]): Promise<Disposition[]> {
      return new Promise((resolve, reject) => {
        stage.channel.script(eventId, () => {
          reject(new Error('the process ended'))
          return new Promise(() => {})
        })
        stage.consumers().work(messages).then(resolve, reject)
      })
    }

    it('refuses one, and that one is given back and goes with a later run', async () => {
      const people = await stage.people(underTest.limit + 3)
      const refused = people[4]!
      underTest.refuse(refused.events[0]!.id)
      const first = await stage.dispatch(underTest.queue)
      expect(first.refused).toBeGreaterThanOrEqual(1)
      expect(first.handedOver + first.refused).toBe(people.length)
      expect(stage.notices).toContainEqual(expect.objectContaining({ kind: 'error', operation: 'hand-over' }))
      await underTest.drain()
      expect(await stage.statuses(people)).toEqual({ COMPLETED: first.handedOver, PROCESSING: first.refused })
      expect((await stage.eventOf(refused)).attempts).toEqual([])
      underTest.refuse(null)
      // Long before the lease would run out.
      stage.advance(MINUTE)
      expect(await stage.dispatch(underTest.queue)).toMatchObject({ handedOver: first.refused, refused: 0 })
      await underTest.drain()
      expect(await stage.statuses(people)).toEqual({ COMPLETED: people.length })
      expect(stage.sends(people)).toEqual(people.map(() => 1))
    })
  })
}
