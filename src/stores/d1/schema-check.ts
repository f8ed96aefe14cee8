// Compares the tables of a D1 with those that the code reads and writes: its migrations are applied by hand, before a deployment.
import { getTableColumns, getTableName, is } from 'drizzle-orm'
import { SQLiteTable } from 'drizzle-orm/sqlite-core'
import * as schema from '../tables/sqlite.ts'
import type { D1Database } from './binding.ts'

/** The columns that the database does not have, as `table.column`. */
export async function missingColumns(db: D1Database): Promise<string[]> {
  const tables = Object.values(schema).filter((one) => is(one, SQLiteTable))
  const needed = tables.flatMap((table) =>
    Object.values(getTableColumns(table)).map(({ name }) => `${getTableName(table)}.${name}`),
  )
  const rows = await db
    .prepare(
      'SELECT tables.value, columns.name FROM json_each(?) AS tables, pragma_table_info(tables.value) AS columns',
    )
    .bind(JSON.stringify(tables.map(getTableName)))
    .raw()
  const present = new Set(rows.map(([table, column]) => `${table}.${column}`))
  return needed.filter((name) => !present.has(name))
}
