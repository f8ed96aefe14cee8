// What an event says is kept with its first claim, before it can be sent, and never changes after.
import { describe, expect } from 'vitest'
import { makePerson, T0 } from '../../support/fixtures.ts'
import type { Current, StoreIt } from '../store.contract.ts'
import { bodyOf, claimAt, create, createClaimed, delivered, eventOf, failed, LEASE, retry } from './steps.ts'

/** 20 kB of what breaks quoting, escaping and encoding. */
const AWKWARD = `{"message":"Hé 'you' \\"there\\" \\\\ 🎉👩‍👩‍👧 李 \u2028 \\u0000 \\n $1 ?1 :name %s 😀 e\u0301 ﷽"}\n\t${'é🎂'.repeat(
  4_000,
)}`

export function describeBodies(it: StoreIt, current: Current): void {
  describe('the body of an event', () => {
    /** A person due at T0 whose event was claimed then, saying so. */
    async function createSaying(body: string | null) {
      const { store } = current()
      await create(store, makePerson({ targetAt: T0 }))
      const [claim] = await claimAt(store, T0, { says: () => body })
      return { store, claim: claim! }
    }

    it('is rendered from the claim as it is given out, and given out with it', async (store) => {
      await create(store, makePerson({ targetAt: T0 }))
      const seen: unknown[] = []
      const claims = await claimAt(store, T0, {
        says: (claim) => {
          seen.push({ ...claim })
          return 'body'
        },
      })
      expect(claims).toMatchObject([{ version: 2, body: 'body' }])
      expect(seen).toEqual([{ ...claims[0], body: null }])
      expect((await eventOf(store, claims[0]!.id)).deliveryPayload).toBe('body')
    })

    it.transport('is returned byte for byte when the event is claimed again after the lease', async () => {
      const { store, claim } = await createSaying(AWKWARD)
      const [again] = await claimAt(store, T0 + LEASE)
      expect(again?.id).toBe(claim.id)
      expect(Buffer.from(again!.body!).equals(Buffer.from(AWKWARD))).toBe(true)
      expect((await eventOf(store, claim.id)).deliveryPayload).toBe(AWKWARD)
    })

    it('comes back byte for byte when a retry is due', async () => {
      const { store, claim } = await createSaying(AWKWARD)
      await store.settle([retry(claim, T0 + 2_000)])
      const [again] = await claimAt(store, T0 + 2_000)
      expect(again?.body).toBe(AWKWARD)
    })

    it('is never rendered again', async () => {
      const { store } = await createSaying('first')
      let rendered = 0
      const says = () => {
        rendered += 1
        return 'second'
      }
      expect(await claimAt(store, T0 + LEASE, { says })).toMatchObject([{ body: 'first' }])
      expect(await claimAt(store, T0 + 2 * LEASE, { says })).toMatchObject([{ body: 'first' }])
      expect(rendered).toBe(0)
    })

    it.transport('may be missing: the event can be failed, or rendered at a later claim', async () => {
      const { store, claim } = await createSaying(null)
      expect(claim.body).toBeNull()
      expect((await eventOf(store, claim.id)).deliveryPayload).toBeNull()
      const [again] = await claimAt(store, T0 + LEASE, { says: () => null })
      expect(again!.body).toBeNull()
      const [third] = await claimAt(store, T0 + 2 * LEASE, { says: () => 'at last' })
      expect(third!.body).toBe('at last')
      expect((await store.settle([failed(third!, 'no')])).settled).toEqual([claim.id])
    })

    it('is still there when the event is settled', async () => {
      const { store, claim } = await createSaying('body')
      expect((await store.settle([delivered(claim)])).settled).toEqual([claim.id])
      expect((await eventOf(store, claim.id)).deliveryPayload).toBe('body')
    })

    it.transport('is kept apart for a thousand events at once', async (store) => {
      const { claims } = await createClaimed(store, 1_000)
      for (const claim of claims) expect(claim.body).toBe(bodyOf(claim))
      const again = await claimAt(store, T0 + LEASE, { says: () => null })
      expect(again).toHaveLength(1_000)
      for (const claim of again) expect(claim.body).toBe(bodyOf(claim))
    })

    it('that cannot be made for some leaves the others as they are', async (store) => {
      await create(store, ...[1, 2, 3].map(() => makePerson({ targetAt: T0 })))
      let count = 0
      const claims = await claimAt(store, T0, { says: () => (++count === 2 ? null : `number ${count}`) })
      expect(claims.map(({ body }) => body)).toEqual(['number 1', null, 'number 3'])
    })
  })
}
