// The law of a place changes: which rules events were planned by, and moving those that wait.
import { describe, expect } from 'vitest'
import type { ZoneRecord } from '../../../src/ports/store.ts'
import { DAY, HOUR, makePeople, makePerson, newId, T0, YEAR } from '../../support/fixtures.ts'
import type { StoreIt } from '../store.contract.ts'
import {
  claimAt,
  create,
  createClaimed,
  createOneClaimed,
  delivered,
  eventOf,
  idsOf,
  refOf,
  sorted,
} from './steps.ts'

function zone(name: string, over: Partial<ZoneRecord> = {}): ZoneRecord {
  const rules = `${name}|LMT WIB|-77.c -70|01|-1`
  return {
    name,
    rules,
    version: '2026e',
    previousRules: null,
    previousVersion: null,
    changedAt: null,
    replanCursor: null,
    ...over,
  }
}

export function describeZones(it: StoreIt): void {
  describe('the people of each timezone', () => {
    it('are counted as they are created, move and are deleted', async (store) => {
      expect(await store.countByTimezone()).toEqual([])
      const inRome = makePeople(3, () => ({ timezone: 'Europe/Rome' }))
      const inJakarta = makePerson({ timezone: 'Asia/Jakarta' })
      await create(store, ...inRome, inJakarta)
      // The second creation of a person changes nothing.
      await store.createUsers([inJakarta])
      expect(await store.countByTimezone()).toEqual([
        { timezone: 'Asia/Jakarta', people: 1 },
        { timezone: 'Europe/Rome', people: 3 },
      ])
      const user = { ...inJakarta.user, timezone: inRome[0]!.user.timezone, version: 2 }
      const [event] = inJakarta.events
      const reschedules = [{ eventId: event!.id, version: 1, to: { ...event!, timezone: user.timezone } }]
      expect(await store.updateUser({ user, reschedules })).toBe('updated')
      await store.deleteUser(inRome[0]!.user.id, T0)
      expect(await store.countByTimezone()).toEqual([{ timezone: 'Europe/Rome', people: 3 }])
      for (const { user } of [inJakarta, ...inRome.slice(1)]) await store.deleteUser(user.id, T0)
      expect(await store.countByTimezone()).toEqual([])
    })
  })

  describe('the rules of timezones', () => {
    it('are kept by name, replaced, and listed in its order', async (store) => {
      expect(await store.listZones()).toEqual([])
      await store.saveZones([])
      const [rome, jakarta] = [zone('Europe/Rome'), zone('Asia/Jakarta')]
      await store.saveZones([rome, jakarta])
      expect(await store.listZones()).toEqual([jakarta, rome])
      const changes = { version: '2026f', rules: 'new', previousRules: rome.rules, previousVersion: '2026e' }
      const newer = { ...rome, ...changes, changedAt: T0 }
      const tokyo = zone('Asia/Tokyo')
      await store.saveZones([newer, tokyo])
      expect(await store.listZones()).toEqual([jakarta, tokyo, newer])
    })

    it('are kept for all the zones of the world in one go', async (store) => {
      const zones = Array.from({ length: 600 }, (_, index) =>
        zone(`Area/Place_${String(index).padStart(3, '0')}`),
      )
      await store.saveZones(zones.toReversed())
      expect(await store.listZones()).toEqual(zones)
      await store.saveZones(zones.map((one) => ({ ...one, version: '2026f' })))
      expect((await store.listZones()).every(({ version }) => version === '2026f')).toBe(true)
    })

    it('are left as they are where only new ones are to be kept', async (store) => {
      const [rome, jakarta] = [zone('Europe/Rome'), zone('Asia/Jakarta')]
      await store.saveZones([rome])
      await store.saveZones([{ ...rome, version: '2026f' }, jakarta], { onlyNew: true })
      expect(await store.listZones()).toEqual([jakarta, rome])
    })

    it('have a cursor of a replan, kept until they are saved again', async (store) => {
      const [rome, jakarta] = [zone('Europe/Rome'), zone('Asia/Jakarta')]
      await store.saveZones([rome, jakarta])
      await store.saveReplanCursor({ name: 'Europe/Rome', version: '2026e', replanCursor: '2026f 12' })
      expect(await store.listZones()).toEqual([jakarta, { ...rome, replanCursor: '2026f 12' }])
      await store.saveZones([rome], { onlyNew: true })
      expect(await store.listZones()).toEqual([jakarta, { ...rome, replanCursor: '2026f 12' }])
      await store.saveReplanCursor({ name: 'Europe/Rome', version: '2026e', replanCursor: null })
      expect(await store.listZones()).toEqual([jakarta, rome])
      const moved = { ...rome, version: '2026f', replanCursor: '2026f done' }
      await store.saveZones([moved])
      await store.saveReplanCursor({ name: 'Europe/Rome', version: '2026e', replanCursor: '2026f 13' })
      await store.saveReplanCursor({ name: 'Asia/Tokyo', version: '2026e', replanCursor: '2026f 13' })
      expect(await store.listZones()).toEqual([jakarta, moved])
    })

    it('can be saved by many at the same time', async (store, { another }) => {
      const other = await another()
      const zones = Array.from({ length: 50 }, (_, index) => zone(`Area/Place_${10 + index}`))
      await Promise.all(
        Array.from({ length: 8 }, (_, index) =>
          (index % 2 === 0 ? store : other).saveZones(index % 3 === 0 ? zones : zones.toReversed()),
        ),
      )
      expect(await store.listZones()).toEqual(zones)
    })
  })

  describe('replanning', () => {
    it('moves events that are pending at the version seen, and returns their ids', async (store) => {
      const people = makePeople(3, () => ({ targetAt: T0 }))
      await create(store, ...people)
      const [first, second, third] = people.map(({ events }) => events[0]!)
      const to = {
        ...first!,
        targetAt: T0 + HOUR,
        offsetSeconds: 3_600,
        tzVersion: '2026g',
        occurrence: '2019',
      }
      const reschedules = [
        { eventId: first!.id, version: 1, to },
        { eventId: second!.id, version: 2, to: { ...second!, targetAt: T0 + HOUR } },
        { eventId: third!.id, version: 1, to: null },
        { eventId: newId(T0), version: 1, to: { ...to, id: newId(T0) } },
      ]
      expect(await store.replan(reschedules, T0 - 5)).toEqual([first!.id])
      expect(await eventOf(store, first!.id)).toMatchObject({
        ...to,
        status: 'PENDING',
        version: 2,
        wakeAt: T0 + HOUR,
        updatedAt: T0 - 5,
      })
      expect(sorted(idsOf(await claimAt(store, T0)))).toEqual(sorted([second!.id, third!.id]))
      expect(await store.replan(reschedules, T0)).toEqual([])
      expect(idsOf(await claimAt(store, T0 + HOUR))).toContain(first!.id)
      expect(await store.replan([], T0)).toEqual([])
    })

    it('does not move an event that is in flight, waits for a retry, or is settled', async (store) => {
      const { claims } = await createClaimed(store, 2)
      await store.settle([delivered(claims[1]!, { successor: null })])
      const versions = [1, 2, 3]
      const reschedules = claims.flatMap((claim) =>
        versions.map((version) => ({ eventId: claim.id, version, to: { ...claim, targetAt: T0 + DAY } })),
      )
      const before = await Promise.all(claims.map(({ id }) => store.findEvent(id)))
      for (const one of reschedules) expect(await store.replan([one], T0)).toEqual([])
      expect(await Promise.all(claims.map(({ id }) => store.findEvent(id)))).toEqual(before)
      expect((await store.settle([delivered(claims[0]!)])).settled).toEqual([claims[0]!.id])
    })

    it('does not bring an occurrence that was settled a second time', async (store) => {
      const { claim } = await createOneClaimed(store)
      const { successor } = delivered(claim)
      await store.settle([delivered(claim, { successor })])
      const other = makePerson({ targetAt: T0 + YEAR })
      await create(store, other)
      const [fine] = other.events
      const moved = await store.replan(
        [
          { eventId: successor!.id, version: 1, to: { ...successor!, occurrence: claim.occurrence } },
          { eventId: fine!.id, version: 1, to: { ...fine!, targetAt: T0 + YEAR + HOUR } },
        ],
        T0,
      )
      expect(moved).toEqual([fine!.id])
      expect(await eventOf(store, successor!.id)).toMatchObject({ occurrence: '2021', version: 1 })
    })

    it('moves a thousand in one go', async (store) => {
      const people = makePeople(1_000, () => ({ targetAt: T0 }))
      await create(store, ...people)
      const reschedules = people.map(({ events: [event] }) => {
        return { eventId: event!.id, version: 1, to: { ...event!, targetAt: T0 + HOUR } }
      })
      expect(sorted(await store.replan(reschedules, T0))).toEqual(
        sorted(reschedules.map((one) => one.eventId)),
      )
      expect(await claimAt(store, T0)).toEqual([])
      expect(await claimAt(store, T0 + HOUR)).toHaveLength(1_000)
    })

    it('moves each or has it claimed, never both, when both happen at once', async (store, { another }) => {
      const other = await another()
      const people = makePeople(200, () => ({ targetAt: T0 }))
      await create(store, ...people)
      const reschedules = people.map(({ events: [event] }) => {
        return { eventId: event!.id, version: 1, to: { ...event!, targetAt: T0 + HOUR } }
      })
      const [claimed, moved] = await Promise.all([
        Promise.all(Array.from({ length: 8 }, () => claimAt(other, T0, { limit: 15 }))),
        Promise.all(
          Array.from({ length: 4 }, (_, i) => store.replan(reschedules.slice(i * 50, i * 50 + 50), T0)),
        ),
      ])
      const claims = claimed.flat()
      const untouched = await claimAt(store, T0)
      expect(sorted([...idsOf(claims), ...moved.flat(), ...idsOf(untouched)])).toEqual(
        sorted(reschedules.map(({ eventId }) => eventId)),
      )
      const { settled } = await store.settle(claims.map((claim) => delivered(claim)))
      expect(sorted(settled)).toEqual(sorted(claims.map((claim) => refOf(claim).eventId)))
    })
  })
}
