// Brings a SQLite file to the newest schema. Forward only; several processes may try at once.
import { readdirSync, readFileSync } from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'

const FOLDER = new URL('../../../migrations/sqlite/', import.meta.url)

export function migrate(db: DatabaseSync): string[] {
  db.exec('BEGIN IMMEDIATE')
  try {
    db.exec('CREATE TABLE IF NOT EXISTS migrations (name TEXT PRIMARY KEY, applied_at TEXT NOT NULL)')
    const applied = new Set(
      db
        .prepare('SELECT name FROM migrations')
        .all()
        .map(({ name }) => name),
    )
    const known = migrationNames()
    const unknown = [...applied].filter((name) => !known.includes(String(name)))
    if (unknown.length > 0) throw new Error('it was made by a newer release of Terce')
    const missing = known.filter((name) => !applied.has(name))
    for (const name of missing) {
      db.exec(readFileSync(new URL(name, FOLDER), 'utf8'))
      db.prepare(`INSERT INTO migrations (name, applied_at) VALUES (?, datetime('now'))`).run(name)
    }
    db.exec('COMMIT')
    return missing
  } catch (error) {
    if (db.isTransaction) db.exec('ROLLBACK')
    throw error
  }
}

function migrationNames(): string[] {
  return readdirSync(FOLDER)
    .filter((name) => name.endsWith('.sql'))
    .sort()
}
