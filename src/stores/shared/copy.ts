// The tables of a copy, derived from the tables of SQLite, and the marks of a frozen database.
import { is } from 'drizzle-orm'
import { getTableConfig, SQLiteInteger, SQLiteTable } from 'drizzle-orm/sqlite-core'
import type { CopiedTable } from '../../ports/copy.ts'
import * as schema from '../tables/sqlite.ts'

/** Triggers write two of them, and `workers` has the processes that are alive. PostgreSQL has changes that wait to be applied, too. */
const NOT_COPIED = ['user_words', 'zone_counts', 'workers']

/** PostgreSQL has open and settled events in two tables, each without the columns that its rows do not need. */
const PARTS: Readonly<Record<string, readonly { name: string; lacks: string; where: string }[]>> = {
  events: [
    {
      name: 'events',
      lacks: 'status executed_at status_code failure_code last_error exchange',
      where: 'executed_at IS NULL',
    },
    {
      name: 'settled_events',
      lacks: 'lane wake_at lease_until lease_batch',
      where: 'executed_at IS NOT NULL',
    },
  ],
}

const OPEN_STATUS = `CASE WHEN claimed_at IS NULL THEN 'PENDING' ELSE 'PROCESSING' END`

/** A table comes after those that it refers to. */
export function copiedTables(): CopiedTable[] {
  const sorted = new Set<SQLiteTable>()
  const visit = (table: SQLiteTable) => {
    for (const { reference } of getTableConfig(table).foreignKeys) visit(reference().foreignTable)
    sorted.add(table)
  }
  for (const one of Object.values(schema)) if (is(one, SQLiteTable)) visit(one)
  return [...sorted].flatMap(partsOf)
}

function partsOf(table: SQLiteTable): CopiedTable[] {
  const { name: stored, columns, primaryKeys } = getTableConfig(table)
  if (NOT_COPIED.includes(stored)) return []
  const ofKey = primaryKeys[0]?.columns ?? columns.filter(({ primary }) => primary)
  const numbered = columns.find((column) => is(column, SQLiteInteger) && column.autoIncrement)
  const parts = PARTS[stored] ?? [{ name: stored, lacks: '', where: 'true' }]
  return parts.map(({ name, lacks, where }) => ({
    name,
    columns: columns
      .filter((column) => !lacks.split(' ').includes(column.name))
      .map((column) => ({ name: column.name, isNumber: column.getSQLType() === 'integer' })),
    key: ofKey.map((column) => column.name),
    numbered: numbered?.name ?? null,
    inSqlite: {
      table: stored,
      where,
      derived: lacks.split(' ').includes('status') ? { status: OPEN_STATUS } : {},
    },
  }))
}

/** Sums stay small enough for 64 bits. */
export const SUM_MODULUS = 1_000_003

/** A claim is the only write that raises the version of a row and leaves a lease on it. */
export const IS_CLAIM = 'NEW.version > OLD.version AND NEW.lease_until IS NOT NULL'

/** The SQLSTATE with which a frozen PostgreSQL rejects a write. SQLite has a code of its own for triggers. */
export const FROZEN_STATE = 'TC001'
