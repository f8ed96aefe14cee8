// Reads which migrations a database has. Unlike opening the store, it applies none.
import { existsSync, readdirSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'
import type { Config } from '../../runtimes/config/config.ts'

/** `unknown`: applied by a newer release. */
type Schema = { applied: string[]; missing: string[]; unknown: string[] }

type Settings = Config['database']

export async function readSchema(settings: Settings): Promise<Schema> {
  const applied = settings.kind === 'sqlite' ? inFile(settings.path) : await inPostgres(settings)
  const known = readdirSync(new URL(`../../../migrations/${settings.kind}/`, import.meta.url))
    .filter((name) => name.endsWith('.sql'))
    .sort()
  return {
    applied,
    missing: known.filter((name) => !applied.includes(name)),
    unknown: applied.filter((name) => !known.includes(name)),
  }
}

/** Empty if there is no file. */
function inFile(path: string): string[] {
  if (!existsSync(path)) return []
  const db = new DatabaseSync(path, { readOnly: true })
  try {
    const table = db.prepare(`SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'migrations'`)
    if (table.get() === undefined) return []
    return namesOf(db.prepare('SELECT name FROM migrations ORDER BY name').all())
  } finally {
    db.close()
  }
}

function inPostgres({ url, schema }: { url: string; schema: string }): Promise<string[]> {
  return withPostgres(url, async (client) => {
    const table = `${pg.escapeIdentifier(schema)}.migrations`
    const { rows } = await client.query('SELECT to_regclass($1) IS NOT NULL AS made', [table])
    if (!rows[0].made) return []
    return namesOf((await client.query(`SELECT name FROM ${table} ORDER BY name`)).rows)
  })
}

/** Opens one connection and closes it afterwards. */
export async function withPostgres<T>(url: string, look: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: 5_000,
    query_timeout: 5_000,
  })
  // A broken connection rejects its query and emits an error event too; the rejection is enough.
  client.on('error', () => {})
  try {
    await client.connect()
    return await look(client)
  } catch (error) {
    const { host, pathname } = new URL(url)
    const { message, code } = error as Error & { code?: string }
    throw new Error(`Cannot use postgres://${host}${pathname}: ${message || code}. Check DATABASE_URL.`)
  } finally {
    await client.end().catch(() => {})
  }
}

function namesOf(rows: readonly Record<string, unknown>[]): string[] {
  return rows.map(({ name }) => String(name))
}
