// Pausing, resuming and moving the occasions of many people, and deleting them.
import { afterEach, describe, expect, it } from 'vitest'
import { changeOccasion, createOccasion } from '../../../src/app/occasions/occasions.ts'
import { createTask } from '../../../src/app/tasks/tasks.ts'
import { deleteMatching, moveSendTime, pauseMatching } from '../../../src/app/users/bulk.ts'
import type { UserFilter } from '../../../src/ports/query.ts'
import { createWorld, type World, wrapStore } from '../../engine/support/world.ts'
import { DELIVERED, HOUR, heldAnswer, makePerson, SECOND } from '../../support/fixtures.ts'

const at = (text: string) => Date.parse(text)

let world: World
afterEach(() => world.close())

const ALL = { dryRun: false, limit: 1_000, cursor: null }
type Over = Partial<Parameters<typeof pauseMatching>[2]>
const pause = (over: Over = {}, which: { people?: UserFilter; type?: string } = {}) =>
  pauseMatching(world.app, { people: {}, ...which }, { paused: true, ...ALL, ...over })
const resume = () => pauseMatching(world.app, { people: {} }, { paused: false, ...ALL })

async function begin(people = 3) {
  world = createWorld('2026-06-14T12:00:00Z')
  const added = []
  for (let i = 0; i < people; i++) added.push((await world.add({ firstName: `Ada ${i}` })).user)
  return added
}

async function openEvents(userId: string) {
  return (await world.events(userId)).map(({ status, occurrence }) => `${occurrence} ${status}`)
}

describe('pauseMatching', () => {
  it('deletes pending events, and resuming plans the next ones', async () => {
    const [ada] = await begin()
    expect(await pause()).toEqual({
      people: 3,
      matched: 3,
      changed: 3,
      inFlight: 0,
      moved: 3,
      nextCursor: null,
    })
    expect(await openEvents(ada!.id)).toEqual([])
    world.start()
    await world.passTo(at('2026-06-16T00:00:00Z'))
    expect(world.channel.sent).toEqual([])
    expect(await resume()).toMatchObject({ matched: 3, changed: 3 })
    expect(await openEvents(ada!.id)).toEqual(['2027 PENDING'])
  })

  it('ends at a page that uses up the queries of the request, and continues there', async () => {
    const people = Array.from({ length: 201 }, () => makePerson())
    await begin(0)
    await world.store.createUsers(people)
    const limited = { ...world.app, openLimited: () => ({ store: world.store, mayContinue: () => false }) }
    const first = await pauseMatching(limited, { people: {} }, { paused: true, ...ALL })
    expect(first).toMatchObject({ people: 200, changed: 200 })
    expect(await pause({ cursor: first.nextCursor })).toMatchObject({ changed: 1, nextCursor: null })
    const erase = (cursor: string | null) => deleteMatching(limited, {}, { ...ALL, cursor })
    const { nextCursor, ...erased } = await erase(null)
    expect(erased).toEqual({ matched: 200, deleted: 200 })
    expect(await erase(nextCursor)).toEqual({ matched: 1, deleted: 1, nextCursor: null })
  })

  it('pauses only the people who match, and only occasions of the given type', async () => {
    const [ada, eve] = await begin(2)
    const anniversary = { type: 'WORK_ANNIVERSARY', date: '2019-07-01' }
    await createOccasion(world.app, ada!.id, anniversary, { dryRun: false, sendTodayNow: false })
    const named = { people: { search: 'Ada 0' }, type: 'BIRTHDAY' }
    expect(await pause({}, named)).toMatchObject({ people: 1, matched: 1, changed: 1 })
    const { plans } = (await world.store.readPerson(ada!.id))!
    expect(plans.map(({ occasion }) => [occasion.type, occasion.pausedAt !== null])).toEqual([
      ['BIRTHDAY', true],
      ['WORK_ANNIVERSARY', false],
    ])
    expect(await openEvents(eve!.id)).toEqual(['2026 PENDING'])
  })

  it('does not pause the reminders of tasks', async () => {
    const [ada] = await begin(1)
    const task = { title: 'Pay the rent', dueAt: '2026-06-20T12:00:00Z' }
    expect((await createTask(world.app, ada!.id, task)).kind).toBe('saved')
    expect(await pause()).toMatchObject({ matched: 1, changed: 1 })
    expect(await openEvents(ada!.id)).toHaveLength(1)
  })
})

