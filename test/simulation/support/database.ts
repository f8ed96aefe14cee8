// The real SQLite store, shared by many processes. Every batch and every read is a step of its own, so that other processes
// can run between any two. It has its own clock and reports the rows that each transaction changed.

import { drizzle } from 'drizzle-orm/sqlite-proxy'
import type { ChannelRecord } from '../../../src/domain/settings/channel.ts'
import type { Store } from '../../../src/ports/store.ts'
import { joinTransaction, openShared } from '../../../src/stores/sqlite/connection.ts'
import { executorOn } from '../../../src/stores/sqlite/executor.ts'
import type { Executor } from '../../../src/stores/sqlite-dialect/executor.ts'
import { createStore } from '../../../src/stores/sqlite-dialect/store.ts'
import type { Process } from '../actors/process.ts'
import type { Row, RowChange } from '../record/trace.ts'
import { createLock, EFFECTS, INSERT_EFFECT, type Transactions } from './application-tables.ts'
import type { HandlerTransaction } from './handler-transaction.ts'
import type { World } from './world.ts'

export type Database = {
  /** The database as this process reaches it for an operation. */
  executorFor(process: Process, op: string): Executor
  storeFor(process: Process): Store
  /** A transaction of the application, in a handler of the process. */
  transactionFor(process: Process): HandlerTransaction
  /** The store inside it. */
  storeIn(tx: HandlerTransaction): Store
  /** Before anything begins. */
  setUp(channels: readonly ChannelRecord[]): Promise<void>
  /** Whether any event is claimed, and when the next can be claimed. */
  outlook(): Promise<{ claimed: boolean; freeAt: number }>
  tables(): Promise<Record<string, Row[]>>
  /** The store, for what happens outside of every process. */
  plain: Store
  close(): Promise<void>
}

const TABLES = [
  ...['users', 'occasions', 'events', 'payloads', 'attempts', 'moves'],
  ...['channels', 'destinations', 'limit_leases', 'templates', 'tasks'],
] as const

/** Operations on settings: their statements write and return rows. */
const WRITING_READS = new Set([
  ...['saveChannel', 'setChannelStatus', 'saveTemplate', 'removeTemplate'],
  ...[
    'markDown',
    'markUp',
    'claimProbe',
    'holdDestination',
    'releaseDestination',
    'readLeases',
    'writeLeases',
  ],
])

/** Tables that are read as a whole. */
const LISTED = new Set(['channels', 'destinations', 'templates'])

/** The column of the version in the rows of readClaims. */
const VERSION = 7

/** An empty database of the newest schema. */
export type Engine = {
  executor: Executor
  /** The transactions of an application beside the store; null where the database has none. */
  transactions: Transactions | null
}

type Watched = Engine & { columns: Record<string, string[]> }

/** Emptied and reused: opening a database and preparing its statements took a quarter of a short run. */
const idle: Watched[] = []

function openInMemory(): Engine {
  const { db, connection } = openShared(':memory:', '')
  const joined = executorOn(joinTransaction(db, ''))
  return { executor: executorOn(connection), transactions: { joined, exec: (sql) => db.exec(sql) } }
}

async function watch(engine: Engine): Promise<Watched> {
  await engine.executor.batch([{ sql: EFFECTS, params: [] }])
  return { ...engine, columns: await watchTables(engine.executor) }
}

