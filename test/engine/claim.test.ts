// Claiming due events: limits, rendering, and events that cannot be sent.
import { afterEach, describe, expect, it } from 'vitest'
import { missedAfter } from '../../src/domain/events/lateness.ts'
import { claimBatch } from '../../src/engine/claim.ts'
import type { EngineDeps } from '../../src/engine/engine-deps.ts'
import { settleAll } from '../../src/engine/settle.ts'
import { makePeople, makePerson, type PersonOverrides, SECOND } from '../support/fixtures.ts'
import { createWorld, type World } from './support/world.ts'

const NINE = Date.parse('2026-06-15T09:00:00Z')
const DUE = { targetAt: NINE, dateOfBirth: '1990-06-15' }
const next = { occurrence: '2027', targetAt: Date.parse('2027-06-15T09:00:00Z') }

let world: World
afterEach(() => world.close())

function claim(over: Partial<Omit<EngineDeps, 'store'>> = {}) {
  return claimBatch(world.deps(over), { limit: 50, leaseMs: 30 * SECOND, claimedBy: 'worker-1' })
}

async function worldWith(over: PersonOverrides = {}, now = NINE + 4_200) {
  world = createWorld(now)
  const person = makePerson({ ...DUE, ...over })
  await world.put(person)
  return person
}

/** The world's one destination, of another kind or with an unknown channel. */
function destinations(over: { kind?: 'smtp'; knows?: boolean }): EngineDeps['destinations'] {
  const known = world.deps().destinations
  return {
    ...known,
    knows: () => over.knows ?? true,
    of: (id) => ({ ...known.of(id), kind: over.kind ?? 'webhook' }),
  }
}

