// Creating, changing and deleting people: which birthday is planned, and that nobody gets two messages in one year.
import fc from 'fast-check'
import { afterEach, describe, expect, it } from 'vitest'
import { changeOccasion, createOccasion, pauseOccasion } from '../../../src/app/occasions/occasions.ts'
import { changeUser } from '../../../src/app/users/change.ts'
import { preparePerson } from '../../../src/app/users/create.ts'
import type { OccasionInput } from '../../../src/domain/occasions/occasion-fields.ts'
import type { Store } from '../../../src/ports/store.ts'
import { ADA, createWorld, type World, wrapStore } from '../../engine/support/world.ts'
import { DAY, HOUR, heldAnswer, MINUTE, SECOND, seededDice } from '../../support/fixtures.ts'

const at = (text: string) => Date.parse(text)

let world: World
afterEach(() => world.close())

const change = (userId: string, input: Partial<typeof ADA>, deps = world.app) =>
  changeUser(deps, userId, { input, ifVersion: null })

/** `2026 COMPLETED 2026-06-15T09:00:00.000Z` for each event of the user. */
const schedule = async (userId: string) =>
  (await world.events(userId)).map(
    ({ occurrence, status, targetAt }) => `${occurrence} ${status} ${new Date(targetAt).toISOString()}`,
  )

describe('creating people', () => {
  it('plans their next birthday at nine local time', () => {
    world = createWorld('2026-11-15T12:00:00Z')
    const person = preparePerson(world.app, {
      ...ADA,
      dateOfBirth: '1990-12-15',
      timezone: 'america/denver',
    })
    expect(person).toMatchObject({
      ok: true,
      value: {
        user: { timezone: 'America/Denver', version: 1, createdAt: at('2026-11-15T12:00:00Z'), email: null },
        occasions: [{ type: 'BIRTHDAY', date: null, localTime: '09:00', leapDay: 'MARCH_1', template: null }],
        events: [
          {
            occurrence: '2026',
            targetAt: at('2026-12-15T16:00:00Z'),
            offsetSeconds: -25_200,
            timezone: 'America/Denver',
            tzVersion: world.planner.table.version,
          },
        ],
      },
    })
  })

  it('plans the current instant at nine exactly, and next year a millisecond later', async () => {
    world = createWorld('2026-06-15T09:00:00.000Z')
    expect((await world.add()).events[0]).toMatchObject({ occurrence: '2026', targetAt: world.clock.now() })
    await world.clock.advance(1)
    expect((await world.add()).events[0]).toMatchObject({ occurrence: '2027' })
  })
})

