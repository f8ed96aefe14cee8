// The embedded store: one SQLite file, owned by this process or shared with others on the same machine.
import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { drizzle } from 'drizzle-orm/sqlite-proxy'
import type { Store } from '../../ports/store.ts'
import { createStore } from '../sqlite-dialect/store.ts'
import { sqliteExecutor } from './executor.ts'
import { migrate } from './migrate.ts'

/** Opens, and if need be makes, the file at the path; `:memory:` for one that is gone afterwards. */
export function openSqliteStore(path: string): Store {
  if (path !== ':memory:') mkdirSync(dirname(path), { recursive: true })
  const db = new DatabaseSync(path)
  try {
    configure(db)
    migrate(db)
  } catch (error) {
    db.close()
    throw new Error(`Cannot use ${path} as a database: ${(error as Error).message}.`, { cause: error })
  }
  const executor = sqliteExecutor(db)
  const reader = drizzle(async (sql, params, method) => {
    const rows = await executor.read({ sql, params })
    return { rows: method === 'get' ? (rows[0] as unknown as unknown[]) : rows }
  })
  return createStore(executor, reader, {
    check: async () => {
      await executor.batch([{ sql: 'SELECT 1', params: [] }])
    },
    close: async () => db.close(),
  })
}

function configure(db: DatabaseSync): void {
  db.exec(`
    PRAGMA busy_timeout = 10000;
    PRAGMA journal_mode = WAL;
    -- On disk before it is acknowledged, power cut or not. The executor relaxes it for what a lease heals.
    PRAGMA synchronous = FULL;
    PRAGMA foreign_keys = ON;
    PRAGMA temp_store = MEMORY;
    PRAGMA cache_size = -65536;
    PRAGMA wal_autocheckpoint = 4000;
  `)
}
