// The table `schema_migrations`: which migrations an installation has.
import pg from 'pg'
import type { Applied } from '../../migrations/files.ts'
import { RELEASE } from '../../migrations/release.ts'
import type { Connection, Run } from '../connection.ts'

/** Null before the first migration. */
export async function readApplied({ query }: Pick<Connection, 'query'>): Promise<Applied[] | null> {
  const [found] = await query({
    text: `SELECT to_regclass('terce.schema_migrations') IS NOT NULL`,
    values: [],
  })
  if (found![0] !== true) return null
  const text = 'SELECT name, oldest_release FROM terce.schema_migrations ORDER BY name'
  const rows = await query({ text, values: [] })
  return rows.map(([name, oldestRelease]) => ({
    name: String(name),
    oldestRelease: String(oldestRelease),
  }))
}

/** Creates the schema and the table. */
export async function createRecord({ transaction, schema }: Connection): Promise<void> {
  await transaction(async (run) => {
    // CREATE SCHEMA IF NOT EXISTS needs the privilege to create schemas even if the schema exists.
    const found = await run({ text: 'SELECT 1 FROM pg_namespace WHERE nspname = $1', values: [schema] })
    if (found.length === 0) await run({ text: `CREATE SCHEMA ${pg.escapeIdentifier(schema)}`, values: [] })
    await run({ text: CREATE, values: [] })
  })
}

const CREATE = `CREATE TABLE terce.schema_migrations (name text PRIMARY KEY, applied_at timestamptz NOT NULL DEFAULT now(),
  release text NOT NULL, oldest_release text NOT NULL)`

export async function record(run: Run, { name, oldestRelease }: Applied): Promise<void> {
  await run({
    text: 'INSERT INTO terce.schema_migrations (name, release, oldest_release) VALUES ($1, $2, $3)',
    values: [name, RELEASE, oldestRelease],
  })
}