describe('moving a person', () => {
  it('from Tokyo to Los Angeles after the greeting plans the next one for next year', async () => {
    world = createWorld('2026-06-14T23:00:00Z')
    const { user } = await world.add({ timezone: 'Asia/Tokyo' })
    world.start()
    await world.clock.advanceTo(at('2026-06-15T00:10:00Z'))
    expect(world.channel.sent).toHaveLength(1)
    const moved = await change(user.id, { timezone: 'America/Los_Angeles' })
    expect(moved).toMatchObject({ kind: 'changed', rescheduled: 1, skipped: 0 })
    expect(await schedule(user.id)).toEqual([
      '2026 COMPLETED 2026-06-15T00:00:00.000Z',
      '2027 PENDING 2027-06-15T16:00:00.000Z',
    ])
    await world.clock.jumpTo(at('2026-06-15T16:00:00Z'))
    await world.clock.advance(MINUTE)
    expect(world.channel.sent).toHaveLength(1)
  })

  it('east past nine before the greeting keeps the occurrence and makes it due at once', async () => {
    world = createWorld('2026-06-15T10:00:00Z')
    const { user, events } = await world.add({ timezone: 'America/Los_Angeles' })
    world.start({ pollMs: DAY, leaseMs: DAY })
    await world.clock.advance(MINUTE)
    expect(world.channel.sent).toEqual([])
    expect(await change(user.id, { timezone: 'Asia/Tokyo' })).toMatchObject({ rescheduled: 1, skipped: 0 })
    await world.clock.advance(SECOND)
    expect(world.channel.sent).toMatchObject([{ eventId: events[0]!.id }])
    expect(await schedule(user.id)).toEqual([
      '2026 COMPLETED 2026-06-15T00:00:00.000Z',
      '2027 PENDING 2027-06-15T00:00:00.000Z',
    ])
  })

  it('west before nine there plans the greeting of this year', async () => {
    world = createWorld('2026-06-15T03:00:00Z')
    const { user } = await world.add({ timezone: 'Asia/Tokyo' })
    expect(await schedule(user.id)).toEqual(['2027 PENDING 2027-06-15T00:00:00.000Z'])
    await change(user.id, { timezone: 'America/Los_Angeles' })
    expect(await schedule(user.id)).toEqual(['2026 PENDING 2026-06-15T16:00:00.000Z'])
  })

  it('west plans a one-time occasion whose time had passed, unless it is paused, and sends it once', async () => {
    world = createWorld('2026-11-17T12:20:00Z')
    const { user } = await world.add()
    const once = async (localTime: string) => {
      const input = { type: 'PARTY', date: '2026-11-17', repeats: 'ONCE', localTime, template: localTime }
      const result = await createOccasion(world.app, user.id, input, { dryRun: false, sendTodayNow: false })
      if (result.kind !== 'saved') throw new Error(JSON.stringify(result))
      return result.occasion.id
    }
    await once('12:18')
    await pauseOccasion(world.app, await once('12:19'))
    const dryRun = { input: { timezone: 'America/New_York' }, ifVersion: null, dryRun: true }
    expect(await changeUser(world.app, user.id, dryRun)).toMatchObject({ rescheduled: 2 })
    expect(await schedule(user.id)).toEqual(['2027 PENDING 2027-06-15T09:00:00.000Z'])
    expect(await change(user.id, { timezone: 'America/New_York' })).toMatchObject({ rescheduled: 2 })
    expect(await schedule(user.id)).toEqual([
      'once PENDING 2026-11-17T17:18:00.000Z',
      '2027 PENDING 2027-06-15T13:00:00.000Z',
    ])
    world.start()
    await world.passTo(at('2026-11-17T17:19:00Z'))
    await change(user.id, { timezone: 'America/Los_Angeles' })
    await world.passTo(at('2026-11-18T09:00:00Z'))
    expect(world.channel.sent.map(({ body }) => JSON.parse(body).message)).toEqual(['12:18'])
  })

  it('wakes an engine that sleeps until the old instant', async () => {
    world = createWorld('2026-06-14T22:00:00Z')
    const { user } = await world.add({ timezone: 'America/Los_Angeles' })
    world.start({ pollMs: 30 * DAY, leaseMs: 30 * DAY })
    await world.clock.advance(MINUTE)
    await change(user.id, { timezone: 'Asia/Tokyo' })
    await world.clock.advanceTo(at('2026-06-15T00:00:00Z'))
    expect(world.channel.sent.map((sent) => sent.at)).toEqual([at('2026-06-15T00:00:00Z')])
  })

  it('to a timezone where the stored date of birth is still tomorrow is possible, with a new one it is not', async () => {
    world = createWorld('2026-11-15T01:00:00Z')
    const { user } = await world.add({ dateOfBirth: '2026-11-15', timezone: 'Asia/Tokyo' })
    const timezone = 'America/Los_Angeles'
    expect(await change(user.id, { timezone, dateOfBirth: '2026-11-16' })).toMatchObject({
      kind: 'invalid',
      problems: [{ field: 'dateOfBirth', code: 'DATE_IN_FUTURE' }],
    })
    expect(await world.store.findUser(user.id)).toEqual(user)
    expect(await change(user.id, { timezone })).toMatchObject({ kind: 'changed' })
    expect(await schedule(user.id)).toEqual(['2027 PENDING 2027-11-15T17:00:00.000Z'])
  })
})

