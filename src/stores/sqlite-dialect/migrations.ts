// Applies migrations and records them, inside a transaction of the driver. Forward only.
import {
  type Applied,
  FIRST_RELEASE,
  isOfFirstRelease,
  type Migration,
  pendingOf,
} from '../migrations/files.ts'
import { RELEASE } from '../migrations/release.ts'
import type { Value } from './executor.ts'

/** What migrating needs of a driver. */
export type Migrated = {
  /** The name of a table in the file. Inside of statements the driver replaces names itself. */
  nameOf(table: string): string
  exec(sql: string): void
  all(sql: string, ...params: Value[]): Record<string, unknown>[]
}

/** Returns the names of the applied files. */
export function applyPending(db: Migrated, files: readonly Migration[], applied = readApplied(db)): string[] {
  const pending = pendingOf(files, applied)
  db.exec(CREATE)
  for (const migration of applied) record(db, migration, FIRST_RELEASE)
  for (const migration of pending) {
    db.exec(migration.text)
    record(db, migration, RELEASE)
  }
  return pending.map(({ name }) => name)
}

/** Reads only. The table `migrations` is the one of 0.1.0. */
export function readApplied(db: Migrated): Applied[] {
  const has = (table: string, columns: string) => columnsOf(db, table).startsWith(columns)
  if (has('schema_migrations', 'name applied_at release oldest_release'))
    return db.all(
      'SELECT name, oldest_release AS oldestRelease FROM schema_migrations ORDER BY name',
    ) as Applied[]
  // An application may have a table of this name, too.
  if (!has('migrations', 'name applied_at')) return []
  const names = db.all('SELECT name FROM migrations ORDER BY name')
  return names.map(({ name }) => ({ name: String(name), oldestRelease: FIRST_RELEASE }))
}

function columnsOf(db: Migrated, table: string): string {
  const columns = db.all('SELECT name FROM pragma_table_info(?)', db.nameOf(table))
  return columns.map(({ name }) => name).join(' ')
}

const CREATE = `
  CREATE TABLE IF NOT EXISTS schema_migrations (name TEXT PRIMARY KEY, applied_at TEXT NOT NULL, release TEXT NOT NULL,
    oldest_release TEXT NOT NULL);
  CREATE TABLE IF NOT EXISTS migrations (name TEXT PRIMARY KEY, applied_at TEXT NOT NULL)`

/** 0.1.0 works on the file only if its own table has exactly the migrations that it knows. */
function record(db: Migrated, { name, oldestRelease }: Applied, release: string): void {
  db.all(
    `INSERT OR IGNORE INTO schema_migrations VALUES (?, datetime('now'), ?, ?)`,
    name,
    release,
    oldestRelease,
  )
  if (isOfFirstRelease({ name })) db.all(`INSERT OR IGNORE INTO migrations VALUES (?, datetime('now'))`, name)
}
