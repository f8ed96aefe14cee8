// A replan after timezone rules changed: which events move, by how much, and which stay.
import { describe, expect, it } from 'vitest'
import { createOccasion } from '../../../src/app/occasions/occasions.ts'
import { createTask } from '../../../src/app/tasks/tasks.ts'
import { replan } from '../../../src/app/timezones/replan.ts'
import { changeUser } from '../../../src/app/users/change.ts'
import { isPlace } from '../../../src/domain/time/timezone.ts'
import { loadTimezoneTable } from '../../../src/domain/time/tzdb.ts'
import type { Store } from '../../../src/ports/store.ts'
import { wrapStore } from '../../engine/support/world.ts'
import { DELIVERED, HOUR, heldAnswer, MINUTE } from '../../support/fixtures.ts'
import { BIRTHDAYS, replanSteps } from './support/replan-steps.ts'
import { dueBy, NEW, OLD, populate } from './support/two-tables.ts'

const { world, withTable, start, usersBy, add, eventOf, dueAt, allEvents } = replanSteps()
const timezoneNotices = () => world().notices.filter(({ kind }) => kind === 'timezones')

describe('a replan with a newer table', () => {
  it('moves the events of the affected people by one hour, and no others', async () => {
    await start(OLD)
    const people = await populate(usersBy(OLD), { zones: OLD.zones().filter(isPlace), birthdays: BIRTHDAYS })
    const report = await start(NEW)

    const events = new Map((await allEvents()).map((event) => [event.id, event]))
    expect(events.size).toBe(people.length)
    const moved = new Map<string, number>()
    for (const person of people) {
      const [before, after] = [dueBy(OLD, person), dueBy(NEW, person)]
      const { id, occurrence } = person.events[0]!
      const due = { occurrence, targetAt: after, wakeAt: after, status: 'PENDING' }
      expect(events.get(id), person.user.timezone).toMatchObject(due)
      if (before === after) continue
      expect(Math.abs(after - before)).toBe(HOUR)
      moved.set(person.user.timezone, (moved.get(person.user.timezone) ?? 0) + 1)
    }
    expect([...moved.keys()]).toEqual([
      ...['Africa/Casablanca', 'Africa/El_Aaiun', 'America/Edmonton', 'America/Havana', 'America/Inuvik'],
      ...['America/Vancouver', 'America/Winnipeg', 'Canada/Pacific', 'Cuba'],
    ])
    const counted = report.zones.filter((zone) => zone.moved > 0)
    expect(Object.fromEntries(counted.map(({ zone, moved }) => [zone, moved]))).toEqual(
      Object.fromEntries(moved),
    )
  })

  it('reports for each timezone how many events moved, by how much, and an example', async () => {
    await start(OLD)
    await add(OLD, 'America/Vancouver', '12-15', '12-15', '01-10', '06-20')
    await add(OLD, 'Africa/Casablanca', '12-15')
    await add(OLD, 'Europe/Chisinau', '12-15')
    world().notices.length = 0
    const report = await start(NEW)
    const at = (text: string) => Date.parse(text)
    expect(report).toEqual({
      release: '2026f',
      ahead: null,
      complete: true,
      gone: [],
      failed: 0,
      zones: [
        {
          zone: 'Africa/Casablanca',
          people: 1,
          moved: 1,
          unmoved: 0,
          shiftMs: HOUR,
          exampleFrom: at('2026-12-15T08:00:00Z'),
          exampleTo: at('2026-12-15T09:00:00Z'),
        },
        {
          zone: 'America/Vancouver',
          people: 4,
          moved: 3,
          unmoved: 1,
          shiftMs: -HOUR,
          exampleFrom: at('2026-12-15T17:00:00Z'),
          exampleTo: at('2026-12-15T16:00:00Z'),
        },
        // The rules differ only from 2028 on: no planned event moves.
        {
          zone: 'Europe/Chisinau',
          people: 1,
          moved: 0,
          unmoved: 1,
          shiftMs: null,
          exampleFrom: null,
          exampleTo: null,
        },
      ],
    })
    const { exampleFrom: _, exampleTo: __, ...vancouver } = report.zones[1]!
    expect(timezoneNotices()).toHaveLength(3)
    expect(timezoneNotices()[1]).toEqual({
      kind: 'timezones',
      release: '2026f',
      state: 'moved',
      ...vancouver,
    })
  })

  it('has messages sent once, at nine by the new rules', async () => {
    await start(OLD)
    const [vancouver] = await add(OLD, 'America/Vancouver', '12-15')
    const [casablanca] = await add(OLD, 'Africa/Casablanca', '12-15')
    await start(NEW)
    await world().clock.advanceTo(Date.parse('2026-12-15T08:00:00Z'))
    world().start({}, { planner: withTable(NEW).planner })
    await world().clock.advanceTo(Date.parse('2026-12-15T18:00:00Z'))
    const sent = world().channel.sent.map(({ eventId, at }) => [eventId, new Date(at).toISOString()])
    expect(sent).toEqual([
      [casablanca!.events[0]!.id, '2026-12-15T09:00:00.000Z'],
      [vancouver!.events[0]!.id, '2026-12-15T16:00:00.000Z'],
    ])
  })

  it('makes an event whose new instant has passed due at once, and wakes the engine', async () => {
    await world().clock.advanceTo(Date.parse('2026-12-15T16:30:00Z'))
    await start(OLD)
    const [person] = await add(OLD, 'America/Vancouver', '12-15')
    const engine = world().start({}, { planner: withTable(NEW).planner })
    await world().clock.advance(MINUTE)
    expect(world().channel.sent).toEqual([])
    const woken: number[] = []
    const onPlanned = (at: number) => {
      woken.push(at)
      engine.wake(at)
    }
    await replan(withTable(NEW, { onPlanned }), { check: 'recent' })
    expect(woken).toEqual([Date.parse('2026-12-15T16:00:00Z')])
    await world().clock.advance(1)
    expect(world().channel.sent.map(({ eventId }) => eventId)).toEqual([person!.events[0]!.id])
  })

  it('does not move an event that is due by both tables', async () => {
    await start(OLD)
    const [person] = await add(OLD, 'America/Vancouver', '12-15')
    await world().clock.advanceTo(Date.parse('2026-12-15T17:00:00Z'))
    const before = await eventOf(person!)
    expect((await start(NEW)).zones).toMatchObject([{ people: 1, moved: 0, unmoved: 0 }])
    expect(await eventOf(person!)).toEqual(before)
  })

  it('moves an event in a repeated hour, though both tables agree from now on', async () => {
    const back = (at: number) => {
      const rules = `3600 0|01|${(at / 1000).toString(36)}`
      return { zones: { 'Sea/Back': rules }, links: {} }
    }
    // By the old rules the clocks go back from two to one, by the new rules from one to midnight.
    const change = Date.parse('2026-11-16T01:00:00Z')
    const old = loadTimezoneTable({ version: '2025c', ...back(change) })
    await start(old)
    const app = { ...usersBy(old), deliverAt: '01:30' }
    const [person] = await populate(app, { zones: ['Sea/Back'], birthdays: ['11-16'] })
    expect(await dueAt(person!)).toBe('2026-11-16T00:30:00.000Z')
    await world().clock.advanceTo(change)
    await start(loadTimezoneTable({ version: '2026f', ...back(change - HOUR) }))
    expect(await dueAt(person!)).toBe('2026-11-16T01:30:00.000Z')
  })

  it('moves every kind of occasion that depends on local time', async () => {
    await start(OLD)
    const [person] = await add(OLD, 'America/Vancouver', '06-20')
    const { id } = person!.user
    const occasion = (type: string, input: object) =>
      createOccasion(usersBy(OLD), id, { type, ...input }, { dryRun: false, sendTodayNow: false })
    const weekly = { date: '2026-11-02', repeats: 'FREQ=WEEKLY;BYDAY=MO', localTime: '08:30' }
    for (const made of [
      await occasion('STAND_UP', weekly),
      await occasion('WORK_ANNIVERSARY', { date: '2020-12-01' }),
      await occasion('FAREWELL', { date: '2027-02-01', repeats: 'ONCE' }),
      await occasion('NAME_DAY', { date: '2020-12-12', calendar: 'hebrew' }),
    ]) {
      expect(made).toMatchObject({ kind: 'saved' })
    }
    // The reminder window begins at midnight there: the task with quiet hours waits for the morning.
    const task = { title: 'x', dueAt: '2026-12-16T20:00:00Z', remindBefore: 'PT12H' }
    await createTask(usersBy(OLD), id, { ...task, quietHours: '22:00-08:00' })
    await createTask(usersBy(OLD), id, task)
    const due = async () => new Map((await world().events(id)).map((event) => [event.id, event]))
    const before = await due()
    expect((await start(NEW)).zones).toMatchObject([{ moved: 5, shiftMs: -HOUR }])
    const minute = (at: number) => new Date(at).toISOString().slice(0, 16)
    const moves = [...(await due()).values()].map(({ id, eventType, targetAt }) => {
      return `${eventType} ${minute(before.get(id)!.targetAt)} -> ${minute(targetAt)}`
    })
    expect(moves.sort()).toEqual([
      'BIRTHDAY 2027-06-20T16:00 -> 2027-06-20T16:00',
      'FAREWELL 2027-02-01T17:00 -> 2027-02-01T16:00',
      'NAME_DAY 2026-12-06T17:00 -> 2026-12-06T16:00',
      'STAND_UP 2026-11-16T16:30 -> 2026-11-16T15:30',
      'TASK_REMINDER 2026-12-16T08:00 -> 2026-12-16T08:00',
      'TASK_REMINDER 2026-12-16T16:00 -> 2026-12-16T15:00',
      'WORK_ANNIVERSARY 2026-12-01T17:00 -> 2026-12-01T16:00',
    ])
  })

  it('does not move an event in flight, and its successor is planned by the new rules', async () => {
    await start(OLD)
    const [person] = await add(OLD, 'America/Vancouver', '12-15')
    const held = heldAnswer()
    world().channel.script(person!.events[0]!.id, held.step)
    await world().clock.advanceTo(Date.parse('2026-12-15T17:00:00Z'))
    world().start({}, { planner: withTable(NEW).planner })
    await world().clock.advance(1)
    expect((await start(NEW)).zones).toMatchObject([{ people: 1, moved: 0, unmoved: 0 }])
    held.answer(DELIVERED)
    await world().clock.advance(MINUTE)
    expect(await dueAt(person!)).toBe('2027-12-15T16:00:00.000Z')
    expect(world().channel.sent).toHaveLength(1)
  })

  it('moves the event of the next year though the hour of a message that was sent comes again', async () => {
    await world().clock.advanceTo(Date.parse('2026-12-15T07:59:00Z'))
    await start(OLD)
    const [person] = await add(OLD, 'Africa/Casablanca', '12-15')
    world().start({}, { planner: withTable(OLD).planner })
    await world().clock.advance(2 * MINUTE)
    expect(world().channel.sent).toHaveLength(1)
    await start(NEW)
    expect(await eventOf(person!)).toMatchObject({ occurrence: '2027', tzVersion: NEW.version })
    expect(await dueAt(person!)).toBe('2027-12-15T09:00:00.000Z')
  })
})

