// Applies migrations and records them, inside a transaction of the driver. Forward only.
import { type Applied, type Migration, pendingOf } from '../migrations/files.ts'
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
export function applyPending(
  db: Migrated,
  files: readonly Migration[],
  applied: readonly Applied[],
): string[] {
  const pending = pendingOf(files, applied)
  db.exec(CREATE)
  for (const { name, text, oldestRelease } of pending) {
    db.exec(text)
    db.all(`INSERT INTO schema_migrations VALUES (?, datetime('now'), ?, ?)`, name, RELEASE, oldestRelease)
  }
  return pending.map(({ name }) => name)
}

/** Reads only. An application may have a table of this name, too. */
export function readApplied(db: Migrated): Applied[] {
  const columns = db.all('SELECT name FROM pragma_table_info(?)', db.nameOf('schema_migrations'))
  if (!columns.some(({ name }) => name === 'oldest_release')) return []
  return db.all(
    'SELECT name, oldest_release AS oldestRelease FROM schema_migrations ORDER BY name',
  ) as Applied[]
}

const CREATE = `CREATE TABLE IF NOT EXISTS schema_migrations (name TEXT PRIMARY KEY, applied_at TEXT NOT NULL,
  release TEXT NOT NULL, oldest_release TEXT NOT NULL)`
