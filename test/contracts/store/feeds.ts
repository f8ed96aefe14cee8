// Calendar feeds: found by the hash of their secret, and gone with their user.
import { describe, expect } from 'vitest'
import type { Feed } from '../../../src/domain/feeds/feed.ts'
import { makePerson, newId, T0 } from '../../support/fixtures.ts'
import type { StoreIt } from '../store.contract.ts'
import { create } from './steps.ts'

function feed(over: Partial<Feed> = {}): Feed {
  const id = newId(T0)
  return { id, tokenHash: `hash of ${id}`, userId: null, createdAt: T0 + 1, ...over }
}

export function describeFeeds(it: StoreIt): void {
  describe('a feed', () => {
    it('is kept, listed in order of id, found by its hash, and removed once', async (store) => {
      const person = makePerson()
      await create(store, person)
      const [own, everybody] = [feed({ userId: person.user.id }), feed()]
      expect(await store.createFeed(everybody)).toBe(true)
      expect(await store.createFeed(own)).toBe(true)
      expect(await store.listFeeds()).toEqual([own, everybody])
      expect(await store.findFeed(own.tokenHash)).toEqual(own)
      expect(await store.findFeed('hash of nothing')).toBeNull()
      expect(await store.removeFeed(own.id)).toBe(true)
      expect(await store.removeFeed(own.id)).toBe(false)
      expect(await store.findFeed(own.tokenHash)).toBeNull()
      expect(await store.listFeeds()).toEqual([everybody])
    })

    it('is not made for a user who is gone', async (store) => {
      const orphan = feed({ userId: newId(T0) })
      expect(await store.createFeed(orphan)).toBe(false)
      expect(await store.listFeeds()).toEqual([])
    })

    it('goes with its user, and those of others stay', async (store) => {
      const [one, two] = [makePerson(), makePerson()]
      await create(store, one, two)
      const feeds = [feed({ userId: one.user.id }), feed({ userId: two.user.id }), feed()]
      for (const each of feeds) await store.createFeed(each)
      await store.deleteUser(one.user.id, T0)
      expect(await store.listFeeds()).toEqual(feeds.slice(1))
      expect(await store.findFeed(feeds[0]!.tokenHash)).toBeNull()
    })

    it('is gone, or was never made, when its user goes at the same moment', async (store, { another }) => {
      const other = await another()
      for (let round = 0; round < 5; round++) {
        const person = makePerson()
        await create(store, person)
        const making = Array.from({ length: 4 }, () => other.createFeed(feed({ userId: person.user.id })))
        const [deleted] = await Promise.all([store.deleteUser(person.user.id, T0), ...making])
        expect(deleted).toBe(true)
      }
      expect(await store.listFeeds()).toEqual([])
    })
  })
}
