// Many ends at once, and those that come too late: each is settled as it should, and nobody else's.
import { describe, expect } from 'vitest'
import { addOccasion, DAY, HOUR, makePerson, newId, T0, YEAR } from '../../support/fixtures.ts'
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
  LEASE,
  refOf,
  release,
  retry,
  sorted,
} from './steps.ts'

export function describeLargeBatches(it: StoreIt): void {
  describe('a stale worker', () => {
    it('settles nothing, records no attempt and inserts no successor', async (store) => {
      const { person, claim } = await createOneClaimed(store)
      const [again] = await claimAt(store, T0 + LEASE, { by: 'worker-2' })
      const before = await store.findEvent(claim.id)
      const attempts = [delivered(claim), failed(claim, 'no'), retry(claim, T0 + DAY), release(claim)]
      for (const settlement of attempts) {
        expect(await store.settle([settlement])).toEqual({ settled: [], stale: [claim.id], replan: [] })
      }
      expect(await store.findEvent(claim.id)).toEqual(before)
      expect(await eventsOf(store, person.user.id)).toHaveLength(1)
      expect((await store.settle([delivered(again!)])).settled).toEqual([claim.id])
      expect(await attemptsOf(store, claim.id)).toMatchObject([
        { number: 1, claimedBy: 'worker-1', outcome: 'UNKNOWN' },
        { number: 2, claimedBy: 'worker-2', outcome: 'DELIVERED' },
      ])
    })

    it.transport(
      'loses against the holder of the claim when both settle at the same time',
      async (store, { another }) => {
        const other = await another()
        const { person, claim } = await createOneClaimed(store)
        const [again] = await claimAt(other, T0 + LEASE, { by: 'worker-2' })
        const [stale, ours] = await Promise.all([
          store.settle([delivered(claim)]),
          other.settle([delivered(again!)]),
        ])
        expect([stale.stale, ours.settled]).toEqual([[claim.id], [claim.id]])
        expect(await eventsOf(store, person.user.id)).toHaveLength(2)
      },
    )

    it('is reported for an event that does not exist', async (store) => {
      const { claim } = await createOneClaimed(store)
      const unknown = { ...delivered(claim), eventId: newId(T0) }
      expect(await store.settle([unknown])).toEqual({ settled: [], stale: [unknown.eventId], replan: [] })
    })
  })

  describe('a batch', () => {
    it.transport('accepts an empty list', async (store) => {
      expect(await store.settle([])).toEqual({ settled: [], stale: [], replan: [] })
      expect(await store.readClaims([])).toEqual([])
      expect(await store.extendLeases([], { now: T0, leaseMs: 1 })).toEqual([])
      expect(await store.confirmClaims([])).toEqual([])
      expect(await store.createUsers([])).toEqual({ kind: 'created', created: 0 })
    })

    it.transport('of a thousand deliveries settles each and inserts each successor', async (store) => {
      const { claims } = await createClaimed(store, 1_000)
      const settlements = claims.map((claim) => delivered(claim))
      const result = await store.settle(settlements)
      expect(sorted(result.settled)).toEqual(sorted(idsOf(claims)))
      expect([result.stale, result.replan]).toEqual([[], []])
      const successors = await claimAt(store, T0 + YEAR)
      expect(sorted(idsOf(successors))).toEqual(sorted(settlements.map(({ successor }) => successor!.id)))
    })

    it('of a thousand retries wakes each at its own time', async (store) => {
      const { claims } = await createClaimed(store, 1_000)
      const result = await store.settle(claims.map((claim, index) => retry(claim, T0 + 1_000 + index)))
      expect(result.settled).toHaveLength(1_000)
      expect(idsOf(await claimAt(store, T0 + 1_000 + 499)).sort()).toEqual(idsOf(claims.slice(0, 500)).sort())
    })

    it.transport('of all kinds settles each as it should', async (store) => {
      const { claims, people } = await createClaimed(store, 7)
      const [ok, again, bad, back, stale, moved, gone] = claims as typeof claims & { length: 7 }
      for (const claim of claims.slice(0, 4))
        await store.extendLeases([refOf(claim)], { now: T0, leaseMs: DAY })
      await store.extendLeases([moved!, gone!].map(refOf), { now: T0, leaseMs: DAY })
      expect(idsOf(await claimAt(store, T0 + LEASE, { by: 'worker-2' }))).toEqual([stale!.id])
      const user = { ...people[5]!.user, timezone: 'Asia/Tokyo' as never, version: 2 }
      const reschedules = [{ ...refOf(moved!), to: null }]
      expect(await store.updateUser({ user, reschedules })).toBe('updated')
      await store.deleteUser(people[6]!.user.id, T0)

      const result = await store.settle([
        delivered(ok!),
        retry(again!, T0 + HOUR),
        failed(bad!, 'HTTP 410'),
        release(back!, T0 + 500),
        delivered(stale!),
        delivered(moved!),
        delivered(gone!),
      ])

      expect(sorted(result.settled)).toEqual(sorted(idsOf([ok!, again!, bad!, back!])))
      expect(sorted(result.stale)).toEqual(sorted(idsOf([stale!, gone!])))
      expect(result.replan).toEqual([moved!.id])
      const states = []
      for (const { user, events } of people.slice(0, 6)) {
        const { status, wakeAt } = await eventOf(store, events[0]!.id)
        const number = (await attemptsOf(store, events[0]!.id)).length
        states.push([status, wakeAt, number, (await eventsOf(store, user.id)).length])
      }
      expect(states).toEqual([
        ['COMPLETED', null, 1, 2],
        ['PROCESSING', T0 + HOUR, 1, 1],
        ['FAILED', null, 1, 2],
        ['PROCESSING', T0 + 500, 0, 1],
        ['PROCESSING', T0 + 2 * LEASE, 1, 1],
        ['PROCESSING', T0 + DAY, 0, 1],
      ])
      expect(await store.findEvent(gone!.id)).toBeNull()
    })

    it('settles two occasions of one person apart', async (store) => {
      const other = { type: 'WORK_ANNIVERSARY', date: '2015-06-01', template: 'Well done' }
      const person = addOccasion(makePerson({ targetAt: T0 }), other, T0)
      await create(store, person)
      const claims = await claimAt(store, T0)
      const birthday = claims.find(({ eventType }) => eventType === 'BIRTHDAY')!
      const anniversary = claims.find(({ eventType }) => eventType === 'WORK_ANNIVERSARY')!
      const result = await store.settle([delivered(birthday), retry(anniversary, T0 + HOUR)])
      expect(sorted(result.settled)).toEqual(sorted(idsOf(claims)))
      const read = await store.readPerson(person.user.id)
      const plans = new Map(read!.plans.map((plan) => [plan.occasion.type, plan]))
      expect(plans.get('BIRTHDAY')).toMatchObject({
        lastSettled: { occurrence: '2020', targetAt: T0 },
        open: { status: 'PENDING' },
      })
      expect(plans.get('WORK_ANNIVERSARY')).toMatchObject({
        lastSettled: null,
        open: { id: anniversary.id, status: 'PROCESSING' },
      })
    })
  })
}
