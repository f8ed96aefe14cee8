// The journal: every change that decides who is owed which message, written with the change.
import { describe, expect } from 'vitest'
import { sha256Hex } from '../../../src/domain/formats/sha256.ts'
import type { JournalEntry, JournalKind } from '../../../src/domain/ledger/journal.ts'
import type { Timezone } from '../../../src/domain/time/timezone.ts'
import type { DateOfBirth } from '../../../src/domain/users/date-of-birth.ts'
import type { NewPerson, Store, ZoneRecord } from '../../../src/ports/store.ts'
import {
  addOccasion,
  DAY,
  HOUR,
  makePeople,
  makePerson,
  makeTask,
  newId,
  T0,
} from '../../support/fixtures.ts'
import type { StoreIt } from '../store.contract.ts'
import { changed, moveOf, NOTHING, saveOf } from './occasion-fixtures.ts'
import { claimAt, create, delivered, failed } from './steps.ts'

const KINDS: readonly JournalKind[] = [
  'person-changed',
  'occasion-changed',
  'person-deleted',
  'occasion-deleted',
  'zone-changed',
  'limits-changed',
]

const BERLIN = 'Europe/Berlin' as Timezone
const NOW = T0 - DAY

/** All entries, oldest first, without their numbers. */
async function journalOf(store: Store, kinds = KINDS): Promise<Omit<JournalEntry, 'number'>[]> {
  const entries = (await store.readJournal({ kinds, from: 0 })).entries
  return entries.map(({ number: _, ...entry }) => entry)
}

const move = ({ user, events }: NewPerson, over: { version?: number; eventVersion?: number } = {}) => ({
  user: { ...user, timezone: BERLIN, version: over.version ?? 2, updatedAt: NOW },
  reschedules: [{ eventId: events[0]!.id, version: over.eventVersion ?? 1, to: events[0]! }],
})

const stateOf = ({ occasions: [occasion] }: NewPerson, over = {}) => {
  const { date, localTime, leapDay, repeats, calendar, ruleRevision, until } = occasion!
  const { pausedAt, channelId, notAfter } = occasion!
  const rule = { date, localTime, leapDay, repeats, calendar, ruleRevision, until }
  return { ...rule, pausedAt, channelId, notAfter, task: null, ...over }
}

const zone = (name: string, over: Partial<ZoneRecord> = {}): ZoneRecord => ({
  ...{ name, rules: `${name}|LMT "é"|0|0|`, version: '2026a', previousRules: null, previousVersion: null },
  ...{ changedAt: null, replanCursor: null, ...over },
})

const rulesOf = ({ rules, version }: ZoneRecord) => ({ rules, version })

