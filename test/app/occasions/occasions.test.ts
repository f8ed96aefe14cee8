// Creating, changing, pausing and removing occasions: which events are planned, and that no message is sent twice.
import { afterEach, describe, expect, it } from 'vitest'
import {
  changeOccasion,
  createOccasion,
  pauseOccasion,
  removeOccasion,
  resumeOccasion,
} from '../../../src/app/occasions/occasions.ts'
import type { OccasionInput } from '../../../src/domain/occasions/occasion-fields.ts'
import { createWorld, type World } from '../../engine/support/world.ts'
import { DAY, DELIVERED, HOUR, heldAnswer, MINUTE, SECOND } from '../../support/fixtures.ts'

const at = (text: string) => Date.parse(text)

let world: World
afterEach(() => world.close())
const pass = (ms: number) => world.passTo(world.clock.now() + ms)

async function begin(input: Partial<OccasionInput> = {}, start = '2026-11-15T12:00:00Z') {
  world = createWorld(start)
  const { user } = await world.add()
  return { user, occasion: await add(user.id, input) }
}

async function add(userId: string, input: Partial<OccasionInput> = {}, sendTodayNow = false) {
  const full = { type: 'WORK_ANNIVERSARY', date: '2019-03-01', ...input }
  const result = await createOccasion(world.app, userId, full, { dryRun: false, sendTodayNow })
  if (result.kind !== 'saved') throw new Error(JSON.stringify(result))
  return result.occasion
}

const change = (id: string, input: Partial<OccasionInput>, dryRun = false) =>
  changeOccasion(world.app, id, input, { dryRun, ifVersion: null })

/** `2027 PENDING 2027-03-01T09:00Z` for each event of the occasion. */
async function schedule(occasion: { id: string; userId: string }) {
  const events = (await world.events(occasion.userId)).filter(({ occasionId }) => occasionId === occasion.id)
  return events.map(
    ({ occurrence, status, targetAt }) =>
      `${occurrence} ${status} ${new Date(targetAt).toISOString().slice(0, 16)}Z`,
  )
}

/** Starts the engine and passes to the event of 2026-11-16, whose receiver responds when the test says so. */
async function sendSlowly({ id, userId }: { id: string; userId: string }) {
  const event = (await world.events(userId)).find(({ occasionId }) => occasionId === id)!
  const held = heldAnswer()
  world.channel.script(event.id, held.step)
  world.start()
  await world.passTo(at('2026-11-16T09:00:01Z'))
  return held
}

