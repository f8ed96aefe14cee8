// The size of the tables of the ledger and of their indexes.
import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'
import type { Home } from '../product/home.ts'

const TABLES = ['journal', 'ledger_days', 'ledger_lines', 'ledger_occasions']

export async function tableBytes({ databaseUrl }: Pick<Home, 'databaseUrl'>): Promise<number> {
  const names = TABLES.map((name) => `'${name}'`).join(', ')
  if (databaseUrl.startsWith('sqlite:')) {
    const db = new DatabaseSync(databaseUrl.slice('sqlite:'.length))
    const sql = `SELECT sum(pgsize) AS bytes FROM dbstat WHERE name IN
      (SELECT name FROM sqlite_schema WHERE tbl_name IN (${names}))`
    const { bytes } = db.prepare(sql).get() as { bytes: number }
    db.close()
    return bytes
  }
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  const { rows } = await client.query(
    `SELECT sum(pg_total_relation_size(format('terce.%I', name)::regclass))::float8 AS bytes
      FROM unnest(ARRAY[${names}]) AS name`,
  )
  await client.end()
  return rows[0].bytes
}
