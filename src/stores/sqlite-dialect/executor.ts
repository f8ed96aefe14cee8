// What SQLite and D1 must be able to do for the shared statements: run a few of them as one.

export type Value = string | number | null
export type Row = Value[]

/** A statement with its own parameters. */
export type Plain = { sql: string; params: readonly Value[] }

/**
 * A statement over many rows. `sql` is given the text of a table expression with the columns named; how the rows get
 * into it is the executor's business. It may be run in parts, so it must treat each row by itself.
 */
export type OverRows = {
  sql: (source: string) => string
  columns: readonly string[]
  rows: readonly (readonly Value[])[]
}

export type Statement = Plain | OverRows

export type Executor = {
  /** All of them in one transaction, in order, or none. Returns the rows that each of them returned. */
  batch(statements: readonly Statement[]): Promise<Row[][]>
  /** One statement that only reads. */
  read(statement: Plain): Promise<Row[]>
}
