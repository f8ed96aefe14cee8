// Which lanes a claim takes events of, and how many of each.
import { describe, expect, it } from 'vitest'
import { laneOf } from '../../../src/domain/events/lane.ts'
import { NO_LIMITS } from '../../../src/domain/settings/channel.ts'
import type { Destination } from '../../../src/engine/deliver/destinations.ts'
import {
  backlogAfter,
  hasBacklog,
  isBlocked,
  lanesFor,
  mayStart,
  roomOf,
  type Traffic,
} from '../../../src/engine/deliver/lanes.ts'
import { makeClaim, NOW } from '../support/claims.ts'

const CLAIM = { ...makeClaim(), body: 'body' }
const nothing = () => {}
const destination = (over: Partial<Destination> = {}): Destination => ({
  id: 'crm',
  name: 'crm',
  kind: 'webhook',
  status: 'ACTIVE',
  limits: NO_LIMITS,
  channel: { deliver: async () => ({ kind: 'delivered', statusCode: 200 }), close: async () => {} },
  ...over,
})
type Seen = { waiting?: number; inFlight?: number; allowance?: number; denied?: boolean }
const traffic = ({
  waiting = 0,
  inFlight = 0,
  allowance = Infinity,
  denied = false,
}: Seen = {}): Traffic => ({
  waiting: Array(waiting).fill(CLAIM),
  inFlight,
  breaker: { allowance: () => allowance, isHealthy: () => true, onSuccess: () => true, onFailure: nothing },
  limiter: {
    mayStart: () => true,
    onStart: nothing,
    request: nothing,
    hasTurnSoon: () => false,
    isDenied: () => denied,
    close: nothing,
    returnSlots: async () => {},
  },
})

describe('the room for events of a destination', () => {
  it.each([
    ['up', {}, {}, 100],
    ['up, with a short queue', {}, { waiting: 40 }, 60],
    ['up, with half of the queue', {}, { waiting: 51 }, 0],
    ['held', { status: 'HELD' }, {}, 0],
    ['disabled', { status: 'DISABLED' }, {}, 0],
    ['down', {}, { allowance: 0 }, 0],
    ['probed by this process', {}, { allowance: 1 }, 1],
    ['probed by this process, which holds the probe', {}, { allowance: 1, inFlight: 1 }, 0],
    ['recovering', {}, { allowance: 8, inFlight: 8 }, 24],
    ['limited to a rate', { limits: { perSecond: 20, concurrency: null } }, { waiting: 4 }, 36],
    ['limited to slots', { limits: { perSecond: null, concurrency: 4 } }, {}, 20],
    ['without a slot', { limits: { perSecond: null, concurrency: 4 } }, { denied: true }, 0],
    ['limited in this process', { localConcurrency: 2 }, { waiting: 2 }, 8],
  ] as [string, Partial<Destination>, Seen, number][])('is right while it is %s', (_, over, seen, events) => {
    const [of, has] = [destination(over), traffic(seen)]
    expect(roomOf(of, has, { now: NOW, capacity: 100 })).toBe(events)
    expect(isBlocked(of, has, NOW) && events > 0).toBe(false)
  })

  it('lets one more send start below the limits of the channel, of the process and of the breaker only', () => {
    const start = (over: Partial<Destination>, seen: Seen) => mayStart(destination(over), traffic(seen), NOW)
    expect(start({}, { inFlight: 1_000 })).toBe(true)
    expect(start({ status: 'HELD' }, {})).toBe(false)
    expect(
      [3, 4].map((inFlight) => start({ limits: { perSecond: null, concurrency: 4 } }, { inFlight })),
    ).toEqual([true, false])
    expect([1, 2].map((inFlight) => start({ localConcurrency: 2 }, { inFlight }))).toEqual([true, false])
    expect([0, 1].map((inFlight) => start({}, { inFlight, allowance: 1 }))).toEqual([true, false])
  })
})

describe('the lanes of a claim', () => {
  const [crm, inbox] = [destination(), destination({ id: 'inbox', name: 'inbox' })]
  const CRM = laneOf({ channelId: 'crm', type: '' })
  const INBOX = laneOf({ channelId: 'inbox', type: '' })
  const BIRTHDAYS = laneOf({ channelId: null, type: 'BIRTHDAY' })
  const lanes = (rooms: [number, number], backlog: number[] = [], types?: string[]) =>
    lanesFor({
      rooms: [crm, inbox].map((destination, i) => ({ destination, events: rooms[i]! })),
      byDefault: inbox,
      backlog: new Set(backlog),
      limit: 100,
      types,
    })

  it('are all of them while nothing is known', () => {
    expect(lanes([Infinity, Infinity])).toEqual({ ofChannels: 100, ofDefault: 100, listed: [] })
  })

  it('leave out a destination without room, with the events that go to it by default', () => {
    expect(lanes([0, Infinity])).toEqual({ ofChannels: 100, ofDefault: 100, listed: [[CRM, 0]] })
    expect(lanes([Infinity, 0])).toEqual({ ofChannels: 100, ofDefault: 0, listed: [[INBOX, 0]] })
  })

  it('with a backlog share the claim, after the others', () => {
    expect(lanes([Infinity, Infinity], [BIRTHDAYS, CRM])).toEqual({
      ofChannels: 34,
      ofDefault: 34,
      listed: [
        [BIRTHDAYS, 50],
        [CRM, 50],
      ],
    })
    expect(lanes([Infinity, 7], [CRM])).toMatchObject({
      ofDefault: 7,
      listed: [
        [INBOX, 7],
        [CRM, 100],
      ],
    })
  })

  it('of a process for some types are those types and the channels', () => {
    expect(lanes([Infinity, Infinity], [laneOf({ channelId: null, type: 'PAYDAY' })], ['BIRTHDAY'])).toEqual({
      ofChannels: 50,
      ofDefault: 0,
      listed: [[BIRTHDAYS, 50]],
    })
  })

  it('have a backlog as long as claims take as many of them as they may', () => {
    const asked = { ...lanes([10, Infinity]), limit: 100 }
    const of = (count: number, channelId: string | null) =>
      Array<object>(count).fill({ occasion: { channelId, type: 'BIRTHDAY' } }) as { occasion: never }[]
    const backlogOf = (before: number[], ...claims: { occasion: never }[][]) => [
      ...backlogAfter(new Set(before), asked, claims.flat()),
    ]
    expect(backlogOf([], of(9, 'crm'), of(3, null))).toEqual([])
    expect(backlogOf([], of(10, 'crm'), of(3, null))).toEqual([CRM])
    expect(backlogOf([CRM], of(2, 'crm'))).toEqual([])
    expect(backlogOf([CRM], of(100, null))).toEqual([CRM, BIRTHDAYS])
    expect(hasBacklog(asked, new Set([CRM]))).toBe(true)
    expect(hasBacklog(asked, new Set([CRM]), 11)).toBe(false)
    const closed = { ...lanes([0, Infinity]), limit: 100 }
    expect([...backlogAfter(new Set([CRM]), closed, [])]).toEqual([CRM])
    expect(hasBacklog(closed, new Set([CRM]))).toBe(false)
  })
})
