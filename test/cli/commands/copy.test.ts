// `terce copy`: from SQLite to PostgreSQL and back, with every row; what it rejects; and what a frozen database rejects.
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { getTableName, is } from 'drizzle-orm'
import { getTableConfig, PgTable } from 'drizzle-orm/pg-core'
import { afterEach, describe, expect, it } from 'vitest'
import { copy } from '../../../src/app/copy.ts'
import { addCopy } from '../../../src/cli/commands/copy.ts'
import type { CopyTarget } from '../../../src/ports/copy.ts'
import { readConfig } from '../../../src/runtimes/config/config.ts'
import { createVault } from '../../../src/runtimes/config/vault.ts'
import { openSource, prepareCopy } from '../../../src/runtimes/node/copy.ts'
import { openDatabase } from '../../../src/runtimes/node/database.ts'
import { nodeClock } from '../../../src/runtimes/node/node-clock.ts'
import { openPostgresStore } from '../../../src/stores/postgres/postgres-store.ts'
import { copiedTables } from '../../../src/stores/shared/copy.ts'
import { openSqliteStore } from '../../../src/stores/sqlite/sqlite-store.ts'
import * as postgresSchema from '../../../src/stores/tables/postgres.ts'
import { claimAt, create, delivered } from '../../contracts/store/steps.ts'
import { query } from '../../stores/postgres/support/audit.ts'
import { DAY, makePeople, makePerson } from '../../support/fixtures.ts'
import { sharedPostgres } from '../../support/shared-postgres.ts'
import { dump, fillDatabase, TABLES } from '../support/filled-database.ts'
import { useDatabase } from '../support/in-process.ts'

const database = useDatabase(addCopy)
const fileUrl = () => `sqlite:${database.path}`
const terce = (args: string[], env: Record<string, string> = {}) =>
  database.terce(['copy', ...args], { DATABASE_URL: fileUrl(), ...env })

const created: string[] = []
const newDatabase = async () => {
  const url = await (await sharedPostgres()).createDatabase()
  created.push(url)
  return url
}
afterEach(async () => {
  for (const url of created.splice(0)) await (await sharedPostgres()).dropDatabase(url)
})

describe('the tables of a copy', () => {
  it('are all tables of both databases with all their columns, but for triggers, workers and enqueued changes', () => {
    const copied = copiedTables().map(({ name, columns }) => [name, columns.map((one) => one.name).sort()])
    const postgres = Object.values(postgresSchema)
      .filter((one) => is(one, PgTable))
      .map((table) => [
        getTableName(table),
        getTableConfig(table)
          .columns.map(({ name }) => name)
          .sort(),
      ])
    const columns = Object.fromEntries(copied)
    const lost = postgres.filter(([name]) => !['workers', 'enqueued_changes'].includes(name as string))
    expect(columns).toEqual(Object.fromEntries(lost))
    const inSqlite = new Set(copiedTables().map((one) => one.inSqlite.table))
    const forgotten = TABLES.map(({ table }) => table).filter((table) => !inSqlite.has(table))
    expect(forgotten.sort()).toEqual(['user_words', 'workers', 'zone_counts'])
  })
})

describe('terce copy --to', () => {
  it('copies every row to PostgreSQL, and back into a SQLite file that is equal in every table', async () => {
    await fillDatabase(database.path)
    const before = dump(database.path)
    const url = await newDatabase()
    const there = await terce(['--to', url])
    expect(there.stderr).toContain('Counts and sums are equal.')
    expect(there.code).toBe(0)
    const back = join(database.folder, 'back.db')
    const { code } = await terce(['--to', `sqlite:${back}`], { DATABASE_URL: url })
    expect(code).toBe(0)
    expect(dump(back)).toEqual(before)
  })

  it('copies to an installation that works: the history has months, plans are known and numbers go on', async () => {
    const store = openSqliteStore(database.path)
    const targetAt = Date.now() - 70 * DAY
    await create(store, ...makePeople(3, () => ({ targetAt })))
    const claims = await claimAt(store, targetAt)
    await store.settle(claims.map((claim) => delivered(claim)))
    await store.close()
    const url = await newDatabase()
    expect(await terce(['--to', url])).toMatchObject({ code: 0 })
    const months = await query<{ name: string }>(
      url,
      `SELECT DISTINCT tableoid::regclass::text AS name FROM terce.settled_events`,
    )
    expect(months.map(({ name }) => name)).toEqual([
      `terce.settled_events_${new Date(targetAt).toISOString().slice(0, 7).replace('-', '_')}`,
    ])
    const copied = await openPostgresStore(url)
    await create(copied, makePerson({ targetAt }))
    expect(await copied.countOverdue(Date.now())).toMatchObject({ count: 1 })
    await copied.close()
  })
})

