// The statements behind lists and counts use indexes: none reads a whole table of events.
import { drizzle } from 'drizzle-orm/node-postgres'
import pg from 'pg'
import { describe, expect, it } from 'vitest'
import type { EventQuery } from '../../../src/ports/query.ts'
import type { NewPerson } from '../../../src/ports/store.ts'
import {
  type Connection,
  connectionOn,
  type Query,
  type Run,
} from '../../../src/stores/postgres/connection.ts'
import { dialect } from '../../../src/stores/postgres/dialect.ts'
import { eventSource } from '../../../src/stores/postgres/events/event-source.ts'
import { LEDGER } from '../../../src/stores/postgres/ledger/statements.ts'
import type { DrizzleDatabase, Tables } from '../../../src/stores/shared/database.ts'
import { listEvents } from '../../../src/stores/shared/events/list.ts'
import * as tables from '../../../src/stores/tables/postgres.ts'
import { DAY, makePerson, newId, T0 } from '../../support/fixtures.ts'
import { useStage } from './support/postgres-suite.ts'

const stage = useStage()

/** The indexes on events that the statements of a list use. The tables are empty, so sequential scans are switched off. */
async function indexesOf(query: Omit<EventQuery, 'limit' | 'cursor'>): Promise<string[][]> {
  await stage.open()
  const pool = new pg.Pool({ connectionString: stage.database(), max: 1 })
  try {
    await pool.query('SET enable_seqscan = off')
    const statements: { text: string; values: unknown[] }[] = []
    const logger = { logQuery: (text: string, values: unknown[]) => void statements.push({ text, values }) }
    const db = drizzle(pool, { logger })
    const reader = db as unknown as DrizzleDatabase
    const shared = { reader, writer: reader, tables: tables as unknown as Tables, dialect }
    await listEvents(shared, eventSource(db), { limit: 50, cursor: null, ...query })
    const ofParent = await readParents(pool)
    const plans: string[][] = []
    for (const { text, values } of statements) {
      const { rows } = await pool.query<{ 'QUERY PLAN': string }>(`EXPLAIN ${text}`, values)
      const lines = rows.map((row) => row['QUERY PLAN'])
      expect(lines.filter((line) => /Seq Scan on (events|settled_events)/.test(line))).toEqual([])
      const used = lines.flatMap(
        (line) => /(?:Scan using|Index Scan on) (\w*events_\w+)/.exec(line)?.[1] ?? [],
      )
      plans.push([...new Set(used.map((name) => ofParent.get(name) ?? name))].sort())
    }
    return plans
  } finally {
    await pool.end()
  }
}

/** The index of the partitioned table for each index of a partition, and for the keys of partitions, which it has not. */
async function readParents(pool: pg.Pool): Promise<Map<string, string>> {
  const { rows } = await pool.query<{ child: string; parent: string }>(
    `SELECT c.relname AS child, coalesce(p.relname, 'settled_events_pkey') AS parent
     FROM pg_class c LEFT JOIN pg_inherits ON inhrelid = c.oid LEFT JOIN pg_class p ON p.oid = inhparent
     WHERE c.relkind = 'i' AND (p.oid IS NOT NULL OR c.relname ~ '^settled_events_.*_pkey$')`,
  )
  return new Map(rows.map(({ child, parent }) => [child, parent]))
}

