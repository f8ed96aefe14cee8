// What SQLite and D1 must be able to do for the shared statements: run a few of them as one.

export type Value = string | number | null
export type Row = Value[]

/** A statement with its own parameters. Only one that `returns` has rows in its result. */
export type Plain = { sql: string; params: readonly Value[]; returns?: boolean }

/**
 * A statement over many rows. Where it says `{rows}` stands a table expression with the columns named; how the rows get
 * into it is the executor's business. It may be run in parts, so it must treat each row by itself.
 */
export type OverRows = {
  sql: string
  columns: readonly string[]
  rows: readonly (readonly Value[])[]
}

export type Statement = Plain | OverRows

/** The rows a statement returned, or, if it returns none by its nature, how many it changed. */
export type Result = { rows: Row[]; changes: number }

export type Executor = {
  /**
   * All of them in one transaction, in order, or none. A batch that is `healed` by the lease may be lost in a power
   * cut, though never in a crash of the process: it need not wait for the disk.
   */
  batch(statements: readonly Statement[], how?: { healed: boolean }): Promise<Result[]>
  /** One statement that only reads. */
  read(statement: Plain): Promise<Row[]>
}
