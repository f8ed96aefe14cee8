// The statements behind lists and counts use indexes: none reads the whole table of events.
import { drizzle } from 'drizzle-orm/sqlite-proxy'
import { describe, expect, it } from 'vitest'
import type { Store } from '../../../src/ports/store.ts'
import { inThreadExecutor } from '../../../src/stores/sqlite/executor.ts'
import type { Plain, Value } from '../../../src/stores/sqlite-dialect/executor.ts'
import { createStore } from '../../../src/stores/sqlite-dialect/store.ts'
import { DAY, T0 } from '../../support/fixtures.ts'

const EVENTS = /(SCAN|SEARCH) (events|e|replay|attempts)\b/

/** How the tables, those of events by default, are read by the statements of a call. */
async function accessesOf(call: (store: Store) => Promise<unknown>, tables = EVENTS): Promise<string[]> {
  const executor = inThreadExecutor(':memory:')
  const statements: Plain[] = []
  const read = (statement: Plain) => {
    statements.push(statement)
    return executor.read(statement)
  }
  const reader = drizzle(async (sql, params) => ({ rows: await read({ sql, params: params as Value[] }) }))
  await call(createStore({ ...executor, read }, { reader, writer: reader }, async () => {}))
  const plans = await Promise.all(
    statements.map(({ sql, params }) => executor.read({ sql: `EXPLAIN QUERY PLAN ${sql}`, params })),
  )
  const steps = plans.flat().map(([, , , detail]) => String(detail))
  return steps.filter((step) => tables.test(step))
}

const NO_EVENT = '00000000-0000-0000-0000-000000000000'
const PAGE = { limit: 50, cursor: null }

