// A database of 0.1.0: its own migrations in the schema public, and the rows that its processes wrote into every table.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import type { openPostgresStore } from '../../../../../src/stores/postgres/postgres-store.ts'
import type { OldRelease } from '../../../../support/old-release.ts'

const ROWS = new URL('../../../../data/releases/0.1.0-postgres.sql', import.meta.url)

type OpenStore = typeof openPostgresStore

/** The store of 0.1.0. */
export async function openOldStore(old: OldRelease, url: string): ReturnType<OpenStore> {
  const path = join(old.dist, 'stores/postgres/postgres-store.js')
  const { openPostgresStore: open } = (await import(path)) as { openPostgresStore: OpenStore }
  return open(url, { connections: 2 })
}

/** `schema` is the one that unqualified names resolve to. */
export async function createFirstRelease(old: OldRelease, url: string, schema = 'public'): Promise<void> {
  const folder = join(old.dist, '../migrations/postgres')
  const client = new pg.Client(url)
  await client.connect()
  await client.query(`CREATE SCHEMA IF NOT EXISTS ${schema}; SET search_path = ${schema}`)
  await client.query(
    'CREATE TABLE migrations (name text PRIMARY KEY, applied_at timestamptz NOT NULL DEFAULT now())',
  )
  for (const name of readdirSync(folder).sort())
    await client.query(readFileSync(join(folder, name), 'utf8').replaceAll('"public".', ''))
  await client.query(readFileSync(ROWS, 'utf8'))
  await client.end()
}

/** Tables and views that later releases create. */
const SINCE = [
  ...['schema_migrations', 'enqueued_changes', 'enqueue_errors'],
  ...['journal', 'ledger_days', 'ledger_keys', 'ledger_lines', 'ledger_occasions'],
]

/** Columns that later releases add to tables of 0.1.0. */
const COLUMNS_SINCE = ['replan_cursor']

/** Every row of every table of 0.1.0, as text. */
export async function readRows(url: string, schema: string): Promise<Record<string, string[]>> {
  const client = new pg.Client(url)
  await client.connect()
  const { rows } = await client.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class WHERE relnamespace = $1::regnamespace AND relkind IN ('r', 'p', 'v')
      AND NOT relispartition AND relname <> ALL ($2) ORDER BY relname`,
    [schema, SINCE],
  )
  const tables: Record<string, string[]> = {}
  for (const { name } of rows) {
    const { rows } = await client.query<{ row: string }>(
      `SELECT (to_jsonb(t) - $1::text[])::text AS row FROM ${schema}.${name} AS t ORDER BY 1`,
      [COLUMNS_SINCE],
    )
    tables[name] = rows.map(({ row }) => row)
  }
  await client.end()
  return tables
}
