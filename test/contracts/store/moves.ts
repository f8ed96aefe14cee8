// The record of moves: every change of an open event, written with the change.
import { describe, expect } from 'vitest'
import type { PlannedEvent } from '../../../src/domain/events/event.ts'
import type { EventSlot } from '../../../src/domain/events/move.ts'
import type { Occasion } from '../../../src/domain/occasions/occasion.ts'
import type { Timezone } from '../../../src/domain/time/timezone.ts'
import type { NewPerson, OpenChange, Store } from '../../../src/ports/store.ts'
import {
  addOccasion,
  DAY,
  HOUR,
  makeOccasion,
  makePeople,
  makePerson,
  makePlanned,
  newId,
  T0,
  YEAR,
} from '../../support/fixtures.ts'
import type { StoreIt } from '../store.contract.ts'
import { changed, moveOf, saveOf } from './occasion-fixtures.ts'
import { claimAt, create, delivered, eventOf } from './steps.ts'

const BERLIN = 'Europe/Berlin' as Timezone

function slotOf({ occurrence, targetAt, offsetSeconds, timezone }: PlannedEvent): EventSlot {
  return { occurrence, targetAt, offsetSeconds, timezone }
}

async function movesOf(store: Store, eventId: string) {
  return store.listMoves(await eventOf(store, eventId))
}

const moveUser = (
  store: Store,
  { user, events }: NewPerson,
  to: PlannedEvent,
  version = 1,
  planned: { cause?: 'BIRTH_DATE_CHANGED' } = {},
) =>
  store.updateUser({
    user: { ...user, timezone: to.timezone as Timezone, version: version + 1, updatedAt: T0 - 10 + version },
    reschedules: [{ eventId: events[0]!.id, version, to, ...planned }],
  })

