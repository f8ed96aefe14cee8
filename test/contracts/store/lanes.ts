// Which events a claim takes: those of the lanes that it is given, as many of each as it may.
import { describe, expect } from 'vitest'
import { type LaneLimits, laneOf } from '../../../src/domain/events/lane.ts'
import type { NewPerson } from '../../../src/ports/store.ts'
import {
  HOUR,
  MINUTE,
  makeOccasion,
  makePeople,
  makePerson,
  makePlanned,
  newId,
  T0,
} from '../../support/fixtures.ts'
import type { Current, StoreIt } from '../store.contract.ts'
import { saveOf } from './occasion-fixtures.ts'
import {
  claimAt,
  create,
  createClaimed,
  delivered,
  failed,
  idsOf,
  LEASE,
  released,
  retry,
  sorted,
} from './steps.ts'

const [CHANNEL, OTHER_CHANNEL] = [newId(T0), newId(T0)]
const LANE = laneOf({ channelId: CHANNEL, type: 'BIRTHDAY' })
const BIRTHDAYS = laneOf({ channelId: null, type: 'BIRTHDAY' })
const ALL = { ofChannels: 100, ofDefault: 100 }
const NONE = { ofChannels: 0, ofDefault: 0 }
const only = (...listed: (readonly [number, number])[]): LaneLimits => ({ ...NONE, listed })

function peopleOf(count: number, channelId: string | null, targetAt: (i: number) => number): NewPerson[] {
  const people = makePeople(count, (i) => ({ targetAt: targetAt(i) }))
  for (const { occasions } of people) occasions[0]!.channelId = channelId
  return people
}

