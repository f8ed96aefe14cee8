// Kills processes of an application, and connections of its database, in the middle of transactions; lets the rest recover and
// reads all tables. Stops every process that it started.
import { type ChildProcess, type ForkOptions, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { openSqliteStore } from '../../../src/stores/sqlite/sqlite-store.ts'
import { bundleScript } from '../../support/bundle/script.ts'
import { seededDice } from '../../support/fixtures.ts'
import type { Databases } from '../../support/postgres-databases.ts'
import { startPostgres } from '../../support/postgres-server.ts'
import type { Tables } from './comparison.ts'
import { OWN_TABLES } from './own-tables.ts'
import { type ApplicationPlan, type PlantedMistake, REPORT_EVERY, type Report } from './plan.ts'

export type KillOptions = {
  database: 'postgres' | 'sqlite'
  /** How many transactions must be interrupted. */
  transactions: number
  seed: number
  /** How many processes run at once; each has SQLite files of its own. */
  processes: number
  /** On this server, or on one of its own: with fsync, as in production. SQLite always is durable. */
  server?: Databases
  mistake?: PlantedMistake
  onProgress?: (killed: Killed) => void
  /** Ends the run early. */
  signal?: AbortSignal
}

/**
 * A transaction counts as interrupted if it was open, from the response to BEGIN to the response to COMMIT or the return of the
 * handler, when its process or its connection was killed.
 */
export type Killed = {
  /** Processes that got SIGKILL, and the transactions that were open in them. */
  processes: number
  byProcess: number
  /** Transactions that ended by pg_terminate_backend. */
  byBackend: number
}

export type KillRun = Killed & {
  /** The tables of each database. */
  tables: Tables[]
  /** Errors that no kill explains, and processes that ended by themselves. */
  unexpected: string[]
}

const APPLICATION = new URL('application.ts', import.meta.url)
const FORKED: ForkOptions = {
  stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  env: { NODE_COMPILE_CACHE: join(tmpdir(), 'terce-compile-cache'), ...process.env },
}
const CLIENTS = { postgres: 40, sqlite: 1 }
/** SQLite has one writer: a process with several files has several transactions open. */
const FILES = 4
/**
 * A process is killed after so many transactions have begun. Two of each client have ended by then: each process leaves people
 * and events behind, on a slow machine too.
 */
const LIFE = { postgres: { least: 120, more: 80 }, sqlite: { least: REPORT_EVERY, more: 80 } }
const SETTLED_WITHIN_MS = 120_000

type Home = {
  /** The databases of the processes in each slot. */
  slots: string[][]
  /** Ends some connections that are inside a transaction. */
  terminate: (() => Promise<void>) | null
  read(): Promise<Tables[]>
  close(): Promise<void>
}

export async function runKills(options: KillOptions): Promise<KillRun> {
  const folder = mkdtempSync(join(tmpdir(), 'terce-kills-'))
  const application = await bundleScript(APPLICATION)
  const home = await (options.database === 'postgres' ? postgresHome(options) : sqliteHome(folder, options))
  const killed: Killed = { processes: 0, byProcess: 0, byBackend: 0 }
  const unexpected: string[] = []
  const running = new Set<ChildProcess>()
  const dice = seededDice(options.seed)
  let starts = 0
  const isDone = () =>
    killed.byProcess + killed.byBackend >= options.transactions ||
    unexpected.length > 0 ||
    options.signal?.aborted === true

  async function start(databases: string[], clients: number) {
    starts += 1
    const journal = join(folder, `${starts}.journal`)
    const { mistake = null } = options
    const plan: ApplicationPlan = { databases, seed: options.seed + starts, clients, journal, mistake }
    const child = fork(application.path, [JSON.stringify(plan)], FORKED)
    running.add(child)
    let begun = 0
    child.on('message', (message: Report) => {
      if ('begun' in message) begun = message.begun
      else unexpected.push(message.unexpected)
    })
    const exited = once(child, 'exit')
    const isUp = await Promise.race([once(child, 'message').then(() => true), exited.then(() => false)])
    if (!isUp) unexpected.push('A process ended while it started.')
    return {
      begun: () => (child.exitCode === null ? begun : Number.POSITIVE_INFINITY),
      async kill(): Promise<void> {
        if (child.exitCode !== null) unexpected.push(`A process ended with ${child.exitCode}.`)
        child.kill('SIGKILL')
        await exited
        running.delete(child)
        const { open, broken } = readJournal(journal)
        killed.processes += 1
        killed.byProcess += open
        killed.byBackend += broken
        rmSync(journal)
      },
    }
  }

  async function killInTurn(databases: string[]): Promise<void> {
    const { least, more } = LIFE[options.database]
    while (!isDone()) {
      const application = await start(databases, CLIENTS[options.database])
      const last = least + more * dice()
      let cuts = dice() < 0.4 ? 1 + Math.floor(3 * dice()) : 0
      while (application.begun() < last && !isDone()) {
        await sleep(200 * dice())
        if (cuts-- > 0) await home.terminate?.()
      }
      await sleep(50 * dice())
      await application.kill()
      options.onProgress?.(killed)
    }
  }

  async function recover(databases: string[]): Promise<void> {
    const application = await start(databases, 0)
    const deadline = Date.now() + SETTLED_WITHIN_MS
    while ((await home.read()).some(({ due }) => due > 0) && Date.now() < deadline) await sleep(250)
    await application.kill()
  }

  try {
    await Promise.all(home.slots.map(killInTurn))
    const { processes, byProcess, byBackend } = killed
    if (unexpected.length === 0 && !options.signal?.aborted) await recover([...new Set(home.slots.flat())])
    return { processes, byProcess, byBackend, tables: await home.read(), unexpected }
  } finally {
    for (const child of running) child.kill('SIGKILL')
    await home.close()
    application.remove()
    rmSync(folder, { recursive: true })
  }
}

/** How many transactions of a process were open when it was killed, and how many lost their connection before. */
function readJournal(path: string): { open: number; broken: number } {
  const lines = readFileSync(path, 'utf8').split('\n')
  const count = (mark: string) => lines.filter((line) => line.startsWith(mark)).length
  const broken = count('X')
  return { open: count('B') - count('E') - broken, broken }
}

const READ = {
  accounts: 'SELECT * FROM accounts',
  todos: 'SELECT * FROM todos',
  effects: 'SELECT event_id FROM effects',
  users: 'SELECT id, external_id, last_name, date_of_birth, timezone, version, {created_at} FROM terce.users',
  occasions: 'SELECT id, user_id, type FROM terce.occasions',
  tasks: 'SELECT id, {due_at}, CAST(remind_before_ms AS real) AS remind_before_ms FROM terce.tasks',
  events: 'SELECT id, occasion_id, occurrence, status, target_at FROM terce.all_events',
} as const

async function readAll(query: (sql: string) => Promise<object[]>): Promise<Omit<Tables, 'due'>> {
  const tables: Record<string, object[]> = {}
  for (const [name, sql] of Object.entries(READ)) tables[name] = await query(sql)
  return tables as Omit<Tables, 'due'>
}

async function postgresHome({ server, seed, processes }: KillOptions): Promise<Home> {
  const own = server === undefined ? await startPostgres({ fast: false }) : null
  const url = await (server ?? own!).createMigratedDatabase()
  const observer = new pg.Client(url)
  await observer.connect()
  await observer.query(OWN_TABLES)
  await observer.query('SELECT setseed($1)', [(seed % 1000) / 1000])
  const millis = (_: string, column: string) => `(extract(epoch FROM ${column}) * 1000)::float8 AS ${column}`
  const query = async (sql: string) => (await observer.query(sql.replace(/\{(\w+)\}/, millis))).rows
  return {
    slots: Array.from({ length: processes }, () => [url]),
    terminate: async () => {
      await observer.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database()
        AND xact_start IS NOT NULL AND pid <> pg_backend_pid() AND random() < 0.5`)
    },
    read: async () => {
      const due =
        'SELECT count(*)::int AS due FROM terce.events WHERE claimed_at IS NOT NULL OR wake_at <= now()'
      const [row] = (await query(due)) as [{ due: number }]
      return [{ ...(await readAll(query)), ...row }]
    },
    close: async () => {
      await observer.end()
      await (own === null ? server!.dropDatabase(url) : own.stop())
    },
  }
}

async function sqliteHome(folder: string, { processes }: KillOptions): Promise<Home> {
  const files = Array.from({ length: processes * FILES }, (_, i) => join(folder, `${i}.db`))
  const open: DatabaseSync[] = []
  for (const file of files) {
    await openSqliteStore(file, 'terce_').close()
    const db = new DatabaseSync(file, { timeout: 10_000 })
    db.exec(OWN_TABLES)
    open.push(db)
  }
  return {
    slots: Array.from({ length: processes }, (_, i) => files.slice(i * FILES, (i + 1) * FILES)),
    terminate: null,
    read: () =>
      Promise.all(
        open.map(async (db) => {
          const named = (sql: string) => sql.replace('all_events', 'events').replace('terce.', 'terce_')
          const query = async (sql: string) => db.prepare(named(sql).replace(/[{}]/g, '')).all()
          const due = `SELECT count(*) AS due FROM terce.events WHERE status = 'PROCESSING' OR wake_at <= ${Date.now()}`
          const [row] = (await query(due)) as [{ due: number }]
          return { ...(await readAll(query)), ...row }
        }),
      ),
    close: async () => {
      for (const db of open) db.close()
    },
  }
}