describe('correcting a date of birth', () => {
  it('after this year’s greeting plans next year, whether the new day has passed or not', async () => {
    world = createWorld('2026-06-15T08:00:00Z')
    const { user } = await world.add()
    world.start()
    await world.clock.advanceTo(at('2026-06-15T09:01:00Z'))
    await change(user.id, { dateOfBirth: '1990-12-01' })
    expect((await schedule(user.id))[1]).toBe('2027 PENDING 2027-12-01T09:00:00.000Z')
    await change(user.id, { dateOfBirth: '1990-06-01' })
    expect((await schedule(user.id))[1]).toBe('2027 PENDING 2027-06-01T09:00:00.000Z')
  })

  it('before this year’s greeting plans the next such day, this year or the next', async () => {
    world = createWorld('2026-06-10T12:00:00Z')
    const { user } = await world.add()
    for (const [dateOfBirth, expected] of [
      ['1990-06-20', '2026 PENDING 2026-06-20T09:00:00.000Z'],
      ['1990-06-11', '2026 PENDING 2026-06-11T09:00:00.000Z'],
      ['1990-06-05', '2027 PENDING 2027-06-05T09:00:00.000Z'],
      ['1990-06-15', '2026 PENDING 2026-06-15T09:00:00.000Z'],
    ] as const) {
      expect(await change(user.id, { dateOfBirth })).toMatchObject({ rescheduled: 1 })
      expect(await schedule(user.id)).toEqual([expected])
    }
  })

  it.each([
    ['moves no event', '2026-06-10T12:00:00Z'],
    ['keeps an overdue greeting', '2026-06-15T11:00:00Z'],
  ])('by only the year %s', async (_, now) => {
    world = createWorld('2026-06-10T12:00:00Z')
    const { user } = await world.add()
    await world.clock.advanceTo(at(now))
    await change(user.id, { dateOfBirth: '1991-06-15' })
    expect(await schedule(user.id)).toEqual(['2026 PENDING 2026-06-15T09:00:00.000Z'])
  })
})

describe('a person without a date of birth, or without its year', () => {
  it('is greeted from the day on that is added, keeps the event when the year is added, and loses it with the date', async () => {
    world = createWorld('2026-05-01T12:00:00Z')
    const { user, occasions } = await world.add({ lastName: null, dateOfBirth: null })
    expect(await schedule(user.id)).toEqual([])
    expect(occasions).toMatchObject([{ type: 'BIRTHDAY', date: null }])
    expect(await change(user.id, { dateOfBirth: '--06-15' })).toMatchObject({ rescheduled: 1 })
    const planned = await world.events(user.id)
    expect(await schedule(user.id)).toEqual(['2026 PENDING 2026-06-15T09:00:00.000Z'])
    expect(await change(user.id, { dateOfBirth: '1990-06-15' })).toMatchObject({ rescheduled: 0 })
    expect((await world.events(user.id)).map(({ id }) => id)).toEqual(planned.map(({ id }) => id))
    expect(await change(user.id, { dateOfBirth: null })).toMatchObject({ rescheduled: 1 })
    expect(await schedule(user.id)).toEqual([])
  })

  it('keeps 29 February by the rule of the occasion, and is greeted in the year in which the day is given', async () => {
    world = createWorld('2027-02-01T12:00:00Z')
    const { user } = await world.add({ dateOfBirth: '--02-29' })
    expect(await schedule(user.id)).toEqual(['2027 PENDING 2027-03-01T09:00:00.000Z'])
    expect(await change(user.id, { dateOfBirth: '2028-02-29' })).toMatchObject({ kind: 'invalid' })
    await change(user.id, { dateOfBirth: '--02-02' })
    expect(await schedule(user.id)).toEqual(['2027 PENDING 2027-02-02T09:00:00.000Z'])
  })

  it('has no Hebrew birthday before the year is known', async () => {
    world = createWorld('2026-05-01T12:00:00Z')
    const { user, occasions } = await world.add({ dateOfBirth: '--06-15' })
    const how = { dryRun: false, ifVersion: null }
    const hebrew = { calendar: 'hebrew' } as const
    expect(await changeOccasion(world.app, occasions[0]!.id, hebrew, how)).toMatchObject({
      kind: 'invalid',
      problems: [{ field: 'calendar', code: 'CONFLICTING_FIELDS' }],
    })
    await change(user.id, { dateOfBirth: '1990-06-15' })
    expect(await changeOccasion(world.app, occasions[0]!.id, hebrew, how)).toMatchObject({ kind: 'saved' })
    await change(user.id, { dateOfBirth: '--06-15' })
    expect(await schedule(user.id)).toEqual([])
  })
})

