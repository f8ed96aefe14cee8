// Opens the configured database, with its clock and its wake-up notifications.
import type { ClientConfig, Pool } from 'pg'
import { FROZEN, StoreUnavailableError } from '../../domain/errors.ts'
import { retry } from '../../engine/retry.ts'
import { backoffMs } from '../../engine/timing.ts'
import type { Clock } from '../../ports/clock.ts'
import type { EnqueueStore } from '../../ports/enqueue.ts'
import type { Store } from '../../ports/store.ts'
import type { Listeners } from '../../stores/postgres/clients/listener.ts'
import type { PostgresStore } from '../../stores/postgres/postgres-store.ts'
import { type Config, ConfigError } from '../config/config.ts'
import { createElapsed } from '../shared/system-clock.ts'
import { nodeClock } from './node-clock.ts'

export type Database = {
  store: Store
  /** Changes enqueued by SQL; null for SQLite, which has none. */
  enqueued: EnqueueStore | null
  /** Decides which events are due. */
  clock: Clock
  /** State of the connection pool; null for SQLite, which has no pool. */
  pool: (() => { total: number; idle: number; waiting: number }) | null
  /** How often to look for due events without a notification. */
  pollMs: number
  /** Notifies other processes of an event planned here. */
  announce(at: number): void
  /** Calls back when a process announces an event, enqueues a change or changes a channel. */
  listen(listeners: Listeners): void
  close(): Promise<void>
}

type Settings = Config['database']

// Each store is imported when it is opened: the drivers and statements of the other one take 3 MB.
const sqlite = () => import('../../stores/sqlite/sqlite-store.ts')
const postgres = () => import('../../stores/postgres/postgres-store.ts')

/** A failed attempt to reach PostgreSQL that is followed by another one. */
export type DatabaseWait = { attempt: number; attempts: number; retryInMs: number }

/** How often a PostgreSQL that is down is tried. */
type Patience = { attempts: number; onWait?: (wait: DatabaseWait) => void }

/**
 * `onDeath` is called if the database thread ends. Throws a StoreUnavailableError, or an error caused by one, if waiting longer
 * may help.
 */
export function openDatabase(
  settings: Settings,
  onDeath: (error: Error) => void,
  patience: Patience,
): Promise<Database> {
  return settings.kind === 'sqlite' ? openSqlite(settings, onDeath) : openPostgres(settings, patience)
}

/** The address without user and password. */
export function addressOf(settings: Settings): string {
  if (settings.kind === 'sqlite') return settings.path
  const { host, pathname } = new URL(settings.url)
  return `postgres://${host}${pathname}`
}

/** Migrates the schema and closes the database. */
export async function migrateDatabase(settings: Settings, patience: Patience): Promise<void> {
  const store =
    settings.kind === 'sqlite'
      ? (await sqlite()).openSqliteStore(settings.path, settings.prefix)
      : await reachPostgres(settings, patience)
  await store.close()
}

async function openSqlite(
  settings: Settings & { kind: 'sqlite' },
  onDeath: (error: Error) => void,
): Promise<Database> {
  const { openThreadedSqliteStore } = await sqlite()
  const opening = openThreadedSqliteStore(settings.path, nodeClock, onDeath, settings.prefix)
  const store = await opening.catch((error) => {
    throw unusableFile(error)
  })
  return {
    store,
    enqueued: null,
    clock: nodeClock,
    pool: null,
    // Another process may plan an event in the same file, and SQLite has no notifications.
    pollMs: 1_000,
    announce() {},
    listen() {},
    close: () => store.close(),
  }
}

const FILE_REMEDIES: readonly [RegExp, string][] = [
  [/EACCES|EPERM|EROFS/, 'This user may not write there. Change the owner of the folder'],
  [/ENOTDIR|EEXIST/, 'A part of the path is a file. Change the path'],
  [/not a database/, 'It is a file of something else. Change the path'],
  [/unable to open/, 'It is a folder, or this user may not open it. Change the path'],
]

/** An error of the file system or of SQLite as wrong usage, with what to do. */
function unusableFile(error: Error): Error {
  const remedy = FILE_REMEDIES.find(([pattern]) => pattern.test(error.message))?.[1]
  return remedy === undefined ? error : new ConfigError([`${error.message} ${remedy}, or DATABASE_URL.`])
}

