// One connection to a SQLite file, configured and migrated. Synchronous: its caller waits for the disk.
import { closeSync, mkdirSync, openSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { Result, SqliteRow, Value } from '../sqlite-dialect/executor.ts'
import { rejectFrozen } from './frozen.ts'
import { BUSY_TIMEOUT_MS, beginImmediate } from './lock.ts'
import { migrate } from './migrate.ts'
import { type Naming, namingFor } from './names.ts'
import { openSqlite } from './node-sqlite.ts'

/** A statement as it is sent to the thread. With `columns` it runs over many rows, whose values lie end to end. */
export type Command = {
  sql: string
  values: readonly Value[]
  columns: readonly string[] | null
  returns: boolean
}

export type SqliteConnection = {
  /** Runs all commands in one transaction. `durable`: see the executor. */
  batch(commands: readonly Command[], durable: boolean): Result[]
  read(command: Command): SqliteRow[]
  /** Moves the WAL into the file and truncates it. False if a reader or a writer held it up. */
  emptyLog(): boolean
  close(): void
}

/** A list is run in pieces of these sizes, so that few distinct statements are ever prepared. */
const PIECES = [256, 32, 4, 1] as const

/**
 * The page cache of a connection in KiB. The pages that a batch changes should fit into the writer's: more are written twice.
 * A page that a reader does not have comes from the cache of the operating system: a drain costs no more CPU with 2 MiB.
 */
export const CACHE = { writer: 65_536, reader: 8_192 } as const

/** `prefix` begins the name of every table. */
export function openConnection(path: string, prefix = '', cache: number = CACHE.writer): SqliteConnection {
  return openShared(path, prefix, cache).connection
}

/** `db` is the connection itself: its caller must not use it during a batch. */
export function openShared(
  path: string,
  prefix: string,
  cache: number = CACHE.writer,
): { db: DatabaseSync; connection: SqliteConnection } {
  const named = namingFor(prefix)
  const db = openFile(path, named, prefix)
  db.exec(`PRAGMA cache_size = -${cache}`)
  return { db, connection: connectionOn(db, named, OWN, path === ':memory:' ? () => {} : watchFile(path)) }
}

/** Inside a transaction that an application has begun on the connection. The schema is up to date. */
export function joinTransaction(db: DatabaseSync, prefix: string): SqliteConnection {
  return connectionOn(db, namingFor(prefix), JOINED)
}

/** How a batch begins and ends. */
type Transaction = {
  begin: (db: DatabaseSync) => void
  commit: string
  rollback: string
  setsDurability: boolean
}

const OWN: Transaction = {
  begin: beginImmediate,
  commit: 'COMMIT',
  rollback: 'ROLLBACK',
  setsDurability: true,
}
// A batch that fails leaves the transaction of the application usable, and the application decides on its durability.
const JOINED: Transaction = {
  begin: (db) => db.exec('SAVEPOINT terce'),
  commit: 'RELEASE terce',
  rollback: 'ROLLBACK TO terce; RELEASE terce',
  setsDurability: false,
}

/** `assertInPlace` throws if the file of the connection is no longer the one at its path. */
function connectionOn(
  db: DatabaseSync,
  named: Naming,
  transaction: Transaction,
  assertInPlace = () => {},
): SqliteConnection {
  const prepared = new Map<string, StatementSync>()
  let fsync = true

  function prepare(sql: string): StatementSync {
    let statement = prepared.get(sql)
    if (statement === undefined) {
      statement = db.prepare(named(sql))
      statement.setReturnArrays(true)
      prepared.set(sql, statement)
    }
    return statement
  }

  function preparePiece(sql: string, columns: readonly string[], size: number): StatementSync {
    const name = `${size} ${sql}`
    let statement = prepared.get(name)
    if (statement === undefined) {
      statement = db.prepare(named(sql).replace('{rows}', valuesTable(columns, size)))
      prepared.set(name, statement)
    }
    return statement
  }

  // Binding rows is twice as fast as having SQLite take a JSON parameter apart (settling: 15 µs against 28 µs an event).
  function runOverRows(sql: string, columns: readonly string[], values: readonly Value[]): Result {
    let changes = 0
    let from = 0
    for (const size of PIECES) {
      const length = size * columns.length
      while (values.length - from >= length) {
        const piece = preparePiece(sql, columns, size)
        changes += Number(piece.run(...values.slice(from, from + length)).changes)
        from += length
      }
    }
    return { rows: [], changes }
  }

  function run({ sql, values, columns, returns }: Command): Result {
    if (columns !== null) return runOverRows(sql, columns, values)
    const statement = prepare(sql)
    return returns
      ? { rows: statement.all(...values) as unknown as SqliteRow[], changes: 0 }
      : { rows: [], changes: Number(statement.run(...values).changes) }
  }

  function batch(commands: readonly Command[], durable: boolean): Result[] {
    if (transaction.setsDurability && durable !== fsync) {
      fsync = durable
      db.exec(`PRAGMA synchronous = ${fsync ? 'FULL' : 'NORMAL'}`)
    }
    transaction.begin(db)
    try {
      const results = commands.map(run)
      db.exec(transaction.commit)
      // After the COMMIT: what was written to a deleted file must not be acknowledged.
      assertInPlace()
      return results
    } catch (error) {
      if (db.isTransaction) db.exec(transaction.rollback)
      throw error
    }
  }

  // The first checkpoint copies the frames beside readers and writers. The second holds the write lock, for the frames that
  // were added meanwhile, and waits for readers no longer than its timeout: the engine's writes wait for it.
  function emptyLog(): boolean {
    db.exec('PRAGMA wal_checkpoint(PASSIVE)')
    db.exec(`PRAGMA busy_timeout = ${CHECKPOINT_WAIT_MS}`)
    try {
      const result = db.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get() as { busy: number }
      return result.busy === 0
    } finally {
      db.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`)
    }
  }

  function read(command: Command): SqliteRow[] {
    assertInPlace()
    return run(command).rows
  }

  return { batch, read, emptyLog, close: () => db.close() }
}

const CHECKPOINT_WAIT_MS = 20

function openFile(path: string, named: Naming, prefix: string): DatabaseSync {
  let db: DatabaseSync | null = null
  try {
    if (path !== ':memory:') createPrivate(path)
    db = openSqlite(path)
    db.exec(SETTINGS)
    migrate(db, undefined, named)
    rejectFrozen(db, prefix)
    return db
  } catch (error) {
    db?.close()
    const { message, errcode } = error as Error & { errcode?: number }
    const failure = new Error(`Cannot use ${path} as a database: ${message}.`, { cause: error })
    throw Object.assign(failure, { errcode })
  }
}

/**
 * A process keeps an open file although another one was put at its path, for example a restored backup, and would lose
 * everything it writes. SQLite does not notice that in WAL mode; its code for it is used.
 */
function watchFile(path: string): () => void {
  // An application may change its working directory later.
  const file = resolve(path)
  const stat = () => statSync(file, { bigint: true, throwIfNoEntry: false })
  const opened = stat()
  return () => {
    const now = stat()
    if (now !== undefined && now.ino === opened?.ino && now.dev === opened.dev) return
    throw Object.assign(new Error(`${path} was replaced or deleted.`), { code: 'SQLITE_READONLY_DBMOVED' })
  }
}

/** Creates a missing file for this user alone. SQLite gives the WAL and the shared memory file the same permissions. */
function createPrivate(path: string): void {
  mkdirSync(dirname(path), { recursive: true })
  try {
    // Never opens an existing file: closing it again would drop the locks that SQLite holds on it in this process.
    closeSync(openSync(path, 'wx', 0o600))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
}

const SETTINGS = `
  PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS};
  PRAGMA journal_mode = WAL;
  -- A write is on disk before it is acknowledged; relaxed only for batches that are not durable.
  PRAGMA synchronous = FULL;
  PRAGMA foreign_keys = ON;
  -- Overwrites deleted rows: without it the bytes of an erased person stay in the file.
  PRAGMA secure_delete = ON;
  PRAGMA temp_store = MEMORY;
  PRAGMA wal_autocheckpoint = 4000;
`

function valuesTable(columns: readonly string[], size: number): string {
  const row = `(${columns.map(() => '?').join(', ')})`
  const names = columns.map((column, i) => `column${i + 1} AS ${column}`).join(', ')
  return `(SELECT ${names} FROM (VALUES ${Array(size).fill(row).join(', ')}))`
}
