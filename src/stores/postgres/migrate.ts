// Brings a database to the newest schema. Forward only; of many processes that start at once, one migrates.
import { readdirSync, readFileSync } from 'node:fs'
import pg from 'pg'
import type { Connection, Run } from './connection.ts'

const FOLDER = new URL('../../../migrations/postgres/', import.meta.url)

/** Any number, and it must not change between releases. */
const LOCK = 1_952_805_475

export async function migrate(connection: Connection): Promise<string[]> {
  // Reads first: a role that may change data but not the schema can start on a migrated database.
  const known = await readApplied(connection.query, connection.schema)
  if (known !== null && missingFrom(known).length === 0) return []
  return connection.transaction(async (run) => {
    // Held to the end of this transaction: it works through a pooler, and a crash frees it.
    await run({ text: 'SELECT pg_advisory_xact_lock($1, hashtext($2))', values: [LOCK, connection.schema] })
    const applied = await readApplied(run, connection.schema)
    if (applied === null) await createLedger(run, connection.schema)
    // The files of the first migrations name no schema. The setting ends with the transaction.
    await run({ text: `SET LOCAL search_path = ${pg.escapeIdentifier(connection.schema)}`, values: [] })
    const missing = missingFrom(applied ?? [])
    for (const name of missing) {
      await run({ text: readFileSync(new URL(name, FOLDER), 'utf8'), values: [] })
      await run({ text: 'INSERT INTO terce.migrations (name) VALUES ($1)', values: [name] })
    }
    return missing
  })
}

/** Null if the installation has no tables yet. */
async function readApplied(run: Run, schema: string): Promise<string[] | null> {
  // Not to_regclass: it can miss a table that another transaction created while this one waited for the lock.
  const found = await run({
    text: `SELECT 1 FROM pg_tables WHERE schemaname = $1 AND tablename = 'migrations'`,
    values: [schema],
  })
  if (found.length === 0) return null
  return (await run({ text: 'SELECT name FROM terce.migrations', values: [] })).map(([name]) => String(name))
}

function missingFrom(applied: readonly string[]): string[] {
  const names = readdirSync(FOLDER).filter((name) => name.endsWith('.sql'))
  if (applied.some((name) => !names.includes(name)))
    throw new Error('it was made by a newer release of Terce')
  return names.sort().filter((name) => !applied.includes(name))
}

async function createLedger(run: Run, schema: string): Promise<void> {
  const found = await run({ text: 'SELECT 1 FROM pg_namespace WHERE nspname = $1', values: [schema] })
  // IF NOT EXISTS would need the right to create schemas even where the schema exists.
  if (found.length === 0) await run({ text: `CREATE SCHEMA ${pg.escapeIdentifier(schema)}`, values: [] })
  await run({
    text: 'CREATE TABLE terce.migrations (name text PRIMARY KEY, applied_at timestamptz NOT NULL DEFAULT now())',
    values: [],
  })
}