const POSTGRES_POLL_MS = 5_000

export async function openPostgres(
  settings: Settings & { kind: 'postgres' },
  patience: Patience,
): Promise<Database> {
  const store = await reachPostgres(settings, patience)
  try {
    return await databaseOf(store, { connectionString: settings.listenUrl }, settings.schema)
  } catch (error) {
    await store.close()
    throw error
  }
}

/**
 * On the pool of an application, which stays open. Opens beside it: every connection of the pool may wait until this is done. Listens
 * beside it too, unless at `listenUrl`.
 */
export async function openPool(pool: Pool, schema: string, listenUrl?: string): Promise<Database> {
  const { openOnPool, optionsOf, poolBeside, storeOn } = await postgres()
  const beside = poolBeside(pool)
  try {
    const opened = await openOnPool(beside, schema)
    const listenTo = listenUrl === undefined ? optionsOf(pool) : { connectionString: listenUrl }
    return await databaseOf(storeOn(pool, schema), listenTo, schema, opened)
  } finally {
    await beside.end()
  }
}

/** `opened`: reads the clock of the database for the first time. */
async function databaseOf(
  store: PostgresStore,
  listenTo: ClientConfig,
  schema: string,
  opened = store,
): Promise<Database> {
  const { clock, stop } = await followClock(store, opened)
  const { listen } = await import('../../stores/postgres/clients/listener.ts')
  let listener = { close: async () => {} }
  return {
    store,
    enqueued: store,
    clock,
    pool: store.pool,
    pollMs: POSTGRES_POLL_MS,
    announce: (at) => {
      // The next poll finds events that are due later, and any event whose notification was lost.
      if (at <= clock.now() + POSTGRES_POLL_MS) store.announce(at).catch(() => {})
    },
    listen: (listeners) => {
      listener = listen({ config: listenTo, schema }, nodeClock, listeners)
    },
    close: async () => {
      stop()
      await listener.close()
      await store.close()
    },
  }
}

/** Retries: a database that starts at the same time may need a moment. A wrong password is not retried. */
async function reachPostgres(
  settings: Settings & { kind: 'postgres' },
  { attempts, onWait }: Patience,
): Promise<PostgresStore> {
  const { openPostgresStore } = await postgres()
  const waitAfter = (error: unknown, attempt: number) => {
    const mayEnd = error instanceof StoreUnavailableError && error.code !== FROZEN
    if (attempt >= attempts || !mayEnd) throw cannotUse(settings, error)
    const retryInMs = backoffMs(attempt)
    onWait?.({ attempt, attempts, retryInMs })
    return retryInMs
  }
  return retry(nodeClock, waitAfter, () => openPostgresStore(settings.url, settings))
}

export function cannotUse(settings: Settings, error: unknown): Error {
  const { code, message } = error as { code?: string; message?: string }
  const reason = (message || code)?.replace(/\.$/, '')
  return new Error(`Cannot use ${addressOf(settings)}: ${reason}. Check DATABASE_URL.`, { cause: error })
}

const CLOCK_CHECK_MS = 60_000

/** The database's clock, read each minute and followed by the elapsed time: workers whose clocks disagree agree on what is due. */
async function followClock(
  store: PostgresStore,
  opened: PostgresStore,
): Promise<{ clock: Clock; stop: () => void }> {
  let offsetMs = 0
  async function measure({ readClock }: PostgresStore): Promise<void> {
    const before = nodeClock.elapsedMs()
    const there = await readClock()
    offsetMs = there - (before + nodeClock.elapsedMs()) / 2
  }
  await measure(opened)
  const timer = setInterval(() => measure(store).catch(() => {}), CLOCK_CHECK_MS)
  const now = () => Math.floor(nodeClock.elapsedMs() + offsetMs)
  return {
    // A lease was stored by the clock that is corrected: the correction counts as elapsed time.
    clock: { ...nodeClock, now, elapsedMs: createElapsed(now, nodeClock.elapsedMs) },
    stop: () => clearInterval(timer),
  }
}
