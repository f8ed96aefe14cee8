// The ledger: the three questions, the problems that a pass stores, and days that are closed once.
import { describe, expect } from 'vitest'
import type { DayGroup } from '../../../src/domain/ledger/account.ts'
import type { PlanFault } from '../../../src/domain/ledger/problem.ts'
import type { ClosedDay, NewPerson, Store } from '../../../src/ports/store.ts'
import { addOccasion, DAY, HOUR, MINUTE, makePeople, makePlanned, newId, T0 } from '../../support/fixtures.ts'
import type { StoreIt } from '../store.contract.ts'
import { makeChannel } from './settings.ts'
import { claimAt, create, createClaimed, delivered, failed, released, retry, sorted } from './steps.ts'

/** The local day on which all people of these tests are due. */
const day = '2020-06-01'

const sum = (groups: DayGroup[], fate: DayGroup['fate'], code: string | null = null) =>
  groups.filter((one) => one.fate === fate && one.code === code).reduce((all, { count }) => all + count, 0)

/** Adds a second planned event, which no operation of the store does. */
async function withTwoEvents(store: Store): Promise<NewPerson> {
  const [person] = makePeople(1, () => ({ targetAt: T0 })) as [NewPerson]
  const second = makePlanned(person.occasions[0]!, person.user, T0 + DAY)
  await store.createUsers([{ ...person, events: [...person.events, { ...second, occurrence: '2021' }] }])
  return person
}

const faultOf = (person: NewPerson, over: Partial<PlanFault> = {}): PlanFault => ({
  ...{ reason: 'UNPLANNED', occasionId: person.occasions[0]!.id, eventId: null, dueAt: null },
  ...{ expectedAt: T0 + DAY, ...over },
})

const closedDay = (over: Partial<ClosedDay> = {}) => ({
  ...{ day, due: 3, onTime: 1, late: 1, failed: 1, notSent: 0, waiting: 0, missed: 0 },
  ...{ codes: { 'HTTP 410': 1 }, closedAt: T0 + DAY, ...over },
})