describe('correcting the year of birth of a birthday that follows another rule', () => {
  async function addBirthday(rule: Partial<OccasionInput>) {
    world = createWorld('2026-11-16T12:00:00Z')
    const { user, occasions } = await world.add({ dateOfBirth: '1990-05-05' })
    const how = { dryRun: false, ifVersion: null }
    expect(await changeOccasion(world.app, occasions[0]!.id, rule, how)).toMatchObject({ kind: 'saved' })
    return user
  }

  it('moves a Hebrew birthday to the day of the corrected date', async () => {
    const user = await addBirthday({ calendar: 'hebrew' })
    expect(await schedule(user.id)).toEqual(['2:hebrew-5787 PENDING 2027-05-17T09:00:00.000Z'])
    expect(await change(user.id, { dateOfBirth: '1991-05-05' })).toMatchObject({ rescheduled: 1 })
    expect(await schedule(user.id)).toEqual(['2:hebrew-5787 PENDING 2027-05-28T09:00:00.000Z'])
  })

  it('moves a birthday that is kept every five years', async () => {
    const user = await addBirthday({ repeats: 'FREQ=YEARLY;INTERVAL=5' })
    expect(await schedule(user.id)).toEqual(['2:2030-05-05 PENDING 2030-05-05T09:00:00.000Z'])
    await change(user.id, { dateOfBirth: '1991-05-05' })
    expect(await schedule(user.id)).toEqual(['2:2031-05-05 PENDING 2031-05-05T09:00:00.000Z'])
  })

  it('applies to the successor of a greeting in flight', async () => {
    const user = await addBirthday({ calendar: 'hebrew' })
    const [event] = await world.events(user.id)
    const far = heldAnswer()
    world.channel.script(event!.id, far.step)
    world.start()
    await world.passTo(at('2027-05-17T09:00:05Z'))
    expect(await change(user.id, { dateOfBirth: '1991-05-05' })).toMatchObject({ skipped: 1 })
    far.answer({ kind: 'delivered', statusCode: 200 })
    await world.clock.advance(MINUTE)
    expect(await schedule(user.id)).toEqual([
      '2:hebrew-5787 COMPLETED 2027-05-17T09:00:00.000Z',
      '2:hebrew-5788 PENDING 2028-05-17T09:00:00.000Z',
    ])
  })

  it('to a day after the last date of the birthday deletes its event, and back plans it again', async () => {
    const user = await addBirthday({ until: '2027-05-31' })
    expect(await change(user.id, { dateOfBirth: '1990-06-05' })).toMatchObject({ rescheduled: 1, skipped: 0 })
    expect(await schedule(user.id)).toEqual([])
    expect(await world.store.findUser(user.id)).toMatchObject({ dateOfBirth: '1990-06-05' })
    expect(await change(user.id, { dateOfBirth: '1990-05-17' })).toMatchObject({ rescheduled: 1, skipped: 0 })
    expect(await schedule(user.id)).toEqual(['2027 PENDING 2027-05-17T09:00:00.000Z'])
  })

  it('by only the year plans the greeting of a birthday that had none before its last date', async () => {
    world = createWorld('2026-06-15T08:00:00Z')
    const { user, occasions } = await world.add({ dateOfBirth: '2026-06-15' })
    const how = { dryRun: false, ifVersion: null }
    await changeOccasion(world.app, occasions[0]!.id, { until: '2026-12-31' }, how)
    expect(await schedule(user.id)).toEqual([])
    await change(user.id, { dateOfBirth: '2025-06-15' })
    expect(await schedule(user.id)).toEqual(['2026 PENDING 2026-06-15T09:00:00.000Z'])
  })

  it('to today deletes the greeting that was due today: it is the day of birth', async () => {
    world = createWorld('2026-06-15T08:00:00Z')
    const { user } = await world.add()
    expect(await change(user.id, { dateOfBirth: '2026-06-15' })).toMatchObject({ rescheduled: 1 })
    expect(await schedule(user.id)).toEqual(['2027 PENDING 2027-06-15T09:00:00.000Z'])
  })
})

