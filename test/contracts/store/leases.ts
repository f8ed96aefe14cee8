// Leases, the confirmation of claims, and the next wake-up.
import { describe, expect } from 'vitest'
import type { Claim } from '../../../src/ports/claim.ts'
import type { Store } from '../../../src/ports/store.ts'
import { DAY, HOUR, MINUTE, makePeople, makePerson, newId, T0, YEAR } from '../../support/fixtures.ts'
import type { StoreIt } from '../store.contract.ts'
import { changed, saveOf } from './occasion-fixtures.ts'
import {
  attemptsOf,
  claimAt,
  create,
  createClaimed,
  createOneClaimed,
  delivered,
  eventOf,
  failed,
  idsOf,
  LEASE,
  refOf,
  release,
  retry,
  sorted,
} from './steps.ts'

/** A new person's event, claimed by a scheduler for a batch of its run. */
async function createInBatch(store: Store, batch: number): Promise<Claim> {
  await create(store, makePerson({ targetAt: T0 }))
  const [claim] = await claimAt(store, T0, { by: 'run-1', batch })
  return claim!
}

const held = ({ id }: { id: string }) => ({ eventId: id, stopped: null })

export function describeLeases(it: StoreIt): void {
  describe('a lease', () => {
    it('prevents other claims until it expires, then the event is claimed under the next version', async (store) => {
      const { claim } = await createOneClaimed(store)
      expect(await claimAt(store, T0 + LEASE - 1, { by: 'worker-2' })).toEqual([])
      const [again] = await claimAt(store, T0 + LEASE, { by: 'worker-2' })
      expect(again).toMatchObject({
        id: claim.id,
        version: claim.version + 1,
        retryCount: 0,
        claimedAt: T0 + LEASE,
      })
      expect(await eventOf(store, claim.id)).toMatchObject({
        status: 'PROCESSING',
        claimedBy: 'worker-2',
        wakeAt: T0 + 2 * LEASE,
      })
    })

    it('that is provisional and expires is recorded as no attempt: nothing was sent under it', async (store) => {
      const claim = await createInBatch(store, 1)
      expect(claim).toMatchObject({ attempt: 1, reclaimed: false })
      expect(await claimAt(store, T0 + LEASE - 1)).toEqual([])
      const [again] = await claimAt(store, T0 + LEASE, { by: 'worker-2' })
      expect(again).toMatchObject({ version: claim.version + 1, attempt: 1, reclaimed: false })
      expect(await attemptsOf(store, claim.id)).toEqual([])
      expect(await eventOf(store, claim.id)).toMatchObject({ claimedBy: 'worker-2' })
    })

    it('that is provisional becomes final when it is extended, and its expiry is an unknown attempt', async (store) => {
      const claim = await createInBatch(store, 1)
      expect(await store.readClaims([refOf(claim)])).toMatchObject([{ id: claim.id, provisional: true }])
      expect(await eventOf(store, claim.id)).toMatchObject({ claimedBy: 'run-1' })
      await store.extendLeases([refOf(claim)], { now: T0, leaseMs: HOUR })
      expect(await store.readClaims([refOf(claim)])).toMatchObject([{ id: claim.id, provisional: false }])
      expect(await eventOf(store, claim.id)).toMatchObject({ claimedBy: 'run-1', version: claim.version })
      const [again] = await claimAt(store, T0 + HOUR)
      expect(again).toMatchObject({ id: claim.id, attempt: 2, reclaimed: true })
      expect(await attemptsOf(store, claim.id)).toMatchObject([{ claimedBy: 'run-1', outcome: 'UNKNOWN' }])
    })

    it('that is provisional is claimed again at once by a call that repeats its batch, and by no other', async (store) => {
      const claim = await createInBatch(store, 1)
      expect(await claimAt(store, T0, { by: 'run-1', batch: 2 })).toEqual([])
      expect(await claimAt(store, T0, { by: 'run-2', batch: 1 })).toEqual([])
      expect(await claimAt(store, T0, { by: 'run-1' })).toEqual([])
      const [again] = await claimAt(store, T0 + 1, { by: 'run-1', batch: 1 })
      const { id, body, version } = claim
      expect(again).toMatchObject({ id, body, version: version + 1, attempt: 1, reclaimed: false })
      expect(await attemptsOf(store, id)).toEqual([])
      expect(await store.readClaims([refOf(claim)])).toEqual([])
      await store.extendLeases([refOf(again!)], { now: T0 + 1, leaseMs: HOUR })
      expect(await claimAt(store, T0 + 1, { by: 'run-1', batch: 1 })).toEqual([])
    })

    it('that is provisional is granted once in a call that finds fewer events than it may claim', async (store) => {
      await create(store, ...makePeople(25, () => ({ targetAt: T0 })))
      const claims = []
      for (const batch of [1, 2, 3, 4])
        claims.push(...(await claimAt(store, T0, { by: 'run-1', batch, limit: 10 })))
      expect(new Set(idsOf(claims)).size).toBe(25)
      expect(claims.map(({ version }) => version)).toEqual(claims.map(() => 2))
    })

    it('that has expired still settles as long as no other worker claimed the event', async (store) => {
      const { claim } = await createOneClaimed(store)
      const late = delivered(claim, { at: T0 + LEASE + HOUR })
      expect(await store.settle([late])).toEqual({ settled: [claim.id], stale: [], replan: [] })
    })

    it.transport(
      'cannot be extended by a worker that lost it, and the extension says which leases are lost',
      async (store) => {
        const { claims, people } = await createClaimed(store, 5)
        const [claimed, settled, waiting, deleted, ours] = claims as [
          (typeof claims)[0],
          (typeof claims)[0],
          (typeof claims)[0],
          (typeof claims)[0],
          (typeof claims)[0],
        ]
        const others = [settled, waiting, deleted, ours].map(refOf)
        await store.extendLeases(others, { now: T0, leaseMs: HOUR })
        expect(idsOf(await claimAt(store, T0 + LEASE))).toEqual([claimed.id])
        await store.settle([delivered(settled), retry(waiting, T0 + 2 * HOUR)])
        await store.deleteUser(people[3]!.user.id, T0)
        expect(await store.extendLeases(claims.map(refOf), { now: T0, leaseMs: DAY })).toEqual([ours.id])
        expect(await eventOf(store, claimed.id)).toMatchObject({ wakeAt: T0 + 2 * LEASE })
        expect(await eventOf(store, settled.id)).toMatchObject({ wakeAt: null })
        expect(await eventOf(store, waiting.id)).toMatchObject({ wakeAt: T0 + 2 * HOUR })
        expect(await eventOf(store, ours.id)).toMatchObject({ wakeAt: T0 + DAY })
      },
    )

    it('is extended by its holder also after it expired, as long as no other worker claimed the event', async (store) => {
      const { claim } = await createOneClaimed(store)
      const later = { now: T0 + LEASE + HOUR, leaseMs: LEASE }
      expect(await store.extendLeases([refOf(claim)], later)).toEqual([claim.id])
      expect(await claimAt(store, T0 + LEASE + HOUR)).toEqual([])
    })

    it('cannot be extended while no worker holds the event', async (store) => {
      const person = makePerson()
      await create(store, person)
      const ref = { eventId: person.events[0]!.id, version: 1 }
      expect(await store.extendLeases([ref], { now: T0, leaseMs: DAY })).toEqual([])
      expect(idsOf(await claimAt(store, T0))).toEqual([ref.eventId])
    })

    it('is never made shorter', async (store) => {
      const { claim } = await createOneClaimed(store)
      expect(await store.extendLeases([refOf(claim)], { now: T0, leaseMs: 1_000 })).toEqual([claim.id])
      expect(await claimAt(store, T0 + LEASE - 1)).toEqual([])
      expect(await claimAt(store, T0 + LEASE)).toHaveLength(1)
    })

    it('is extended for a thousand events at once', async (store) => {
      const { claims } = await createClaimed(store, 1_000)
      const extended = await store.extendLeases(claims.map(refOf), { now: T0, leaseMs: HOUR })
      expect(sorted(extended)).toEqual(sorted(idsOf(claims)))
      expect(await claimAt(store, T0 + HOUR - 1)).toEqual([])
    })
  })

  describe('a lease that has expired', () => {
    it.transport('shows the attempt under it as unknown once the event is claimed again', async (store) => {
      const { claim } = await createOneClaimed(store)
      expect(await attemptsOf(store, claim.id)).toEqual([])
      const [again] = await claimAt(store, T0 + LEASE + 7, { by: 'worker-2' })
      const unknown = {
        number: 1,
        claimedBy: 'worker-1',
        startedAt: T0,
        finishedAt: T0 + LEASE,
        outcome: 'UNKNOWN',
        statusCode: null,
        error: expect.stringContaining('LEASE_EXPIRED'),
        channelId: null,
        exchange: null,
      }
      expect(await attemptsOf(store, claim.id)).toEqual([unknown])
      await store.settle([delivered(again!)])
      expect(await attemptsOf(store, claim.id)).toMatchObject([
        unknown,
        { number: 2, claimedBy: 'worker-2', outcome: 'DELIVERED' },
      ])
    })

    it('is distinguished from a released claim', async (store) => {
      const { claims } = await createClaimed(store, 3)
      await store.settle([retry(claims[0]!, T0 + LEASE), release(claims[1]!)])
      const again = await claimAt(store, T0 + LEASE)
      expect(claims.map(({ reclaimed }) => reclaimed)).toEqual([false, false, false])
      const reclaimed = new Map(again.map((claim) => [claim.id, claim.reclaimed]))
      expect(claims.map(({ id }) => reclaimed.get(id))).toEqual([false, false, true])
      const outcomes = await Promise.all(
        claims.map(async ({ id }) => (await attemptsOf(store, id)).map(({ outcome }) => outcome)),
      )
      expect(outcomes).toEqual([['RETRY'], [], ['UNKNOWN']])
    })
  })

  describe('the confirmation of claims', () => {
    it.transport('names the claims that are held at that version, and changes nothing', async (store) => {
      const { claims, people } = await createClaimed(store, 5)
      const [expired, settled, waiting, deleted, ours] = claims
      await store.extendLeases(
        [settled, waiting, deleted, ours].map((claim) => refOf(claim!)),
        { now: T0, leaseMs: HOUR },
      )
      expect(idsOf(await claimAt(store, T0 + LEASE))).toEqual([expired!.id])
      await store.settle([delivered(settled!), retry(waiting!, T0 + 2 * HOUR)])
      await store.deleteUser(people[3]!.user.id, T0)
      const before = await eventOf(store, ours!.id)
      expect(await store.confirmClaims(claims.map(refOf))).toEqual([held(ours!)])
      expect(await eventOf(store, ours!.id)).toEqual(before)
    })

    it('names a claim whose lease has expired while no other worker has claimed the event', async (store) => {
      const { claim } = await createOneClaimed(store)
      expect(await store.confirmClaims([refOf(claim)])).toEqual([held(claim)])
      expect(await claimAt(store, T0 + LEASE)).toHaveLength(1)
      expect(await store.confirmClaims([refOf(claim)])).toEqual([])
    })

    it('says that the occasion of a claimed event was paused', async (store) => {
      const { people, claims } = await createClaimed(store, 2)
      const open = { kind: 'keepInFlight' as const, ...refOf(claims[0]!) }
      const paused = changed(people[0]!, { pausedAt: T0 + 1 })
      expect(await store.saveOccasion(saveOf(paused, { open }))).toBe('saved')
      const confirmed = await store.confirmClaims(claims.map(refOf))
      expect(confirmed).toHaveLength(2)
      expect(confirmed).toEqual(
        expect.arrayContaining([{ eventId: claims[0]!.id, stopped: 'occasion' }, held(claims[1]!)]),
      )
    })

    it('does not stop the replay of a paused occasion', async (store) => {
      const { person, claim } = await createOneClaimed(store)
      await store.settle([failed(claim, 'HTTP 410', { successor: null })])
      const paused = changed(person, { pausedAt: T0 + 1 })
      expect(await store.saveOccasion(saveOf(paused))).toBe('saved')
      await store.replay([{ of: claim.id, id: newId(T0), ownKey: false, at: T0 + 2 }])
      const [again] = await claimAt(store, T0 + 2)
      expect(await store.confirmClaims([refOf(again!)])).toEqual([held(again!)])
    })

    it('covers a thousand claims at once', async (store) => {
      const { claims } = await createClaimed(store, 1_000)
      const confirmed = await store.confirmClaims(claims.map(refOf))
      expect(sorted(confirmed.map(({ eventId }) => eventId))).toEqual(sorted(idsOf(claims)))
    })
  })

  describe('reading claims again', () => {
    it.transport(
      'returns the claims still held at that version, as they are now, and leaves out the rest',
      async (store) => {
        const { claims, people } = await createClaimed(store, 4)
        const [held, settled, waiting, deleted] = claims
        await store.settle([delivered(settled!), retry(waiting!, T0 + HOUR)])
        await store.deleteUser(people[3]!.user.id, T0)
        await store.updateUser({
          user: { ...people[0]!.user, lastName: 'King', version: 2 },
          reschedules: null,
        })
        const read = await store.readClaims([held!, settled!, waiting!, deleted!].map(refOf))
        expect(read).toEqual([{ ...held!, user: { ...held!.user, lastName: 'King' } }])
      },
    )

    it('leaves out an event that was claimed again', async (store) => {
      const { claim } = await createOneClaimed(store)
      const [again] = await claimAt(store, T0 + LEASE)
      expect(await store.readClaims([refOf(claim)])).toEqual([])
      expect(await store.readClaims([refOf(again!)])).toEqual([{ ...again!, reclaimed: false }])
    })

    it('leaves out an event that no worker holds', async (store) => {
      const person = makePerson()
      await create(store, person)
      expect(await store.readClaims([{ eventId: person.events[0]!.id, version: 1 }])).toEqual([])
    })
  })

  describe('the next wake-up', () => {
    it('is null when nothing is open', async (store) => {
      expect(await store.nextWakeAt()).toBeNull()
      const { claim } = await createOneClaimed(store)
      await store.settle([delivered(claim, { successor: null })])
      expect(await store.nextWakeAt()).toBeNull()
    })

    it('is the earliest pending instant, even one that has passed', async (store) => {
      await create(store, ...makePeople(3, (index) => ({ targetAt: T0 + (3 - index) * HOUR })))
      expect(await store.nextWakeAt()).toBe(T0 + HOUR)
      await create(store, makePerson({ targetAt: T0 - 3 * YEAR }))
      expect(await store.nextWakeAt()).toBe(T0 - 3 * YEAR)
    })

    it.transport(
      'is the end of the earliest lease when all that is open is being delivered',
      async (store) => {
        const { claims } = await createClaimed(store, 2)
        expect(await store.nextWakeAt()).toBe(T0 + LEASE)
        await store.extendLeases([refOf(claims[0]!)], { now: T0, leaseMs: HOUR })
        expect(await store.nextWakeAt()).toBe(T0 + LEASE)
        await store.extendLeases([refOf(claims[1]!)], { now: T0, leaseMs: 2 * HOUR })
        expect(await store.nextWakeAt()).toBe(T0 + HOUR)
      },
    )

    it('is the retry when that comes before everything else', async (store) => {
      const { claim } = await createOneClaimed(store)
      await create(store, makePerson({ targetAt: T0 + HOUR }))
      await store.settle([retry(claim, T0 + 4_321)])
      expect(await store.nextWakeAt()).toBe(T0 + 4_321)
    })

    it('is the pending instant when that comes before the end of a lease', async (store) => {
      await createOneClaimed(store)
      await create(store, makePerson({ targetAt: T0 + MINUTE }))
      expect(await store.nextWakeAt()).toBe(T0 + MINUTE)
    })
  })

  describe('the overdue events', () => {
    it('are none while no event is due', async (store) => {
      expect(await store.countOverdue(T0)).toEqual({ count: 0, oldestAt: null, newestAt: null })
      await create(store, makePerson({ targetAt: T0 + 1 }))
      expect(await store.countOverdue(T0)).toEqual({ count: 0, oldestAt: null, newestAt: null })
    })

    it.transport(
      'have a count, and the instants of the oldest and the newest event that was due and not claimed',
      async (store) => {
        await create(store, ...makePeople(12, (index) => ({ targetAt: T0 + index * HOUR })))
        expect(await store.countOverdue(T0 + 9 * HOUR + 1)).toEqual({
          count: 10,
          oldestAt: T0,
          newestAt: T0 + 9 * HOUR,
        })
        const [first, second] = await claimAt(store, T0 + 9 * HOUR + 1, { limit: 2 })
        await store.settle([delivered(first!)])
        expect(await store.countOverdue(T0 + 9 * HOUR + 1)).toEqual({
          count: 8,
          oldestAt: T0 + 2 * HOUR,
          newestAt: T0 + 9 * HOUR,
        })
        await store.settle([delivered(second!)])
      },
    )
  })
}
