// Brings a database to the newest schema. Forward only; of many processes that start at once, one migrates.
import { readdirSync, readFileSync } from 'node:fs'
import type { Connection } from './connection.ts'

const FOLDER = new URL('../../../migrations/postgres/', import.meta.url)

/** Any number, the same in every release. */
const LOCK = 1_952_805_475

export async function migrate(connection: Connection): Promise<string[]> {
  return connection.transaction(async (run) => {
    // Held to the end of this transaction: it works through a pooler, and a crash frees it.
    await run({ text: 'SELECT pg_advisory_xact_lock($1)', values: [LOCK] })
    await run({
      text: 'CREATE TABLE IF NOT EXISTS migrations (name text PRIMARY KEY, applied_at timestamptz NOT NULL DEFAULT now())',
      values: [],
    })
    const applied = new Set(
      (await run({ text: 'SELECT name FROM migrations', values: [] })).map(([name]) => name),
    )
    const names = readdirSync(FOLDER).filter((name) => name.endsWith('.sql'))
    const unknown = [...applied].filter((name) => !names.includes(String(name)))
    if (unknown.length > 0) throw new Error('it was made by a newer release of Terce')
    const missing = names.sort().filter((name) => !applied.has(name))
    for (const name of missing) {
      await run({ text: readFileSync(new URL(name, FOLDER), 'utf8'), values: [] })
      await run({ text: 'INSERT INTO migrations (name) VALUES ($1)', values: [name] })
    }
    return missing
  })
}
