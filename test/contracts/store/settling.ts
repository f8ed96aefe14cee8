// How an attempt ends: once, by the one who holds the claim, with its successor.
import { describe, expect } from 'vitest'
import type { Claim, Settlement } from '../../../src/ports/claim.ts'
import { DAY, HOUR, MINUTE, makePerson, newId, T0, YEAR } from '../../support/fixtures.ts'
import type { StoreIt } from '../store.contract.ts'
import {
  attemptsOf,
  claimAt,
  create,
  createClaimed,
  createOneClaimed,
  delivered,
  eventOf,
  eventsOf,
  failed,
  idsOf,
  refOf,
  release,
  released,
  retry,
  successorOf,
} from './steps.ts'

export function describeSettling(it: StoreIt): void {
  describe('settling a delivery', () => {
    it.transport('completes the event and inserts its successor', async (store) => {
      const { person, claim } = await createOneClaimed(store)
      const successor = { ...successorOf(claim), offsetSeconds: -25_200 }
      const result = await store.settle([delivered(claim, { at: T0 + 300, statusCode: 202, successor })])
      expect(result).toEqual({ settled: [claim.id], stale: [], replan: [] })
      expect(await eventOf(store, claim.id)).toMatchObject({
        status: 'COMPLETED',
        wakeAt: null,
        version: claim.version + 1,
        executedAt: T0 + 300,
        statusCode: 202,
        failureCode: null,
        lastError: null,
        retryCount: 0,
      })
      expect(await eventOf(store, successor.id)).toMatchObject({
        ...successor,
        userId: person.user.id,
        eventType: 'BIRTHDAY',
        status: 'PENDING',
        wakeAt: T0 + YEAR,
        version: 1,
        retryCount: 0,
        executedAt: null,
        deliveryPayload: null,
      })
    })

    it('records one attempt: its worker, its start and end, and its outcome', async (store) => {
      const { claim } = await createOneClaimed(store)
      await store.settle([delivered(claim, { at: T0 + 300, statusCode: 202 })])
      expect(await attemptsOf(store, claim.id)).toEqual([
        {
          number: 1,
          claimedBy: 'worker-1',
          startedAt: T0,
          finishedAt: T0 + 300,
          outcome: 'DELIVERED',
          statusCode: 202,
          error: null,
          channelId: null,
          exchange: null,
        },
      ])
    })

    it('records the channel with each attempt, and with the event that of the latest', async (store) => {
      const { claim } = await createOneClaimed(store)
      const [first, second, third] = [newId(T0), newId(T0), newId(T0)]
      const channels: (string | null)[] = []
      const settleAndClaim = async (settlement: Settlement, at: number) => {
        await store.settle([settlement])
        channels.push((await eventOf(store, claim.id)).channelId)
        return (await claimAt(store, at))[0]!
      }
      let held = await settleAndClaim({ ...retry(claim, T0 + HOUR), channelId: first }, T0 + HOUR)
      held = await settleAndClaim({ ...released(held, T0 + 2 * HOUR), channelId: second }, T0 + 2 * HOUR)
      held = await settleAndClaim(release(held, T0 + 3 * HOUR), T0 + 3 * HOUR)
      await settleAndClaim(failed(held, 'HTTP 410', { channelId: third }), T0 + 4 * HOUR)
      expect(channels).toEqual([first, second, second, third])
      expect((await attemptsOf(store, claim.id)).map(({ channelId }) => channelId)).toEqual([
        first,
        second,
        third,
      ])
    })

    it('numbers each claim as its attempt is listed: after retries, released sends and lost claims', async (store) => {
      const { claim } = await createOneClaimed(store)
      const numbers = [claim.attempt]
      const releaseUntil = (held: Claim, wakeAt: number) => release(held, wakeAt - 1, wakeAt)
      const lost = () => null
      let held = claim
      for (const [i, end] of [released, released, releaseUntil, retry, releaseUntil, lost].entries()) {
        const settlement = end(held, T0 + (i + 1) * HOUR)
        if (settlement !== null) await store.settle([settlement])
        held = (await claimAt(store, T0 + (i + 1) * HOUR))[0]!
        numbers.push(held.attempt)
      }
      expect(numbers).toEqual([1, 2, 3, 3, 4, 4, 5])
      expect(await store.readClaims([refOf(held)])).toMatchObject([{ attempt: 5 }])
      await store.settle([delivered(held)])
      expect((await attemptsOf(store, claim.id)).at(-1)).toMatchObject({ number: 5, outcome: 'DELIVERED' })
    })

    it('ends an occasion that has no successor', async (store) => {
      const { person, claim } = await createOneClaimed(store)
      await store.settle([delivered(claim, { successor: null, statusCode: null })])
      expect(await eventsOf(store, person.user.id)).toHaveLength(1)
      const read = await store.readPerson(person.user.id)
      const lastSettled = { occurrence: '2020', targetAt: T0 }
      expect(read?.plans).toMatchObject([
        { occasion: person.occasions[0]!, task: null, open: null, lastSettled },
      ])
    })

    it('is final: the event is never claimed again', async (store) => {
      const { claim } = await createOneClaimed(store)
      await store.settle([delivered(claim, { successor: null })])
      expect(await claimAt(store, T0 + 300 * DAY)).toEqual([])
    })

    it('is idempotent: a caller that repeats it after a lost response gets the same result', async (store) => {
      const { person, claim } = await createOneClaimed(store)
      const settlement = delivered(claim)
      const first = await store.settle([settlement])
      const before = await eventsOf(store, person.user.id)
      expect(await store.settle([settlement])).toEqual(first)
      expect(await eventsOf(store, person.user.id)).toEqual(before)
      expect(await attemptsOf(store, claim.id)).toHaveLength(1)
    })

    it('cannot be undone by another end of the same claim, which is stale', async (store) => {
      const { person, claim } = await createOneClaimed(store)
      await store.settle([delivered(claim)])
      const before = await eventsOf(store, person.user.id)
      const others = [failed(claim, 'late'), retry(claim, T0 + HOUR), release(claim)]
      for (const other of others) {
        expect(await store.settle([other])).toEqual({ settled: [], stale: [claim.id], replan: [] })
      }
      expect(await eventsOf(store, person.user.id)).toEqual(before)
      expect(await attemptsOf(store, claim.id)).toHaveLength(1)
    })

    it('goes on year after year, and remembers the last settled occurrence', async (store) => {
      const { person, claim } = await createOneClaimed(store, { targetAt: T0 - 3 * YEAR })
      let held = claim
      for (let year = 0; year < 3; year++) {
        const successor = successorOf(held)
        await store.settle([delivered(held, { successor })])
        ;[held] = (await claimAt(store, successor.targetAt)) as [typeof held]
        expect(held).toMatchObject({ id: successor.id, version: 2, retryCount: 0 })
      }
      const read = await store.readPerson(person.user.id)
      expect(read?.plans[0]).toMatchObject({
        lastSettled: { occurrence: '2019', targetAt: T0 - YEAR },
        open: { id: held.id, status: 'PROCESSING' },
      })
    })
  })

  describe('settling a failure', () => {
    it.transport('stores the failure code and the last error, and inserts the successor', async (store) => {
      const { claim } = await createOneClaimed(store)
      const successor = successorOf(claim)
      const error = 'HTTP 410: “gone” 🪦'
      expect((await store.settle([failed(claim, error, { at: T0 + 300, successor })])).settled).toEqual([
        claim.id,
      ])
      expect(await eventOf(store, claim.id)).toMatchObject({
        status: 'FAILED',
        wakeAt: null,
        version: claim.version + 1,
        executedAt: T0 + 300,
        failureCode: 'HTTP 410',
        lastError: error,
        statusCode: 410,
      })
      expect(await eventOf(store, successor.id)).toMatchObject({
        status: 'PENDING',
        version: 1,
        wakeAt: T0 + YEAR,
      })
      expect(await attemptsOf(store, claim.id)).toMatchObject([
        { number: 1, outcome: 'FAILED', statusCode: 410, error },
      ])
    })
  })

  describe('settling an event that was never sent', () => {
    it.transport('shows no attempt', async (store) => {
      await create(store, makePerson({ targetAt: T0 }))
      const claim = (await claimAt(store, T0, { says: () => null }))[0]!
      await store.settle([failed(claim, 'MISSED_WINDOW: 90000 s late', { statusCode: null })])
      expect(await attemptsOf(store, claim.id)).toEqual([])
      expect(await eventOf(store, claim.id)).toMatchObject({ status: 'FAILED', executedAt: T0 + 250 })
    })
  })

  describe('settling a retry', () => {
    it('waits until exactly its time, one version and one retry on', async (store) => {
      const { claim } = await createOneClaimed(store)
      const result = await store.settle([retry(claim, T0 + 1_777)])
      expect(result).toEqual({ settled: [claim.id], stale: [], replan: [] })
      expect(await eventOf(store, claim.id)).toMatchObject({
        status: 'PROCESSING',
        wakeAt: T0 + 1_777,
        version: claim.version + 1,
        retryCount: 1,
        executedAt: null,
        failureCode: null,
        lastError: null,
      })
      expect(await claimAt(store, T0 + 1_776)).toEqual([])
      const [again] = await claimAt(store, T0 + 1_777)
      expect(again).toMatchObject({ id: claim.id, version: claim.version + 2, retryCount: 1 })
    })

    it('keeps all that the key is made of, and the body', async (store) => {
      const { claim } = await createOneClaimed(store)
      await store.settle([retry(claim, T0 + MINUTE)])
      const [again] = await claimAt(store, T0 + MINUTE, { says: () => 'another' })
      const { id, occasionId, occurrence, targetAt, user } = claim
      expect(again).toMatchObject({ id, occasionId, occurrence, targetAt, user, body: claim.body })
    })

    it.transport('shows every attempt in order, the last as it ended', async (store) => {
      const { claim } = await createOneClaimed(store)
      await store.settle([retry(claim, T0 + 1_000, 'HTTP 503: one')])
      const [second] = await claimAt(store, T0 + 1_000, { by: 'worker-2' })
      await store.settle([retry(second!, T0 + 3_000, 'HTTP 503: two')])
      const [third] = await claimAt(store, T0 + 3_000, { by: 'worker-3' })
      await store.settle([delivered(third!)])
      const rows = (await attemptsOf(store, claim.id)).map((row) => [
        row.number,
        row.claimedBy,
        row.startedAt - T0,
        row.finishedAt - T0,
        row.outcome,
        row.statusCode,
        row.error,
      ])
      expect(rows).toEqual([
        [1, 'worker-1', 0, 250, 'RETRY', 503, 'HTTP 503: one'],
        [2, 'worker-2', 1_000, 1_250, 'RETRY', 503, 'HTTP 503: two'],
        [3, 'worker-3', 3_000, 3_250, 'DELIVERED', 200, null],
      ])
      expect(await eventOf(store, claim.id)).toMatchObject({ status: 'COMPLETED', retryCount: 2 })
    })

    it('is idempotent: a caller that repeats it after a lost response gets the same result', async (store) => {
      const { claim } = await createOneClaimed(store)
      const first = await store.settle([retry(claim, T0 + 1_000)])
      expect(await store.settle([retry(claim, T0 + 1_000)])).toEqual(first)
      expect(await eventOf(store, claim.id)).toMatchObject({ retryCount: 1, wakeAt: T0 + 1_000 })
      expect(await attemptsOf(store, claim.id)).toHaveLength(1)
    })

    it('ends the claim: a later settlement of it is stale', async (store) => {
      const { person, claim } = await createOneClaimed(store)
      await store.settle([retry(claim, T0 + 1_000)])
      expect((await store.settle([delivered(claim)])).stale).toEqual([claim.id])
      expect(await eventOf(store, claim.id)).toMatchObject({ status: 'PROCESSING', wakeAt: T0 + 1_000 })
      expect(await eventsOf(store, person.user.id)).toHaveLength(1)
    })
  })

  describe('settling a release', () => {
    it.transport('records an attempt that was made, and leaves the retry count as it was', async (store) => {
      const { claim } = await createOneClaimed(store)
      await store.settle([released(claim, T0 + HOUR)])
      expect(await eventOf(store, claim.id)).toMatchObject({ retryCount: 0, wakeAt: T0 + HOUR })
      expect(await attemptsOf(store, claim.id)).toMatchObject([
        { number: 1, outcome: 'RELEASED', error: 'CONNECTION: down' },
      ])
      expect(await claimAt(store, T0 + HOUR - 1)).toEqual([])
      const [again] = await claimAt(store, T0 + HOUR)
      await store.settle([retry(again!, T0 + 2 * HOUR)])
      expect((await attemptsOf(store, claim.id)).map(({ number, outcome }) => [number, outcome])).toEqual([
        [1, 'RELEASED'],
        [2, 'RETRY'],
      ])
    })

    it('without an instant keeps the place of the event', async (store) => {
      const { claims } = await createClaimed(store, 3, (index) => ({ targetAt: T0 - index * MINUTE }))
      const settled = await store.settle(claims.map((claim) => release(claim, T0 + MINUTE, null)))
      expect(settled.settled).toHaveLength(3)
      expect(idsOf(await claimAt(store, T0 + HOUR))).toEqual(idsOf(claims).reverse())
    })

    it.transport('can postpone the event: it is claimed again at that instant', async (store) => {
      const { claim } = await createOneClaimed(store)
      await store.settle([release(claim, T0 + 500, T0 + HOUR)])
      expect(await claimAt(store, T0 + HOUR - 1)).toEqual([])
      expect(await claimAt(store, T0 + HOUR)).toMatchObject([{ id: claim.id, retryCount: 0 }])
      expect(await attemptsOf(store, claim.id)).toEqual([])
    })

    it('gives the event back at once and counts no attempt', async (store) => {
      const { claim } = await createOneClaimed(store)
      const result = await store.settle([release(claim, T0 + 500)])
      expect(result).toEqual({ settled: [claim.id], stale: [], replan: [] })
      expect(await attemptsOf(store, claim.id)).toEqual([])
      const [again] = await claimAt(store, T0 + 500, { by: 'worker-2' })
      expect(again).toMatchObject({ id: claim.id, retryCount: 0 })
      expect(again!.version).toBeGreaterThan(claim.version)
    })

    it('keeps a body that was frozen', async (store) => {
      const { claim } = await createOneClaimed(store)
      await store.settle([release(claim, T0 + 500)])
      expect((await claimAt(store, T0 + 500, { says: () => 'another' }))[0]?.body).toBe(claim.body)
    })

    it('ends the claim: a later settlement of it is stale', async (store) => {
      const { claim } = await createOneClaimed(store)
      await store.settle([release(claim)])
      expect((await store.settle([delivered(claim)])).stale).toEqual([claim.id])
      expect(await store.extendLeases([refOf(claim)], { now: T0, leaseMs: DAY })).toEqual([])
      expect(await eventOf(store, claim.id)).toMatchObject({ status: 'PROCESSING', executedAt: null })
    })
  })
}
