// The table `schema_migrations`: which migrations an installation has. Also finds an installation of 0.1.0, whose tables lie in
// the schema that unqualified names resolve to. Changes no table of the engine.
import pg from 'pg'
import { type Applied, FIRST_RELEASE, type Migration } from '../../migrations/files.ts'
import { RELEASE } from '../../migrations/release.ts'
import type { Connection, Run } from '../connection.ts'
import { SCHEMA } from '../schema/terce.ts'

export type Ledger = {
  applied: Applied[]
  /** The other schema with the tables of 0.1.0 that belong to this installation. Null if there is none. */
  movesFrom: string | null
  /** False before the first migration by a release after 0.1.0. */
  exists: boolean
}

type Source = Pick<Connection, 'query' | 'schema'>

export async function readLedger({ query, schema }: Source): Promise<Ledger> {
  const [found] = await query({ text: TABLES, values: [] })
  const [exists, first] = found as [boolean, boolean]
  // A second Terce in the database must not take over the tables of the first.
  const movesFrom = schema === SCHEMA ? await findFirstRelease(query) : null
  if (exists) return { applied: await readApplied(query), movesFrom, exists }
  const names = first ? 'terce.migrations' : movesFrom === null ? null : `${movesFrom}.migrations`
  if (names === null) return { applied: [], movesFrom, exists }
  const rows = await query({ text: `SELECT name FROM ${names} ORDER BY name`, values: [] })
  const applied = rows.map(([name]) => ({ name: String(name), oldestRelease: FIRST_RELEASE }))
  return { applied, movesFrom: first ? null : movesFrom, exists }
}

const TABLES = `SELECT to_regclass('terce.schema_migrations') IS NOT NULL, to_regclass('terce.migrations') IS NOT NULL`

async function readApplied(run: Run): Promise<Applied[]> {
  const text = 'SELECT name, oldest_release FROM terce.schema_migrations ORDER BY name'
  const rows = await run({ text, values: [] })
  return rows.map(([name, oldestRelease]) => ({
    name: String(name),
    oldestRelease: String(oldestRelease),
  }))
}

/** The quoted schema of the tables of 0.1.0. An application may have a table `migrations` too, with other columns or names. */
async function findFirstRelease(run: Run): Promise<string | null> {
  const [found] = await run({ text: FIRST_TABLES, values: [] })
  if (found === undefined) return null
  const [schema] = found as [string]
  const text = `SELECT name FROM ${schema}.migrations WHERE name = '0000_start.sql'`
  return (await run({ text, values: [] })).length === 1 ? schema : null
}

// The view that stays behind has relkind v.
const FIRST_TABLES = `SELECT quote_ident(nspname) FROM pg_class c JOIN pg_namespace n ON n.oid = relnamespace
  WHERE c.oid = to_regclass('migrations') AND relkind = 'r' AND nspname <> '${SCHEMA}'
    AND (SELECT array_agg(attname::text ORDER BY attname) FROM pg_attribute WHERE attrelid = c.oid AND attnum > 0
      AND NOT attisdropped) = ARRAY['applied_at', 'name']`

/** Creates the schema and the table, and copies the names that 0.1.0 has recorded. */
export async function createLedger({ transaction, schema }: Connection, { applied }: Ledger): Promise<void> {
  await transaction(async (run) => {
    // CREATE SCHEMA IF NOT EXISTS needs the privilege to create schemas even if the schema exists.
    const found = await run({ text: 'SELECT 1 FROM pg_namespace WHERE nspname = $1', values: [schema] })
    if (found.length === 0) await run({ text: `CREATE SCHEMA ${pg.escapeIdentifier(schema)}`, values: [] })
    await run({ text: CREATE, values: [] })
    for (const migration of applied) await record(run, { ...migration, release: FIRST_RELEASE })
  })
}

const CREATE = `CREATE TABLE terce.schema_migrations (name text PRIMARY KEY, applied_at timestamptz NOT NULL DEFAULT now(),
  release text NOT NULL, oldest_release text NOT NULL)`

export async function record(
  run: Run,
  { name, oldestRelease, release = RELEASE }: Pick<Migration, 'name' | 'oldestRelease'> & { release?: string },
): Promise<void> {
  await run({
    text: 'INSERT INTO terce.schema_migrations (name, release, oldest_release) VALUES ($1, $2, $3)',
    values: [name, release, oldestRelease],
  })
}
