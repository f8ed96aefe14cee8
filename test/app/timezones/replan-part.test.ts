// A replan in parts: its order, its limit, and how it continues after a part ended or was killed at any call of the store.
import { describe, expect, it } from 'vitest'
import { replan, replanSoonest } from '../../../src/app/timezones/replan.ts'
import { beginReplan, isReplanDue } from '../../../src/app/timezones/replan-due.ts'
import type { NewPerson, Reschedule, Store } from '../../../src/ports/store.ts'
import { createWorld, wrapStore } from '../../engine/support/world.ts'
import { DAY, HOUR } from '../../support/fixtures.ts'
import { BIRTHDAYS, replanSteps } from './support/replan-steps.ts'
import { dueBy, NEW, NOW, OLD, planningBy, populate } from './support/two-tables.ts'

const { world, withTable, start, usersBy, add, eventOf, dueAt } = replanSteps()
const VANCOUVER = 'America/Vancouver'
const HAVANA = 'America/Havana'
/** A birthday within two days, two in winter, and one in summer, whose event keeps its instant. */
const FEW = ['11-16', '12-15', '01-10', '06-20']

const PART = { check: 'rest', pageSize: 2 } as const

function pagesLeft(count: number): () => boolean {
  let left = count
  return () => left-- > 0
}

const replanBy = (store: Store, over: { mayContinue?: () => boolean } = {}) =>
  replan(withTable(NEW, { store }), { ...PART, ...over })

async function expectByNewTable(people: readonly NewPerson[]): Promise<void> {
  for (const person of people) {
    const targetAt = dueBy(NEW, person)
    expect(await eventOf(person)).toMatchObject({ targetAt, wakeAt: targetAt, tzVersion: '2026f' })
  }
}

const recordOf = async (zone: string) => (await world().store.listZones()).find(({ name }) => name === zone)

/** The store, and the names of the calls to it. */
function recording(store: Store): { store: Store; calls: string[] } {
  const calls: string[] = []
  return {
    calls,
    store: wrapStore(store, (name, call) => {
      calls.push(name)
      return call()
    }),
  }
}

