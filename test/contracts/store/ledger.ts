// The ledger: what the accounts of people follow from, pages that one writer saves, and days that are closed once.
import { describe, expect } from 'vitest'
import type { OccasionAccount } from '../../../src/domain/ledger/account/input.ts'
import { ACCOUNTED, LAST_STAGE } from '../../../src/domain/ledger/day.ts'
import {
  type LedgerColumn,
  type LedgerCounts,
  noCounts,
  type StoredLine,
} from '../../../src/domain/ledger/line.ts'
import type { AccountPage, ClosedDay, LedgerDay, Store } from '../../../src/ports/store.ts'
import { addOccasion, DAY, HOUR, makePeople, makePerson, newId, T0, YEAR } from '../../support/fixtures.ts'
import type { StoreIt } from '../store.contract.ts'
import { changed, moveOf, saveOf } from './occasion-fixtures.ts'
import {
  accountOf,
  allPages,
  claimAt,
  create,
  createClaimed,
  createOneClaimed,
  delivered,
  retry,
  sorted,
} from './steps.ts'

const day = '2020-06-01'
const since = { eventsFrom: T0 - DAY, carriedFrom: null }

/** Greater for each line that is made. */
let number = 0

function lineOf(occasionId: string, over: Partial<StoredLine> = {}): StoredLine {
  return {
    day,
    number: ++number,
    column: 'delivered',
    reason: null,
    occasionId,
    eventId: newId(T0),
    occurrence: '2020',
    dueAt: T0,
    expectedAt: null,
    settledAt: T0 + 250,
    attempt: 1,
    entry: null,
    because: null,
    carriedFrom: null,
    ...over,
  }
}

const pageOf = (over: Partial<AccountPage>): AccountPage => ({
  day,
  from: null,
  to: 'end',
  people: 0,
  lines: [],
  newlySeen: [],
  ...over,
})

const closedOf = (over: Partial<ClosedDay> = {}): ClosedDay => ({
  ...noCounts(),
  day,
  people: 3,
  tzVersion: '2026f',
  hash: 'hash',
  closedAt: T0 + 2 * DAY,
  ...over,
})

async function readDay(store: Store, of = day): Promise<LedgerDay | null> {
  return (await store.listLedgerDays({ from: of, to: of, limit: 1 }))[0] ?? null
}

const linesOf = (store: Store, limit = 100) =>
  allPages((cursor) => store.listLedgerLines({ day, limit, cursor }))

type LinesFor = (account: OccasionAccount) => StoredLine[]
const oneLine: LinesFor = ({ occasion }) => [lineOf(occasion.id)]

/** The next page of an account over everybody; null after the last one. */
async function nextPage(
  store: Store,
  linesFor: LinesFor,
  limit: number,
  of = day,
): Promise<AccountPage | null> {
  const from = (await readDay(store, of))!.cursor
  if (from === 'end') return null
  const cursor = from?.slice('people '.length) ?? null
  const { items, people, nextCursor } = await store.readAccounts({ limit, cursor, ...since })
  const newlySeen = items.filter(({ seen }) => !seen).map(({ occasion }) => occasion.id)
  const to = nextCursor === null ? 'end' : `people ${nextCursor}`
  return { day: of, from, to, people, lines: items.flatMap(linesFor), newlySeen }
}

/** Runs an account from the cursor that is stored. */
async function runAccount(
  store: Store,
  { limit = 4, pages = 1_000, linesFor = oneLine, of = day } = {},
): Promise<void> {
  for (let done = 0; done < pages; done++) {
    const page = await nextPage(store, linesFor, limit, of)
    if (page === null) return
    expect(await store.saveAccountPage(page)).toBe(true)
  }
}

