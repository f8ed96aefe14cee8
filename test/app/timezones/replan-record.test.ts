// The recorded timezone rules: over restarts, rollbacks, dry runs and errors.
import { describe, expect, it } from 'vitest'
import { replan } from '../../../src/app/timezones/replan.ts'
import { isPlace } from '../../../src/domain/time/timezone.ts'
import { loadTimezoneTable } from '../../../src/domain/time/tzdb.ts'
import type { Store } from '../../../src/ports/store.ts'
import { wrapStore } from '../../engine/support/world.ts'
import { DAY, HOUR } from '../../support/fixtures.ts'
import { BIRTHDAYS, replanSteps } from './support/replan-steps.ts'
import { dueBy, NEW, NOW, OLD, populate } from './support/two-tables.ts'

const { world, withTable, start, usersBy, add, eventOf, dueAt, allEvents } = replanSteps()
/** Everything that a replan could write. */
const everything = async () => ({ events: await allEvents(), zones: await world().store.listZones() })
const timezoneNotices = () => world().notices.filter(({ kind }) => kind === 'timezones')

describe('the timezone record', () => {
  it('has every timezone of the table after the first start', async () => {
    await start(NEW)
    expect(await world().store.listZones()).toEqual(
      NEW.zones().map((name) => ({
        name,
        rules: NEW.rules(name),
        version: '2026f',
        previousRules: null,
        previousVersion: null,
        changedAt: null,
        replanCursor: null,
      })),
    )
    expect(world().notices).toEqual([])
  })

  it('keeps the previous rules of timezones whose rules changed', async () => {
    await start(OLD)
    await world().clock.advance(DAY)
    await start(NEW)
    const records = new Map((await world().store.listZones()).map((zone) => [zone.name, zone]))
    expect(records.get('America/Vancouver')).toEqual({
      name: 'America/Vancouver',
      rules: NEW.rules('America/Vancouver'),
      version: '2026f',
      previousRules: OLD.rules('America/Vancouver'),
      previousVersion: '2025c',
      changedAt: NOW + DAY,
      replanCursor: null,
    })
    expect(records.get('Asia/Tokyo')).toMatchObject({ version: '2026f', previousVersion: null })
  })

  it('is not needed to find events that an earlier release planned', async () => {
    const people = await add(OLD, 'America/Vancouver', '12-15')
    const [tokyo] = await add(OLD, 'Asia/Tokyo', '12-15')
    expect(await world().store.listZones()).toEqual([])
    await start(NEW)
    expect(await dueAt(people[0]!)).toBe('2026-12-15T16:00:00.000Z')
    expect(await dueAt(tokyo!)).toBe('2026-12-15T00:00:00.000Z')
  })

  it('lets a replan continue where another one was stopped', async () => {
    await start(OLD)
    const people = await populate(usersBy(OLD), { zones: OLD.zones().filter(isPlace), birthdays: ['12-15'] })
    let replans = 0
    const dying: Store = wrapStore(world().store, (name, call) => {
      if (name === 'replan' && ++replans === 4) throw new Error('The power went.')
      return call()
    })
    await expect(replan(withTable(NEW, { store: dying }), { check: 'recent' })).rejects.toThrow(
      'The power went.',
    )
    const looked: string[] = []
    const watched = wrapStore(world().store, (name, call) => {
      if (name === 'replan') looked.push(name)
      return call()
    })
    const report = await replan(withTable(NEW, { store: watched }), { check: 'recent' })
    // Ten timezones have new rules, with one batch each; three were finished.
    expect(looked).toHaveLength(7)
    expect(report.zones[0]).toMatchObject({ zone: 'America/Havana', moved: 1 })
    for (const person of people) expect((await eventOf(person)).targetAt).toBe(dueBy(NEW, person))
  })
})

describe('a replan with an unchanged table', () => {
  it('writes nothing', async () => {
    await start(OLD)
    await populate(usersBy(OLD), { zones: OLD.zones().filter(isPlace), birthdays: BIRTHDAYS })
    await start(NEW)
    const before = await everything()
    world().notices.length = 0
    const written: string[] = []
    const store = wrapStore(world().store, (name, call) => {
      if (name === 'replan' || name === 'saveZones') written.push(name)
      return call()
    })
    await world().clock.advance(HOUR)
    const report = await replan(withTable(NEW, { store }), { check: 'recent' })
    expect(report).toEqual({ release: '2026f', zones: [], ahead: null, gone: [], failed: 0, complete: true })
    expect(written).toEqual([])
    expect(world().notices).toEqual([])
    expect(await everything()).toEqual(before)
  })

  it('moves events that a process of the previous release planned since', async () => {
    await start(OLD)
    await start(NEW)
    const [person] = await add(OLD, 'America/Vancouver', '12-15')
    expect(await dueAt(person!)).toBe('2026-12-15T17:00:00.000Z')
    await world().clock.advance(DAY)
    expect((await start(NEW)).zones).toMatchObject([{ zone: 'America/Vancouver', moved: 1 }])
    expect(await dueAt(person!)).toBe('2026-12-15T16:00:00.000Z')
  })

  it('a month after the change checks the timezones again only on request', async () => {
    await start(OLD)
    await start(NEW)
    const [person] = await add(OLD, 'America/Vancouver', '02-15')
    await world().clock.advance(31 * DAY)
    expect((await start(NEW)).zones).toEqual([])
    await replan(withTable(NEW), { check: 'all' })
    expect(await dueAt(person!)).toBe('2027-02-15T16:00:00.000Z')
  })
})

