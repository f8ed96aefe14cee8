// The two homes of the built product: PostgreSQL with `terce api` and `terce worker`, and one SQLite file with `terce all`.
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'
import type { Store } from '../../src/ports/store.ts'
import { openPostgresStore } from '../../src/stores/postgres/postgres-store.ts'
import { openSqliteStore } from '../../src/stores/sqlite/sqlite-store.ts'
import { type Database, onStop, type Sink } from '../servers.ts'
import type { HomeName } from '../workloads.ts'
import { cpuUs, cpuWithChildrenUs, startTerce, type TerceProcess } from './process.ts'

export type ProductDeps = {
  /** The path of bin/terce.js. */
  command: string
  postgres: Database
  sink: Sink
}

export type Home = {
  /** The value of DATABASE_URL. */
  databaseUrl: string
  /** The store in the process of the benchmark, for what is not measured. The tables exist. */
  store: Store
  /** Starts the processes. The last one delivers. */
  start(env: Record<string, string>): Promise<Running>
  /** Updates statistics and writes everything to disk, so that a measurement pays for no earlier write. */
  settleDown(): Promise<void>
  /** Runs SQL statements, each in a transaction of its own. */
  execute(...statements: string[]): Promise<void>
  /** The size of the database on disk. */
  diskBytes(): Promise<number>
  /** The CPU time of the database server; 0 if the database is a file. */
  databaseCpuUs(): number
  /** Removes the database. */
  remove(): Promise<void>
}

export type Running = {
  url: string
  /** The process that delivers. */
  worker: TerceProcess
  /** The CPU time of the process that delivers. */
  workerCpuUs(): number
  stop(): Promise<void>
}

let databases = 0

export function openHome(name: HomeName, command: string, postgres: Database): Promise<Home> {
  return name === 'terce-sqlite' ? onSqlite(command) : onPostgres(command, postgres)
}

async function onPostgres(command: string, postgres: Database): Promise<Home> {
  databases += 1
  const database = `product_${databases}`
  await asAdmin(postgres, 'postgres', `CREATE DATABASE ${database}`)
  const databaseUrl = postgres.url(database)
  const store = await openPostgresStore(databaseUrl)
  return {
    databaseUrl,
    store,
    start: async (env) => {
      const api = await startTerce(command, 'api', { DATABASE_URL: databaseUrl, ...env })
      const worker = await startTerce(command, 'worker', { DATABASE_URL: databaseUrl, ...env })
      return running(api.url!, worker, async () => {
        await Promise.all([api.stop(), worker.stop()])
      })
    },
    settleDown: async () => {
      await asAdmin(postgres, database, 'VACUUM ANALYZE', 'CHECKPOINT')
    },
    execute: async (...statements) => {
      await asAdmin(postgres, database, ...statements)
    },
    diskBytes: async () => {
      const [row] = await asAdmin(
        postgres,
        database,
        'SELECT pg_database_size(current_database())::float8 AS size',
      )
      return (row as { size: number }).size
    },
    databaseCpuUs: () => cpuWithChildrenUs(postgres.pid),
    remove: async () => {
      await store.close()
      await asAdmin(postgres, 'postgres', `DROP DATABASE ${database} WITH (FORCE)`)
    },
  }
}

async function onSqlite(command: string): Promise<Home> {
  const folder = mkdtempSync(join(tmpdir(), 'terce-bench-'))
  const remove = () => rmSync(folder, { recursive: true, force: true })
  onStop(remove)
  const file = join(folder, 'terce.db')
  const databaseUrl = `sqlite:${file}`
  const store = openSqliteStore(file)
  const execute = (...statements: string[]) => {
    const database = new DatabaseSync(file, { timeout: 60_000 })
    for (const statement of statements) database.exec(statement)
    database.close()
  }
  return {
    databaseUrl,
    store,
    start: async (env) => {
      const all = await startTerce(command, 'all', { DATABASE_URL: databaseUrl, ...env })
      return running(all.url!, all, () => all.stop())
    },
    settleDown: async () => execute('PRAGMA wal_checkpoint(TRUNCATE)'),
    execute: async (...statements) => execute(...statements),
    diskBytes: async () =>
      ['', '-wal'].reduce(
        (sum, end) => sum + (statSync(file + end, { throwIfNoEntry: false })?.size ?? 0),
        0,
      ),
    databaseCpuUs: () => 0,
    remove: async () => {
      await store.close()
      remove()
    },
  }
}

function running(url: string, worker: TerceProcess, stop: () => Promise<void>): Running {
  return { url, worker, workerCpuUs: () => cpuUs(worker.pid), stop }
}

/** Returns the rows of the last statement. */
async function asAdmin(postgres: Database, database: string, ...statements: string[]): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: postgres.url(database) })
  // A server that stops ends the query with an error too.
  client.on('error', () => {})
  await client.connect()
  try {
    let rows: unknown[] = []
    for (const statement of statements) rows = (await client.query(statement)).rows
    return rows
  } finally {
    await client.end()
  }
}
