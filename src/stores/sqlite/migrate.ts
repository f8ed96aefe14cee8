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
import { MIGRATIONS, type Naming, namingFor } from './names.ts'

export function migrate(
  db: DatabaseSync,
  files: readonly Migration[] = readMigrations(MIGRATIONS),
  named: Naming = namingFor(''),
): string[] {
  db.exec('BEGIN IMMEDIATE')
  try {
    const applied = readApplied(db, named)
    if (applied.length === 0) rejectForeignTables(db, named)
    const pending = pendingOf(files, applied)
    db.exec(named(CREATE))
    const record = recorder(db, named)
    for (const migration of applied) record(migration, FIRST_RELEASE)
    for (const migration of pending) {
      db.exec(named(migration.text))
      record(migration, RELEASE)
    }
    db.exec('COMMIT')
    return pending.map(({ name }) => name)
  } catch (error) {
    if (db.isTransaction) db.exec('ROLLBACK')
    throw error
  }
}

/** Reads only. The table `migrations` is the one of 0.1.0. */
export function readApplied(db: DatabaseSync, named: Naming = namingFor('')): Applied[] {
  const has = (table: string, columns: string) => columnsOf(db, named(table)).startsWith(columns)
  if (has('schema_migrations', 'name applied_at release oldest_release'))
    return db
      .prepare(named('SELECT name, oldest_release AS oldestRelease FROM schema_migrations ORDER BY name'))
      .all() as Applied[]
  // An application may have a table of this name, too.
  if (!has('migrations', 'name applied_at')) return []
  const names = db.prepare(named('SELECT name FROM migrations ORDER BY name')).all()
  return names.map(({ name }) => ({ name: String(name), oldestRelease: FIRST_RELEASE }))
}

function columnsOf(db: DatabaseSync, table: string): string {
  const columns = db.prepare('SELECT name FROM pragma_table_info(?)').all(table)
  return columns.map(({ name }) => name).join(' ')
}

/** In a file of another application the names of its tables would soon collide with those of Terce. */
function rejectForeignTables(db: DatabaseSync, named: Naming): void {
  if (named('users') !== 'users') return
  const foreign = db.prepare(
    "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite!_%' ESCAPE '!'",
  )
  if (foreign.get() !== undefined)
    throw new Error('it has tables of another application. Set DATABASE_SCHEMA=terce to share the file')
}

const CREATE = `
  CREATE TABLE IF NOT EXISTS schema_migrations (name TEXT PRIMARY KEY, applied_at TEXT NOT NULL, release TEXT NOT NULL,
    oldest_release TEXT NOT NULL);
  CREATE TABLE IF NOT EXISTS migrations (name TEXT PRIMARY KEY, applied_at TEXT NOT NULL)`

/** 0.1.0 works on the file only if its own table has exactly the migrations that it knows. */
function recorder(db: DatabaseSync, named: Naming) {
  const record = db.prepare(
    named(`INSERT OR IGNORE INTO schema_migrations VALUES (?, datetime('now'), ?, ?)`),
  )
  const recordFirst = db.prepare(named(`INSERT OR IGNORE INTO migrations VALUES (?, datetime('now'))`))
  return ({ name, oldestRelease }: Applied, release: string): void => {
    record.run(name, release, oldestRelease)
    if (isOfFirstRelease({ name })) recordFirst.run(name)
  }
}