describe('a change of a user while the greeting is in flight', () => {
  it('applies to the next greeting only', async () => {
    world = createWorld('2026-06-15T08:59:00Z')
    const { user, events } = await world.add()
    const far = heldAnswer()
    world.channel.script(events[0]!.id, far.step)
    world.start()
    await world.clock.advanceTo(at('2026-06-15T09:00:05Z'))
    const moved = await change(user.id, { timezone: 'Asia/Tokyo', dateOfBirth: '1990-07-01' })
    expect(moved).toMatchObject({
      kind: 'changed',
      rescheduled: 0,
      skipped: 1,
      user: { timezone: 'Asia/Tokyo' },
    })
    const skipped = { userId: user.id, eventId: events[0]!.id, currentStatus: 'PROCESSING' }
    expect(world.notices).toContainEqual({ kind: 'reschedule-skipped', ...skipped })
    expect(world.notices).toContainEqual({
      kind: 'rescheduled',
      userId: user.id,
      rescheduled: 0,
      skipped: 1,
    })
    far.answer({ kind: 'delivered', statusCode: 200 })
    await world.clock.advance(MINUTE)
    expect(await schedule(user.id)).toEqual([
      '2026 COMPLETED 2026-06-15T09:00:00.000Z',
      '2027 PENDING 2027-07-01T00:00:00.000Z',
    ])
    const [greeted, next] = await world.events(user.id)
    expect([greeted!.timezone, next!.timezone]).toEqual(['Etc/UTC', 'Asia/Tokyo'])
    expect(await world.attempts(events[0]!.id)).toHaveLength(1)
    expect(world.channel.sent).toHaveLength(1)
  })

  it('applies to the next greeting only, also while the greeting waits for a retry', async () => {
    world = createWorld('2026-06-15T08:59:00Z')
    const { user, events } = await world.add()
    world.channel.script(events[0]!.id, {
      kind: 'transient',
      error: 'HTTP 503',
      statusCode: 503,
      retryAfterMs: HOUR,
    })
    world.start()
    await world.clock.advanceTo(at('2026-06-15T09:10:00Z'))
    expect(await change(user.id, { timezone: 'Asia/Tokyo' })).toMatchObject({ rescheduled: 0, skipped: 1 })
    await world.clock.advanceTo(at('2026-06-15T10:02:00Z'))
    expect(world.channel.sent).toHaveLength(2)
    expect(await schedule(user.id)).toEqual([
      '2026 COMPLETED 2026-06-15T09:00:00.000Z',
      '2027 PENDING 2027-06-15T00:00:00.000Z',
    ])
  })

  it('that deletes the user deletes all their data, and the engine continues', async () => {
    world = createWorld('2026-06-15T08:59:00Z')
    const [gone, other] = [await world.add(), await world.add()]
    const far = heldAnswer()
    world.channel.script(gone.events[0]!.id, far.step)
    world.start()
    await world.clock.advanceTo(at('2026-06-15T09:00:05Z'))
    expect(await world.store.deleteUser(gone.user.id, world.clock.now())).toBe(true)
    far.answer({ kind: 'delivered', statusCode: 200 })
    await world.clock.advance(MINUTE)
    expect(await world.events(gone.user.id)).toEqual([])
    expect((await schedule(other.user.id))[1]).toContain('2027 PENDING')
    expect(world.notices).toContainEqual({
      kind: 'stale',
      claims: [{ eventId: gone.events[0]!.id, version: 2, claimedAt: at('2026-06-15T09:00:00Z') }],
    })
  })
})

