import { afterEach, describe, expect, it } from 'vitest'
import { createOccasion, pauseOccasion } from '../../../src/app/occasions/occasions.ts'
import {
  dueInOrder,
  firstDue,
  notesOf,
  type PersonPlan,
  type PreviewedSlot,
} from '../../../src/app/occasions/preview-people.ts'
import { createTask } from '../../../src/app/tasks/tasks.ts'
import { occurrenceInYear } from '../../../src/domain/occasions/next-occurrence.ts'
import type { OccasionInput } from '../../../src/domain/occasions/occasion-fields.ts'
import { formatInstant } from '../../../src/domain/time/timestamp.ts'
import { isPlace } from '../../../src/domain/time/timezone.ts'
import { tzdb } from '../../../src/domain/time/tzdb.ts'
import { createWorld, type World } from '../../engine/support/world.ts'
import { makeOccasion, makePerson, seededDice } from '../../support/fixtures.ts'

const at = (text: string) => Date.parse(text)
const days = (from: string, to: string) => ({ startsAt: at(from), endsAt: at(to) + 86_400_000 })

function duesOf(
  plans: PersonPlan[],
  period: { startsAt: number; endsAt: number },
  now = period.startsAt,
): PreviewedSlot[] {
  const options = { ...period, now, table: tzdb }
  return [
    ...dueInOrder(
      plans.flatMap((plan) => firstDue(plan, options) ?? []),
      options,
    ),
  ]
}

const inWords = ({ of, slot }: PreviewedSlot) =>
  `${formatInstant(slot.instant).slice(0, 16)} ${of.occasion.type} ${slot.occurrence}`

/** A person who is in no database. */
function listed(dateOfBirth: string, timezone: string): PersonPlan {
  const { user } = makePerson({ dateOfBirth, timezone })
  const occasion = makeOccasion(user)
  return { who: 'line 2', user, occasion, task: null, open: null, lastSettled: null }
}

describe('the preview of a list of people', () => {
  it('has every birthday in the period, in order of time across timezones', () => {
    const dice = seededDice(7)
    const zones = tzdb.zones().filter(isPlace)
    const people = Array.from({ length: 300 }, () => {
      const born = new Date(Math.floor(dice() * 18_000) * 86_400_000).toISOString().slice(0, 10)
      return listed(born, zones[Math.floor(dice() * zones.length)]!)
    })
    const period = days('2023-12-31', '2029-01-01')
    const expected = people.flatMap(({ user }) =>
      [2023, 2024, 2025, 2026, 2027, 2028, 2029]
        .map((year) => occurrenceInYear({ date: user.dateOfBirth!, timezone: user.timezone }, year).instant)
        .filter((instant) => instant >= period.startsAt && instant < period.endsAt),
    )
    expect(duesOf(people, period).map(({ slot }) => slot.instant)).toEqual(expected.sort((a, b) => a - b))
  })

  it.each([
    ['1990-01-01', 'Pacific/Kiritimati', '2026-12-31', '2026-12-31', ['2026-12-31T19:00 BIRTHDAY 2027']],
    ['1990-01-01', 'Pacific/Kiritimati', '2027-01-01', '2027-12-30', []],
    ['1990-06-01', 'Asia/Tokyo', '2026-06-01', '2026-06-01', ['2026-06-01T00:00 BIRTHDAY 2026']],
    ['1990-06-01', 'Asia/Tokyo', '2026-05-31', '2026-05-31', []],
    ['2024-06-01', 'Etc/UTC', '2022-01-01', '2025-12-31', ['2025-06-01T09:00 BIRTHDAY 2025']],
  ])('of %s in %s from %s to %s, by days in UTC, is as expected', (born, zone, from, to, expected) => {
    expect(duesOf([listed(born, zone)], days(from, to)).map(inWords)).toEqual(expected)
  })
})