export function describeJournal(it: StoreIt): void {
  describe('the journal of a person', () => {
    it('is empty while no person was changed, and has one entry with the state before each change', async (store) => {
      const [person, other] = [makePerson(), makePerson()]
      await create(store, person, other)
      expect(await journalOf(store)).toEqual([])
      expect(await store.updateUser(move(person))).toBe('updated')
      const { dateOfBirth, timezone } = person.user
      const first = {
        kind: 'person-changed',
        userId: person.user.id,
        at: NOW,
        before: { dateOfBirth, timezone },
      }
      expect(await journalOf(store)).toEqual([first])
      const born = {
        ...move(person).user,
        dateOfBirth: '1980-02-29' as DateOfBirth,
        version: 3,
        updatedAt: NOW + 1,
      }
      expect(await store.updateUser({ user: born, reschedules: null })).toBe('updated')
      const second = { ...first, at: NOW + 1, before: { dateOfBirth, timezone: BERLIN } }
      expect(await journalOf(store)).toEqual([first, second])
    })

    it('has no entry for a name, or for a change that conflicts or whose external id is taken', async (store) => {
      const [person, other] = [makePerson(), makePerson({ externalId: 'crm-2' })]
      await create(store, person, other)
      const renamed = { ...person.user, firstName: 'Grace', version: 2 }
      expect(await store.updateUser({ user: renamed, reschedules: null })).toBe('updated')
      expect(await store.updateUser(move(person, { version: 2 }))).toBe('conflict')
      expect(await store.updateUser(move(person, { version: 3, eventVersion: 9 }))).toBe('conflict')
      const { user, reschedules } = move(person, { version: 3 })
      expect(await store.updateUser({ user: { ...user, externalId: 'crm-2' }, reschedules })).toBe('taken')
      expect(await journalOf(store)).toEqual([])
    })

    it('has one entry for one of many concurrent changes', async (store, { another }) => {
      const person = makePerson()
      await create(store, person)
      const stores = [store, await another()]
      const results = await Promise.all(
        Array.from({ length: 6 }, (_, i) => stores[i % 2]!.updateUser(move(person))),
      )
      expect(results.filter((result) => result === 'updated')).toHaveLength(1)
      expect(await journalOf(store)).toHaveLength(1)
    })
  })

  describe('the journal of an occasion', () => {
    it('has the state before each change, the one of a task included', async (store) => {
      const person = makePerson()
      await create(store, person)
      const { id } = person.occasions[0]!
      const open = moveOf(person)
      expect(await store.saveOccasion(saveOf(changed(person), { open, at: NOW }))).toBe('saved')
      const first = { kind: 'occasion-changed', occasionId: id, at: NOW, before: stateOf(person) }
      expect(await journalOf(store)).toEqual([first])

      const { occasion, task } = makeTask(person.user, { quietHours: '22:00-08:00' })
      expect(await store.saveOccasion(saveOf(occasion, { task }))).toBe('saved')
      expect(await journalOf(store), 'a new task').toHaveLength(1)
      const done = { ...task, completedAt: NOW, version: 2 }
      const save = saveOf({ ...occasion, version: 2 }, { task: done, at: NOW + 1 })
      expect(await store.saveOccasion(save)).toBe('saved')
      const { dueAt, dueRevision, remindBeforeMs, quietHours } = task
      const before = stateOf(
        { ...person, occasions: [occasion] },
        { task: { dueAt, dueRevision, remindBeforeMs, quietHours, completedAt: null } },
      )
      const second = { kind: 'occasion-changed', occasionId: occasion.id, at: NOW + 1, before }
      expect(await journalOf(store)).toEqual([first, second])
    })

    it('has no entry for a template, and none for a save that conflicts', async (store) => {
      const person = makePerson()
      await create(store, person)
      const open = moveOf(person)
      const conflicting = [
        saveOf(changed(person, { version: 3 }), { open }),
        saveOf(changed(person), { open, userVersion: 2 }),
        saveOf(changed(person), { open: { ...open, version: 2 } }),
        saveOf(changed(person), { open: NOTHING }),
      ]
      for (const save of conflicting) expect(await store.saveOccasion(save)).toBe('conflict')
      const reworded = { ...person.occasions[0]!, template: 'Hi', version: 2 }
      expect(await store.saveOccasion(saveOf(reworded, { open }))).toBe('saved')
      expect(await journalOf(store)).toEqual([])
    })
  })

  describe('the journal of a deletion', () => {
    it('keeps the hash of a person and the events that were erased, and none of their entries', async (store) => {
      const person = addOccasion(makePerson(), { type: 'WORK_ANNIVERSARY', date: '2015-09-01' }, T0 + DAY)
      const other = makePerson({ targetAt: T0 + DAY })
      await create(store, person, other)
      const saved = await store.saveOccasion(saveOf(changed(person), { open: moveOf(person), at: NOW }))
      expect(saved).toBe('saved')
      const { user } = move(person)
      const reschedules = person.events.map((event, i) => ({
        eventId: event.id,
        version: i === 0 ? 2 : 1,
        to: event,
      }))
      expect(await store.updateUser({ user, reschedules })).toBe('updated')
      const [claim] = await claimAt(store, T0)
      const settlement = delivered(claim!)
      await store.settle([settlement])
      expect(await journalOf(store)).toHaveLength(2)

      expect(await store.deleteUser(newId(T0), T0 + HOUR)).toBe(false)
      expect(await store.deleteUser(person.user.id, T0 + HOUR)).toBe(true)
      const [anniversary, successor] = [person.events[1]!, settlement.successor!]
      const none = { executedAt: null, failureCode: null }
      const createdAt = expect.any(Number)
      const pending = ({ targetAt, offsetSeconds }: typeof anniversary) => {
        return { targetAt, offsetSeconds, status: 'PENDING', createdAt, ...none }
      }
      const { targetAt, offsetSeconds } = person.events[0]!
      const done = {
        targetAt,
        offsetSeconds,
        status: 'COMPLETED',
        executedAt: expect.any(Number),
        failureCode: null,
        createdAt,
      }
      expect(await journalOf(store)).toEqual([
        {
          kind: 'person-deleted',
          at: T0 + HOUR,
          idHash: sha256Hex(person.user.id),
          erased: [done, pending(anniversary), pending(successor)],
        },
      ])
    })

    it('has of an event and its replays the last one', async (store) => {
      const person = makePerson()
      const { id: of } = person.events[0]!
      await create(store, person)
      const [claim] = await claimAt(store, T0)
      await store.settle([{ ...failed(claim!, 'HTTP 400'), successor: null }])
      const replay = async (number: number) => {
        const id = newId(T0 + number)
        expect(await store.replay([{ of, id, ownKey: false, at: T0 + number * HOUR }])).toHaveLength(1)
      }
      // The tenth would come before the second in the order of names.
      for (let number = 1; number <= 10; number++) {
        await replay(number)
        if (number === 10) break
        const [again] = await claimAt(store, T0 + number * HOUR)
        await store.settle([{ ...failed(again!, 'HTTP 400'), successor: null }])
      }
      await store.deleteUser(person.user.id, T0 + DAY)
      expect(await journalOf(store)).toMatchObject([
        { erased: [{ targetAt: T0, status: 'PENDING', createdAt: T0 + 10 * HOUR, executedAt: null }] },
      ])
    })

    it('leaves out events that were due more than 40 days ago', async (store) => {
      const person = makePerson()
      await create(store, person)
      const [claim] = await claimAt(store, T0)
      await store.settle([{ ...delivered(claim!), successor: null }])
      await store.deleteUser(person.user.id, T0 + 41 * DAY)
      expect(await journalOf(store)).toMatchObject([{ kind: 'person-deleted', erased: [] }])
    })

    it('of an occasion leaves the entries of its person and of their other occasions', async (store) => {
      const person = addOccasion(makePerson(), { type: 'WORK_ANNIVERSARY', date: '2015-09-01' }, T0 + DAY)
      await create(store, person)
      const [birthday, anniversary] = person.occasions
      const saves = person.occasions.map((occasion, i) => ({
        ...saveOf({ ...occasion, localTime: '10:00', version: 2 }),
        open: {
          kind: 'reschedule' as const,
          eventId: person.events[i]!.id,
          version: 1,
          to: person.events[i]!,
        },
      }))
      for (const save of saves) expect(await store.saveOccasion(save)).toBe('saved')
      expect(await store.removeOccasion(newId(T0), T0 + 1)).toBe(false)
      expect(await store.removeOccasion(anniversary!.id, T0 + 1)).toBe(true)
      expect(await journalOf(store)).toMatchObject([
        { kind: 'occasion-changed', occasionId: birthday!.id },
        { kind: 'occasion-deleted', idHash: sha256Hex(anniversary!.id), erased: [{ status: 'PENDING' }] },
      ])
    })

    it('has an entry for each of many people who are deleted together, with their own events', async (store) => {
      const people = makePeople(3, (i) => ({ targetAt: T0 + i * DAY }))
      await create(store, ...people)
      await store.settle([delivered((await claimAt(store, T0))[0]!)])
      const [one, two, kept] = people.map(({ user }) => user.id)
      expect(await store.deleteUsers([two!, newId(T0), one!], NOW)).toHaveLength(2)
      expect(await store.deleteUsers([one!, two!], NOW)).toEqual([])
      const { entries } = await store.readJournal({ kinds: ['person-deleted'], from: 0 })
      expect(
        new Map(entries.map(({ idHash, erased }) => [idHash, erased.map(({ status }) => status)])),
      ).toEqual(
        new Map([
          [sha256Hex(one!), ['COMPLETED', 'PENDING']],
          [sha256Hex(two!), ['PENDING']],
        ]),
      )
      expect((await store.listUsers({ limit: 9, cursor: null })).items.map(({ id }) => id)).toEqual([kept])
      expect((await store.listEvents({ limit: 9, cursor: null })).items).toHaveLength(1)
    })
  })

  describe('the journal of settings', () => {
    it('has the rules of a timezone when they are first recorded and when they change', async (store) => {
      const [rome, oslo] = [zone('Europe/Rome'), zone('Europe/Oslo')]
      await store.saveZones([rome], { at: NOW })
      await store.saveZones([{ ...rome, version: '2026b' }, oslo], { at: NOW + 1, onlyNew: true })
      await store.saveZones([{ ...rome, previousVersion: '2025a', changedAt: T0 }], { at: NOW + 2 })
      const newer = zone('Europe/Rome', { version: '2026b', rules: 'other' })
      await store.saveZones([newer, oslo], { at: NOW + 3 })
      const kind = 'zone-changed'
      expect(await journalOf(store)).toEqual([
        { kind, zone: rome.name, at: NOW, before: null, after: rulesOf(rome) },
        { kind, zone: oslo.name, at: NOW + 1, before: null, after: rulesOf(oslo) },
        { kind, zone: rome.name, at: NOW + 3, before: rulesOf(rome), after: rulesOf(newer) },
      ])
    })

    it('has the limits of each process once a day if they differ, and once if they do not', async (store) => {
      const entry = { kind: 'limits-changed' }
      await store.recordLimits({ '*': DAY, BIRTHDAY: null }, NOW)
      await store.recordLimits({ BIRTHDAY: null, '*': DAY }, NOW + 1)
      await store.recordLimits({ '*': HOUR }, NOW + 2)
      await store.recordLimits({ '*': DAY, BIRTHDAY: null }, NOW + 3)
      await store.recordLimits({ '*': DAY, BIRTHDAY: null }, NOW + 2 * DAY)
      await store.recordLimits({ '*': DAY, BIRTHDAY: null }, NOW + 9 * DAY)
      expect(await journalOf(store)).toEqual([
        { ...entry, at: NOW, after: { '*': DAY, BIRTHDAY: null } },
        { ...entry, at: NOW + 2, after: { '*': HOUR } },
        { ...entry, at: NOW + 2 * DAY, after: { '*': DAY, BIRTHDAY: null } },
      ])
    })
  })

  describe('pruning the journal', () => {
    const prune = (store: Store, limit: number) =>
      store.pruneLedger({ linesBefore: '', entriesBefore: NOW + 2, at: T0, limit })

    it('removes old entries of people and occasions, a few at a time, and no entry of settings', async (store) => {
      const [moved, paused, gone, late] = [makePerson(), makePerson(), makePerson(), makePerson()]
      await create(store, moved, paused, gone, late)
      await store.updateUser(move(moved))
      await store.saveOccasion(saveOf(changed(paused), { open: moveOf(paused), at: NOW + 1 }))
      await store.deleteUser(gone.user.id, NOW + 1)
      await store.saveOccasion(saveOf(changed(late), { open: moveOf(late), at: NOW + 2 }))
      await store.saveZones([zone('Europe/Rome')], { at: NOW })
      await store.recordLimits({ '*': DAY }, NOW)
      expect([await prune(store, 2), await prune(store, 2), await prune(store, 2)]).toEqual([2, 1, 0])
      expect(await journalOf(store)).toMatchObject([
        { kind: 'zone-changed' },
        { kind: 'limits-changed' },
        { occasionId: late.occasions[0]!.id },
      ])
    })

    it('keeps entries while the end of an occasion or the due time of a task is ahead', async (store) => {
      const day = (at: number) => new Date(at).toISOString().slice(0, 10)
      const ends = [day(NOW), day(NOW - DAY), null, null] as const
      const dueAt = [null, null, NOW + 2, NOW + 1] as const
      const people = ends.map(() => makePerson())
      await create(store, ...people)
      for (const [i, person] of people.entries()) {
        const { occasion, task } = makeTask(person.user, { dueAt: dueAt[i] ?? 0 })
        if (dueAt[i] !== null) await store.saveOccasion(saveOf(occasion, { task }))
        await store.saveOccasion(
          saveOf(changed(person, { until: ends[i]! }), { open: moveOf(person), at: NOW }),
        )
        const user = { ...move(person).user, timezone: BERLIN }
        expect(await store.updateUser({ user, reschedules: null })).toBe('updated')
      }
      expect(await prune(store, 100)).toBe(5)
      const [ending, , reminded] = people.map(({ user, occasions }) => [user.id, occasions[0]!.id])
      const left = (await journalOf(store)).map((entry) =>
        Object.values(entry).find((value) => value !== entry.kind && typeof value === 'string'),
      )
      expect(new Set(left)).toEqual(new Set([...ending!, reminded![0]]))
    })
  })

  describe('reading the journal', () => {
    it('selects kinds and an instant', async (store) => {
      const person = makePerson()
      await create(store, person)
      await store.updateUser(move(person))
      await store.recordLimits({ '*': DAY }, NOW + 5)
      expect((await store.readJournal({ kinds: ['limits-changed'], from: NOW + 6 })).entries).toEqual([])
      const [limits] = (await store.readJournal({ kinds: ['limits-changed'], from: NOW + 5 })).entries
      expect(limits).toMatchObject({ kind: 'limits-changed', at: NOW + 5, after: { '*': DAY } })
      expect((await store.readJournal({ kinds: ['person-changed'], from: 0 })).entries).toHaveLength(1)
      expect(await store.findDeletions([])).toEqual([])
    })

    it('never uses the number of an erased entry again', async (store) => {
      const person = makePerson()
      await create(store, person)
      await store.updateUser(move(person))
      const [entry] = (await store.readJournal({ kinds: ['person-changed'], from: 0 })).entries
      await store.deleteUser(person.user.id, T0)
      const [deletion] = (await store.readJournal({ kinds: ['person-deleted'], from: 0 })).entries
      expect(deletion!.number).toBeGreaterThan(entry!.number)
      expect((await store.readJournal({ kinds: ['person-changed'], from: 0 })).entries).toEqual([])
    })
  })
}
