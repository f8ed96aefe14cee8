// What the statements of this dialect need of a driver: a batch that is one transaction, and a read.
import { type Cell, type Columns, rowsOf } from '../shared/columns/columns.ts'

export type Value = Cell
export type SqliteRow = Value[]

/** A statement with its own parameters. Only one that `returns` has rows in its result. */
export type Plain = { sql: string; params: readonly Value[]; returns?: boolean }

/**
 * A statement over many rows. The executor replaces `{rows}` by a table expression with these columns. It may run the
 * statement in several parts, so the statement must treat each row by itself.
 */
export type OverRows = {
  sql: string
  columns: readonly string[]
  rows: readonly (readonly Value[])[]
}

export function overRows<T>(sql: string, columns: Columns<T>, records: readonly T[]): OverRows {
  return { sql, columns: Object.keys(columns), rows: rowsOf(columns, records) }
}

export type Statement = Plain | OverRows

/** The rows a statement returned, or, if it returns none by its nature, how many it changed. */
export type Result = { rows: SqliteRow[]; changes: number }

export type Executor = {
  /**
   * Runs all of the statements in one transaction, in order, or none. A batch with `durable: false` does not wait for the
   * disk: a power cut may lose it, a crash of the process does not. Safe for claims and settlements, which the lease recovers.
   * A batch that `erases` also removes earlier copies of the deleted rows from the files, soon after it was committed.
   */
  batch(statements: readonly Statement[], how?: { durable?: boolean; erases?: boolean }): Promise<Result[]>
  /** One statement that only reads. */
  read(statement: Plain): Promise<SqliteRow[]>
}
