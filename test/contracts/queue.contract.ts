// The queue contract: delivery from claim to settlement over any queue that loses, repeats, delays or rejects messages.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { ClaimRef } from '../../src/ports/claim.ts'
import type { Disposition, Message, Queue } from '../../src/ports/queue.ts'
import { MINUTE, SERVER_ERROR } from '../support/fixtures.ts'
import { createStage, failingStore, LEASE, type Stage } from './queue/fixture.ts'

export type Consumers = {
  work: (messages: readonly Message[]) => Promise<Disposition[]>
  deadLetter: (messages: readonly Message[]) => Promise<Disposition[]>
}

export type QueueUnderTest = {
  queue: Queue
  /** How many messages one call of the service accepts. */
  limit: number
  /**
   * Delivers all messages, retried ones included, until the queue is empty. A consumer that throws stands for a process
   * that crashed: its whole batch is delivered again. Waits for a queue that lingers to fill its batches.
   */
  drain(): Promise<void>
  /** From now on the service rejects messages of this event; null rejects none. */
  reject(eventId: string | null): void
  close(): Promise<void>
}

/** Opens an empty queue that delivers a message three times, then to `deadLetter`. */
export type OpenQueue = (consumers: Consumers) => Promise<QueueUnderTest>

export const MAX_RECEIVES = 3

export function describeQueueContract(name: string, open: OpenQueue): void {
  describe(`delivery over ${name}`, () => {
    let stage: Stage
    let underTest: QueueUnderTest
    /** The current consumers; a test may replace them. */
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

    /** The queue, with `alter` applied to the references that are sent. */
    const altered = (alter: (refs: readonly ClaimRef[]) => readonly ClaimRef[]): Queue => ({
      send: (refs) => underTest.queue.send(alter(refs)),
    })

    it('sends each event once if there are more than one call of the service accepts', async () => {
      const people = await stage.people(2 * underTest.limit + 5)
      const { handedOver } = await stage.dispatch(underTest.queue)
      expect(handedOver).toBe(people.length)
      expect(await stage.statuses(people)).toEqual({ PROCESSING: people.length })
      await underTest.drain()
      expect(await stage.statuses(people)).toEqual({ COMPLETED: people.length })
      expect(stage.sends(people)).toEqual(people.map(() => 1))
    })

    it('puts only the event id and the version into a message', async () => {
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

    it('claims the event of a lost message again when its lease expires', async () => {
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

    it('settles an event once if its message is delivered twice', async () => {
      const people = await stage.people(6)
      await stage.dispatch(altered((refs) => [...refs, ...refs]))
      await underTest.drain()
      for (const person of people) {
        const { status, attempts } = await stage.eventOf(person)
        expect({ status, attempts: attempts.length }).toEqual({ status: 'COMPLETED', attempts: 1 })
        expect(await stage.line(person)).toEqual(['COMPLETED', 'PENDING'])
      }
    })

    it('ignores a delayed message if its event was claimed again in between', async () => {
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

    it('acknowledges the message of an event that waits for a retry; a later run sends the same body', async () => {
      const [person] = await stage.people(1)
      stage.channel.script(person!.events[0]!.id, SERVER_ERROR)
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

    it('retries the messages of a consumer that cannot reach the store', async () => {
      const people = await stage.people(3)
      let down = true
      const store = failingStore(stage.store, () => down)
      const cutOff = stage.consumers({ store })
      consumers = {
        ...consumers,
        work: async (messages) => {
          const dispositions = await cutOff.work(messages)
          down = false
          return dispositions
        },
      }
      await stage.dispatch(underTest.queue)
      await underTest.drain()
      expect(await stage.statuses(people)).toEqual({ COMPLETED: 3 })
      expect(stage.sends(people)).toEqual([1, 1, 1])
    })

    it('dead-letters a poison message that crashes every consumer, and delivers the rest of its batch', async () => {
      const people = await stage.people(5)
      const ids = people.map(({ events }) => events[0]!.id).sort()
      const poisoned = people.find(({ events }) => events[0]!.id === ids[2])!
      consumers = { ...consumers, work: (messages) => inCrashingProcess(ids[2]!, messages) }
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

    /** A process that crashes as soon as it sends this event. */
    function inCrashingProcess(eventId: string, messages: readonly Message[]): Promise<Disposition[]> {
      return new Promise((resolve, reject) => {
        stage.channel.script(eventId, () => {
          reject(new Error('the process crashed'))
          return new Promise(() => {})
        })
        stage.consumers().work(messages).then(resolve, reject)
      })
    }

    it('releases an event that the service rejects, and sends it with a later run', async () => {
      const people = await stage.people(underTest.limit + 3)
      const rejected = people[4]!
      underTest.reject(rejected.events[0]!.id)
      const first = await stage.dispatch(underTest.queue)
      expect(first.rejected).toBeGreaterThanOrEqual(1)
      expect(first.handedOver + first.rejected).toBe(people.length)
      expect(stage.notices).toContainEqual(expect.objectContaining({ kind: 'error', operation: 'hand-over' }))
      await underTest.drain()
      expect(await stage.statuses(people)).toEqual({
        COMPLETED: first.handedOver,
        PROCESSING: first.rejected,
      })
      expect((await stage.eventOf(rejected)).attempts).toEqual([])
      underTest.reject(null)
      // Long before the lease expires.
      stage.advance(MINUTE)
      expect(await stage.dispatch(underTest.queue)).toMatchObject({ handedOver: first.rejected, rejected: 0 })
      await underTest.drain()
      expect(await stage.statuses(people)).toEqual({ COMPLETED: people.length })
      expect(stage.sends(people)).toEqual(people.map(() => 1))
    })
  })
}