/** Both sides of a copy that the test runs itself. */
async function prepared(url: string) {
  const config = readConfig({ DATABASE_URL: fileUrl() })
  const target = readConfig({ DATABASE_URL: url }).database
  const sides = await prepareCopy(config, target, () => '1a2b')
  return { ...sides, target: await sides.openTarget(), clock: nodeClock, onStep: () => {}, onPage: () => {} }
}

const close = ({ source, target }: Awaited<ReturnType<typeof prepared>>) =>
  Promise.all([source.close(), target.close()])

describe('a copy that is interrupted', () => {
  it('goes on with the rows that the target lacks, and leaves the target frozen until then', async () => {
    await fillDatabase(database.path)
    const url = await newDatabase()
    const work = await prepared(url)
    const write: CopyTarget['write'] = async (table, rows) => {
      if (table.name === 'tasks') throw new Error('Connection terminated')
      await work.target.write(table, rows)
    }
    await expect(copy({ ...work, target: { ...work.target, write } })).rejects.toThrow(
      'Connection terminated',
    )
    await close(work)
    await expect(openPostgresStore(url)).rejects.toThrow('is not complete. Run the same terce copy again')
    expect(await terce(['--to', url])).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('Going on with the copy'),
    })
    await (await openPostgresStore(url)).close()
  })

  it('fails if a row of the target differs, and leaves the target frozen', async () => {
    await fillDatabase(database.path)
    const url = await newDatabase()
    const work = await prepared(url)
    const write: CopyTarget['write'] = (table, rows) =>
      work.target.write(table, table.name === 'users' ? rows.map((row) => row.with(1, 'Eve')) : rows)
    await expect(copy({ ...work, target: { ...work.target, write } })).rejects.toThrow(
      /^users: the sum of first_name is \d+ in the source and \d+ in the target/,
    )
    await close(work)
    await expect(openPostgresStore(url)).rejects.toThrow('is not complete')
  })

  it('is void if its source was released meanwhile', async () => {
    await fillDatabase(database.path)
    const work = await prepared(await newDatabase())
    const write: CopyTarget['write'] = async (table, rows) => {
      await work.target.write(table, rows)
      if (table.name === 'users') await work.source.unfreeze()
    }
    await expect(copy({ ...work, target: { ...work.target, write } })).rejects.toThrow(
      'was released during the copy',
    )
    await close(work)
  })
})

describe('the source of a copy', () => {
  it('lets messages in flight be settled, and starts no others', async () => {
    const store = openSqliteStore(database.path)
    const now = Date.now()
    await create(store, ...makePeople(2, (i) => ({ targetAt: now + i })))
    const [claim] = await claimAt(store, now)
    const work = await prepared(await newDatabase())
    const steps: string[] = []
    let inFlight: Promise<unknown> | null = null
    const onStep = (step: string) => {
      steps.push(step)
      inFlight ??= expect(claimAt(store, now + 1))
        .rejects.toThrow('is frozen')
        .then(() => store.settle([delivered(claim!)]))
    }
    const copied = await copy({ ...work, onStep })
    await inFlight
    expect(steps[0]).toBe('Waiting for 1 message in flight.')
    expect(copied).toContainEqual({ table: 'settled_events', rows: 1 })
    await close(work)
    await store.close()
  })

  it('rejects every write afterwards, on both databases, until terce copy --undo', async () => {
    await fillDatabase(database.path)
    const store = openSqliteStore(database.path)
    const [url, second] = [await newDatabase(), await newDatabase()]
    await terce(['--to', url])
    const copied = await openPostgresStore(url)
    await terce(['--to', second.replace('postgres:', 'postgresql:')], { DATABASE_URL: url })
    for (const [old, address] of [
      [store, fileUrl()],
      [copied, url],
    ] as const) {
      const write = () => old.createUsers([makePerson()])
      await expect(write()).rejects.toMatchObject({
        code: 'FROZEN',
        message: expect.stringContaining('terce copy --undo'),
      })
      await expect(old.check()).rejects.toThrow('This database is frozen')
      expect(await terce(['--undo'], { DATABASE_URL: address })).toMatchObject({ code: 0 })
      expect(await write()).toEqual({ kind: 'created', created: 1 })
    }
    await copied.close()
  })

  it('lets no process start on it', async () => {
    await fillDatabase(database.path)
    await terce(['--to', await newDatabase()])
    const opened = openDatabase(readConfig({ DATABASE_URL: fileUrl() }).database, () => {}, { attempts: 5 })
    await expect(opened).rejects.toThrow(
      /as a database: This database is frozen: copy \w+ moved it to postgres:/,
    )
  })

  it('may be an export of D1, which has no record of migrations', async () => {
    await fillDatabase(database.path)
    const db = new DatabaseSync(database.path)
    db.exec('DROP TABLE schema_migrations; CREATE TABLE d1_migrations (id INTEGER PRIMARY KEY, name TEXT)')
    db.close()
    expect(await terce(['--to', await newDatabase()])).toMatchObject({ code: 0 })
  })
})