describe('a change of a user', () => {
  it('without any field moves no event', async () => {
    world = createWorld('2026-06-10T12:00:00Z')
    const { user } = await world.add()
    const before = await world.events(user.id)
    for (const input of [{}, ADA, { timezone: 'etc/utc', firstName: ' Ada ' }]) {
      expect(await change(user.id, input)).toMatchObject({ kind: 'changed', rescheduled: 0, skipped: 0 })
    }
    expect(await world.events(user.id)).toEqual(before)
  })

  it('to another name moves no event and shows in the greeting', async () => {
    world = createWorld('2026-06-15T08:00:00Z')
    const { user } = await world.add()
    const before = await world.events(user.id)
    expect(await change(user.id, { firstName: 'Augusta' })).toMatchObject({ rescheduled: 0, skipped: 0 })
    const renamed = before.map((event) => ({ ...event, firstName: 'Augusta' }))
    expect(await world.events(user.id)).toEqual(renamed)
    world.start()
    await world.clock.advanceTo(at('2026-06-15T09:00:01Z'))
    expect(world.channel.sent[0]!.body).toContain('Hey, Augusta Lovelace')
  })

  /** Runs a conflicting write just before each of the first `times` updates. */
  function withConflict(times: number, conflict: (round: number) => Promise<unknown>) {
    let round = 0
    const store: Store = wrapStore(world.store, async (name, call) => {
      if (name === 'updateUser' && round < times) await conflict(++round)
      return call()
    })
    return { ...world.app, store }
  }

  it('is retried on a conflict with another change, and keeps both changes', async () => {
    world = createWorld('2026-06-10T12:00:00Z')
    const { user } = await world.add()
    const app = withConflict(3, (round) => change(user.id, { lastName: `King ${round}` }))
    const changed = await change(user.id, { timezone: 'Asia/Tokyo' }, app)
    expect(changed).toMatchObject({
      kind: 'changed',
      rescheduled: 1,
      user: { lastName: 'King 3', version: 5 },
    })
    expect(await world.store.findUser(user.id)).toMatchObject({ lastName: 'King 3', timezone: 'Asia/Tokyo' })
    expect(await schedule(user.id)).toEqual(['2026 PENDING 2026-06-15T00:00:00.000Z'])
  })

  it('is retried if the event was claimed between reading and writing', async () => {
    world = createWorld('2026-06-15T08:59:00Z')
    const { user } = await world.add()
    const app = withConflict(1, () =>
      world.store.claimDue({
        now: at('2026-06-15T09:00:00Z'),
        limit: 1,
        leaseMs: HOUR,
        claimedBy: 'other',
        render: ({ id }) => `body of ${id}`,
      }),
    )
    expect(await change(user.id, { timezone: 'Asia/Tokyo' }, app)).toMatchObject({
      rescheduled: 0,
      skipped: 1,
    })
  })

  it('results in missing if the user is deleted meanwhile', async () => {
    world = createWorld('2026-06-10T12:00:00Z')
    const { user } = await world.add()
    const app = withConflict(1, () => world.store.deleteUser(user.id, world.clock.now()))
    expect(await change(user.id, { timezone: 'Asia/Tokyo' }, app)).toEqual({ kind: 'missing' })
    expect(await world.events(user.id)).toEqual([])
  })

  it('with a version results in outdated on a conflict', async () => {
    world = createWorld('2026-06-10T12:00:00Z')
    const { user } = await world.add()
    const app = withConflict(1, () => change(user.id, { lastName: 'King' }))
    const input = { firstName: 'Augusta' }
    expect(await changeUser(app, user.id, { input, ifVersion: [1] })).toEqual({ kind: 'outdated' })
    expect(await world.store.findUser(user.id)).toMatchObject({ firstName: 'Ada', lastName: 'King' })
  })
})

describe('after random moves and corrections', () => {
  const zones = ['Pacific/Kiritimati', 'Asia/Tokyo', 'Etc/UTC', 'America/Los_Angeles', 'Pacific/Pago_Pago']
  const days = ['1990-06-15', '1990-06-16', '1990-01-01', '1990-12-31', '1992-02-29']
  const step = fc.record({
    waitMs: fc.oneof(fc.integer({ min: 0, max: 2 * DAY }), fc.integer({ min: 0, max: 200 * DAY })),
    input: fc.oneof(
      fc.record({ timezone: fc.constantFrom(...zones) }),
      fc.record({ dateOfBirth: fc.constantFrom(...days) }),
    ),
  })

  it('nobody is greeted twice for one year, and one greeting is always planned ahead', async () => {
    const property = fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 10 }), async (steps) => {
      world = createWorld('2026-06-14T12:00:00Z')
      const { user } = await world.add({ timezone: 'Asia/Tokyo' })
      world.start()
      for (const { waitMs, input } of steps) {
        await world.clock.jumpTo(world.clock.now() + waitMs)
        await change(user.id, input)
        await world.clock.advance(SECOND)
      }
      const sent = world.channel.sent.map(({ body }) => JSON.parse(body).occurrence)
      expect(new Set(sent).size).toBe(sent.length)
      expect(new Set(world.channel.sent.map((delivery) => delivery.idempotencyKey)).size).toBe(sent.length)
      const open = (await world.events(user.id)).filter(({ status }) => status === 'PENDING')
      expect(open).toHaveLength(1)
      expect(open[0]!.targetAt).toBeGreaterThan(world.clock.now())
      await world.close()
    })
    await fc.assert(property, { numRuns: 60, seed: Math.floor(seededDice(4)() * 2 ** 31) })
    world = createWorld(0)
  })
})