export function describeLedger(it: StoreIt): void {
  describe('the accounts of people', () => {
    it('have each occasion once, page by page, and count people without one', async (store) => {
      const people = makePeople(11)
      people[3] = addOccasion(people[3]!, { type: 'PAYDAY', date: '2020-01-31' }, T0 + HOUR)
      await create(store, ...people)
      await store.removeOccasion(people[7]!.occasions[0]!.id, T0)
      const expected = people.flatMap(({ occasions }) => occasions.map(({ id }) => id))
      for (const limit of [1, 4, 11, 100]) {
        let count = 0
        const items = await allPages(async (cursor) => {
          const page = await store.readAccounts({ limit, cursor, ...since })
          expect(page.people).toBeLessThanOrEqual(limit)
          count += page.people
          return page
        })
        expect(count).toBe(11)
        expect(sorted(items.map(({ occasion }) => occasion.id))).toEqual(
          sorted(expected.filter((id) => id !== people[7]!.occasions[0]!.id)),
        )
      }
    })

    it('have settled and open events of the range with their attempts and whether they have a body', async (store) => {
      const { person, claim } = await createOneClaimed(store)
      await store.settle([retry(claim, T0 + HOUR)])
      const [again] = await claimAt(store, T0 + HOUR)
      const { id: occasionId } = person.occasions[0]!
      expect(await accountOf(store, { occasionId: newId(T0), ...since })).toBeNull()
      const read = async (eventsFrom: number) =>
        (await accountOf(store, { occasionId, eventsFrom, carriedFrom: null }))!.events
      expect(await read(T0 + DAY)).toMatchObject([
        {
          id: claim.id,
          status: 'PROCESSING',
          attempts: 1,
          hasBody: true,
          leaseUntil: again!.claimedAt + 300_000,
        },
      ])
      const settlement = delivered(again!)
      await store.settle([settlement])
      expect(await read(T0)).toMatchObject([
        {
          id: claim.id,
          status: 'COMPLETED',
          executedAt: settlement.at,
          statusCode: 200,
          wakeAt: null,
          leaseUntil: null,
          claimedBy: 'worker-1',
          claimedAt: again!.claimedAt,
          retryCount: 1,
          attempts: 1,
          hasBody: true,
        },
        { id: settlement.successor!.id, status: 'PENDING', targetAt: T0 + YEAR, attempts: 0, hasBody: false },
      ])
      // The settled event lies before the range, and its successor was planned before too.
      expect(await read(settlement.at + 1)).toMatchObject([{ id: settlement.successor!.id }])
      expect(await read(settlement.at)).toMatchObject([{ id: claim.id }, { id: settlement.successor!.id }])
    })

    it('have the last event settled before the range if the person or the occasion was changed', async (store) => {
      const { person, claim } = await createOneClaimed(store)
      const first = delivered(claim)
      await store.settle([first])
      const [second] = await claimAt(store, T0 + YEAR)
      const last = delivered(second!)
      await store.settle([last])
      const occasion = { ...person.occasions[0]!, notAfter: '20:00', version: 2 }
      const { id: eventId } = last.successor!
      const open = { kind: 'reschedule' as const, eventId, version: 1, to: last.successor! }
      expect(await store.saveOccasion(saveOf(occasion, { open }))).toBe('saved')
      const read = async (eventsFrom: number) =>
        (await accountOf(store, { occasionId: occasion.id, eventsFrom, carriedFrom: null }))!.events
      const ids = (events: readonly { id: string }[]) => events.map(({ id }) => id)
      expect(ids(await read(T0 + YEAR + 1))).toEqual([second!.id, eventId])
      expect(ids(await read(T0 + YEAR))).toEqual([claim.id, second!.id, eventId])
      expect(ids(await read(T0))).toEqual([claim.id, second!.id, eventId])
    })

    it('have an event that was moved into the range by years before it was settled', async (store) => {
      const person = makePerson({ targetAt: T0 - 3 * YEAR })
      const occasion = { ...person.occasions[0]!, id: newId(T0 - 4 * YEAR) }
      const event = { ...person.events[0]!, occasionId: occasion.id }
      await create(store, { ...person, occasions: [occasion], events: [event] })
      const to = { ...event, occurrence: '2020', targetAt: T0 }
      const open = { kind: 'reschedule' as const, eventId: event.id, version: 1, to }
      await store.saveOccasion(saveOf({ ...occasion, date: '1990-06-01', version: 2 }, { open }))
      const [claim] = await claimAt(store, T0)
      await store.settle([delivered(claim!, { successor: null })])
      const query = { occasionId: occasion.id, eventsFrom: T0 - 40 * DAY, carriedFrom: null }
      expect(await accountOf(store, query)).toMatchObject({ events: [{ id: event.id, targetAt: T0 }] })
    })

    it('have the places that an open event had before changes of the range moved and removed it', async (store) => {
      const person = makePerson()
      await create(store, person)
      const [event] = person.events
      await store.saveOccasion(saveOf(changed(person), { open: moveOf(person), at: T0 }))
      const open = { kind: 'reschedule' as const, eventId: event!.id, version: 2, to: null }
      const paused = changed(person, { pausedAt: T0 + HOUR, version: 3 })
      expect(await store.saveOccasion(saveOf(paused, { open, at: T0 + HOUR }))).toBe('saved')
      const movesSince = async (eventsFrom: number) => {
        const account = await accountOf(store, { ...since, occasionId: paused.id, eventsFrom })
        return account!.moves.toSorted((a, b) => a.at - b.at)
      }
      const { occurrence } = event!
      const removed = { at: T0 + HOUR, occurrence, targetAt: T0 + HOUR }
      expect(await movesSince(T0)).toEqual([{ at: T0, occurrence, targetAt: T0 }, removed])
      expect(await movesSince(T0 + 1)).toEqual([removed])
    })

    it('carry the lines that were open the day before, with their events, and no others', async (store) => {
      const { people, claims } = await createClaimed(store, 4)
      const ids = people.map(({ occasions }) => occasions[0]!.id)
      await store.settle([delivered(claims[1]!)])
      await store.openLedgerDay({ day, startedAt: T0 })
      const open = ids
        .slice(0, 2)
        .map((id, i) => lineOf(id, { column: 'open', eventId: claims[i]!.id, settledAt: null }))
      const others = ids.slice(2).map((id) => lineOf(id))
      const linesFor: LinesFor = ({ occasion }) =>
        [...open, ...others].filter(({ occasionId }) => occasionId === occasion.id)
      await runAccount(store, { linesFor, limit: 3 })
      const found = await allPages((cursor) =>
        store.readAccounts({ limit: 3, cursor, eventsFrom: T0, carriedFrom: day }),
      )
      for (const { occasion, carried } of found)
        expect(carried).toEqual(open.filter(({ occasionId }) => occasionId === occasion.id))
      const query = { occasionId: ids[1]!, eventsFrom: T0 + 90 * DAY, carriedFrom: day }
      expect(await accountOf(store, query)).toMatchObject({
        ...{ carried: [open[1]], events: [{ id: claims[1]!.id }, { targetAt: T0 + YEAR }] },
      })
    })

    it('have the last event of an occasion without an open one, however long ago it was due', async (store) => {
      const { person, claim } = await createOneClaimed(store)
      await store.settle([delivered(claim, { successor: null })])
      const query = { occasionId: person.occasions[0]!.id, eventsFrom: T0 + 900 * DAY, carriedFrom: null }
      expect(await accountOf(store, query)).toMatchObject({ events: [{ id: claim.id }] })
    })
  })

  describe('the account of a day', () => {
    it('has its lines in order of their number, as they were saved, or problems first', async (store) => {
      const person = makePerson()
      await create(store, person)
      await store.openLedgerDay({ day, startedAt: T0 })
      const { id } = person.occasions[0]!
      const lines = [
        lineOf(id, { settledAt: T0 + 2 * HOUR, attempt: 3 }),
        lineOf(id, { column: 'excused', reason: 'MOVED', entry: 2 ** 40, settledAt: null, attempt: null }),
        lineOf(id, { column: 'unexplained', reason: 'LOST', eventId: null, settledAt: null, attempt: null }),
        lineOf(id, {
          column: 'open',
          because: newId(T0),
          carriedFrom: '2020-05-31',
          settledAt: null,
          expectedAt: T0 + 1,
        }),
        lineOf(id, { column: 'surplus', occurrence: null }),
        lineOf(id),
        lineOf(id, { reason: 'ERASED' }),
      ]
      await runAccount(store, { linesFor: () => lines })
      for (const limit of [1, 2, 5, 100]) expect(await linesOf(store, limit)).toEqual(lines)
      const [late, excused, unexplained, open, surplus, plain, erased] = lines
      const byRank = (limit: number, column?: LedgerColumn) =>
        allPages((cursor) => store.listLedgerLinesByRank({ day, limit, cursor, ...(column && { column }) }))
      for (const limit of [1, 2, 3, 6, 100]) {
        expect(await byRank(limit)).toEqual([surplus, unexplained, open, late, excused, erased, plain])
        expect(await byRank(limit, 'delivered')).toEqual([late, erased, plain])
        expect(await byRank(limit, 'excused')).toEqual([excused])
        expect(await byRank(limit, 'failed')).toEqual([])
      }
      expect((await store.listLedgerLines({ day: '2020-06-02', limit: 10, cursor: null })).items).toEqual([])
      expect(await store.findLedgerLines(lines[0]!.eventId!)).toEqual([lines[0]])
      expect(await store.findLedgerLines(newId(T0))).toEqual([])
      expect(await readDay(store)).toMatchObject({
        ...{ people: 1, owed: 6, delivered: 3, late: 1, excused: 1, unexplained: 1, open: 1 },
        ...{ surplus: 1, carried: 1, failed: 0 },
      })
    })

    it('is written by one of two processes: the page of the other one changes nothing', async (store, {
      another,
    }) => {
      const people = makePeople(4)
      await create(store, ...people)
      await store.openLedgerDay({ day, startedAt: T0 })
      const other = await another()
      const page = (await nextPage(store, oneLine, 50))!
      const withAttempt = (attempt: number) => ({
        ...page,
        lines: page.lines.map((line) => ({ ...line, attempt })),
      })
      const saved = await Promise.all([
        store.saveAccountPage(withAttempt(1)),
        other.saveAccountPage(withAttempt(2)),
      ])
      expect(saved.toSorted()).toEqual([false, true])
      const attempt = saved[0] ? 1 : 2
      expect((await linesOf(store)).map((line) => line.attempt)).toEqual(page.lines.map(() => attempt))
      expect(await readDay(store)).toMatchObject({ owed: page.lines.length, people: page.people })
      expect(await store.saveAccountPage(withAttempt(3))).toBe(false)
      expect(await store.saveAccountPage(pageOf({ day: '2020-06-02' }))).toBe(false)
      expect(await linesOf(store)).toHaveLength(page.lines.length)
    })

    it('writes nothing about an occasion that was removed after it was read', async (store) => {
      const person = makePerson()
      await create(store, person)
      await store.openLedgerDay({ day, startedAt: T0 })
      const { id } = person.occasions[0]!
      let page = await nextPage(store, oneLine, 10)
      while (page !== null) {
        if (page.lines.length > 0) await store.removeOccasion(id, T0)
        expect(await store.saveAccountPage(page)).toBe(true)
        page = await nextPage(store, oneLine, 10)
      }
      expect(await linesOf(store)).toEqual([])
      expect(await vanished(store)).toEqual([])
    })

    it('accepts more lines at once than one parameter can hold', async (store) => {
      const person = makePerson()
      await create(store, person)
      await store.openLedgerDay({ day, startedAt: T0 })
      const { id } = person.occasions[0]!
      const lines = Array.from({ length: 2_500 }, (_, i) => lineOf(id, { occurrence: `${i}` }))
      await runAccount(store, { linesFor: () => lines })
      expect(await linesOf(store, 1_000)).toHaveLength(2_500)
    })

    it('is closed once, and accepts no further page', async (store, { another }) => {
      await create(store, makePerson())
      await store.openLedgerDay({ day, startedAt: T0 })
      await runAccount(store)
      const counts = { owed: 1, delivered: 1 }
      const other = await another()
      const closed = await Promise.all([
        store.closeLedgerDay(closedOf({ ...counts, hash: 'a' })),
        other.closeLedgerDay(closedOf({ ...counts, hash: 'b' })),
      ])
      expect(closed.toSorted()).toEqual([false, true])
      const hash = closed[0] ? 'a' : 'b'
      expect(await readDay(store)).toEqual({
        ...closedOf({ ...counts, hash }),
        startedAt: T0,
        cursor: null,
        reportedAt: null,
        prunedAt: null,
      })
      expect(await store.closeLedgerDay(closedOf({ hash: 'c' }))).toBe(false)
      expect(await store.closeLedgerDay(closedOf({ day: '2020-06-02' }))).toBe(false)
      for (const from of [null, 'end'])
        expect(await store.saveAccountPage(pageOf({ from, to: 'more' }))).toBe(false)
      expect((await readDay(store))!.hash).toBe(hash)
    })

    it('is not closed at another cursor than the one that is given', async (store) => {
      await store.openLedgerDay({ day, startedAt: T0 })
      expect(await store.closeLedgerDay(closedOf(), 'end')).toBe(false)
      await store.saveAccountPage(pageOf({ to: 'end' }))
      expect(await store.closeLedgerDay(closedOf(), 'begin')).toBe(false)
      expect((await readDay(store))!.closedAt).toBeNull()
      expect(await store.closeLedgerDay(closedOf(), 'end')).toBe(true)
    })

    it('rejects a last page that was read before an erasure, and keeps the outcomes of people who are erased after it', async (store) => {
      const people = makePeople(4)
      await create(store, ...people)
      await store.openLedgerDay({ day, startedAt: T0 })
      const page = (await nextPage(store, oneLine, 50))!
      await store.saveAccountPage({ ...page, to: `${LAST_STAGE} 0` })
      await store.deleteUser(people[0]!.user.id, T0)
      await store.removeOccasion(people[1]!.occasions[0]!.id, T0)
      const last = (from: string) => store.saveAccountPage(pageOf({ from, to: ACCOUNTED }))
      expect(await last(`${LAST_STAGE} 0`)).toBe(false)
      expect(await last((await readDay(store))!.cursor!)).toBe(true)
      const before = await linesOf(store)
      expect(before).toHaveLength(2)
      await store.deleteUser(people[2]!.user.id, T0)
      await store.removeOccasion(people[3]!.occasions[0]!.id, T0)
      const gone = { occasionId: null, eventId: null, occurrence: null, dueAt: null, settledAt: null }
      const erased = { ...gone, attempt: null, entry: null, because: null }
      expect(await linesOf(store)).toEqual(before.map((line) => ({ ...line, ...erased })))
    })

    it('keeps its counts and no line once it is pruned, a few lines at a time', async (store) => {
      await create(store, ...makePeople(4))
      const next = '2020-06-02'
      for (const of of [day, next]) {
        await store.openLedgerDay({ day: of, startedAt: T0 })
        await runAccount(store, { of, linesFor: ({ occasion }) => [lineOf(occasion.id, { day: of })] })
        await store.closeLedgerDay(closedOf({ day: of, owed: 4, delivered: 4 }))
      }
      const later = await readDay(store, next)
      await store.openLedgerDay({ day: '2020-05-31', startedAt: T0 })
      const prune = (at: number) => store.pruneLedger({ linesBefore: next, entriesBefore: 0, at, limit: 3 })
      expect([await prune(T0 + 9 * DAY), await prune(T0 + 10 * DAY), await prune(T0 + 11 * DAY)]).toEqual([
        3, 1, 0,
      ])
      expect(await linesOf(store)).toEqual([])
      expect(await readDay(store)).toMatchObject({
        ...closedOf({ owed: 4, delivered: 4 }),
        prunedAt: T0 + 9 * DAY,
      })
      expect(await readDay(store, next)).toEqual(later)
      expect(await readDay(store, '2020-05-31'), 'not closed').toMatchObject({ prunedAt: null })
      expect((await store.listLedgerLines({ day: next, limit: 10, cursor: null })).items).toHaveLength(4)
    })

    it('has one alarm for each instant it is asked for while it is open, and then none', async (store, {
      another,
    }) => {
      await store.openLedgerDay({ day, startedAt: T0 })
      const other = await another()
      const alarm = { at: T0 + 5, unlessSince: T0 }
      const marked = await Promise.all([store, other].map((one) => one.markLedgerAlarm(day, alarm)))
      expect(marked.toSorted()).toEqual([false, true])
      expect(await readDay(store)).toMatchObject({ reportedAt: T0 + 5 })
      expect(await store.markLedgerAlarm(day, { at: T0 + DAY, unlessSince: T0 + 6 })).toBe(true)
      await store.markLedgerReported(day, null)
      expect(await store.markLedgerAlarm(day, { at: T0 + DAY, unlessSince: T0 + 6 })).toBe(true)
      await store.closeLedgerDay(closedOf())
      expect(await store.listLedgerDays({ only: 'unreported', limit: 10 })).toMatchObject([{ day }])
      expect(await store.markLedgerAlarm(day, { at: T0 + 9 * DAY, unlessSince: T0 + 8 * DAY })).toBe(false)
    })

    it('is listed once it is closed as unreported, and as unsound with unexplained or surplus lines', async (store) => {
      const close = async (date: string, counts: Partial<LedgerCounts>) => {
        await store.openLedgerDay({ day: date, startedAt: T0 })
        await store.closeLedgerDay(closedOf({ day: date, ...counts }))
      }
      const listed = async (only: 'unsound' | 'unreported') =>
        (await store.listLedgerDays({ only, limit: 10 })).map(({ day }) => day)
      await close('2020-06-01', { surplus: 1 })
      await close('2020-06-02', { failed: 3, open: 2, late: 1 })
      await close('2020-06-03', { unexplained: 2 })
      await create(store, makePerson())
      await store.openLedgerDay({ day: '2020-06-04', startedAt: T0 })
      const [{ occasion }] = (await everybody(store)) as [OccasionAccount]
      const line = lineOf(occasion.id, { day: '2020-06-04', column: 'unexplained' })
      expect(await store.saveAccountPage(pageOf({ day: '2020-06-04', lines: [line] }))).toBe(true)
      expect(await listed('unsound')).toEqual(['2020-06-03', '2020-06-01'])
      expect(await listed('unreported')).toEqual(['2020-06-03', '2020-06-02', '2020-06-01'])
      const within = await store.listLedgerDays({ from: '2020-06-02', to: '2020-06-03', limit: 10 })
      expect(within.map((one) => one.day)).toEqual(['2020-06-03', '2020-06-02'])
      await store.markLedgerReported('2020-06-01', T0 + 5)
      expect(await readDay(store, '2020-06-01')).toMatchObject({ reportedAt: T0 + 5 })
      expect(await listed('unsound')).toEqual(['2020-06-03', '2020-06-01'])
      expect(await listed('unreported')).toEqual(['2020-06-03', '2020-06-02'])
    })
  })

  describe('settled events that are on no account', () => {
    it('are those without a line of the day and without a line of their settlement, in pages', async (store) => {
      const { people, claims } = await createClaimed(store, 5)
      await store.settle(claims.map((claim, i) => delivered(claim, { at: T0 + 250 + (i % 2) })))
      const list = (over: { settledFrom?: number; of?: string } = {}) =>
        allPages((cursor) => {
          const { settledFrom = T0, of = day } = over
          return store.listUnaccounted({ day: of, settledFrom, limit: 2, cursor })
        })
      const ids = async (over = {}) => sorted((await list(over)).map(({ id }) => id))
      const all = claims.map(({ id }) => id)
      expect(await ids()).toEqual(sorted(all))
      expect((await list())[0]).toMatchObject({ occasionId: people[0]!.occasions[0]!.id, targetAt: T0 })
      expect(await ids({ settledFrom: T0 + 251 })).toEqual(sorted([all[1]!, all[3]!]))
      // Due on the next local day.
      expect(await ids({ of: '2020-05-31' })).toEqual([])
      await store.openLedgerDay({ day, startedAt: T0 })
      const occasionId = people[0]!.occasions[0]!.id
      const open = { column: 'open', settledAt: null } as const
      const lines = [
        lineOf(occasionId, { eventId: all[0]! }),
        lineOf(occasionId, { eventId: all[1]!, ...open }),
      ]
      expect(await store.saveAccountPage(pageOf({ lines }))).toBe(true)
      expect(await ids()).toEqual(sorted(all.slice(2)))
      expect(await ids({ of: '2020-06-02' })).toEqual(sorted(all.slice(1)))
    })
  })

  it('counts people by the instants of their creation, and deletions', async (store) => {
    const people = [T0, T0 + HOUR, T0 + DAY].map((at) => {
      const { user, occasions, events } = makePerson()
      const id = newId(at)
      return { user: { ...user, id }, occasions: occasions.map((one) => ({ ...one, userId: id })), events }
    })
    await create(store, ...people)
    const span = { createdBefore: T0 + 2 * HOUR, createdFrom: T0 + 1, deletedFrom: T0 }
    expect(await store.countPeople(span)).toEqual({ existing: 2, created: 1, deleted: 0 })
    expect(await store.countPeople({ ...span, createdFrom: T0 + DAY })).toMatchObject({ created: 0 })
    await store.deleteUser(people[0]!.user.id, T0 + 5)
    expect(await store.countPeople(span)).toEqual({ existing: 1, created: 1, deleted: 1 })
    expect(await store.countPeople({ ...span, deletedFrom: T0 + 6 })).toMatchObject({ deleted: 0 })
  })

  describe('vanished occasions', () => {
    it('are none that the store deleted, and others with each open event that is left', async (store, {
      deleteRow,
    }) => {
      const people = makePeople(6)
      await create(store, ...people)
      await seeAll(store)
      await store.removeOccasion(people[0]!.occasions[0]!.id, T0)
      await store.deleteUser(people[2]!.user.id, T0)
      expect(await vanished(store)).toEqual([])
      const unseen = makePerson()
      await create(store, unseen)
      const [gone, orphan] = [people[1]!, people[4]!]
      await deleteRow('events', gone.events[0]!.id)
      for (const { occasions } of [gone, orphan, unseen]) await deleteRow('occasions', occasions[0]!.id)
      const expected = [
        { occasionId: gone.occasions[0]!.id, eventId: null },
        { occasionId: orphan.occasions[0]!.id, eventId: orphan.events[0]!.id },
        { occasionId: unseen.occasions[0]!.id, eventId: unseen.events[0]!.id },
      ]
      for (const limit of [1, 100]) {
        const found = await vanished(store, limit)
        expect(found).toHaveLength(3)
        expect(found).toEqual(expect.arrayContaining(expected))
      }
    })

    it('have lines in the account of the day', async (store, { deleteRow }) => {
      const person = makePerson()
      await create(store, person)
      await seeAll(store)
      const [occasionId, eventId] = [person.occasions[0]!.id, person.events[0]!.id]
      await deleteRow('occasions', occasionId)
      await deleteRow('events', eventId)
      const line = lineOf(occasionId, { column: 'unexplained', reason: 'VANISHED', eventId })
      expect(await store.saveAccountPage(pageOf({ from: 'end', to: 'vanished', lines: [line] }))).toBe(true)
      expect(await store.findLedgerLines(eventId)).toEqual([line])
    })

    async function seeAll(store: Store): Promise<void> {
      await store.openLedgerDay({ day, startedAt: T0 })
      await runAccount(store, { limit: 2 })
      expect((await everybody(store)).every(({ seen }) => seen)).toBe(true)
    }
  })
}

const everybody = (store: Store) => allPages((cursor) => store.readAccounts({ limit: 100, cursor, ...since }))

const vanished = (store: Store, limit = 10) => allPages((cursor) => store.listVanished({ limit, cursor }))