describe('an occasion', () => {
  it('has its next event planned at creation, and the successor after delivery', async () => {
    const { occasion } = await begin()
    expect(await schedule(occasion)).toEqual(['2027 PENDING 2027-03-01T09:00Z'])
    world.start()
    await world.passTo(at('2027-03-02T00:00:00Z'))
    expect(await schedule(occasion)).toEqual([
      '2027 COMPLETED 2027-03-01T09:00Z',
      '2028 PENDING 2028-03-01T09:00Z',
    ])
    expect(JSON.parse(world.channel.sent[0]!.body).message).toBe(
      "Hey, Ada Lovelace it's your work anniversary",
    )
  })

  it('with a weekly rule keeps its local time when the clocks change', async () => {
    world = createWorld('2026-10-23T12:00:00Z')
    const { user } = await world.add({ timezone: 'Europe/Berlin' })
    const weekly = await add(user.id, {
      type: 'STANDUP',
      date: '2026-10-23',
      repeats: 'FREQ=WEEKLY;BYDAY=FR',
      template: 'Stand up, {{ firstName }}!',
    })
    world.start()
    await world.passTo(at('2026-11-06T12:00:00Z'))
    expect(await schedule(weekly)).toEqual([
      '2026-10-30 COMPLETED 2026-10-30T08:00Z',
      '2026-11-06 COMPLETED 2026-11-06T08:00Z',
      '2026-11-13 PENDING 2026-11-13T08:00Z',
    ])
  })

  it('with repeats ONCE is sent once', async () => {
    const { occasion } = await begin({
      type: 'GRADUATION',
      date: '2026-11-16',
      repeats: 'ONCE',
      template: 'Well done',
    })
    world.start()
    await pass(3 * DAY)
    expect(await schedule(occasion)).toEqual(['once COMPLETED 2026-11-16T09:00Z'])
    // The trial was extended: a later date is another occurrence. Another hour of the same day is not.
    expect(await change(occasion.id, { date: '2026-11-25' })).toMatchObject({
      open: { kind: 'insert', event: { occurrence: '2:once' } },
    })
    await pass(8 * DAY)
    expect(await schedule(occasion)).toEqual([
      'once COMPLETED 2026-11-16T09:00Z',
      '2:once COMPLETED 2026-11-25T09:00Z',
    ])
    expect(await change(occasion.id, { localTime: '23:00' })).toMatchObject({ open: { event: null } })
  })

  it('with repeats ONCE that is moved to a later date while its message is sent is sent then too', async () => {
    const party = { type: 'PARTY', date: '2026-11-16', repeats: 'ONCE', template: 'Hi' } as const
    const { occasion } = await begin(party)
    const held = await sendSlowly(occasion)
    await change(occasion.id, { date: '2026-11-20' })
    held.answer(DELIVERED)
    await pass(5 * DAY)
    expect(await schedule(occasion)).toEqual([
      'once COMPLETED 2026-11-16T09:00Z',
      '2:once COMPLETED 2026-11-20T09:00Z',
    ])
  })

  it('that is a work anniversary has no date before the birth of the person', async () => {
    const { user, occasion } = await begin()
    const problems = [{ field: 'date', code: 'CONFLICTING_FIELDS' }]
    const input = { type: 'WORK_ANNIVERSARY', date: '1985-01-01' }
    const created = await createOccasion(world.app, user.id, input, { dryRun: false, sendTodayNow: false })
    expect(created).toMatchObject({ kind: 'invalid', problems })
    expect(await change(occasion.id, { date: input.date })).toMatchObject({ kind: 'invalid', problems })
    expect(await add(user.id, { ...input, date: user.dateOfBirth })).toMatchObject({ date: user.dateOfBirth })
    expect(await add(user.id, { type: 'PARENTS_WEDDING', date: '1985-01-01', template: 'Hi' })).toMatchObject(
      {
        date: '1985-01-01',
      },
    )
  })

  it('created on its day after its time is sent next year, or at once with sendTodayNow', async () => {
    world = createWorld('2027-03-01T10:00:00Z')
    const { user } = await world.add()
    const later = await add(user.id)
    const today = await add(user.id, {}, true)
    expect(await schedule(later)).toEqual(['2028 PENDING 2028-03-01T09:00Z'])
    expect(await schedule(today)).toEqual(['2027 PENDING 2027-03-01T10:00Z'])
    world.start()
    await world.clock.advance(SECOND)
    expect(await schedule(today)).toEqual([
      '2027 COMPLETED 2027-03-01T10:00Z',
      '2028 PENDING 2028-03-01T09:00Z',
    ])
  })
})

