// Empties the tables of Terce before a test. Rejects tables with rows that no test has written, so that a wrong address costs nothing.
import { getTableName, is, Table } from 'drizzle-orm'
import * as postgres from '../../stores/tables/postgres.ts'
import * as sqlite from '../../stores/tables/sqlite.ts'
import type { PgPool, SqliteDatabase } from '../transactions.ts'

/** A table whose presence says that the others belong to tests. */
const MARKER = 'emptied_by_tests'

const namesIn = (schema: object) =>
  Object.values(schema)
    .filter((value) => is(value, Table))
    .map((table) => getTableName(table))

/** Called before the tables are migrated: an installation is left as it is. */
export async function rejectInstallation(pool: PgPool, schema: string): Promise<void> {
  const { rows } = await pool.query(
    'SELECT table_name FROM information_schema.tables WHERE table_schema = $1',
    [schema],
  )
  const found = rows.map(({ table_name }) => table_name as string)
  const own = namesIn(postgres).filter((name) => found.includes(name))
  if (found.includes(MARKER) || own.length === 0) return
  const hasRows = own.map((name) => `EXISTS (SELECT FROM "${schema}"."${name}")`).join(' OR ')
  const used = await pool.query(`SELECT ${hasRows} AS used`)
  if (used.rows[0].used) throw notOfTests(`The schema ${schema}`)
}

export async function emptyPostgres(pool: PgPool, schema: string): Promise<void> {
  const names = namesIn(postgres).map((name) => `"${schema}"."${name}"`)
  await pool.query(`CREATE TABLE IF NOT EXISTS "${schema}"."${MARKER}" ()`)
  await pool.query(`TRUNCATE ${names.join(', ')} RESTART IDENTITY`)
}

export function emptySqlite(db: SqliteDatabase, schema: string): void {
  const names = namesIn(sqlite).map((name) => `"${schema}_${name}"`)
  const marker = `"${schema}_${MARKER}"`
  const isMarked =
    db.prepare('SELECT 1 FROM sqlite_master WHERE name = ?').get(`${schema}_${MARKER}`) !== undefined
  const hasRows = names.some((name) => db.prepare(`SELECT 1 FROM ${name} LIMIT 1`).get() !== undefined)
  if (hasRows && !isMarked) throw notOfTests(`The tables ${schema}_* of the file`)
  const deletes = names.map((name) => `DELETE FROM ${name};`).join('\n')
  db.exec(`BEGIN IMMEDIATE; PRAGMA defer_foreign_keys = ON;
    CREATE TABLE IF NOT EXISTS ${marker} (name TEXT); ${deletes} COMMIT`)
}

function notOfTests(where: string): Error {
  return new Error(
    `${where} had rows before createTestTerce, which empties its tables. Give a database for tests, or another schema.`,
  )
}