describe('terce copy rejects, with exit code 2 and nothing written,', () => {
  const rejected = async (to: string, says: string | RegExp, env: Record<string, string> = {}) => {
    const result = await terce(['--to', to], env)
    expect(result.stderr).toMatch(says)
    expect(result.stderr.trim().split('\n')).toHaveLength(1)
    expect(result.code).toBe(2)
    const source = await openSource(readConfig({ DATABASE_URL: fileUrl() }).database)
    expect(await source.frozenText()).toBeNull()
    await source.close()
  }

  it('the same database, a missing one, and one that cannot be reached', async () => {
    await fillDatabase(database.path)
    await rejected(fileUrl(), /are the same database/)
    await rejected('postgres://127.0.0.1:9/none', /Cannot use postgres:\/\/127.0.0.1:9\/none: .*Check --to/)
    await rejected(await newDatabase(), /No database at/, { DATABASE_URL: 'sqlite:none.db' })
    await rejected('mysql://127.0.0.1/none', /is not usable/)
  })

  it('a target with rows, of another schema, or with rows of another copy', async () => {
    await fillDatabase(database.path)
    const url = await newDatabase()
    const store = await openPostgresStore(url)
    await create(store, makePerson())
    await store.close()
    await rejected(url, /is not empty: it has users/)
    await query(url, `UPDATE terce.schema_migrations SET name = '9999_next.sql', oldest_release = '9.0.0'`)
    await rejected(url, /has a newer schema \(9999_next.sql\)/)
  })

  it('secrets that the new processes could not decrypt', async () => {
    await fillDatabase(database.path)
    const key = Buffer.alloc(32, 1)
    const place = '0190a2b0-0000-7000-8000-0000000000c1'
    const sealed = createVault([key]).seal('whsec_1', place)
    const db = new DatabaseSync(database.path)
    db.prepare('UPDATE channels SET id = ?, secrets = ? WHERE rowid = 1').run(
      place,
      JSON.stringify([{ sealed, createdAt: 0, expiresAt: null }]),
    )
    db.close()
    const url = await newDatabase()
    await rejected(url, /TERCE_SECRET_KEY is not set/)
    const env = (bytes: Buffer) => ({ TERCE_SECRET_KEY: bytes.toString('base64') })
    await rejected(url, /sealed under another TERCE_SECRET_KEY/, env(Buffer.alloc(32, 2)))
    expect(await terce(['--to', url], env(key))).toMatchObject({ code: 0 })
  })

  it('a copy to a second database after the first one', async () => {
    await fillDatabase(database.path)
    await terce(['--to', await newDatabase()])
    const second = await terce(['--to', await newDatabase()])
    expect(second).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('This database is frozen: copy'),
    })
  })
})

describe('terce copy --dry-run', () => {
  it('prints the rows of each table, the size and an estimate, and writes nothing', async () => {
    await fillDatabase(database.path)
    const url = await newDatabase()
    const { code, stdout, stderr } = await terce(['--to', url, '--dry-run'])
    expect(code).toBe(0)
    expect(stdout).toContain('           6  users\n')
    expect(stderr).toMatch(/rows, \d+ MB would be copied, in about/)
    expect(await query(url, `SELECT 1 FROM pg_namespace WHERE nspname = 'terce'`)).toEqual([])
    await openSqliteStore(database.path).close()
  })
})
