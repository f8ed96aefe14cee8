// The names of tables, indexes and triggers in a file that an application has tables in too: all of them begin with a prefix.
// Statements are written without it; it is added to the text when a statement is prepared.
import { type Migration, readMigrations } from '../migrations/files.ts'

export const MIGRATIONS = new URL('../../../migrations/sqlite/', import.meta.url)

/** Writes the names in a statement as they are in the file. */
export type Naming = (sql: string) => string

/** `prefix` is empty in a file of Terce's own. */
export function namingFor(prefix: string): Naming {
  if (prefix === '') return (sql) => sql
  const names = new Set([RECORD, ...namesIn(readMigrations(MIGRATIONS))])
  return (sql) =>
    sql.replace(TOKEN, (token, quote: string | undefined, name: string | undefined) =>
      name !== undefined && names.has(name) ? `${quote}${prefix}${name}${quote}` : token,
    )
}

/** The table that records the migrations. No migration creates it. */
const RECORD = 'schema_migrations'

/** A comment, a string, or a name that is not behind the name of a table. */
const TOKEN = /--[^\n]*|'(?:[^']|'')*'|(?<![\w.])(["`]?)([a-z]\w*)\1(?!\w)/g

const CREATED = /\b(?:TABLE|INDEX|TRIGGER)\s+(?:IF NOT EXISTS\s+)?["`]?([a-z]\w*)/g

function namesIn(migrations: readonly Migration[]): string[] {
  return migrations.flatMap(({ text }) => [...text.matchAll(CREATED)].map(([, name]) => name!))
}
