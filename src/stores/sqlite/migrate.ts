// Brings a SQLite file to the newest schema. Forward only; several processes may try at once.
import type { DatabaseSync } from 'node:sqlite'
import { type Migration, readMigrations } from '../migrations/files.ts'
import { applyPending, type Migrated, readApplied } from '../sqlite-dialect/migrations.ts'
import { MIGRATIONS, type Naming, namingFor } from './names.ts'

export function migrate(
  db: DatabaseSync,
  files: readonly Migration[] = readMigrations(MIGRATIONS),
  named: Naming = namingFor(''),
): string[] {
  const file = migratedFile(db, named)
  db.exec('BEGIN IMMEDIATE')
  try {
    const applied = readApplied(file)
    if (applied.length === 0) rejectForeignTables(db, named)
    const names = applyPending(file, files, applied)
    db.exec('COMMIT')
    return names
  } catch (error) {
    if (db.isTransaction) db.exec('ROLLBACK')
    throw error
  }
}

/** The file with the names of its tables. */
export function migratedFile(db: DatabaseSync, named: Naming): Migrated {
  return {
    nameOf: named,
    exec: (sql) => db.exec(named(sql)),
    all: (sql, ...params) => db.prepare(named(sql)).all(...params),
  }
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
