// What the command line asks about the schema of a SQLite file. Applies no migration.
import { existsSync } from 'node:fs'
import { type Applied, readMigrations, stepsOf } from '../migrations/files.ts'
import { compare, type SchemaState } from '../migrations/schema-state.ts'
import { readApplied } from '../sqlite-dialect/migrations.ts'
import { migratedFile } from './migrate.ts'
import { MIGRATIONS, namingFor } from './names.ts'
import { openSqlite } from './node-sqlite.ts'

export type { SchemaState }

type Where = { path: string; prefix: string }

export function readSchemaState(where: Where): SchemaState {
  const { missing, ...state } = compare(
    readMigrations(MIGRATIONS),
    existsSync(where.path) ? appliedIn(where) : [],
  )
  const pending = missing.map((migration) => {
    const { name, oldestRelease, inTransaction } = migration
    return { name, oldestRelease, inTransaction, statements: stepsOf(migration).map(describe) }
  })
  return { ...state, pending }
}

/** A migration is one transaction: others read the file meanwhile, and wait to write it. */
function describe(statement: string) {
  return { statement, table: null, lock: null, blocksClaims: true, rows: null, roughMs: null }
}

function appliedIn({ path, prefix }: Where): Applied[] {
  const db = openSqlite(path, { readOnly: true })
  try {
    return readApplied(migratedFile(db, namingFor(prefix)))
  } finally {
    db.close()
  }
}