/** In memory, unless an engine is given. */
export async function openDatabase(world: World, engine: Engine | null): Promise<Database> {
  const { scheduler, scenario, note, mistake } = world
  const watched = engine === null ? (idle.pop() ?? (await watch(openInMemory()))) : await watch(engine)
  const { executor: database, transactions, columns } = watched
  const lock = createLock(world, transactions)
  const plain = storeOn(database)
  let lastSeen = 0

  async function report(who: string, op: string): Promise<void> {
    const seen = await database.read({
      sql: 'SELECT name, before, after, id FROM seen WHERE id > ? ORDER BY id',
      params: [lastSeen],
    })
    if (seen.length === 0) return
    lastSeen = seen.at(-1)![3] as number
    const parse = (json: unknown) => (json === null ? null : (JSON.parse(json as string) as Row))
    const rows = seen.map(
      ([table, before, after]): RowChange => ({
        table: table as string,
        before: parse(before),
        after: parse(after),
      }),
    )
    if (rows.some(({ table }) => LISTED.has(table))) lists.clear()
    note({ kind: 'commit', who, op, rows })
  }

  /** Channels and templates are read at every claim and rarely change: reading them each time took a third of a run. */
  const lists = new Map<string, unknown>()
  async function readList(op: 'listChannels' | 'listDestinations' | 'listTemplates'): Promise<unknown> {
    if (!lists.has(op)) lists.set(op, await plain[op]())
    return lists.get(op)
  }

  function noteReread(who: string, rows: readonly (readonly unknown[])[]): void {
    const refs = rows.map(([id, ...row]) => ({ eventId: id as string, version: row[VERSION - 1] as number }))
    if (refs.length > 0) note({ kind: 'reread', who, refs })
  }

  function executorFor(process: Process, op: string): Executor {
    return {
      batch: (statements, how) =>
        process.ask(
          op,
          async () => {
            const results = await database.batch(statements, how)
            await report(process.name, op)
            return results
          },
          lock,
        ),
      read: (statement) =>
        process.ask(
          op,
          async () => {
            const rows = await database.read(statement)
            if (WRITING_READS.has(op)) await report(process.name, op)
            if (op === 'readClaims' && scenario.queue !== undefined) noteReread(process.name, rows)
            return rows
          },
          lock,
        ),
    }
  }

  function storeFor(process: Process): Store {
    const labelled = new Map<string, Store>()
    function labelledStore(op: string): Store {
      let store = labelled.get(op)
      if (store === undefined) {
        store = storeOn(executorFor(process, op))
        labelled.set(op, store)
      }
      return store
    }
    return new Proxy({} as Store, {
      get: (_, op: keyof Store) => (first: unknown, second: unknown) => {
        if (op === 'listChannels' || op === 'listTemplates') return process.ask(op, () => readList(op), lock)
        // Read together with the channels.
        if (op === 'listDestinations') return readList(op)
        if (op === 'readLeases') return readLeases(process, first as string)
        const call = labelledStore(op)[op] as (first: unknown, second: unknown) => Promise<unknown>
        if (op === 'claimDue') return call(byOwnClock(first as { now: number }), second)
        if (op === 'extendLeases') return call(first, byOwnClock(second as { now: number }))
        return call(first, second)
      },
    })
  }

  /** As on PostgreSQL: with the time by the database's own clock. */
  function readLeases(process: Process, channelId: string) {
    const read = async () => {
      const leases = await plain.readLeases(channelId)
      await report(process.name, 'readLeases')
      return { ...leases, databaseMs: scheduler.now() - scenario.databaseBehindMs }
    }
    return process.ask('readLeases', read, lock)
  }

  function transactionFor(process: Process): HandlerTransaction {
    const tx = lock.begin(process, () => report(process.name, 'settle'))
    const statement = (eventId: string) => ({ sql: INSERT_EFFECT, params: [eventId, process.name] })
    const write = async (eventId: string) => {
      await tx.ask('effect', () => transactions!.joined.batch([statement(eventId)]))
    }
    return { ...tx, write }
  }

  function storeIn(tx: HandlerTransaction): Store {
    const { joined } = transactions!
    return storeOn({
      batch: (statements, how) => tx.ask('settle', () => joined.batch(statements, how)),
      read: (statement) => tx.ask('readClaims', () => joined.read(statement)),
    })
  }

  /** As on PostgreSQL: the earlier of the caller's clock and the database's own. */
  function byOwnClock<T extends { now: number }>(claim: T): T {
    if (mistake?.trustsCallers) return claim
    return { ...claim, now: Math.min(claim.now, scheduler.now() - scenario.databaseBehindMs) }
  }

  return {
    executorFor,
    storeFor,
    transactionFor,
    storeIn,
    plain,
    async setUp(channels) {
      for (const channel of channels) await plain.saveChannel(channel)
      await report('somebody', 'saveChannel')
    },
    async outlook() {
      const [row] = await database.read({
        sql: `SELECT count(lease_until), min(max(wake_at, coalesce(lease_until, 0)))
          FROM events WHERE wake_at IS NOT NULL`,
        params: [],
      })
      const [leases, freeAt] = row as [number, number | null]
      return { claimed: leases > 0, freeAt: freeAt ?? Number.POSITIVE_INFINITY }
    },
    async tables() {
      const tables: Record<string, Row[]> = {}
      for (const name of TABLES) {
        const rows = await database.read({ sql: `SELECT ${rowOf(columns[name]!)} FROM ${name}`, params: [] })
        tables[name] = rows.map(([json]) => JSON.parse(json as string) as Row)
      }
      return tables
    },
    async close() {
      lock.close()
      if (engine !== null) return
      // All of them: the ids of requests repeat, and an entry of the audit log about a deletion would keep people from being created.
      const names = await database.read({ sql: NAMES_OF_TABLES, params: [] })
      const emptied = names.map(([name]) => ({ sql: `DELETE FROM ${name}`, params: [] }))
      // Last, after the triggers of the others.
      await database.batch([...emptied, { sql: 'DELETE FROM seen', params: [] }])
      idle.push(watched)
    },
  }
}

const NAMES_OF_TABLES = `SELECT name FROM sqlite_master
  WHERE type = 'table' AND name NOT IN ('sqlite_sequence', 'schema_migrations', 'seen')`

function storeOn(executor: Executor): Store {
  const reader = drizzle(async (sql, params, method) => {
    const rows = await executor.read({ sql, params })
    return { rows: method === 'get' ? (rows[0] as unknown as unknown[]) : rows }
  })
  return createStore(executor, { reader, writer: reader }, async () => {})
}

/** Triggers that log every row before and after a change, inside the transaction, so that a rollback removes the log too. */
async function watchTables(database: Executor): Promise<Record<string, string[]>> {
  const columns: Record<string, string[]> = {}
  const run = (sql: string) => database.batch([{ sql, params: [] }])
  await run('CREATE TABLE seen (id INTEGER PRIMARY KEY, name TEXT, before TEXT, after TEXT)')
  for (const table of [...TABLES, 'effects']) {
    const info = await database.read({ sql: `SELECT name FROM pragma_table_info('${table}')`, params: [] })
    const names = info.map(([name]) => name as string)
    columns[table] = names
    const before = rowOf(names, 'OLD.')
    const after = rowOf(names, 'NEW.')
    for (const [event, values] of [
      ['INSERT', `NULL, ${after}`],
      ['UPDATE', `${before}, ${after}`],
      ['DELETE', `${before}, NULL`],
    ]) {
      await run(`CREATE TRIGGER seen_${table}_${event} AFTER ${event} ON ${table} BEGIN
        INSERT INTO seen (name, before, after) VALUES ('${table}', ${values}); END`)
    }
  }
  return columns
}

function rowOf(columns: readonly string[], prefix = ''): string {
  return `json_object(${columns.map((name) => `'${name}', ${prefix}${name}`).join(', ')})`
}