describe('a replan in parts', () => {
  it('moves the events of every changed timezone, however few pages fit into a part', async () => {
    await start(OLD)
    const people = await populate(usersBy(OLD), { zones: [VANCOUVER, HAVANA], birthdays: BIRTHDAYS })
    const others = await populate(usersBy(OLD), { zones: ['Asia/Tokyo'], birthdays: FEW })
    const before = await Promise.all(others.map(eventOf))
    let parts = 0
    do {
      parts += 1
      expect(parts).toBeLessThan(100)
      await replanBy(world().store, { mayContinue: pagesLeft(2) })
    } while ((await recordOf(VANCOUVER))!.version !== '2026f')
    expect(parts).toBeGreaterThan(5)
    await expectByNewTable(people)
    expect(await Promise.all(others.map(eventOf))).toEqual(before)
    expect(await recordOf(VANCOUVER)).toEqual({
      name: VANCOUVER,
      rules: NEW.rules(VANCOUVER),
      version: '2026f',
      previousRules: OLD.rules(VANCOUVER),
      previousVersion: '2025c',
      changedAt: NOW,
      replanCursor: null,
    })
  })

  it('reports what each part moved', async () => {
    await start(OLD)
    await populate(usersBy(OLD), { zones: [VANCOUVER], birthdays: FEW })
    const reports = []
    do reports.push(await replanBy(world().store, { mayContinue: pagesLeft(2) }))
    while ((await recordOf(VANCOUVER))!.version !== '2026f')
    const zones = reports.flatMap((report) => report.zones)
    expect(zones.length).toBeGreaterThan(1)
    for (const { zone } of zones) expect(zone).toBe(VANCOUVER)
    expect(zones.reduce((sum, { moved }) => sum + moved, 0)).toBe(3)
    expect(zones.reduce((sum, { unmoved }) => sum + unmoved, 0)).toBe(1)
    for (const report of reports)
      expect(report).toMatchObject({ release: '2026f', ahead: null, gone: [], failed: 0 })
  })

  it('moves the events of the next two days in all timezones before any other', async () => {
    await start(OLD)
    const people = await populate(usersBy(OLD), { zones: [HAVANA, VANCOUVER], birthdays: BIRTHDAYS })
    const moved: number[] = []
    const store = wrapStore(world().store, (name, call, args) => {
      if (name === 'replan') moved.push(...(args[0] as Reschedule[]).map(({ to }) => to!.targetAt))
      return call()
    })
    await replanBy(store)
    const soon = people.map((person) => dueBy(NEW, person)).filter((at) => at < NOW + 2 * DAY)
    expect(soon.length).toBeGreaterThan(2)
    expect(moved.slice(0, soon.length)).toEqual(soon.toSorted((a, b) => a - b))
    expect(moved).toHaveLength(people.length)
  })

  it('moves only what can be claimed before an instant, when asked for no more', async () => {
    await start(OLD)
    const people = await populate(usersBy(OLD), { zones: [VANCOUVER], birthdays: FEW })
    const [tomorrow, ...later] = people
    const before = dueBy(OLD, tomorrow!)
    const deps = withTable(NEW)
    await replanSoonest(deps, { before })
    expect(await eventOf(tomorrow!)).toMatchObject({ tzVersion: '2025c' })
    await replanSoonest(deps, { before: before + 1, mayContinue: () => false })
    expect(await eventOf(tomorrow!)).toMatchObject({ tzVersion: '2025c' })
    await replanSoonest(deps, { before: before + 1 })
    await expectByNewTable([tomorrow!])
    for (const person of later) expect(await eventOf(person)).toMatchObject({ tzVersion: '2025c' })
    expect((await recordOf(VANCOUVER))!.version).toBe('2025c')
  })

  it('starts again with another release of the table', async () => {
    await start(OLD)
    const people = await populate(usersBy(OLD), { zones: [VANCOUVER], birthdays: FEW })
    const last = people
      .map(({ user }) => user.id)
      .sort()
      .at(-1)
    const cursor = { name: VANCOUVER, version: '2025c', replanCursor: `2026a ${last}` }
    await world().store.saveReplanCursor(cursor)
    await replanBy(world().store)
    await expectByNewTable(people)
  })

  it('checks a database without records of timezones, and continues there too', async () => {
    const people = await populate(usersBy(OLD), { zones: [VANCOUVER, HAVANA], birthdays: FEW })
    let parts = 1
    while (!(await replanBy(world().store, { mayContinue: pagesLeft(4) })).complete) parts += 1
    expect(parts).toBeGreaterThan(5)
    await expectByNewTable(people)
    expect((await world().store.listZones()).map(({ version }) => version)).toEqual(
      NEW.zones().map(() => '2026f'),
    )
  })
})

