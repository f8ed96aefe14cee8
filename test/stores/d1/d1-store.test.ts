// The D1 store: the transport of the contract on the D1 of workerd, and what its limits and its migrations add to it.
import { execFile } from 'node:child_process'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterEach, describe, expect, it } from 'vitest'
import type { D1Database, D1Statement } from '../../../src/stores/d1/binding.ts'
import { openD1Store } from '../../../src/stores/d1/d1-store.ts'
import { d1Executor } from '../../../src/stores/d1/executor.ts'
import { openSqliteStore } from '../../../src/stores/sqlite/sqlite-store.ts'
import { describeStoreContract } from '../../contracts/store.contract.ts'
import { HOUR, MINUTE, makePeople, SECOND, T0 } from '../../support/fixtures.ts'
import { startD1 } from '../../support/workerd/d1.ts'
import { DEPLOYMENT, WRANGLER_FILE } from '../../support/workerd/deployment.ts'
import { useD1 } from './support/d1-store.ts'

const { d1, open } = useD1()

describeStoreContract('D1', open, { subset: 'transport' })

describe('a D1 database', () => {
  afterEach(() => d1().empty())

  it('accepts more rows at once than one parameter can hold', async () => {
    const store = openD1Store(d1().db)
    // In UTF-8 a parameter of 2 MB is rejected; these names alone are 2.4 MB.
    const people = makePeople(4_000, () => ({ firstName: '名'.repeat(100), lastName: '前'.repeat(100) }))
    expect(await store.createUsers(people)).toEqual({ kind: 'created', created: 4_000 })
    const [{ user }] = people as [(typeof people)[0]]
    expect(await store.findUser(user.id)).toEqual(user)
  })

  it('writes all of a batch or nothing, however many parts it is sent in', async () => {
    const executor = d1Executor(d1().db)
    const rows = Array.from({ length: 40 }, (_, i) => [`key ${i % 39}`, 'x'.repeat(20_000)])
    const columns = ['name', 'rules']
    const sql = `INSERT INTO timezones (name, rules, version) SELECT name, rules, '' FROM {rows}`
    await expect(executor.batch([{ sql, columns, rows }])).rejects.toMatchObject({
      code: 'SQLITE_CONSTRAINT',
    })
    expect(await executor.read({ sql: 'SELECT count(*) FROM timezones', params: [] })).toEqual([[0]])
    const [result] = await executor.batch([{ sql, columns, rows: rows.slice(0, 39) }])
    expect(result).toEqual({ rows: [], changes: 39 })
  })

  it('reads at most 20 rows for each event of a run that hands over 40 batches before any is settled', async () => {
    const { db, rowsRead } = countingRows(d1().db)
    const store = openD1Store(db)
    await openD1Store(d1().db).createUsers(makePeople(4_000))
    const claim = { now: T0 + SECOND, limit: 100, leaseMs: MINUTE, claimedBy: 'run', render: () => 'body' }
    const claimed = new Set<string>()
    for (let batch = 1; batch <= 40; batch++) {
      const claims = await store.claimDue({ ...claim, batch })
      const refs = claims.map(({ id: eventId, version }) => ({ eventId, version }))
      await store.extendLeases(refs, { now: claim.now, leaseMs: HOUR })
      for (const { eventId } of refs) claimed.add(eventId)
    }
    expect(claimed.size).toBe(4_000)
    expect(await store.claimDue({ ...claim, batch: 41 })).toEqual([])
    await store.nextWakeAt()
    expect(rowsRead() / 4_000).toBeGreaterThan(5)
    expect(rowsRead() / 4_000).toBeLessThanOrEqual(20)
  })

  it('counts the people of each timezone without reading them', async () => {
    const zones = ['Asia/Jakarta', 'Etc/UTC', 'Europe/Rome']
    await openD1Store(d1().db).createUsers(makePeople(300, (i) => ({ timezone: zones[i % 3]! })))
    const { db, rowsRead } = countingRows(d1().db)
    const counts = await openD1Store(db).countByTimezone()
    expect(counts).toEqual(zones.map((timezone) => ({ timezone, people: 100 })))
    expect(rowsRead()).toBeLessThanOrEqual(zones.length)
  })

  it('keeps columns of one name apart, in a batch as in a read', async () => {
    const executor = d1Executor(d1().db)
    const statement = { sql: 'SELECT a.x, b.x FROM (SELECT 1 AS x) AS a, (SELECT 2 AS x) AS b', params: [] }
    const [, inBatch] = await executor.batch([
      { sql: 'DELETE FROM timezones', params: [] },
      { ...statement, returns: true },
    ])
    expect(inBatch!.rows).toEqual([[1, 2]])
    expect(await executor.read(statement)).toEqual([[1, 2]])
  })

  it('without its tables is not ready', async () => {
    const bare = await startD1([], { migrated: false })
    try {
      await expect(openD1Store(bare.db).check()).rejects.toThrow(/no such table/)
    } finally {
      await bare.stop()
    }
    await openD1Store(d1().db).check()
  })

  it('gets from wrangler the tables that a SQLite file has', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'terce-'))
    try {
      await applyWithWrangler(folder)
      const made = await schemaIn(folder)
      await openSqliteStore(join(folder, 'own.db')).close()
      expect(made).toEqual(schemaOf(join(folder, 'own.db')))
    } finally {
      await rm(folder, { recursive: true })
    }
  })
})

/** Counts the rows that D1 reports as read, in batches and in reads. */
function countingRows(db: D1Database): { db: D1Database; rowsRead(): number } {
  type Counted = { results: Record<string, unknown>[]; meta: { rows_read: number } }
  let rowsRead = 0
  const prepare = (statement: D1Statement): D1Statement => ({
    ...statement,
    bind: (...values) => prepare(statement.bind(...values)),
    async raw() {
      const { results, meta } = await (statement as unknown as { all(): Promise<Counted> }).all()
      rowsRead += meta.rows_read
      return results.map((row) => Object.values(row))
    },
  })
  const counting: D1Database = {
    prepare: (sql) => prepare(db.prepare(sql)),
    batch: async (statements) => {
      const results = await db.batch(statements)
      for (const { meta } of results) rowsRead += (meta as unknown as Counted['meta']).rows_read
      return results
    },
  }
  return { db: counting, rowsRead: () => rowsRead }
}

async function applyWithWrangler(folder: string): Promise<void> {
  const wrangler = fileURLToPath(import.meta.resolve('wrangler')).replace(
    /wrangler-dist.*/,
    'bin/wrangler.js',
  )
  const { database_name: name } = DEPLOYMENT.d1_databases[0]!
  const how = ['d1', 'migrations', 'apply', name, '--local', '--persist-to', folder]
  const env = { ...process.env, WRANGLER_SEND_METRICS: 'false', CI: 'true' }
  await promisify(execFile)(process.execPath, [wrangler, ...how], { cwd: new URL('.', WRANGLER_FILE), env })
}

/** Wrangler keeps its local D1 in a SQLite file, somewhere below the folder. */
async function schemaIn(folder: string): Promise<unknown[]> {
  const files = await readdir(folder, { recursive: true })
  const file = files.find((name) => name.endsWith('.sqlite') && !name.includes('metadata'))
  return schemaOf(join(folder, file!))
}

/** All but what either keeps for itself. */
function schemaOf(file: string): unknown[] {
  const db = new DatabaseSync(file, { readOnly: true })
  const rows = db.prepare('SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY name').all()
  db.close()
  return rows.filter(({ name }) => !/^(_cf_|d1_|sqlite_)|^(schema_)?migrations$/.test(String(name)))
}
