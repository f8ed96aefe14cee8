// Brings the database of a Durable Object to the newest schema. The bundle contains the migration files.
import { type Migration, parseMigration } from '../migrations/files.ts'
import { applyPending } from '../sqlite-dialect/migrations.ts'
import type { ObjectStorage } from './storage.ts'

/** Defined by scripts/build-cloudflare.ts: the text of each file by its name. */
declare const TERCE_MIGRATIONS: Readonly<Record<string, string>>

/** In the order in which they are applied. */
export function bundledMigrations(): Migration[] {
  return Object.entries(TERCE_MIGRATIONS)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, text]) => parseMigration(name, text))
}

/** Returns the names of the applied files. */
export function migrateObject(storage: ObjectStorage, files: readonly Migration[]): string[] {
  const { sql } = storage
  const db = {
    nameOf: (table: string) => table,
    exec: (text: string) => void sql.exec(text),
    all: (text: string, ...params: (string | number | null)[]) => sql.exec(text, ...params).toArray(),
  }
  return storage.transactionSync(() => applyPending(db, files))
}