describe('after a replan in parts', () => {
  it('the next hour is kept right, and everyone is checked once more after it', async () => {
    await start(OLD)
    await populate(usersBy(OLD), { zones: [VANCOUVER], birthdays: FEW })
    expect(await replanBy(world().store)).toMatchObject({ complete: false })
    // An isolate of the previous release plans them.
    const late = await add(OLD, VANCOUVER, '12-15', '11-16')
    await world().clock.advance(HOUR - 1)
    expect(await replanBy(world().store)).toMatchObject({ complete: false })
    expect(await dueAt(late[0]!)).toBe('2026-12-15T17:00:00.000Z')
    await expectByNewTable([late[1]!])
    await world().clock.advance(1)
    expect(await replanBy(world().store, { mayContinue: pagesLeft(2) })).toMatchObject({ complete: false })
    expect(await replanBy(world().store)).toMatchObject({ complete: true })
    await expectByNewTable(late)
    expect((await recordOf(VANCOUVER))!.replanCursor).toBe('2026f done')
    const { store, calls } = recording(world().store)
    expect(await replanBy(store)).toMatchObject({ complete: true })
    expect(calls).toEqual(['listZones'])
  })

  it('everyone is checked again if a process of the previous release starts', async () => {
    await start(OLD)
    await replanBy(world().store)
    await world().clock.advance(HOUR)
    expect(await replanBy(world().store)).toMatchObject({ complete: true })
    await start(OLD)
    const late = await add(OLD, VANCOUVER, '12-15')
    expect(await replanBy(world().store)).toMatchObject({ complete: false })
    await world().clock.advance(HOUR)
    expect(await replanBy(world().store)).toMatchObject({ complete: true })
    await expectByNewTable(late)
  })

  it('another check of everyone can be begun, and is continued where it ended', async () => {
    await start(OLD)
    await replanBy(world().store)
    const deps = withTable(NEW)
    // The check after an hour is still to come.
    await beginReplan(deps)
    expect((await recordOf(VANCOUVER))!.replanCursor).toBeNull()
    await world().clock.advance(HOUR)
    await replanBy(world().store)
    const late = await add(OLD, VANCOUVER, '12-15', '01-10', '02-10')
    expect(await isReplanDue(deps)).toBe(false)
    // No change of rules is too long ago for it.
    await world().clock.advance(40 * DAY)
    await beginReplan(deps)
    expect(await isReplanDue(deps)).toBe(true)
    let parts = 1
    while (!(await replanBy(world().store, { mayContinue: pagesLeft(2) })).complete) {
      parts += 1
      await beginReplan(deps)
      expect(parts).toBeLessThan(100)
    }
    expect(parts).toBeGreaterThan(1)
    await expectByNewTable(late.slice(1))
    expect(await recordOf(VANCOUVER)).toMatchObject({ replanCursor: '2026f done' })
    expect(await recordOf('Asia/Tokyo')).toMatchObject({ replanCursor: null })
  })

  it('a whole replan finishes what a part began', async () => {
    await start(OLD)
    const people = await populate(usersBy(OLD), { zones: [VANCOUVER], birthdays: BIRTHDAYS })
    do await replanBy(world().store, { mayContinue: pagesLeft(2) })
    while ((await recordOf(VANCOUVER))!.replanCursor === null)
    expect((await recordOf(VANCOUVER))!.replanCursor).toMatch(/^2026f .{36}$/)
    await start(NEW)
    await expectByNewTable(people)
    expect(await recordOf(VANCOUVER)).toMatchObject({ version: '2026f', replanCursor: null })
    const report = await replan(withTable(NEW), { check: 'recent' })
    expect(report, 'there is nothing left to move').toMatchObject({ zones: [], failed: 0 })
  })
})

const KILLED = new Error('killed')

/** The store of a process that is killed at its nth call, before or after the call was committed. */
function killedAt(store: Store, nth: number, stage: 'before' | 'after'): Store {
  let calls = 0
  return wrapStore(store, async (_, call) => {
    calls += 1
    if (calls > nth || (calls === nth && stage === 'before')) throw KILLED
    const result = await call()
    if (calls >= nth) throw KILLED
    return result
  })
}

describe.each(['before', 'after'] as const)('a part that is killed %s any call of the store', (stage) => {
  it('is continued by the next part, without the pages that were finished', async () => {
    for (let nth = 1, wasKilled = true; wasKilled; nth += 1) {
      const own = createWorld(NOW)
      try {
        const { store, clock, app, planner } = own
        const { telemetry, onPlanned } = app
        const deps = (by: Store, table = NEW) => ({
          store: by,
          clock,
          telemetry,
          onPlanned,
          planner: { ids: planner.ids, table },
        })
        await replan(deps(store, OLD), { check: 'recent' })
        const where = { zones: [VANCOUVER], birthdays: BIRTHDAYS }
        const people = await populate(planningBy(app, OLD), where)
        const first = recording(store)
        wasKilled = await replan(deps(killedAt(first.store, nth, stage)), PART).then(
          () => false,
          (error) => {
            expect(error).toBe(KILLED)
            return true
          },
        )
        const second = recording(store)
        await replan(deps(second.store), PART)
        for (const person of people) {
          const [event, ...more] = (await own.events(person.user.id)).filter(({ wakeAt }) => wakeAt !== null)
          expect([event!.targetAt, event!.tzVersion, more]).toEqual([dueBy(NEW, person), '2026f', []])
        }
        const records = await store.listZones()
        expect(records.find(({ name }) => name === VANCOUVER)).toMatchObject({ version: '2026f' })
        // Nine other timezones changed, with one empty page each.
        const pages = [...first.calls, ...second.calls].filter((name) => name === 'listOpenPlans')
        expect(pages.length - 9 * (wasKilled ? 2 : 1)).toBeLessThanOrEqual(BIRTHDAYS.length / 2 + 2)
      } finally {
        await own.close()
      }
    }
  })
})
