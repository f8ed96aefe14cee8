// A SQLite file with rows in every table, made from the columns of the schema, and a dump of a file.
import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import { getTableName, is } from 'drizzle-orm'
import { PgTable, getTableConfig as postgresConfig } from 'drizzle-orm/pg-core'
import { getTableConfig, type SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import { openSqliteStore } from '../../../src/stores/sqlite/sqlite-store.ts'
import * as postgresSchema from '../../../src/stores/tables/postgres.ts'
import * as schema from '../../../src/stores/tables/sqlite.ts'
import { DAY, newId, T0 } from '../../support/fixtures.ts'

/** Written by triggers. */
const BY_TRIGGERS = ['user_words', 'zone_counts']

export const TABLES = Object.values(schema)
  .filter((one) => is(one, SQLiteTable))
  .map((table) => ({ table: getTableName(table), ...getTableConfig(table) }))

/** The type of a column in PostgreSQL, which has more of them. */
const TYPES = new Map(
  Object.values(postgresSchema)
    .filter((one) => is(one, PgTable))
    .flatMap((table) =>
      postgresConfig(table).columns.map((column) => [
        `${getTableName(table)}.${column.name}`,
        column.getSQLType(),
      ]),
    ),
)

const TEXT = `O'Brien "\\N" \t${'é'} ${'😀'}\n`

type Row = Record<string, SQLInputValue>

/** Rows with every column filled, and rows with every column empty that may be. */
export async function fillDatabase(path: string, rows = 6): Promise<void> {
  await openSqliteStore(path).close()
  const db = new DatabaseSync(path, { enableForeignKeyConstraints: false })
  for (const { table, columns, foreignKeys } of TABLES) {
    if (BY_TRIGGERS.includes(table)) continue
    for (let i = 0; i < rows; i++) {
      const row: Row = {}
      for (const column of columns) row[column.name] = cellOf(table, column, i)
      for (const { reference } of foreignKeys) {
        const { columns: from, foreignTable, foreignColumns: to } = reference()
        const of = cellOf(getTableName(foreignTable), to[0] as SQLiteColumn, i)
        if (row[from[0]!.name] !== null) row[from[0]!.name] = of
      }
      if (table === 'events') Object.assign(row, i % 2 === 0 ? openEvent(i) : SETTLED_EVENT)
      const names = Object.keys(row)
      const places = names.map(() => '?').join(', ')
      db.prepare(`INSERT INTO ${table} (${names.join(', ')}) VALUES (${places})`).run(...Object.values(row))
    }
  }
  // A number that was given and deleted.
  db.exec(
    `DELETE FROM sqlite_sequence; INSERT INTO sqlite_sequence SELECT name, 40 FROM sqlite_master WHERE sql LIKE '%AUTOINCREMENT%'`,
  )
  db.close()
}

const openEvent = (i: number): Row => ({
  status: i === 0 ? 'PENDING' : 'PROCESSING',
  ...(i === 0 ? { claimed_at: null, claimed_by: null } : { claimed_at: T0, claimed_by: 'worker-1' }),
  lease_until: null,
  lane: 2 ** 48 - 1 - i,
  wake_at: T0,
  executed_at: null,
  status_code: null,
  failure_code: null,
  last_error: null,
  exchange: null,
})

const SETTLED_EVENT: Row = {
  status: 'FAILED',
  claimed_by: 'worker-1',
  claimed_at: T0,
  executed_at: T0 + 250,
  wake_at: null,
  lease_until: null,
  lease_batch: null,
  // PostgreSQL has no lane of a settled event.
  lane: null,
}

const keys = new Map<string, SQLInputValue>()

/** The key of the row with that number. */
function keyOf(column: string, i: number): SQLInputValue {
  const name = `${column} ${i}`
  if (!keys.has(name)) keys.set(name, newId(Date.now() - i * 20 * DAY))
  return keys.get(name)!
}

function cellOf(table: string, column: SQLiteColumn, i: number): SQLInputValue {
  const isEmpty = i % 3 === 0 && !column.notNull && !column.primary
  if (isEmpty) return null
  const type = TYPES.get(`${table}.${column.name}`) ?? TYPES.get(`settled_events.${column.name}`)!
  if (column.name === 'settings') return '{"kind":"webhook","url":"https://example.com"}'
  if (column.name === 'secrets') return '[]'
  if (/^(date|until|day|date_of_birth)$/.test(column.name)) return `2026-03-0${i + 1}`
  if (type === 'uuid') return keyOf(`${table}.${column.name}`, i)
  if (type === 'boolean') return i % 2
  if (type.startsWith('timestamp')) return T0 + i * 86_399_999
  if (type === 'bigint') return 5_000_000_000 + i
  if (type === 'integer') return i - 2 + (column.name === 'number' ? 3 : 0)
  return `${TEXT}${table} ${column.name} ${i}`
}

/** Every row of every table, and the last numbers. */
export function dump(path: string): Record<string, unknown[]> {
  const db = new DatabaseSync(path, { readOnly: true })
  const rowsOf = (table: string) => db.prepare(`SELECT * FROM ${table}`).all()
  const names = [...TABLES.map(({ table }) => table), 'sqlite_sequence'].filter((name) => name !== 'workers')
  const rows = names.map((name) => [
    name,
    rowsOf(name)
      .map((row) => JSON.stringify(row))
      .sort(),
  ])
  db.close()
  return Object.fromEntries(rows)
}