export function describeLedger(it: StoreIt): void {
  describe('the first question of the ledger', () => {
    it('finds an occasion with two open events, and no occasion with one', async (store) => {
      const two = await withTwoEvents(store)
      const [one] = makePeople(1, () => ({ targetAt: T0 })) as [NewPerson]
      await create(store, one)
      const occasionIds = [one.occasions[0]!.id, two.occasions[0]!.id]
      const odd = await store.listOddEvents({ occasionIds, now: T0 - DAY })
      expect(odd.map(({ occasionId, isExtra }) => ({ occasionId, isExtra }))).toEqual([
        { occasionId: occasionIds[1], isExtra: true },
        { occasionId: occasionIds[1], isExtra: true },
      ])
      expect(await store.listOddEvents({ occasionIds: [], now: T0 })).toEqual([])
    })
  })

  describe('the second question of the ledger', () => {
    it('finds events that could have been claimed for ten minutes', async (store) => {
      const { people, claims } = await createClaimed(store, 4)
      await store.settle([
        retry(claims[0]!, T0 + HOUR),
        released(claims[1]!, T0 + HOUR),
        delivered(claims[2]!),
      ])
      const late = makePeople(1, () => ({ targetAt: T0 + MINUTE })) as [NewPerson]
      await create(store, ...late)
      // The fourth has a lease until five minutes after T0.
      const stuckAt = async (now: number) => sorted(await store.listStuck({ now, limit: 10 }))
      const idOf = (person: NewPerson) => person.events[0]!.id
      expect(await stuckAt(T0 + 11 * MINUTE - 1)).toEqual([])
      expect(await stuckAt(T0 + 11 * MINUTE)).toEqual([idOf(late[0])])
      expect(await stuckAt(T0 + 16 * MINUTE)).toEqual(sorted([idOf(late[0]), idOf(people[3]!)]))
      expect(await stuckAt(T0 + 2 * HOUR)).toHaveLength(4)
      expect(await store.listStuck({ now: T0 + 2 * HOUR, limit: 2 })).toHaveLength(2)
    })
  })

  describe('the third question of the ledger', () => {
    it('counts the messages of a local day by their fate', async (store) => {
      const { claims } = await createClaimed(store, 6)
      await store.settle([
        delivered(claims[0]!),
        delivered(claims[1]!, { at: T0 + HOUR }),
        failed(claims[2]!, 'HTTP 410'),
        retry(claims[3]!, T0 + HOUR),
        released(claims[4]!, T0 + HOUR),
      ])
      const now = T0 + MINUTE
      const groups = await store.countDay({ day, now })
      expect(sum(groups, 'onTime')).toBe(1)
      expect(sum(groups, 'late')).toBe(1)
      expect(sum(groups, 'failed', 'HTTP 410')).toBe(1)
      expect(sum(groups, 'waiting', 'RETRY')).toBe(2)
      expect(sum(groups, 'waiting', 'IN_FLIGHT')).toBe(1)
      expect(sum(await store.countDay({ day, now: T0 + DAY }), 'waiting', 'QUEUED')).toBe(3)
      await store.saveChannel(makeChannel({ status: 'HELD', defaultSince: T0 }))
      expect(sum(await store.countDay({ day, now: T0 + DAY }), 'waiting', 'CHANNEL')).toBe(3)
      expect(await store.countDay({ day: '2020-06-03', now: T0 + 9 * DAY })).toEqual([])
    })

    it('counts by the local date, and only what is due by then', async (store) => {
      // 10:30 UTC on 1 June is 23:30 on 31 May at UTC-11, and 00:30 on 2 June at UTC+14.
      const offsets = [-11 * 3_600, 14 * 3_600]
      const people = makePeople(2, () => ({ targetAt: T0 + 1.5 * HOUR })).map((person, i) => ({
        ...person,
        events: person.events.map((event) => ({ ...event, offsetSeconds: offsets[i]! })),
      }))
      await create(store, ...people)
      const count = async (day: string, now = T0 + DAY) =>
        (await store.countDay({ day, now })).reduce((all, one) => all + one.count, 0)
      expect(await Promise.all(['2020-05-31', day, '2020-06-02'].map((one) => count(one)))).toEqual([1, 0, 1])
      expect(await count('2020-05-31', T0)).toBe(0)
    })

    it('counts a failure whose replay was delivered as late, once', async (store) => {
      const { claims } = await createClaimed(store, 1)
      await store.settle([failed(claims[0]!, 'HTTP 410')])
      await store.replay([{ of: claims[0]!.id, id: newId(T0), ownKey: false, at: T0 + HOUR }])
      expect(await store.countDay({ day, now: T0 + DAY })).toMatchObject([{ fate: 'failed', count: 1 }])
      const [replayed] = await claimAt(store, T0 + HOUR)
      await store.settle([delivered(replayed!, { successor: null })])
      expect(await store.countDay({ day, now: T0 + DAY })).toMatchObject([{ fate: 'late', count: 1 }])
    })
  })

  describe('a pass over all plans', () => {
    const begin = (store: Store, startedAt = T0, replaces: number | null = null) =>
      store.beginLedgerCheck({ day, startedAt, replaces })
    const page = { day, startedAt: T0, from: null, to: null, at: T0 + MINUTE, faults: [] }

    it('is begun by one process, goes on at its cursor, and ends with its last page', async (store) => {
      expect(await store.findLedgerCheck()).toBeNull()
      expect(await begin(store)).toBe(true)
      expect(await begin(store, T0 + 1)).toBe(false)
      expect(await store.saveLedgerCheck({ ...page, to: 'a' })).toBe(true)
      expect(await store.saveLedgerCheck({ ...page, to: 'b' })).toBe(false)
      expect(await store.findLedgerCheck()).toEqual({ day, startedAt: T0, cursor: 'a', checkedAt: null })
      expect(await store.saveLedgerCheck({ ...page, from: 'a' })).toBe(true)
      const done = { day, startedAt: T0, cursor: null, checkedAt: T0 + MINUTE }
      expect(await store.findLedgerCheck()).toEqual(done)
      expect(await begin(store, T0 + HOUR, T0)).toBe(true)
      expect(await store.findLedgerCheck()).toEqual({ ...done, startedAt: T0 + HOUR })
    })

    it('stores problems, which end when a later pass does not find them', async (store) => {
      const people = makePeople(2, () => ({ targetAt: T0 }))
      await create(store, ...people)
      const [first, second] = people as [NewPerson, NewPerson]
      await begin(store)
      await store.saveLedgerCheck({ ...page, faults: people.map((person) => faultOf(person)) })
      const { firstName, lastName, externalId, timezone, id: userId } = first.user
      const problems = await store.listPlanProblems({ limit: 10 })
      expect(problems.find(({ occasionId }) => occasionId === first.occasions[0]!.id)).toEqual({
        ...faultOf(first),
        ...{ firstName, lastName, externalId, timezone, userId },
        ...{ occasionType: 'BIRTHDAY', foundAt: T0 + MINUTE, goneAt: null },
      })
      expect(await store.countPlanProblems()).toEqual([{ reason: 'UNPLANNED', count: 2 }])
      for (const { occasions } of people) {
        const occasionId = occasions[0]!.id
        expect(await store.listPlanProblems({ occasionId, limit: 1 })).toMatchObject([{ occasionId }])
      }
      await begin(store, T0 + HOUR, T0)
      const later = { ...page, startedAt: T0 + HOUR, at: T0 + HOUR + 1 }
      await store.saveLedgerCheck({ ...later, faults: [faultOf(second)] })
      expect(await store.listPlanProblems({ limit: 10 })).toMatchObject([{ foundAt: T0 + MINUTE }])
      const ofDay = await store.listPlanProblems({ day, limit: 10 })
      expect(ofDay.map(({ goneAt }) => goneAt).sort()).toEqual([T0 + HOUR + 1, null].sort())
      expect(await store.listPlanProblems({ day: '2020-05-31', limit: 10 })).toEqual([])
      await store.endPlanProblems(second.occasions[0]!.id, T0 + 2 * HOUR)
      expect(await store.countPlanProblems()).toEqual([])
    })

    it('stores many problems, which are erased with their people', async (store) => {
      const people = makePeople(30, () => ({ targetAt: T0 })).map((person) =>
        addOccasion(person, { type: 'NAME_DAY', date: '2020-07-01' }, T0 + DAY),
      )
      await create(store, ...people)
      await begin(store)
      await store.saveLedgerCheck({ ...page, faults: people.map((person) => faultOf(person)) })
      expect(await store.countPlanProblems()).toEqual([{ reason: 'UNPLANNED', count: 30 }])
      await store.deleteUsers(
        people.map(({ user }) => user.id),
        T0,
      )
      expect(await store.listPlanProblems({ day, limit: 10 })).toEqual([])
    })
  })

  describe('the target of the daily report', () => {
    it('is stored, and one process at a time sends reports', async (store) => {
      expect(await store.findReportTarget()).toBeNull()
      await store.saveReportTarget('ops@example.com')
      expect(await store.findReportTarget()).toBe('ops@example.com')
      const until = T0 + MINUTE
      expect(await store.reserveReports({ now: T0, until })).toBe(true)
      expect(await store.reserveReports({ now: T0 + 1, until: until + 1 })).toBe(false)
      await store.releaseReports(until + 1)
      expect(await store.reserveReports({ now: until - 1, until: until + 1 })).toBe(false)
      expect(await store.reserveReports({ now: until, until: until + 1 })).toBe(true)
      await store.releaseReports(until + 1)
      expect(await store.reserveReports({ now: T0, until: T0 + 2 * DAY })).toBe(true)
      // The clock was set back.
      expect(await store.reserveReports({ now: T0, until })).toBe(true)
      await store.saveReportTarget(null)
      expect(await store.findReportTarget()).toBeNull()
    })
  })

  describe('a day of the ledger', () => {
    it('is closed once, listed from then on, and reported', async (store) => {
      expect(await store.firstLedgerDay()).toBeNull()
      await store.beginLedgerCheck({ day, startedAt: T0, replaces: null })
      expect(await store.firstLedgerDay()).toBe(day)
      expect(await store.listLedgerDays({ limit: 10 })).toEqual([])
      expect(await store.closeLedgerDay(closedDay())).toBe(true)
      expect(await store.closeLedgerDay(closedDay({ due: 9 }))).toBe(false)
      expect(await store.closeLedgerDay(closedDay({ day: '2020-06-02' }))).toBe(true)
      const days = await store.listLedgerDays({ to: day, limit: 10 })
      expect(days).toEqual([{ ...closedDay(), reportedAt: null }])
      await store.markLedgerReported(day, T0 + 2 * DAY)
      expect(await store.listLedgerDays({ from: day, limit: 10 })).toMatchObject([
        { day: '2020-06-02', reportedAt: null },
        { day, reportedAt: T0 + 2 * DAY },
      ])
    })
  })
}