export function describeLanes(it: StoreIt, current: Current): void {
  describe('a claim of lanes', () => {
    /** Five events of each lane, due a second apart. Returns their ids, the first due first. */
    async function createFive(channelId: string | null): Promise<string[]> {
      const people = peopleOf(5, channelId, (i) => T0 + i * 1_000)
      await create(current().store, ...people)
      return people.map(({ events }) => events[0]!.id)
    }
    const claim = async (lanes: LaneLimits, limit = 100) =>
      idsOf(await claimAt(current().store, T0 + MINUTE, { lanes, limit }))

    it.transport('takes the first due of each lane, and of no lane more than its limit', async () => {
      const [own, other, byDefault] = [
        await createFive(CHANNEL),
        await createFive(OTHER_CHANNEL),
        await createFive(null),
      ]
      expect(sorted(await claim({ ofChannels: 2, ofDefault: 1, listed: [] }))).toEqual(
        sorted([own[0]!, own[1]!, other[0]!, other[1]!, byDefault[0]!]),
      )
      expect(await claim(only([LANE, 2]))).toEqual([own[2], own[3]])
      expect(
        sorted(
          await claim({
            ...ALL,
            listed: [
              [LANE, 0],
              [BIRTHDAYS, 1],
            ],
          }),
        ),
      ).toEqual(sorted([...other.slice(2), byDefault[1]!]))
      expect(sorted(await claim({ ...ALL, listed: [] }))).toEqual(sorted([own[4]!, ...byDefault.slice(2)]))
    })

    it('takes listed lanes in their order, after the others, and no more than its limit in all', async () => {
      const [own, other, byDefault] = [
        await createFive(CHANNEL),
        await createFive(OTHER_CHANNEL),
        await createFive(null),
      ]
      const listed: LaneLimits['listed'] = [
        [BIRTHDAYS, 3],
        [LANE, 100],
      ]
      const claimed = await claim({ ...ALL, listed }, 10)
      expect(sorted(claimed)).toEqual(sorted([...other, ...byDefault.slice(0, 3), ...own.slice(0, 2)]))
    })

    it('takes no event of a run that failed half-way twice, nor more of a lane in its next claim', async (store) => {
      const own = await createFive(CHANNEL)
      const how = { lanes: only([LANE, 2]), by: 'run-1' }
      expect(idsOf(await claimAt(store, T0 + MINUTE, { ...how, batch: 1 }))).toEqual(own.slice(0, 2))
      expect(idsOf(await claimAt(store, T0 + MINUTE, { ...how, batch: 2 }))).toEqual(own.slice(2, 4))
      expect(idsOf(await claimAt(store, T0 + MINUTE, { ...how, batch: 3 }))).toEqual(own.slice(4))
    })
  })

  describe('the lane of an event', () => {
    const due = async (lane: number) =>
      idsOf(await claimAt(current().store, T0 + HOUR, { lanes: only([lane, 10]) }))

    it.transport(
      'moves with the channel of its occasion, also in flight, and is that of the successor',
      async (store) => {
        const { people, claims } = await createClaimed(store, 1)
        const [person] = people as [NewPerson]
        const occasion = { ...person.occasions[0]!, channelId: CHANNEL, version: 2 }
        const open = { kind: 'keepInFlight', eventId: claims[0]!.id, version: claims[0]!.version } as const
        expect(await store.saveOccasion(saveOf(occasion, { open }))).toBe('saved')
        await store.settle([retry(claims[0]!, T0 + MINUTE)])
        expect(await due(BIRTHDAYS)).toEqual([])
        const [again] = await claimAt(store, T0 + HOUR, { lanes: only([LANE, 1]) })
        expect(again).toMatchObject({ id: claims[0]!.id, occasion: { channelId: CHANNEL } })
        const next = delivered(again!)
        await store.settle([next])
        expect(idsOf(await claimAt(store, next.successor!.targetAt, { lanes: only([LANE, 1]) }))).toEqual([
          next.successor!.id,
        ])
      },
    )

    it('moves with a pending event', async (store) => {
      const person = makePerson({ targetAt: T0 })
      await create(store, person)
      const [event] = person.events
      const occasion = { ...person.occasions[0]!, channelId: CHANNEL, version: 2 }
      const open = { kind: 'reschedule', eventId: event!.id, version: 1, to: event! } as const
      expect(await store.saveOccasion(saveOf(occasion, { open }))).toBe('saved')
      expect([await due(BIRTHDAYS), await due(LANE)]).toEqual([[], [event!.id]])
    })

    it('of a replay is that of the channel which the occasion names now', async (store) => {
      const { people, claims } = await createClaimed(store, 1)
      await store.settle([failed(claims[0]!, 'HTTP 410', { successor: null })])
      const occasion = { ...people[0]!.occasions[0]!, channelId: CHANNEL, version: 2 }
      await store.saveOccasion(saveOf(occasion, { open: { kind: 'insert', event: null } }))
      const id = newId(T0)
      expect(await store.replay([{ of: claims[0]!.id, id, ownKey: false, at: T0 }])).toEqual([claims[0]!.id])
      expect([await due(BIRTHDAYS), await due(LANE)]).toEqual([[], [id]])
    })

    it('without a channel is that of its type', async (store) => {
      const person = makePerson({ targetAt: T0 })
      await create(store, person)
      const occasion = makeOccasion(person.user, { type: 'CHECK_IN', date: '2020-01-01' })
      const event = makePlanned(occasion, person.user, T0 + MINUTE)
      await store.saveOccasion(saveOf(occasion, { open: { kind: 'insert', event } }))
      const lane = laneOf(occasion)
      expect(await store.nextWakeAt(only([lane, 1]))).toBe(T0 + MINUTE)
      expect(await due(lane)).toEqual([event.id])
      expect(await store.nextWakeAt(only([lane, 1]))).toBe(T0 + HOUR + LEASE)
      expect(await store.nextWakeAt({ ...ALL, listed: [[lane, 0]] })).toBe(T0)
      expect(await store.nextWakeAt(only([LANE, 1]))).toBeNull()
    })
  })

  describe('counting the events that wait for a channel', () => {
    it.transport(
      'counts those that are due, with those that name no channel if it is the default one',
      async (store) => {
        await create(
          store,
          ...peopleOf(3, CHANNEL, (i) => T0 + i * MINUTE),
          ...peopleOf(2, OTHER_CHANNEL, () => T0),
        )
        await create(store, ...peopleOf(2, null, () => T0))
        const count = (isDefault: boolean) =>
          store.countWaiting({ channelId: CHANNEL, isDefault, now: T0 + MINUTE })
        expect([await count(false), await count(true)]).toEqual([2, 4])
        const [claim] = await claimAt(store, T0 + MINUTE, { lanes: only([LANE, 1]) })
        await store.settle([released(claim!, T0 + HOUR)])
        expect(await count(false)).toBe(1)
      },
    )
  })
}