describe('a table older than the recorded one', () => {
  it('moves nothing and warns', async () => {
    await start(OLD)
    await populate(usersBy(OLD), { zones: OLD.zones().filter(isPlace), birthdays: BIRTHDAYS })
    await start(NEW)
    const { events } = await everything()
    world().notices.length = 0
    const report = await start(OLD)
    expect(report).toMatchObject({ release: '2025c', zones: [], ahead: '2026f' })
    expect(world().notices).toEqual([
      { kind: 'timezones', release: '2025c', state: 'older', recorded: '2026f' },
    ])
    expect((await everything()).events).toEqual(events)
  })

  it('is recorded, so that a process with the newer table checks its events later', async () => {
    await start(OLD)
    await start(NEW)
    await world().clock.advance(60 * DAY)
    await start(OLD)
    const [person] = await add(OLD, 'America/Vancouver', '02-15')
    await start(NEW)
    expect(await dueAt(person!)).toBe('2027-02-15T16:00:00.000Z')
  })

  it.each([
    ['the newer', NEW, OLD],
    ['the older', OLD, NEW],
  ])(
    'is recorded if both tables start on an empty database at once and %s is slower',
    async (_, slower, other) => {
      let started = false
      const store = wrapStore(world().store, async (name, call) => {
        const result = await call()
        if (name !== 'listZones' || started) return result
        started = true
        await start(other)
        return result
      })
      await replan(withTable(slower, { store }), { check: 'recent' })
      const [person] = await add(OLD, 'America/Vancouver', '12-15')
      await start(NEW)
      expect(await dueAt(person!)).toBe('2026-12-15T16:00:00.000Z')
    },
  )

  it('does not move events that a newer table planned during the replan', async () => {
    const between = loadTimezoneTable({
      version: '2026a',
      zones: { 'America/Vancouver': '-21600|0|' },
      links: {},
    })
    await start(OLD)
    const [person] = await add(OLD, 'America/Vancouver', '12-15')
    let started = false
    const store = wrapStore(world().store, async (name, call) => {
      const result = await call()
      if (name !== 'listZones' || started) return result
      // The replan has read the record of 2025c when the other one starts and finishes.
      started = true
      await start(NEW)
      return result
    })
    await replan(withTable(between, { store }), { check: 'recent' })
    expect(await eventOf(person!)).toMatchObject({ targetAt: dueBy(NEW, person!), tzVersion: '2026f' })
    const records = await world().store.listZones()
    expect(records.find(({ name }) => name === 'America/Vancouver')).toMatchObject({ version: '2026f' })
  })
})

describe('a dry run of a replan', () => {
  it('reports the counts of the real run, writes nothing and logs nothing', async () => {
    await start(OLD)
    await populate(usersBy(OLD), { zones: OLD.zones().filter(isPlace), birthdays: BIRTHDAYS })
    const before = await everything()
    world().notices.length = 0
    const rehearsed = await replan(withTable(NEW), { check: 'recent', dryRun: true })
    expect(await everything()).toEqual(before)
    expect(world().notices).toEqual([])
    expect(rehearsed.zones.length).toBeGreaterThan(8)
    expect(await start(NEW)).toEqual(rehearsed)
  })
})

describe('a replan', () => {
  it('reports an event that cannot be planned, and moves the others', async () => {
    await start(OLD)
    const [bad] = await add(OLD, 'America/Vancouver', '12-15')
    const [good] = await add(OLD, 'America/Vancouver', '12-16')
    const store = wrapStore(world().store, async (name, call) => {
      const result = await call()
      if (name !== 'listOpenPlans') return result
      const page = result as Awaited<ReturnType<Store['listOpenPlans']>>
      const broken = page.items.find(({ user }) => user.id === bad!.user.id)
      if (broken) broken.plans[0]!.occasion.localTime = 'nine'
      return page
    })
    const report = await replan(withTable(NEW, { store }), { check: 'recent' })
    expect(report).toMatchObject({ failed: 1, zones: [{ moved: 1 }] })
    expect(world().notices).toContainEqual({
      kind: 'error',
      operation: 'replan',
      error: expect.any(Error),
      retryInMs: null,
      eventId: bad!.events[0]!.id,
    })
    expect(await dueAt(good!)).toBe('2026-12-16T16:00:00.000Z')
  })

  it('reports a move that the store rejects once', async () => {
    await start(OLD)
    await add(OLD, 'America/Vancouver', '12-15')
    const store = wrapStore(world().store, async (name, call) => (name === 'replan' ? [] : call()))
    expect(await replan(withTable(NEW, { store }), { check: 'recent' })).toMatchObject({ failed: 1 })
  })

  it('reports a timezone that the table does not have, and keeps its events', async () => {
    const { 'Asia/Tokyo': _, ...zones } = Object.fromEntries(
      ['America/Vancouver', 'Asia/Tokyo', 'Etc/UTC'].map((name) => [name, NEW.rules(name)]),
    )
    const without = loadTimezoneTable({ version: '2027a', zones, links: {} })
    await start(NEW)
    const [person] = await add(NEW, 'Asia/Tokyo', '12-15')
    const before = await eventOf(person!)
    expect(await start(without)).toMatchObject({ gone: ['Asia/Tokyo'], zones: [] })
    expect(timezoneNotices()).toEqual([
      { kind: 'timezones', release: '2027a', state: 'gone', zone: 'Asia/Tokyo' },
    ])
    expect(await eventOf(person!)).toEqual(before)
    const records = await world().store.listZones()
    expect(records.find(({ name }) => name === 'Asia/Tokyo')).toMatchObject({ version: '2026f' })
  })
})
