// Brings a SQLite file to the newest schema. Forward only; several processes may try at once.
import type { DatabaseSync } from 'node:sqlite'
import {
  type Applied,
  FIRST_RELEASE,
  isOfFirstRelease,
  type Migration,
  pendingOf,
  readMigrations,
} from '../migrations/files.ts'
import { RELEASE } from '../migrations/release.ts'

export const MIGRATIONS = new URL('../../../migrations/sqlite/', import.meta.url)

export function migrate(
  db: DatabaseSync,
  files: readonly Migration[] = readMigrations(MIGRATIONS),
): string[] {
  db.exec('BEGIN IMMEDIATE')
  try {
    const applied = readApplied(db)
    const pending = pendingOf(files, applied)
    db.exec(CREATE)
    for (const migration of applied) record(db, migration, FIRST_RELEASE)
    for (const migration of pending) {
      db.exec(migration.text)
      record(db, migration, RELEASE)
    }
    db.exec('COMMIT')
    return pending.map(({ name }) => name)
  } catch (error) {
    if (db.isTransaction) db.exec('ROLLBACK')
    throw error
  }
}

/** Reads only. The table `migrations` is the one of 0.1.0. */
export function readApplied(db: DatabaseSync): Applied[] {
  const tables = db
    .prepare(TABLES)
    .all()
    .map(({ name }) => name)
  if (tables.includes('schema_migrations'))
    return db
      .prepare('SELECT name, oldest_release AS oldestRelease FROM schema_migrations ORDER BY name')
      .all() as Applied[]
  if (!tables.includes('migrations')) return []
  const names = db.prepare('SELECT name FROM migrations ORDER BY name').all()
  return names.map(({ name }) => ({ name: String(name), oldestRelease: FIRST_RELEASE }))
}

const TABLES = `SELECT name FROM sqlite_master WHERE type = 'table' AND name IN ('schema_migrations', 'migrations')`

const CREATE = `
  CREATE TABLE IF NOT EXISTS schema_migrations (name TEXT PRIMARY KEY, applied_at TEXT NOT NULL, release TEXT NOT NULL,
    oldest_release TEXT NOT NULL);
  CREATE TABLE IF NOT EXISTS migrations (name TEXT PRIMARY KEY, applied_at TEXT NOT NULL)`

/** 0.1.0 works on the file only if its own table has exactly the migrations that it knows. */
function record(db: DatabaseSync, { name, oldestRelease }: Applied, release: string): void {
  db.prepare(`INSERT OR IGNORE INTO schema_migrations VALUES (?, datetime('now'), ?, ?)`).run(
    name,
    release,
    oldestRelease,
  )
  if (isOfFirstRelease({ name }))
    db.prepare(`INSERT OR IGNORE INTO migrations VALUES (?, datetime('now'))`).run(name)
}
