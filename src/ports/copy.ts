// What a copy needs of a database. A row has the values that SQLite stores: instants in epoch milliseconds, 0 or 1, ids as text.

export type CopyRow = (string | number | null)[]

/** The rows of one table of PostgreSQL. Two of them are one table of SQLite. */
export type CopiedTable = {
  name: string
  columns: readonly { name: string; isNumber: boolean }[]
  /** The columns by which rows are read in order. */
  key: readonly string[]
  /** The column whose values are never used again, even after the last row was deleted. */
  numbered: string | null
  /** The table of SQLite, the condition for these rows, and the values that follow from other columns. */
  inSqlite: { table: string; where: string; derived: Readonly<Record<string, string>> }
}

/** Where to start reading: after a number of rows, or after a row. */
export type CopyFrom = { skip: number } | { after: CopyRow }

/** A database that is copied from. */
export type CopySource = {
  readonly tables: readonly CopiedTable[]
  /** Columns that this release needs and the database lacks, as `table.column`. */
  missingColumns(): Promise<string[]>
  /** Null if it is not frozen. */
  frozenText(): Promise<string | null>
  /** Rejects each claim from now on. Settlements and other writes still succeed. */
  freezeClaims(text: string): Promise<void>
  /** Rejects each write from now on. */
  freeze(text: string): Promise<void>
  unfreeze(): Promise<void>
  /** Events that are leased at that instant. */
  countLeased(now: number): Promise<number>
  /** Rows that a copy into another kind of database would lose, in words; null for none. */
  leftBehind(): Promise<string | null>
  bytes(): Promise<number>
  /** The number of rows, and a sum over each column that does not depend on the kind of database. */
  sums(table: CopiedTable): Promise<number[]>
  count(table: CopiedTable): Promise<number>
  /** A page in the order of the key; empty after the last row. */
  read(table: CopiedTable, from: CopyFrom): Promise<CopyRow[]>
  /** The last number that was given in a numbered table. */
  lastNumber(table: CopiedTable): Promise<number>
  close(): Promise<void>
}

/** A database that is copied into. */
export type CopyTarget = CopySource & {
  /** Writes a page in one transaction. */
  write(table: CopiedTable, rows: readonly CopyRow[]): Promise<void>
  /** Creates what is missing of the schema, and freezes it for all writes but these. */
  prepare(text: string, source: CopySource): Promise<void>
  setLastNumber(table: CopiedTable, number: number): Promise<void>
  /** Called once all is there and equal: processes may start on it. */
  finish(): Promise<void>
}