describe('claimBatch', () => {
  it('claims due events up to the limit, and reports how many', async () => {
    world = createWorld(NINE)
    await world.put(...makePeople(3, () => DUE), makePerson({ ...DUE, targetAt: NINE + 1 }))
    const how = { limit: 2, leaseMs: 30 * SECOND, claimedBy: 'worker-1' }
    const counts = []
    for (let i = 0; i < 3; i++) counts.push((await claimBatch(world.deps(), how)).ready.length)
    expect(counts).toEqual([2, 1, 0])
    expect(world.notices).toEqual([
      { kind: 'claimed', count: 2 },
      { kind: 'claimed', count: 1 },
    ])
  })

  it('renders the body from the person as stored', async () => {
    const { user, events } = await worldWith()
    const { ready, unsent } = await claim()
    expect(unsent).toEqual([])
    expect(JSON.parse(ready[0]!.body)).toMatchObject({
      eventId: events[0]!.id,
      message: "Hey, Ada Lovelace it's your birthday",
      userId: user.id,
      occasionId: events[0]!.occasionId,
      targetTimestampUTC: '2026-06-15T09:00:00.000Z',
      lateBySeconds: 4,
    })
  })

  it('reports events whose lease had expired: the attempt before may have been delivered', async () => {
    const { events } = await worldWith()
    await claim()
    await world.clock.advance(31 * SECOND)
    expect((await claim()).ready).toHaveLength(1)
    expect(world.notices).toContainEqual({ kind: 'unknown', eventIds: [events[0]!.id] })
  })

  it('sends an event that is just within the window', async () => {
    await worldWith()
    expect((await claim({ lateness: missedAfter(4_200) })).ready).toHaveLength(1)
  })

  it.each([
    ['the usual text at the limit', 4_200, "Hey, Ada Lovelace it's your birthday"],
    ['the belated text 1 ms later', 4_201, 'Hey, Ada Lovelace happy belated birthday'],
  ])('uses %s for belated messages', async (_, lateMs, text) => {
    await worldWith({}, NINE + lateMs)
    const lateness = new Map([['BIRTHDAY', { belatedAfterMs: 4_200, missedAfterMs: null }]])
    expect(JSON.parse((await claim({ lateness })).ready[0]!.body).message).toBe(text)
  })

  it('fails an event that is later than the window, and plans its successor', async () => {
    await worldWith({}, NINE + 4_201)
    const { ready, unsent } = await claim({ lateness: missedAfter(4_200) })
    expect(ready).toEqual([])
    expect(unsent.map(({ settlement }) => settlement)).toMatchObject([
      {
        status: 'FAILED',
        failure: {
          code: 'MISSED_WINDOW',
          lastError: 'MISSED_WINDOW: 4 s late, more than the 4 s that BIRTHDAY may be.',
        },
        statusCode: null,
        successor: next,
      },
    ])
  })

  it('renders the replay of an event that was later than the window', async () => {
    const { events } = await worldWith({}, NINE + 4_201)
    const lateness = missedAfter(4_200)
    await settleAll(world.deps(), (await claim({ lateness })).unsent)
    const replay = { of: events[0]!.id, id: world.planner.ids(NINE), ownKey: false, at: NINE + 4_201 }
    expect(await world.store.replay([replay])).toEqual([events[0]!.id])
    expect((await claim({ lateness })).ready).toMatchObject([{ id: replay.id }])
  })

  it('fails an event whose template cannot be rendered, and plans its successor', async () => {
    await worldWith({ template: 'Hi {{ nickname }}' })
    const { unsent } = await claim()
    const lastError = expect.stringMatching(
      /^BAD_TEMPLATE: In the template of the occasion\. Line 1, column 7: .*nickname/,
    )
    expect(unsent.map(({ settlement }) => settlement)).toMatchObject([
      { status: 'FAILED', failure: { lastError }, successor: next },
    ])
  })

  it.each([
    ['too much work', '{% assign a = firstName | url_encode %}'.repeat(400), {}, 'too much work'],
    [
      'too long a text',
      '{% if age %}{% endif %}{{ firstName }}',
      { firstName: 'a'.repeat(70_000) },
      'too long',
    ],
  ])(
    'fails only the event whose template makes %s, and plans its successor',
    async (_, template, over, words) => {
      const firstName = '😀'.repeat(50)
      await worldWith({ template, firstName, ...over })
      const other = makePerson(DUE)
      await world.put(other)
      const { ready, unsent } = await claim()
      expect(ready.map(({ id }) => id)).toEqual([other.events[0]!.id])
      expect(unsent.map(({ settlement }) => settlement)).toMatchObject([
        {
          status: 'FAILED',
          failure: { code: 'TEMPLATE_LIMIT', lastError: expect.stringContaining(words) },
          successor: next,
        },
      ])
    },
  )

  it('fails an event whose template takes more than 50 ms of CPU time, and plans its successor', async () => {
    await worldWith({ template: '{{ firstName | upcase }}' })
    let cpu = 0
    const clock = { ...world.clock, cpuMs: () => (cpu += 51) }
    const { unsent } = await claim({ clock })
    expect(unsent.map(({ settlement }) => settlement)).toMatchObject([
      { status: 'FAILED', failure: { code: 'TEMPLATE_LIMIT' }, successor: next },
    ])
  })

  it('releases the rest of a batch whose rendering takes more than 100 ms of CPU time', async () => {
    world = createWorld(NINE)
    await world.put(...makePeople(40, () => DUE))
    let cpu = 0
    const clock = { ...world.clock, cpuMs: () => cpu }
    const known = world.deps().destinations
    const of: typeof known.of = (id) => {
      cpu += 5
      return known.of(id)
    }
    const { ready, unsent } = await claim({ clock, destinations: { ...known, of } })
    expect(ready).toHaveLength(24)
    expect(unsent.map(({ settlement }) => settlement.kind)).toEqual(Array(16).fill('release'))
    await settleAll(world.deps(), unsent)
    expect((await claim()).ready).toHaveLength(16)
  })

  it('renders an e-mail, and fails one to a person without an address', async () => {
    await worldWith()
    await world.put(makePerson({ ...DUE, email: 'ada@example.com' }))
    const { ready, unsent } = await claim({ destinations: destinations({ kind: 'smtp' }) })
    expect(ready.map(({ body }) => JSON.parse(body))).toMatchObject([
      { to: 'ada@example.com', subject: expect.stringContaining('Ada'), text: expect.any(String) },
    ])
    expect(unsent.map(({ settlement }) => settlement)).toMatchObject([
      { status: 'FAILED', failure: { code: 'NO_ADDRESS', lastError: expect.stringMatching(/^NO_ADDRESS/) } },
    ])
  })

  it('releases an event whose channel is not loaded yet', async () => {
    const { events } = await worldWith()
    const { ready, unsent } = await claim({ destinations: destinations({ knows: false }) })
    expect(ready).toEqual([])
    expect(unsent.map(({ settlement }) => settlement)).toMatchObject([
      { kind: 'release', eventId: events[0]!.id, wakeAt: null },
    ])
  })

  it('claims nothing while the templates cannot be loaded', async () => {
    const { events } = await worldWith()
    const templates = { refresh: () => Promise.reject(new Error('down')), choose: () => null }
    await expect(claim({ templates })).rejects.toThrow('down')
    expect((await world.event(events[0]!.id)).status).toBe('PENDING')
  })
})