describe('on SQLite, an index is used', () => {
  it('to list the events that are due within a span', async () => {
    const accesses = await accessesOf((store) =>
      store.listEvents({ ...PAGE, dueFrom: T0, dueBefore: T0 + DAY }),
    )
    expect(accesses).toHaveLength(2)
    expect(accesses[0]).toMatch(/^SEARCH events USING PRIMARY KEY \(id>\? AND id<\?\)/)
    expect(accesses[1]).toMatch(
      /^SEARCH events USING INDEX events_displaced \(target_at>\? AND target_at<\?\)/,
    )
  })

  it('to list the events of a local date, which is a span of due times', async () => {
    const day = { status: 'PENDING', dueFrom: T0, localDate: '2027-12-15' } as const
    const accesses = await accessesOf((store) => store.listEvents({ ...PAGE, ...day }))
    const [inPlace, displaced] = accesses.slice(-2)
    expect(accesses.join('\n')).not.toMatch('SCAN')
    expect(inPlace).toMatch(/^SEARCH events USING PRIMARY KEY \(id>\? AND id<\?\)/)
    expect(displaced).toMatch(/^SEARCH events USING INDEX events_displaced \(target_at>\? AND target_at<\?\)/)
  })

  it('to list the events that are due from an instant on', async () => {
    const accesses = await accessesOf((store) => store.listEvents({ ...PAGE, dueFrom: T0 }))
    expect(accesses[0]).toMatch(/^SEARCH events USING PRIMARY KEY \(id>\?\)/)
    expect(accesses[1]).toMatch(/^SEARCH events USING INDEX events_displaced \(target_at>\?\)/)
  })

  it('to list people in either direction, and under a filter that is tried in the order of the list', async () => {
    for (const more of [{}, { order: 'newest' }, { paused: false }, { search: 'ada' }] as const) {
      const list = (store: Store) => store.listUsers({ ...PAGE, cursor: NO_EVENT, ...more })
      const accesses = await accessesOf(list, /(SCAN|SEARCH) users\b/)
      expect(accesses).not.toEqual([])
      for (const step of accesses)
        expect(step).toMatch(/^SEARCH users USING (COVERING )?(PRIMARY KEY|INDEX \w+) \(id[<>=]\?/)
    }
  })

  it('to list the outdated plans of timezones, in the order of that index', async () => {
    const of = { timezones: ['Europe/Rome'], release: '2026g', before: T0, limit: 50 }
    for (const cursor of [null, `${T0} ${NO_EVENT}`]) {
      const plan = (await accessesOf((store) => store.listOutdatedPlans({ ...of, cursor }))).join('\n')
      expect(plan).toMatch(
        /SEARCH events USING INDEX events_by_lane \(lane=\? AND \(wake_at,id\)>\(\?,\?\) AND wake_at<\?\)/,
      )
    }
  })

  it('to answer the questions of the ledger', async () => {
    const stuck = (await accessesOf((store) => store.listStuck({ now: T0, limit: 50 }))).join('\n')
    expect(stuck).toMatch(/SEARCH events USING INDEX events_by_lane \(lane=\? AND wake_at<\?\)/)
    const day = (await accessesOf((store) => store.countDay({ day: '2020-06-01', now: T0 }))).join('\n')
    expect(day).toMatch(/SEARCH events USING PRIMARY KEY \(id>\? AND id<\?\)/)
    expect(day).toMatch(/SEARCH events USING INDEX events_displaced/)
    const of = { occasionIds: [NO_EVENT], now: T0 }
    const odd = (await accessesOf((store) => store.listOddEvents(of))).join('\n')
    expect(odd).toMatch(/SEARCH e USING INDEX events_one_per_occurrence \(occasion_id=\?\)/)
  })

  it('to count what was sent within a day, and to list the latest events, the moved ones by their due time', async () => {
    const settled = /^SEARCH events USING INDEX events_by_settlement \(executed_at>\?\)/
    const moved = /^SEARCH events USING INDEX events_displaced \(target_at[<>]/
    const day = (await accessesOf((store) => store.overview(T0))).join('\n')
    expect(day).not.toMatch('SCAN events')
    for (const index of [settled, moved]) expect(day).toMatch(new RegExp(index.source, 'm'))
    const [channel] = await accessesOf((store) => store.countDeliveries(NO_EVENT, T0))
    expect(channel).toMatch(settled)
    expect((await accessesOf((store) => store.pulse(T0))).at(-1)).toMatch(moved)
  })

  it('to list the newest events first, within a span, by state and by id', async () => {
    const newest = { ...PAGE, order: 'newest' } as const
    const span = { dueFrom: T0, dueBefore: T0 + DAY }
    for (const more of [{}, { status: 'COMPLETED' }, { type: 'BIRTHDAY' }, { channelIds: [null] }] as const) {
      const accesses = await accessesOf((store) => store.listEvents({ ...newest, ...span, ...more }))
      // Before them, a filter looks up where its part of the list ends.
      const [inPlace, displaced] = accesses.slice(-2)
      expect(accesses[0]).toMatch(/^SEARCH events USING PRIMARY KEY/)
      expect(inPlace).toMatch(/^SEARCH events USING PRIMARY KEY \(id>\? AND id<\?\)/)
      expect(displaced).toMatch(
        /^SEARCH events USING INDEX events_displaced \(target_at>\? AND target_at<\?\)/,
      )
    }
    const failed = await accessesOf((store) => store.listEvents({ ...newest, ...span, status: 'FAILED' }))
    expect(failed[0]).toMatch(/^SEARCH events USING (COVERING )?INDEX events_failed \(id>\? AND id<\?\)/)
    const byId = await accessesOf((store) => store.listEvents({ ...PAGE, ids: ['a'], status: 'FAILED' }))
    expect(byId[0]).toMatch(/^SEARCH events USING (PRIMARY KEY|INDEX events_failed) \(id=\?\)/)
  })

  it('to find events with an attempt of unknown outcome', async () => {
    const accesses = await accessesOf((store) => store.listEvents({ ...PAGE, dueFrom: T0, unknownFrom: T0 }))
    expect(accesses[0]).toMatch(/^SEARCH events USING PRIMARY KEY \(id>\?\)/)
    expect(accesses.filter((step) => step.includes('attempts'))).not.toEqual([])
    for (const step of accesses.filter((step) => step.includes('attempts')))
      expect(step).toMatch(/^SEARCH attempts (EXISTS )?USING PRIMARY KEY \(event_id=\?\)/)
  })

  it('to count failures and to find out what became of each', async () => {
    const counting = await accessesOf((store) => store.countFailures({ from: T0, now: T0 + DAY }))
    expect(counting[0]).toMatch(/^SEARCH e USING INDEX events_failed \(id>\?\)/)
    const listing = await accessesOf((store) =>
      store.listEvents({ ...PAGE, status: 'FAILED', unresolved: true }),
    )
    expect(listing[0]).toMatch(/events USING (COVERING )?INDEX events_failed/)
    expect(listing[1]).toMatch(/events USING INDEX events_failed/)
    for (const step of [...counting, ...listing].slice(1).filter((step) => step.includes('replay')))
      expect(step).toMatch(/^SEARCH replay USING INDEX events_(replays|one_per_occurrence) \(occasion_id=\?/)
  })
})
