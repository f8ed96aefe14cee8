// The tables, columns and indexes that the code declares: the migrations make them, and the snapshots have them.
import { readdirSync, readFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { getTableName, is } from 'drizzle-orm'
import * as pgCore from 'drizzle-orm/pg-core'
import * as sqliteCore from 'drizzle-orm/sqlite-core'
import { describe, expect, it } from 'vitest'
import { migrate } from '../../src/stores/sqlite/migrate.ts'
import * as postgresSchema from '../../src/stores/tables/postgres.ts'
import * as sqliteSchema from '../../src/stores/tables/sqlite.ts'
import { sharedPostgres } from '../support/shared-postgres.ts'
import { query } from './postgres/support/audit.ts'

type Named = { name: string }
type Snapshot = {
  tables: Record<string, Named & { columns: Record<string, Column>; indexes: Record<string, Index> }>
}
type Column = Named & { type: string; notNull: boolean }
type Index = Named & { isUnique: boolean; where?: string }

const namesOf = (rows: Named[]) => rows.map(({ name }) => name).sort()
const postgres = Object.values(postgresSchema)
  .filter((one) => is(one, pgCore.PgTable))
  .map((table) => ({ table: getTableName(table), ...pgCore.getTableConfig(table) }))
const sqlite = Object.values(sqliteSchema)
  .filter((one) => is(one, sqliteCore.SQLiteTable))
  .map((table) => ({ table: getTableName(table), ...sqliteCore.getTableConfig(table) }))

const columnsOf = (tables: { table: string; columns: Named[] }[]) =>
  tables.flatMap(({ table, columns }) => columns.map(({ name }) => `${table}.${name}`)).sort()
const indexesOf = (tables: { indexes: { config: { name?: string | undefined } }[] }[]) =>
  tables.flatMap(({ indexes }) => indexes.map(({ config }) => config.name!)).sort()

describe('the schema', () => {
  it.each([
    ['sqlite', sqlite, new sqliteCore.SQLiteSyncDialect()],
    ['postgres', postgres, new pgCore.PgDialect()],
  ] as const)(
    'is what the last snapshot of %s has, from which the next migration is made',
    (name, tables, dialect) => {
      const folder = new URL(`../../migrations/${name}/meta/`, import.meta.url)
      const last = readdirSync(folder)
        .filter((file) => file.endsWith('_snapshot.json'))
        .sort()
        .at(-1)!
      const snapshot: Snapshot = JSON.parse(readFileSync(new URL(last, folder), 'utf8'))
      const inSnapshot = Object.values(snapshot.tables).flatMap(({ name, columns, indexes }) => [
        ...Object.values(columns).map((column) => [name, column.name, column.type, column.notNull]),
        ...Object.values(indexes).map((index) => [name, index.name, index.isUnique, index.where ?? null]),
      ])
      const declared = tables.flatMap(({ table, columns, indexes }) => [
        ...columns.map((column) => [table, column.name, column.getSQLType(), column.notNull]),
        ...indexes.map(({ config }) => {
          const { name, unique, where } = config
          return [table, name!, unique, where ? dialect.sqlToQuery(where).sql : null]
        }),
      ])
      expect(inSnapshot.map(String).sort()).toEqual(declared.map(String).sort())
    },
  )

  it('is what the migrations make in a SQLite file', () => {
    const db = new DatabaseSync(':memory:')
    migrate(db)
    const columns = db.prepare(
      `SELECT t.name || '.' || c.name AS name FROM sqlite_master AS t, pragma_table_info(t.name) AS c
        WHERE t.type = 'table' AND t.name NOT IN ('sqlite_sequence', 'schema_migrations')`,
    )
    expect(namesOf(columns.all() as Named[])).toEqual(columnsOf(sqlite))
    const indexes = db.prepare(`SELECT name FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL`)
    expect(namesOf(indexes.all() as Named[])).toEqual(indexesOf(sqlite))
  })

  it('is what the migrations make on PostgreSQL', async () => {
    const server = await sharedPostgres()
    const url = await server.createMigratedDatabase()
    const columns = await query<Named>(
      url,
      `SELECT relname || '.' || attname AS name FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid
        WHERE relnamespace = 'terce'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition
          AND attnum > 0 AND NOT attisdropped AND relname <> 'schema_migrations'`,
    )
    expect(namesOf(columns)).toEqual(columnsOf(postgres))
    const indexes = await query<Named>(
      url,
      `SELECT relname AS name FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid
        WHERE relnamespace = 'terce'::regnamespace AND NOT indisprimary AND NOT relispartition
          AND NOT EXISTS (SELECT FROM pg_constraint WHERE conindid = indexrelid)`,
    )
    expect(namesOf(indexes)).toEqual(indexesOf(postgres))
    await server.dropDatabase(url)
  })
})
