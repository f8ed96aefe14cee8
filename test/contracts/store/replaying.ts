// A failed event can be sent again: as a new event, linked to it, while the failed one stays as it was.

import { describe, expect } from 'vitest'
import type { Claim } from '../../../src/ports/claim.ts'
import type { Store } from '../../../src/ports/store.ts'
import { DAY, makePerson, newId, T0 } from '../../support/fixtures.ts'
import type { StoreIt } from '../store.contract.ts'
import {
  claimAt,
  create,
  createClaimed,
  createOneClaimed,
  delivered,
  eventOf,
  eventsOf,
  failed,
} from './steps.ts'

const LATER = T0 + 3 * DAY

async function createFailed(store: Store) {
  const { person, claim } = await createOneClaimed(store)
  await store.settle([failed(claim, 'HTTP 410')])
  return { person, claim }
}

function replayOf(claim: Pick<Claim, 'id'>, over: { ownKey?: boolean; at?: number } = {}) {
  const { ownKey = false, at = LATER } = over
  return { of: claim.id, id: newId(at), ownKey, at }
}

export function describeReplaying(it: StoreIt): void {
  describe('replaying', () => {
    it('inserts a new event, due at once, beside the failed one and that of the next year', async (store) => {
      const { person, claim } = await createFailed(store)
      const before = await eventOf(store, claim.id)
      const wanted = replayOf(claim)
      expect(await store.replay([wanted])).toEqual([claim.id])
      expect(await eventOf(store, claim.id)).toEqual(before)
      expect(await eventOf(store, wanted.id)).toMatchObject({
        occasionId: claim.occasionId,
        occurrence: `${claim.occurrence}~1`,
        status: 'PENDING',
        targetAt: claim.targetAt,
        wakeAt: LATER,
        replayOf: claim.id,
        ownKey: false,
        version: 1,
        retryCount: 0,
      })
      expect(await eventsOf(store, person.user.id)).toHaveLength(3)
    })

    it('under the same key sends the same bytes', async (store) => {
      const { claim } = await createFailed(store)
      await store.replay([replayOf(claim)])
      const [again] = await claimAt(store, LATER, { says: () => 'another' })
      expect(again).toMatchObject({ replayOf: claim.id, ownKey: false, body: claim.body })
    })

    it.transport('under a key of its own is rendered again', async (store) => {
      const { claim } = await createFailed(store)
      await store.replay([replayOf(claim, { ownKey: true })])
      const [again] = await claimAt(store, LATER, { says: () => 'another' })
      expect(again).toMatchObject({ replayOf: claim.id, ownKey: true, body: 'another' })
    })

    it('sends the body of the first event with its key, also as a replay of a replay', async (store) => {
      const { claim } = await createFailed(store)
      const fresh = replayOf(claim, { ownKey: true })
      await store.replay([fresh])
      const [second] = await claimAt(store, LATER, { says: () => 'another' })
      await store.settle([failed(second!, 'HTTP 410', { successor: null })])
      await store.replay([replayOf(fresh, { at: LATER + DAY })])
      const [third] = await claimAt(store, LATER + DAY, { says: () => 'a third' })
      expect(third).toMatchObject({ occurrence: `${claim.occurrence}~2`, ownKey: false, body: claim.body })
    })

    it('of an event that was never rendered says the same each time', async (store) => {
      await create(store, makePerson({ targetAt: T0 }))
      const claim = (await claimAt(store, T0, { says: () => null }))[0]!
      await store.settle([failed(claim, 'MISSED_WINDOW')])
      const first = replayOf(claim)
      await store.replay([first])
      const [second] = await claimAt(store, LATER, { says: () => 'first' })
      await store.settle([failed(second!, 'HTTP 410', { successor: null })])
      await store.replay([replayOf(first, { at: LATER + DAY })])
      expect(await claimAt(store, LATER + DAY, { says: () => 'second' })).toMatchObject([{ body: 'first' }])
    })

    it('gets an occurrence name of its own after the original was pruned', async (store) => {
      const { claim } = await createFailed(store)
      const first = replayOf(claim)
      await store.replay([first])
      const [again] = await claimAt(store, LATER)
      await store.settle([failed(again!, 'HTTP 410', { successor: null })])
      expect(await store.prune({ before: LATER + 500 * DAY, limit: 10 })).toBe(1)
      expect(await store.replay([replayOf(first, { at: LATER + DAY })])).toEqual([first.id])
      const [last] = await claimAt(store, LATER + DAY)
      expect(last).toMatchObject({ occurrence: `${claim.occurrence}~2` })
    })

    it('gets a key of its own when the event with the old key was pruned', async (store) => {
      const { claim } = await createFailed(store)
      const fresh = replayOf(claim, { ownKey: true })
      await store.replay([fresh])
      const [again] = await claimAt(store, LATER)
      await store.settle([failed(again!, 'HTTP 410', { successor: null })])
      await store.prune({ before: LATER + 500 * DAY, limit: 10 })
      await store.replay([replayOf(fresh, { at: LATER + DAY })])
      expect(await claimAt(store, LATER + DAY)).toMatchObject([{ ownKey: true, replayOf: fresh.id }])
    })

    it('settles like any other event, without a successor, and keeps the failed event', async (store) => {
      const { person, claim } = await createFailed(store)
      const wanted = replayOf(claim)
      await store.replay([wanted])
      const [again] = await claimAt(store, LATER)
      expect((await store.settle([delivered(again!, { successor: null })])).settled).toEqual([wanted.id])
      expect(await eventOf(store, wanted.id)).toMatchObject({ status: 'COMPLETED', replayOf: claim.id })
      expect(await eventsOf(store, person.user.id)).toHaveLength(3)
    })

    it('is rejected while a replay is in flight and after one was delivered, not after one failed', async (store) => {
      const { claim } = await createFailed(store)
      const first = replayOf(claim)
      await store.replay([first])
      expect(await store.replay([replayOf(claim)])).toEqual([])
      const [again] = await claimAt(store, LATER)
      expect(await store.replay([replayOf(claim)])).toEqual([])
      await store.settle([failed(again!, 'HTTP 410', { successor: null })])
      const second = replayOf(first, { at: LATER + DAY })
      expect(await store.replay([second])).toEqual([first.id])
      expect(await eventOf(store, second.id)).toMatchObject({ occurrence: `${claim.occurrence}~2` })
      const [third] = await claimAt(store, LATER + DAY)
      await store.settle([delivered(third!, { successor: null })])
      expect(await store.replay([replayOf(claim), replayOf(first)])).toEqual([])
    })

    it('skips an event that did not fail or does not exist', async (store) => {
      const { claims } = await createClaimed(store, 2)
      await store.settle([delivered(claims[0]!)])
      const nowhere = { id: newId(T0) }
      expect(await store.replay([...claims, nowhere].map((one) => replayOf(one)))).toEqual([])
      expect(await store.replay([])).toEqual([])
    })

    it('inserts one event for many concurrent callers', async (store, { another }) => {
      const { claim } = await createFailed(store)
      const stores = [store, await another(), await another()]
      const answers = await Promise.all(
        Array.from({ length: 12 }, (_, i) => stores[i % 3]!.replay([replayOf(claim)])),
      )
      expect(answers.flat()).toEqual([claim.id])
      expect(await claimAt(store, LATER)).toHaveLength(1)
    })

    it('leaves a change of the user to the event of the coming year', async (store) => {
      const { person, claim } = await createFailed(store)
      const wanted = replayOf(claim)
      await store.replay([wanted])
      const seen = (await store.readPerson(person.user.id))!
      expect(seen.plans).toHaveLength(1)
      const open = seen.plans[0]!.open!
      const to = { ...delivered(claim).successor!, id: open.id, targetAt: open.targetAt + DAY }
      const user = { ...person.user, version: 2 }
      const reschedules = [{ eventId: open.id, version: open.version, to }]
      expect(await store.updateUser({ user, reschedules })).toBe('updated')
      expect(await eventOf(store, wanted.id)).toMatchObject({ version: 1, wakeAt: LATER })
    })

    it('goes with its user', async (store) => {
      const { person, claim } = await createFailed(store)
      await store.replay([replayOf(claim)])
      await store.deleteUser(person.user.id, T0)
      expect(await claimAt(store, LATER)).toEqual([])
      await create(store, makePerson({ targetAt: LATER }))
      expect(await claimAt(store, LATER)).toHaveLength(1)
    })
  })
}
