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
import { saveAccountPage } from '../../../src/stores/postgres/ledger/account-pages.ts'
import { accountRows } from '../../../src/stores/postgres/ledger/accounts.ts'
import * as tables from '../../../src/stores/postgres/schema/schema.ts'
import type { DrizzleDatabase, Tables } from '../../../src/stores/shared/database.ts'
import { listEvents } from '../../../src/stores/shared/events/list.ts'
import { ledgerOperations } from '../../../src/stores/shared/ledger/days.ts'
import { linesOf } from '../../app/ledger/support/ledger-days.ts'
import { DAY, makePeople, makePerson, newId, T0 } from '../../support/fixtures.ts'
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

const plansOfAccounts = (eventsFrom: number) =>
  plansOf(async (connection) => {
    const rows = accountRows(connection)
    await rows.page({ cursor: null, limit: 500, eventsFrom })
    await rows.some({ occasionIds: [newId(T0)], eventsFrom })
    await rows.events({ eventIds: [newId(T0)], occasionIds: [newId(T0)], eventsFrom })
  })

describe('on PostgreSQL, the accounts of a page', () => {
  it('read no whole table: bodies, attempts and seen occasions are looked up by key', async () => {
    const plans = await plansOfAccounts(T0)
    expect(plans).toHaveLength(5)
    for (const plan of plans) {
      expect(plan).not.toMatch(/hashed|Seq Scan/i)
      expect(plan).not.toMatch(/Scan using (payloads|attempts|ledger_occasions)\S* on .*\n(?! *Index Cond)/)
    }
  })

  it('search settled events by their occasion, in the months of the range alone', async () => {
    const plans = await plansOfAccounts(Date.now() + 70 * DAY)
    for (const plan of plans)
      expect(plan.replace(/users_pkey.*\n.*/, '')).not.toMatch(/Index Cond: \(id [<>]/)
    const [, since] = plans
    expect(since).toMatch(/settled_events_other_pkey/)
    expect(since).toMatch(/Index Cond: \(occasion_id = ANY/)
    const thisMonth = new Date().toISOString().slice(0, 7).replace('-', '_')
    expect(since).not.toMatch(`settled_events_${thisMonth}`)
  })

  it('are saved by the keys of their occasions, however many others there are', async () => {
    const plans = await plansOf(async (connection, { occasions: [occasion] }) => {
      const day = '2020-06-01'
      await connection.query({
        text: 'INSERT INTO terce.ledger_days (day, started_at) VALUES ($1, now())',
        values: [day],
      })
      const lines = linesOf(day, Array(100).fill('delivered'), occasion!.id)
      const page = { day, from: null, to: 'done', people: 1, lines, newlySeen: [occasion!.id] }
      expect(await saveAccountPage(connection, page)).toBe(true)
    })
    expect(plans).toHaveLength(4)
    for (const plan of plans) expect(plan).not.toMatch(/hashed|Seq Scan on occasions/i)
  })
})

it('on PostgreSQL, events that were settled since an instant are looked up in the lines by key', async () => {
  const [plan] = await plansOf((connection) => {
    const rows = accountRows({ ...connection, query: connection.batch })
    return rows.unaccounted([T0, newId(0), '2020-06-01', T0 + DAY, 100])
  })
  expect(plan).toMatch(/Bitmap Index Scan on settled_events_\w*executed_at_idx/)
  expect(plan).toMatch(/Scan using ledger_lines_by_event on ledger_lines/)
})

it('on PostgreSQL, an occasion that vanished is looked up by its key while statistics are old', async () => {
  const store = await stage.open()
  const day = '2020-06-01'
  await store.openLedgerDay({ day, startedAt: T0 })
  const see = async (from: string | null, to: string) => {
    const people = makePeople(400)
    await store.createUsers(people)
    const newlySeen = people.flatMap(({ occasions }) => occasions.map(({ id }) => id))
    expect(await store.saveAccountPage({ day, people: 400, lines: [], newlySeen, from, to })).toBe(true)
  }
  await see(null, 'old')
  const pool = new pg.Pool({ connectionString: stage.database(), max: 1 })
  try {
    await pool.query('ANALYZE')
    await see('old', 'new')
    const statements: { text: string; values: unknown[] }[] = []
    const logger = { logQuery: (text: string, values: unknown[]) => void statements.push({ text, values }) }
    const reader = drizzle(pool, { logger }) as unknown as DrizzleDatabase
    const shared = { reader, writer: reader, tables: tables as unknown as Tables, dialect }
    const { listVanished } = ledgerOperations(shared, shared)
    for (let cursor: string | null = null, page = 0; page < 6; page++) {
      ;({ nextCursor: cursor } = await listVanished({ limit: 300, cursor }))
      if (cursor === null) break
    }
    // The others read the end of a page, or the events of one occasion.
    const searches = statements.filter(({ text }) => /from "terce"."occasions"/i.test(text))
    expect(searches.length).toBeGreaterThan(2)
    for (const { text, values } of searches) {
      const { rows } = await pool.query<{ 'QUERY PLAN': string }>(`EXPLAIN (COSTS OFF) ${text}`, values)
      // A join would compare each row with all occasions of the range.
      expect(rows.map((row) => row['QUERY PLAN']).join('\n')).toMatch(
        /SubPlan 1\n.*Scan using occasions_pkey on occasions\n *Index Cond: \(id = \w+\.occasion_id\)$/,
      )
    }
  } finally {
    await pool.end()
  }
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