describe('changing an occasion', () => {
  it('moves its pending event', async () => {
    const { occasion } = await begin()
    const result = await change(occasion.id, { date: '2019-12-24', localTime: '18:00' })
    expect(result).toMatchObject({
      kind: 'saved',
      occasion: { version: 2 },
      moves: [
        { from: { targetAt: at('2027-03-01T09:00:00Z') }, to: { targetAt: at('2026-12-24T18:00:00Z') } },
      ],
    })
    expect(await schedule(occasion)).toEqual(['2026 PENDING 2026-12-24T18:00Z'])
  })

  it('in a dry run reports the moves and writes nothing', async () => {
    const { occasion } = await begin()
    expect(await change(occasion.id, { localTime: '18:00' }, true)).toMatchObject({
      kind: 'saved',
      moves: [{}],
    })
    expect(await schedule(occasion)).toEqual(['2027 PENDING 2027-03-01T09:00Z'])
    expect((await world.store.findOccasion(occasion.id))!.version).toBe(1)
  })

  it('sends no second message in a year that had one', async () => {
    const { occasion } = await begin()
    world.start()
    await world.passTo(at('2027-03-02T00:00:00Z'))
    await change(occasion.id, { date: '2019-12-24' })
    expect(await schedule(occasion)).toEqual([
      '2027 COMPLETED 2027-03-01T09:00Z',
      '2028 PENDING 2028-12-24T09:00Z',
    ])
  })

  it('to another rule starts a new rule revision and repeats no message', async () => {
    const { occasion } = await begin()
    world.start()
    await world.passTo(at('2027-03-01T09:00:01Z'))
    await change(occasion.id, { repeats: 'FREQ=MONTHLY;BYMONTHDAY=1' })
    await world.passTo(at('2027-04-02T00:00:00Z'))
    await change(occasion.id, { repeats: 'YEARLY' })
    expect(await schedule(occasion)).toEqual([
      '2027 COMPLETED 2027-03-01T09:00Z',
      '2:2027-04-01 COMPLETED 2027-04-01T09:00Z',
      '3:2028 PENDING 2028-03-01T09:00Z',
    ])
  })

  it('keeps an event that is in flight, and plans the successor by the new settings', async () => {
    const { occasion } = await begin({ date: '2019-11-16' })
    const held = await sendSlowly(occasion)
    expect(await change(occasion.id, { localTime: '18:00' })).toMatchObject({
      open: { kind: 'keepInFlight' },
      moves: [],
    })
    held.answer(DELIVERED)
    await world.clock.advance(SECOND)
    expect(await schedule(occasion)).toEqual([
      '2026 COMPLETED 2026-11-16T09:00Z',
      '2027 PENDING 2027-11-16T18:00Z',
    ])
  })

  it('keeps an overdue event if only the text or the local time changes', async () => {
    const { occasion } = await begin({ date: '2019-11-16' })
    await world.clock.jumpTo(at('2026-11-16T09:05:00Z'))
    await change(occasion.id, { template: 'Well done, {{ firstName }}' })
    expect(await schedule(occasion)).toEqual(['2026 PENDING 2026-11-16T09:00Z'])
    await change(occasion.id, { localTime: '08:00' })
    expect(await schedule(occasion)).toEqual(['2026 PENDING 2026-11-16T08:00Z'])
    await change(occasion.id, { localTime: '18:00' })
    expect(await schedule(occasion)).toEqual(['2026 PENDING 2026-11-16T18:00Z'])
  })

  it('keeps an overdue event if it still falls on the same day', async () => {
    const { occasion } = await begin({ date: '2019-11-16' })
    await pass(2 * DAY)
    const changes = [{ until: '2026-11-16' }, { leapDay: 'FEBRUARY_28' }, { date: '2020-11-16' }]
    for (const input of changes) {
      await change(occasion.id, input)
      expect(await schedule(occasion)).toEqual(['2026 PENDING 2026-11-16T09:00Z'])
    }
    await change(occasion.id, { until: '2026-11-15' })
    expect(await schedule(occasion)).toEqual([])
  })
})

describe('pausing an occasion', () => {
  it('deletes its pending event, and resuming plans the next one', async () => {
    const { occasion } = await begin()
    await pauseOccasion(world.app, occasion.id)
    expect(await schedule(occasion)).toEqual([])
    world.start()
    await world.passTo(at('2027-06-01T00:00:00Z'))
    expect(world.channel.sent).toEqual([])
    await resumeOccasion(world.app, occasion.id)
    expect(await schedule(occasion)).toEqual(['2028 PENDING 2028-03-01T09:00Z'])
  })

  it('lets an event in flight go out and plans no successor', async () => {
    const { occasion } = await begin({ date: '2019-11-16' })
    const held = await sendSlowly(occasion)
    await pauseOccasion(world.app, occasion.id)
    held.answer(DELIVERED)
    await pass(HOUR)
    expect(await schedule(occasion)).toEqual(['2026 COMPLETED 2026-11-16T09:00Z'])
  })
})

describe('removing an occasion', () => {
  it('deletes its events, and is not possible for the birthday of a user', async () => {
    const { occasion, user } = await begin()
    expect(await removeOccasion(world.app, occasion.id)).toBe('removed')
    expect(await schedule(occasion)).toEqual([])
    expect(await removeOccasion(world.app, occasion.id)).toBe('missing')
    const { plans } = (await world.store.readPerson(user.id))!
    expect(await removeOccasion(world.app, plans[0]!.occasion.id)).toEqual({ kind: 'owned', by: 'user' })
    await world.clock.advance(MINUTE)
    expect((await world.store.readPerson(user.id))!.plans).toHaveLength(1)
  })
})