export function describeMoves(it: StoreIt): void {
  describe('the record of moves', () => {
    it('has each move of an event with its cause, and the last one ends where the event is', async (store) => {
      const person = makePerson({ targetAt: T0 })
      await create(store, person)
      const planned = person.events[0]!
      const east = { ...planned, targetAt: T0 - HOUR, offsetSeconds: 3600, timezone: BERLIN }
      expect(await moveUser(store, person, east)).toBe('updated')
      const reborn = { ...east, targetAt: T0 + DAY }
      expect(await moveUser(store, person, reborn, 2)).toBe('updated')
      const later = { ...reborn, targetAt: T0 + DAY + HOUR, offsetSeconds: 0 }
      await store.replan([{ eventId: planned.id, version: 3, to: later }], T0 + 5)
      expect(await movesOf(store, planned.id)).toEqual([
        {
          eventId: planned.id,
          version: 2,
          cause: 'TIMEZONE_CHANGED',
          at: T0 - 9,
          from: slotOf(planned),
          to: slotOf(east),
        },
        {
          eventId: planned.id,
          version: 3,
          cause: 'BIRTH_DATE_CHANGED',
          at: T0 - 8,
          from: slotOf(east),
          to: slotOf(reborn),
        },
        {
          eventId: planned.id,
          version: 4,
          cause: 'TIMEZONE_RULES_CHANGED',
          at: T0 + 5,
          from: slotOf(reborn),
          to: slotOf(later),
        },
      ])
      expect(await eventOf(store, planned.id)).toMatchObject(slotOf(later))
    })

    it('names the date of birth if that moved the event to another place', async (store) => {
      const person = makePerson({ targetAt: T0 })
      await create(store, person)
      const planned = person.events[0]!
      const to = { ...planned, targetAt: T0 + DAY, offsetSeconds: 3600, timezone: BERLIN }
      expect(await moveUser(store, person, to, 1, { cause: 'BIRTH_DATE_CHANGED' })).toBe('updated')
      expect(await movesOf(store, planned.id)).toMatchObject([{ cause: 'BIRTH_DATE_CHANGED' }])
    })

    it('has no entry for a change that leaves the event where it is, nor for a conflict', async (store) => {
      const person = makePerson({ targetAt: T0 })
      await create(store, person)
      const planned = person.events[0]!
      expect(await moveUser(store, person, planned)).toBe('updated')
      const to = { ...planned, targetAt: T0 + DAY }
      expect(await moveUser(store, person, to)).toBe('conflict')
      expect(await store.replan([{ eventId: planned.id, version: 1, to }], T0)).toEqual([])
      expect(await movesOf(store, planned.id)).toEqual([])
    })

    it('has the change of each occasion that is saved with others, and of none that conflicts', async (store) => {
      const people = makePeople(7, (i) => ({ targetAt: i === 2 ? T0 : T0 + DAY }))
      const [removed, moved, , inserted, , , added] = people as typeof people & { length: 7 }
      await create(store, ...people)
      const [claim] = await claimAt(store, T0)
      const remove = (person: NewPerson): OpenChange => ({ ...moveOf(person), to: null })
      await store.saveOccasion(saveOf(changed(inserted!), { open: remove(inserted!), at: T0 - 2 }))
      const again = { ...inserted!.events[0]!, id: newId(T0), targetAt: T0 + 2 * DAY }
      const another = makeOccasion(added!.user, { type: 'A' })
      const first = makePlanned(another, added!.user, T0 + DAY)
      const opens: [OpenChange, Partial<Occasion>?, number?][] = [
        [remove(removed!)],
        [moveOf(moved!)],
        [{ kind: 'keepInFlight', eventId: claim!.id, version: claim!.version }],
        [{ kind: 'insert', event: again }, { version: 3 }],
        [remove(people[4]!), {}, 2],
        [remove(people[5]!), { version: 4 }],
        [{ kind: 'insert', event: first }, another],
      ]
      const saves = opens.map(([open, over, userVersion = 1], i) => {
        const occasion = changed(people[i]!, { pausedAt: T0, ...over })
        return saveOf(occasion, { open, userVersion, cause: 'OCCASION_PAUSED', at: T0 - 1 })
      })
      const saved = saves.filter((_, i) => i !== 4 && i !== 5).map(({ occasion }) => occasion.id)
      expect((await store.saveOccasions(saves)).sort()).toEqual(saved.sort())
      expect(await store.saveOccasions(saves)).toEqual([])
      expect(await store.saveOccasions([])).toEqual([])
      for (const { occasion } of saves)
        expect((await store.findOccasion(occasion.id))!.pausedAt === null).toBe(
          !saved.includes(occasion.id) || occasion.id === another.id,
        )
      const moves = await Promise.all(people.map(({ events: [event] }) => store.listMoves(event!)))
      expect(moves.map((list) => list.map(({ at, from, to }) => [at, from?.targetAt, to?.targetAt]))).toEqual(
        [
          [[T0 - 1, T0 + DAY, undefined]],
          [[T0 - 1, T0 + DAY, T0 + DAY + HOUR]],
          [],
          [[T0 - 2, T0 + DAY, undefined]],
          [],
          [],
          [],
        ],
      )
      expect(await movesOf(store, again.id)).toMatchObject([
        { to: null },
        { at: T0 - 1, from: null, to: slotOf(again) },
      ])
      expect([await movesOf(store, first.id), await store.findEvent(removed!.events[0]!.id)]).toEqual([
        [],
        null,
      ])
      expect((await store.settle([delivered(claim!)])).replan).toEqual([claim!.id])
    })

    it('to a time that has passed lets the event be claimed at once, and only once', async (store) => {
      const people = makePeople(2, () => ({ targetAt: T0 + DAY }))
      await create(store, ...people)
      const [passed, ahead] = people as [NewPerson, NewPerson]
      const to = { ...passed.events[0]!, targetAt: T0 - HOUR }
      const saves = [
        saveOf(changed(passed), { open: { ...moveOf(passed), to }, at: T0 - 1 }),
        saveOf(changed(ahead), { open: moveOf(ahead), at: T0 - 1 }),
      ]
      expect(await store.saveOccasions(saves)).toHaveLength(2)
      expect((await claimAt(store, T0)).map(({ id }) => id)).toEqual([to.id])
      expect(await store.saveOccasions(saves)).toEqual([])
      expect(await claimAt(store, T0)).toEqual([])
    })

    it('has the edit, the pause and the resumption of an occasion', async (store) => {
      const person = addOccasion(makePerson({ targetAt: T0 + YEAR }), { type: 'A' }, T0)
      await create(store, person)
      const occasion = person.occasions[1]!
      const event = person.events.find(({ occasionId }) => occasionId === occasion.id)!
      const at = (version: number) => ({ ...occasion, version })
      const moved = { ...event, targetAt: T0 + HOUR }
      const edit = { kind: 'reschedule', eventId: event.id, version: 1, to: moved } as const
      expect(await store.saveOccasion(saveOf(at(2), { open: edit, at: T0 - 3 }))).toBe('saved')
      const removal = { ...edit, version: 2, to: null }
      const pause = saveOf(at(3), { open: removal, cause: 'OCCASION_PAUSED', at: T0 - 2 })
      expect(await store.saveOccasion(pause)).toBe('saved')
      const next = { ...moved, id: person.user.id, targetAt: T0 + 2 * HOUR }
      const resumption = { kind: 'insert', event: next } as const
      const resume = saveOf(at(4), { open: resumption, cause: 'OCCASION_RESUMED', at: T0 - 1 })
      expect(await store.saveOccasion(resume)).toBe('saved')
      const causes = (await movesOf(store, next.id)).map(({ cause, from, to }) => [cause, from, to])
      expect(causes).toEqual([
        ['OCCASION_PAUSED', slotOf(moved), null],
        ['OCCASION_RESUMED', null, slotOf(next)],
      ])
      const { id, occasionId, occurrence } = event
      const first = await store.listMoves({ id, occasionId, occurrence })
      expect(first.map(({ cause, at, version }) => [cause, at, version])).toEqual([
        ['OCCASION_CHANGED', T0 - 3, 2],
        ['OCCASION_PAUSED', T0 - 2, 3],
      ])
    })

    it('has all moves of a batch of a thousand', async (store) => {
      const people = makePeople(1_000, () => ({ targetAt: T0 }))
      await create(store, ...people)
      const events = people.map(({ events }) => events[0]!)
      const reschedules = events.map((event) => ({
        eventId: event.id,
        version: 1,
        to: { ...event, targetAt: T0 + HOUR },
      }))
      expect(await store.replan(reschedules, T0)).toHaveLength(1_000)
      for (const event of [events[0]!, events.at(-1)!])
        expect(await movesOf(store, event.id)).toMatchObject([
          { cause: 'TIMEZONE_RULES_CHANGED', from: { targetAt: T0 }, to: { targetAt: T0 + HOUR } },
        ])
    })

    it('is erased with the person, with the occasion, and with an event that is pruned', async (store) => {
      const people = makePeople(3, () => ({ targetAt: T0 }))
      await create(store, ...people)
      const [erased, removed, pruned] = people as [NewPerson, NewPerson, NewPerson]
      for (const person of people)
        await moveUser(store, person, { ...person.events[0]!, targetAt: T0 + HOUR })
      const refs = people.map(({ events: [event] }) => event!)
      await store.deleteUser(erased.user.id, T0)
      await store.removeOccasion(removed.occasions[0]!.id, T0)
      for (const at of [T0 + HOUR, T0 + HOUR + YEAR]) {
        const [claim] = await claimAt(store, at)
        await store.settle([delivered(claim!, { at })])
      }
      expect(await store.listMoves(refs[2]!)).toHaveLength(1)
      expect(await store.prune({ before: T0 + 2 * DAY, limit: 10 })).toBe(1)
      for (const ref of refs) expect(await store.listMoves(ref)).toEqual([])
      expect(pruned.events).toHaveLength(1)
    })
  })
}
