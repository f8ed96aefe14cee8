// What an event says is kept before it is sent, and never changes after.
import { describe, expect, it } from 'vitest'
import { T0 } from '../../fixtures.ts'
import type { Current } from '../store.contract.ts'
import {
  claimAt,
  createClaimed,
  createOneClaimed,
  delivered,
  eventOf,
  idsOf,
  LEASE,
  refOf,
  retry,
  sorted,
} from './steps.ts'

/** 20 kB of what breaks quoting, escaping and encoding. */
const AWKWARD = `{"message":"Hé 'you' \\"there\\" \\\\ 🎉👩‍👩‍👧 李 \u2028 \\u0000 \\n $1 ?1 :name %s 😀 e\u0301 ﷽"}\n\t${'é🎂'.repeat(
  4_000,
)}`

export function describeFreezing(current: Current): void {
  describe('freezing a body', () => {
    it('gives it back byte for byte when the event is taken again after the lease', async () => {
      const { store } = current()
      const { claim } = await createOneClaimed(store)
      expect(await store.freeze([{ ...refOf(claim), body: AWKWARD }])).toEqual([claim.id])
      const [again] = await claimAt(store, T0 + LEASE)
      expect(again?.id).toBe(claim.id)
      expect(Buffer.from(again!.body!).equals(Buffer.from(AWKWARD))).toBe(true)
      expect((await eventOf(store, claim.id)).deliveryPayload).toBe(AWKWARD)
    })

    it('gives it back byte for byte when a retry is due', async () => {
      const { store } = current()
      const { claim } = await createOneClaimed(store)
      await store.freeze([{ ...refOf(claim), body: AWKWARD }])
      await store.settle([retry(claim, T0 + 2_000)])
      const [again] = await claimAt(store, T0 + 2_000)
      expect(again?.body).toBe(AWKWARD)
    })

    it('keeps the first body when the same claim freezes a second', async () => {
      const { store } = current()
      const { claim } = await createOneClaimed(store)
      await store.freeze([{ ...refOf(claim), body: 'first' }])
      await store.freeze([{ ...refOf(claim), body: 'second' }])
      expect((await eventOf(store, claim.id)).deliveryPayload).toBe('first')
      expect((await claimAt(store, T0 + LEASE))[0]?.body).toBe('first')
    })

    it('keeps the first body when a later claim freezes a second', async () => {
      const { store } = current()
      const { claim } = await createOneClaimed(store)
      await store.freeze([{ ...refOf(claim), body: 'first' }])
      const [again] = await claimAt(store, T0 + LEASE)
      await store.freeze([{ ...refOf(again!), body: 'second' }])
      expect((await claimAt(store, T0 + 2 * LEASE))[0]?.body).toBe('first')
    })

    it('freezes nothing for a claim that was lost, and says so', async () => {
      const { store } = current()
      const { claim } = await createOneClaimed(store)
      const [again] = await claimAt(store, T0 + LEASE)
      expect(await store.freeze([{ ...refOf(claim), body: 'stale' }])).toEqual([])
      expect((await eventOf(store, claim.id)).deliveryPayload).toBeNull()
      expect(await store.freeze([{ ...refOf(again!), body: 'ours' }])).toEqual([claim.id])
      expect((await eventOf(store, claim.id)).deliveryPayload).toBe('ours')
    })

    it('freezes nothing for an event that is settled', async () => {
      const { store } = current()
      const { claim } = await createOneClaimed(store)
      await store.settle([delivered(claim)])
      expect(await store.freeze([{ ...refOf(claim), body: 'late' }])).toEqual([])
      expect((await eventOf(store, claim.id)).deliveryPayload).toBeNull()
    })

    it('leaves the claim as it is: the same reference settles it', async () => {
      const { store } = current()
      const { claim } = await createOneClaimed(store)
      await store.freeze([{ ...refOf(claim), body: 'body' }])
      expect(await eventOf(store, claim.id)).toMatchObject({ version: claim.version, wakeAt: T0 + LEASE })
      expect((await store.settle([delivered(claim)])).settled).toEqual([claim.id])
      expect((await eventOf(store, claim.id)).deliveryPayload).toBe('body')
    })

    it('takes a thousand bodies at once and keeps them apart', async () => {
      const { store } = current()
      const { claims } = await createClaimed(store, 1_000)
      const bodies = claims.map((claim) => ({ ...refOf(claim), body: `body of ${claim.id} 🎂` }))
      expect(sorted(await store.freeze(bodies))).toEqual(sorted(idsOf(claims)))
      const again = await claimAt(store, T0 + LEASE)
      expect(again).toHaveLength(1_000)
      for (const claim of again) expect(claim.body).toBe(`body of ${claim.id} 🎂`)
    })
  })
}