describe('a replan of events that change after they were read', () => {
  /** Runs a callback once between reading the people and moving their events. */
  const meanwhile = (act: () => Promise<unknown>): Store => {
    let acted = false
    return wrapStore(world().store, async (name, call) => {
      if (name === 'replan' && !acted) {
        acted = true
        await act()
      }
      return call()
    })
  }

  it('reads the events again', async () => {
    await start(OLD)
    const people = await add(OLD, 'America/Vancouver', '12-15', '12-16')
    const store = meanwhile(() =>
      changeUser(usersBy(OLD), people[0]!.user.id, { input: { dateOfBirth: '1990-12-20' }, ifVersion: null }),
    )
    const report = await replan(withTable(NEW, { store }), { check: 'recent' })
    expect(report.zones).toMatchObject([{ moved: 2 }])
    expect(await Promise.all(people.map(dueAt))).toEqual([
      '2026-12-20T16:00:00.000Z',
      '2026-12-16T16:00:00.000Z',
    ])
  })

  it('skips events that are in flight, deleted or already moved', async () => {
    await world().clock.advanceTo(Date.parse('2026-12-15T16:59:00Z'))
    await start(OLD)
    const people = await add(OLD, 'America/Vancouver', '12-15', '12-16', '12-17', '12-18')
    const held = heldAnswer()
    world().channel.script(people[0]!.events[0]!.id, held.step)
    world().start({}, { planner: withTable(NEW).planner })
    const store = meanwhile(async () => {
      await world().clock.advance(MINUTE)
      await world().store.deleteUser(people[1]!.user.id, Date.now())
      const input = { timezone: 'Asia/Tokyo' }
      await changeUser(usersBy(NEW), people[2]!.user.id, { input, ifVersion: null })
    })
    const report = await replan(withTable(NEW, { store }), { check: 'recent' })
    expect(report.zones).toMatchObject([{ moved: 1 }])
    expect(await dueAt(people[2]!)).toBe('2026-12-17T00:00:00.000Z')
    expect(await dueAt(people[3]!)).toBe('2026-12-18T16:00:00.000Z')
    held.answer(DELIVERED)
    await world().clock.advance(MINUTE)
    expect(await dueAt(people[0]!)).toBe('2027-12-15T16:00:00.000Z')
  })
})
