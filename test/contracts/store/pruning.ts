// Old history goes, and with it what hangs on it; never what keeps a year from being greeted again.
import { describe, expect } from 'vitest'
import { changeUser } from '../../../src/app/users/change.ts'
import { tzdb } from '../../../src/domain/time/tzdb.ts'
import type { NewPerson, Store } from '../../../src/ports/store.ts'
import { clockAt, DAY, HOUR, makePerson, newId, T0, YEAR } from '../../support/fixtures.ts'
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
  retry,
  successorOf,
} from './steps.ts'

/** A person greeted in so many years, the last of them 2020, each time at the second attempt. */
async function greetedFor(store: Store, years: number): Promise<NewPerson> {
  const person = makePerson({ targetAt: T0 - (years - 1) * YEAR })
  await create(store, person)
  for (let at = T0 - (years - 1) * YEAR; at <= T0; at += YEAR) {
    const [first] = await claimAt(store, at)
    await store.settle([retry(first!, at + HOUR)])
    const [second] = await claimAt(store, at + HOUR)
    await store.settle([delivered(second!)])
  }
  return person
}

const yearsOf = async (store: Store, { user }: NewPerson) =>
  (await eventsOf(store, user.id)).map(({ occurrence, status }) => `${occurrence} ${status}`)

export function describePruning(it: StoreIt): void {
  describe('pruning', () => {
    it('removes events that were settled before the instant, and no later ones', async (store) => {
      const person = await greetedFor(store, 4)
      const [first, second] = await eventsOf(store, person.user.id)
      expect(await store.countPrunable(second!.executedAt!)).toBe(1)
      expect(await store.prune({ before: second!.executedAt!, limit: 100 })).toBe(1)
      expect(await store.findEvent(first!.id)).toBeNull()
      expect(await yearsOf(store, person)).toEqual([
        '2018 COMPLETED',
        '2019 COMPLETED',
        '2020 COMPLETED',
        '2021 PENDING',
      ])
      expect(await store.prune({ before: second!.executedAt!, limit: 100 })).toBe(0)
      expect(await store.prune({ before: second!.executedAt! + 1, limit: 100 })).toBe(1)
    })

    it('keeps the latest of each occasion, however old', async (store) => {
      const [one, two] = [await greetedFor(store, 1), await greetedFor(store, 3)]
      expect(await store.countPrunable(T0 + 500 * DAY)).toBe(2)
      expect(await store.prune({ before: T0 + 500 * DAY, limit: 100 })).toBe(2)
      expect(await yearsOf(store, one)).toEqual(['2020 COMPLETED', '2021 PENDING'])
      expect(await yearsOf(store, two)).toEqual(['2020 COMPLETED', '2021 PENDING'])
    })

    it('keeps the one due last though its name sorts before another', async (store) => {
      const { person, claim } = await createOneClaimed(store, { occurrence: 'hebrew-5780' })
      const successor = { ...successorOf(claim), occurrence: '2:2021' }
      await store.settle([delivered(claim, { successor })])
      const [second] = await claimAt(store, successor.targetAt)
      await store.settle([delivered(second!, { successor: null })])
      expect(await store.prune({ before: T0 + 500 * DAY, limit: 100 })).toBe(1)
      expect(await yearsOf(store, person)).toEqual(['2:2021 COMPLETED'])
    })

    it('removes failed events like delivered ones', async (store) => {
      const { person, claim } = await createOneClaimed(store, { targetAt: T0 - YEAR })
      await store.settle([failed(claim, 'HTTP 410')])
      const [next] = await claimAt(store, T0)
      await store.settle([delivered(next!)])
      expect(await store.prune({ before: T0 + DAY, limit: 100 })).toBe(1)
      expect(await yearsOf(store, person)).toEqual(['2020 COMPLETED', '2021 PENDING'])
      expect((await store.listEvents({ limit: 10, cursor: null, status: 'FAILED' })).items).toEqual([])
    })

    it('removes attempts and bodies with their events, and leaves those of other events', async (store) => {
      const person = await greetedFor(store, 2)
      const [old, latest] = await eventsOf(store, person.user.id)
      const before = await store.findEvent(latest!.id)
      expect(before?.event.deliveryPayload).not.toBeNull()
      expect(await attemptsOf(store, old!.id)).toHaveLength(2)
      expect(await store.prune({ before: T0 + DAY, limit: 100 })).toBe(1)
      expect(await attemptsOf(store, old!.id)).toEqual([])
      expect(await store.findEvent(latest!.id)).toEqual(before)
      expect(before?.attempts).toHaveLength(2)
    })

    it('removes no more than the limit at once, the oldest first, and in the end all', async (store) => {
      const person = await greetedFor(store, 5)
      const before = T0 + DAY
      expect(await store.prune({ before, limit: 3 })).toBe(3)
      expect(await yearsOf(store, person)).toEqual(['2019 COMPLETED', '2020 COMPLETED', '2021 PENDING'])
      expect(await store.prune({ before, limit: 3 })).toBe(1)
      expect(await store.prune({ before, limit: 3 })).toBe(0)
    })

    it('never touches an open event: pending, in flight, or waiting to retry', async (store) => {
      const { claims } = await createClaimed(store, 3)
      await store.settle([retry(claims[1]!, T0 + HOUR)])
      const pending = makePerson({ targetAt: T0 + DAY })
      await create(store, pending)
      const ids = [...idsOf(claims), pending.events[0]!.id]
      const before = await Promise.all(ids.map((id) => eventOf(store, id)))
      expect(await store.prune({ before: T0 + 500 * DAY, limit: 100 })).toBe(0)
      expect(await Promise.all(ids.map((id) => eventOf(store, id)))).toEqual(before)
      const { settled } = await store.settle([delivered(claims[0]!), delivered(claims[2]!)])
      expect(settled).toHaveLength(2)
    })

    it('leaves enough that a corrected birthday is not greeted again in a year that was', async (store) => {
      const person = await greetedFor(store, 3)
      await store.prune({ before: T0 + 300 * DAY, limit: 100 })
      const planner = { ids: newId, table: tzdb }
      const clock = clockAt(T0 + 30 * DAY)
      const deps = { store, planner, clock, telemetry() {}, deliverAt: '09:00', onPlanned() {} }
      const input = { dateOfBirth: '1990-12-24' }
      const result = await changeUser(deps, person.user.id, { input, ifVersion: null })
      expect(result).toMatchObject({ kind: 'changed', rescheduled: 1 })
      expect(await yearsOf(store, person)).toEqual(['2020 COMPLETED', '2021 PENDING'])
      const [, next] = await eventsOf(store, person.user.id)
      expect(next!.targetAt).toBe(Date.parse('2021-12-24T09:00:00Z'))
    })

    it('removes nothing when nothing is prunable', async (store) => {
      expect(await store.prune({ before: T0, limit: 100 })).toBe(0)
    })
  })
}