describe('pauseMatching beside running workers', () => {
  it('lets a message in flight go out and plans no successor', async () => {
    const [ada] = await begin(1)
    const held = heldAnswer()
    world.channel.script((await world.events(ada!.id))[0]!.id, held.step)
    world.start()
    await world.clock.jumpTo(at('2026-06-15T09:00:00Z'))
    await world.clock.advance(SECOND)
    expect(await openEvents(ada!.id)).toEqual(['2026 PROCESSING'])
    expect(await pause()).toMatchObject({ matched: 1, changed: 1, inFlight: 1 })
    held.answer(DELIVERED)
    await world.clock.advance(SECOND)
    expect(await openEvents(ada!.id)).toEqual(['2026 COMPLETED'])
  })

  it('pauses an occasion whose event was claimed between the read and the write', async () => {
    const [ada] = await begin(1)
    await world.clock.jumpTo(at('2026-06-15T09:00:00Z'))
    let claimed = 0
    const store = wrapStore(world.store, async (name, call) => {
      if (name === 'saveOccasions' && claimed === 0) {
        const claim = { now: world.clock.now(), limit: 1, leaseMs: HOUR, claimedBy: 'w', render: () => '{}' }
        claimed = (await world.store.claimDue(claim)).length
      }
      return call()
    })
    const counts = await pauseMatching({ ...world.app, store }, { people: {} }, { paused: true, ...ALL })
    expect([claimed, counts.changed]).toEqual([1, 1])
    expect(await openEvents(ada!.id)).toEqual(['2026 PROCESSING'])
    expect((await world.store.readPerson(ada!.id))!.plans[0]!.occasion.pausedAt).not.toBeNull()
  })
})

describe('moveSendTime', () => {
  const move = (localTime: string, over: { dryRun?: boolean; from?: string } = {}) =>
    moveSendTime(world.app, { people: {} }, { localTime, ...ALL, ...over })

  it('sends at once, once, what the new time has passed, and does not repeat what was sent', async () => {
    await begin(2)
    const late = await world.add({ firstName: 'Noa', timezone: 'America/New_York' })
    world.start()
    await world.passTo(at('2026-06-15T10:00:00Z'))
    expect(world.channel.sent).toHaveLength(2)
    // 06:00 in New York: the new time has passed there, and 09:00 has not.
    const counted = { people: 3, matched: 3, changed: 3, inFlight: 0, moved: 3, nextCursor: null }
    expect(await move('05:00', { dryRun: true })).toEqual(counted)
    expect(await move('05:00')).toEqual(counted)
    await world.passTo(at('2026-06-16T00:00:00Z'))
    expect(world.channel.sent).toHaveLength(3)
    expect(await openEvents(late.user.id)).toEqual(['2026 COMPLETED', '2027 PENDING'])
    expect(await move('23:00')).toMatchObject({ changed: 3 })
    await world.passTo(at('2026-06-17T12:00:00Z'))
    expect(world.channel.sent).toHaveLength(3)
  })

  it('leaves occasions that are over as they are, and moves paused ones', async () => {
    const [ada, eve] = await begin(2)
    const once = (type: string, date: string) =>
      createOccasion(
        world.app,
        ada!.id,
        { type, date, repeats: 'ONCE' },
        { dryRun: false, sendTodayNow: false },
      )
    for (const [type, date] of [
      ['OVER', '2026-06-13'],
      ['TODAY', '2026-06-14'],
    ] as const)
      expect(await once(type, date)).toMatchObject({ kind: 'saved', open: { event: null } })
    await pause({}, { people: { search: eve!.firstName } })
    const counts = { people: 2, matched: 3, changed: 3, inFlight: 0, moved: 2, nextCursor: null }
    // 13:00 of today is ahead.
    for (const dryRun of [true, false]) expect(await move('13:00', { dryRun })).toEqual(counts)
    const { items } = await world.store.listPeople({ limit: 9, cursor: null })
    const times = items.flatMap(({ plans }) =>
      plans.map(({ occasion }) => [occasion.type, occasion.localTime]),
    )
    expect(times.sort()).toEqual([
      ['BIRTHDAY', '13:00'],
      ['BIRTHDAY', '13:00'],
      ['OVER', '09:00'],
      ['TODAY', '13:00'],
    ])
  })

  it('moves only occasions with the old time, and an event in flight keeps its time', async () => {
    const [ada, eve] = await begin(2)
    const { occasion } = (await world.store.readPerson(eve!.id))!.plans[0]!
    await changeOccasion(world.app, occasion.id, { localTime: '10:00' }, { dryRun: false, ifVersion: null })
    const held = heldAnswer()
    world.channel.script((await world.events(ada!.id))[0]!.id, held.step)
    world.start()
    await world.clock.jumpTo(at('2026-06-15T09:00:00Z'))
    await world.clock.advance(SECOND)
    const counts = { people: 2, matched: 1, changed: 1, inFlight: 1, moved: 0, nextCursor: null }
    expect(await move('11:00', { from: '09:00:00' })).toEqual(counts)
    held.answer(DELIVERED)
    await world.passTo(at('2026-06-15T10:30:00Z'))
    expect(world.channel.sent).toHaveLength(2)
    const next = (await world.events(ada!.id)).find(({ status }) => status === 'PENDING')!
    expect(new Date(next.targetAt).toISOString()).toBe('2027-06-15T11:00:00.000Z')
  })
})