describe('the preview of stored people', () => {
  let world: World
  afterEach(() => world.close())

  async function add(userId: string, input: OccasionInput) {
    const result = await createOccasion(world.app, userId, input, { dryRun: false, sendTodayNow: false })
    if (result.kind !== 'saved') throw new Error(JSON.stringify(result))
    return result.occasion
  }

  async function preview(from: string, to: string): Promise<PreviewedSlot[]> {
    const { items } = await world.store.listPeople({ limit: 10, cursor: null })
    const plans = items.flatMap(({ user, plans }) => plans.map((plan) => ({ who: user.id, user, ...plan })))
    return duesOf(plans, days(from, to), world.clock.now())
  }

  it('has every occasion and the reminders of tasks, and no paused occasion', async () => {
    world = createWorld('2026-11-15T12:00:00Z')
    const { user } = await world.add({ dateOfBirth: '1990-12-15' })
    await add(user.id, { type: 'WORK_ANNIVERSARY', date: '2020-02-29' })
    await add(user.id, {
      type: 'STANDUP',
      template: 'Hi',
      date: '2026-11-16',
      repeats: 'FREQ=WEEKLY;COUNT=2',
    })
    await add(user.id, { type: 'LAUNCH', template: 'Hi', date: '2026-12-01', repeats: 'ONCE' })
    const paused = await add(user.id, { type: 'PAUSED', template: 'Hi', date: '2020-12-01' })
    await pauseOccasion(world.app, paused.id)
    await createTask(world.app, user.id, { title: 'Passport', dueAt: '2026-11-20T12:00:00Z' })
    const dues = await preview('2026-11-15', '2027-12-31')
    expect(dues.map(inWords)).toEqual([
      '2026-11-16T09:00 STANDUP 2026-11-16',
      '2026-11-19T12:00 TASK_REMINDER due-1',
      '2026-11-23T09:00 STANDUP 2026-11-23',
      '2026-12-01T09:00 LAUNCH once',
      '2026-12-15T09:00 BIRTHDAY 2026',
      '2027-03-01T09:00 WORK_ANNIVERSARY 2027',
      '2027-12-15T09:00 BIRTHDAY 2027',
    ])
    expect(notesOf(dues[5]!, tzdb).map(({ code }) => code)).toEqual(['LEAP_DAY_MOVED'])
  })

  it('explains an unusual time of a rule', async () => {
    world = createWorld('2026-11-15T12:00:00Z')
    const { user } = await world.add({ dateOfBirth: '1990-06-01', timezone: 'Europe/Berlin' })
    await add(user.id, {
      type: 'NIGHT',
      template: 'Hi',
      date: '2027-03-28',
      localTime: '02:30',
      repeats: 'FREQ=YEARLY',
    })
    const [night] = await preview('2027-03-01', '2027-03-31')
    expect(notesOf(night!, tzdb).map(({ code }) => code)).toEqual(['CLOCK_GAP'])
  })

  it('has an overdue event and its successor, and nothing that was sent or missed', async () => {
    world = createWorld('2026-11-14T12:00:00Z')
    await world.add({ dateOfBirth: '1990-11-15' })
    const { user } = await world.add({ dateOfBirth: '1990-11-14' })
    await add(user.id, { type: 'PAST', template: 'Hi', date: '2026-11-10', repeats: 'ONCE' })
    await world.clock.jumpTo(at('2026-11-16T00:00:00Z'))
    const expected = [
      '2026-11-15T09:00 BIRTHDAY 2026',
      '2027-11-14T09:00 BIRTHDAY 2027',
      '2027-11-15T09:00 BIRTHDAY 2027',
    ]
    expect((await preview('2026-11-16', '2027-11-30')).map(inWords)).toEqual(expected)
    expect((await preview('2020-01-01', '2027-11-30')).map(inWords)).toEqual(expected)
    expect((await preview('2027-01-01', '2027-11-14')).map(inWords)).toEqual(expected.slice(1, 2))
  })
})

it('the preview has only the open event of a person whose timezone the table does not have', () => {
  const plan = listed('1990-06-01', 'Mars/Olympus')
  const open = {
    id: 'e',
    occurrence: '2027',
    status: 'PENDING',
    version: 1,
    targetAt: at('2027-06-01T08:00Z'),
    offsetSeconds: 3600,
    timezone: 'Mars/Olympus',
    tzVersion: '2025a',
  } as const
  const dues = duesOf([plan, { ...plan, open }], days('2026-01-01', '2029-12-31'))
  expect(dues.map(inWords)).toEqual(['2027-06-01T08:00 BIRTHDAY 2027'])
  expect(notesOf(dues[0]!, tzdb)).toEqual([])
})
