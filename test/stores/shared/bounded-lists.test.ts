// Lists that read a bounded part for each call: the pages, some of them short or empty, make up the whole list.
import { drizzle } from 'drizzle-orm/sqlite-proxy'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { EventQuery, UserFilter } from '../../../src/ports/query.ts'
import type { Store } from '../../../src/ports/store.ts'
import { listEvents } from '../../../src/stores/shared/events/list.ts'
import { listRows } from '../../../src/stores/shared/people/list.ts'
import { inThreadExecutor } from '../../../src/stores/sqlite/executor.ts'
import { dialect } from '../../../src/stores/sqlite-dialect/dialect.ts'
import { eventSource } from '../../../src/stores/sqlite-dialect/events/event-source.ts'
import type { Value } from '../../../src/stores/sqlite-dialect/executor.ts'
import { createStore } from '../../../src/stores/sqlite-dialect/store.ts'
import * as tables from '../../../src/stores/tables/sqlite.ts'
import { allPages, claimAt, create, delivered, failed, idsOf, retry } from '../../contracts/store/steps.ts'
import { addOccasion, DAY, makePeople, newId, seededDice, shuffled, T0 } from '../../support/fixtures.ts'

function openStore() {
  const executor = inThreadExecutor(':memory:')
  const reader = drizzle(async (sql, params) => ({
    rows: await executor.read({ sql, params: params as Value[] }),
  }))
  const store = createStore(executor, { reader, writer: reader }, async () => {})
  return { store, shared: { reader, writer: reader, tables, dialect }, source: eventSource(reader) }
}

/** Forty people, five days apart at most; events that failed, were delivered, retried, moved and replayed. */
async function createMixture(store: Store): Promise<void> {
  const people = makePeople(40, (i) => ({
    firstName: ['Ada', 'Zoe', 'Bob'][i % 3]!,
    targetAt: T0 + (i % 5) * DAY,
    timezone: i % 4 === 0 ? 'Asia/Tokyo' : 'Europe/Rome',
  }))
  const mixture = people.map((person, i) => {
    if (i % 6 === 0) person.occasions[0]!.pausedAt = T0
    if (i % 8 === 0) return addOccasion(person, { type: 'JUBILEE' }, T0 + 3 * DAY)
    return i % 11 === 0 ? { ...person, events: [] } : person
  })
  await create(store, ...shuffled(mixture, seededDice(16)))
  const pending = (await store.listEvents({ limit: 200, cursor: null })).items
  const moved = pending.filter(({ targetAt }, i) => targetAt > T0 && i % 5 === 0)
  await store.replan(
    moved.map((event) => ({ eventId: event.id, version: 1, to: { ...event, targetAt: T0 + 2 * DAY } })),
    T0 - DAY,
  )
  const claims = await claimAt(store, T0 + DAY)
  await store.settle(
    claims.map((claim, i) => {
      if (i % 3 === 0) return failed(claim, 'HTTP 410')
      return i % 3 === 1 ? delivered(claim) : retry(claim, T0 + 9 * DAY)
    }),
  )
  const [first] = claims
  await store.replay([{ of: first!.id, id: newId(T0 + 6 * DAY), ownKey: false, at: T0 + 6 * DAY }])
}

const optional = { requiredKeys: [] as never[] }

it('a list of people read in parts is the whole list, in both orders and under every filter', async () => {
  const { store, shared } = openStore()
  await createMixture(store)
  const filter: fc.Arbitrary<UserFilter> = fc.record(
    {
      search: fc.constantFrom('a', 'ada', 'love'),
      timezone: fc.constantFrom('Asia/Tokyo'),
      type: fc.constantFrom('BIRTHDAY', 'JUBILEE'),
      paused: fc.boolean(),
      failed: fc.constant(true as const),
      dueBefore: fc.constantFrom(T0 + 2 * DAY, T0 + 400 * DAY),
    },
    optional,
  )
  const order = fc.constantFrom({}, { order: 'newest' as const })
  const steps = fc.array(fc.integer({ min: 1, max: 20 }), { minLength: 1, maxLength: 3 })
  await fc.assert(
    fc.asyncProperty(order, filter, steps, async (order, filter, steps) => {
      const query = { ...order, ...filter }
      const whole = await store.listUsers({ limit: 200, cursor: null, ...query, ids: await everyId(store) })
      const pages = await allPages((cursor) =>
        listRows(shared, { limit: 3, cursor, ...query }, { few: -1, steps }),
      )
      expect(idsOf(pages)).toEqual(idsOf(whole.items))
    }),
    { numRuns: 60, seed: 16 },
  )
})

/** With all ids as a filter, users are looked up and not read in parts. */
async function everyId(store: Store): Promise<string[]> {
  return idsOf((await store.listUsers({ limit: 200, cursor: null })).items)
}

it('a list of events read in parts is the whole list, in both orders and under every filter', async () => {
  const { store, shared, source } = openStore()
  await createMixture(store)
  const all = await allPages((cursor) => store.listEvents({ limit: 200, cursor }))
  const filter: fc.Arbitrary<Partial<EventQuery>> = fc.record(
    {
      order: fc.constant('newest' as const),
      status: fc.constantFrom('PENDING', 'PROCESSING', 'COMPLETED', 'FAILED'),
      type: fc.constantFrom('BIRTHDAY', 'JUBILEE'),
      dueFrom: fc.constantFrom(T0, T0 + 2 * DAY),
      dueBefore: fc.constantFrom(T0 + 2 * DAY, T0 + 3 * DAY),
      people: fc.constant({ timezone: 'Asia/Tokyo' }),
    },
    optional,
  )
  const scanned = fc.integer({ min: 1, max: 30 })
  const occasions = fc.constantFrom(-1, 100)
  await fc.assert(
    fc.asyncProperty(filter, scanned, occasions, async (filter, scanned, occasions) => {
      const whole = await store.listEvents({ limit: 200, cursor: null, ...filter, ids: idsOf(all) })
      const pages = await allPages((cursor) =>
        listEvents(shared, source, { limit: 3, cursor, ...filter }, { scanned, occasions }),
      )
      expect(idsOf(pages)).toEqual(idsOf(whole.items))
    }),
    { numRuns: 100, seed: 16 },
  )
})