describe('on PostgreSQL, an index is used', () => {
  it('to list the events that are due within a span, or from an instant on', async () => {
    for (const query of [{ dueFrom: T0, dueBefore: T0 + DAY }, { dueFrom: T0 }])
      expect(await indexesOf(query)).toEqual([
        ['events_pkey', 'settled_events_by_id'],
        ['events_displaced', 'settled_events_displaced'],
      ])
  })

  it('to list the newest events first, within a span and by id', async () => {
    const span = { order: 'newest', dueFrom: T0, dueBefore: T0 + DAY } as const
    // Before them, a filter looks up where its part of the list ends.
    for (const query of [span, { ...span, status: 'COMPLETED' }, { ...span, type: 'BIRTHDAY' }] as const)
      expect((await indexesOf(query)).slice(-2)).toEqual([
        ['events_pkey', 'settled_events_by_id'],
        ['events_displaced', 'settled_events_displaced'],
      ])
    expect(await indexesOf({ ids: ['019b2279-4400-7000-8000-2f6b1c9d3e4a'] })).toEqual([
      ['events_pkey', 'settled_events_by_id'],
    ])
  })

  it('to list open events, without a look at settled ones', async () => {
    for (const status of ['PENDING', 'PROCESSING'] as const)
      expect(await indexesOf({ status })).toEqual([['events_pkey'], ['events_pkey']])
  })

  it('to list the events of a type that few occasions have', async () => {
    const [indexes] = (await indexesOf({ type: 'JUBILEE' })).slice(-1)
    expect(indexes).toEqual(['events_one_per_occurrence', 'settled_events_pkey'])
  })

  it('to list unresolved failures', async () => {
    const [part, indexes] = await indexesOf({ status: 'FAILED', unresolved: true })
    expect(part).toEqual(['settled_events_failed'])
    expect(indexes).toContain('settled_events_failed')
    expect(indexes).toContain('settled_events_replays')
  })
})

/** The plans of the statements that `work` runs, under the settings that they run with. The database has one person. */
async function plansOf(
  work: (connection: Connection, person: NewPerson) => Promise<unknown>,
): Promise<string[]> {
  const store = await stage.open()
  const person = makePerson()
  await store.createUsers([person])
  const pool = new pg.Pool({ connectionString: stage.database(), max: 1 })
  try {
    await pool.query('ANALYZE')
    const connection = connectionOn(pool)
    const plans: string[] = []
    const explaining = (run: Run) => async (query: Query) => {
      const lines = await run({ ...query, text: `EXPLAIN (COSTS OFF) ${query.text}` })
      plans.push(lines.map(([line]) => line).join('\n'))
      return run(query)
    }
    const explained: Connection = {
      ...connection,
      byKeys: (statements) => connection.byKeys((run) => statements(explaining(run))),
      batch: (query) => connection.byKeys((run) => explaining(run)(query)),
      prepared: (statements) => connection.prepared((run) => statements(explaining(run), explaining(run))),
    }
    await work(explained, person)
    return plans
  } finally {
    await pool.end()
  }
}

it('on PostgreSQL, the questions of the ledger read no whole table', async () => {
  const [odd, stuck, day] = await plansOf(async ({ batch }, { occasions: [occasion] }) => {
    const ids = [newId(T0), newId(T0 + DAY)]
    await batch({ text: LEDGER.listOddEvents, values: [`{${occasion!.id}}`, T0] })
    await batch({ text: LEDGER.listStuck, values: [T0, 100] })
    await batch({ text: LEDGER.countDay, values: [...ids, T0, T0 + DAY, T0, T0 + DAY, T0] })
  })
  for (const plan of [odd, stuck, day])
    expect(plan).not.toMatch(/Seq Scan on (events|settled_events|occasions)/)
  expect(odd).toMatch(/Index Cond: \(occasion_id = /)
  expect(stuck).toMatch(/Index Cond: \(\(?lane = .* AND \(wake_at <= /)
  expect(day).toMatch(/Index Cond: \(\(id >= /)
})

it('on PostgreSQL, a transaction that restricts the planner is not compiled: on servers up to 17 its plans seem costly', async () => {
  await stage.open()
  const pool = new pg.Pool({ connectionString: stage.database(), max: 1 })
  try {
    const { batch, byKeys, prepared, withClient } = connectionOn(pool)
    const text = "SELECT current_setting('enable_seqscan'), current_setting('jit')"
    const query = { text, values: [] }
    expect({
      batch: await batch(query),
      byKeys: await byKeys((run) => run(query)),
      prepared: await prepared((run) => run(query)),
      withClient: await withClient(async (client) => (await client.query({ text, rowMode: 'array' })).rows),
    }).toEqual({
      batch: [['off', 'off']],
      byKeys: [['off', 'off']],
      prepared: [['off', 'off']],
      withClient: [['off', 'off']],
    })
  } finally {
    await pool.end()
  }
})
