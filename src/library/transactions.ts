// How Terce uses the transactions of an application: the types that a pool, a SQLite file and an adapter implement. Structural, so
// that an application needs neither the types of `pg` nor those of `node:sqlite`.

/** A statement as the `query` of a `pg` client accepts it. */
export type PgQuery = {
  text: string
  values?: unknown[]
  /** `array`: each row is a list of values, in the order of the columns. */
  rowMode?: string
  /** `getTypeParser(oid, format)` returns the function that parses a column of this type. */
  types?: unknown
}

type PgResult = {
  // biome-ignore lint/suspicious/noExplicitAny: a row has the columns that the statement selects.
  rows: any[]
  rowCount: number | null
  command?: string
  fields?: unknown[]
}

/** Runs statements on one connection of PostgreSQL. */
export type PgClient = {
  query(query: PgQuery): Promise<PgResult>
  /** A pool has it, and is no connection. */
  totalCount?: never
}

/** A client of `pg` inside a transaction. */
export type PgTransaction = PgClient & {
  query(text: string, values?: unknown[]): Promise<PgResult>
}

/** A pool of `pg`. */
export type PgPool = {
  connect(): Promise<PgTransaction & { release(destroy?: boolean | Error): void }>
  query(text: string, values?: unknown[]): Promise<PgResult>
  readonly options: { max?: number }
}

/** A connection of `node:sqlite`. */
export type SqliteClient = {
  exec(sql: string): void
  prepare(sql: string): unknown
  close(): void
  readonly isTransaction?: boolean
}

type SqlValue = null | number | bigint | string | Uint8Array

/** A connection of `node:sqlite`, as handlers get it: `createTerce<SqliteDatabase>({ database: './app.db' })`. */
export type SqliteDatabase = Omit<SqliteClient, 'prepare'> & {
  prepare(sql: string): {
    run(...values: SqlValue[]): unknown
    // biome-ignore lint/suspicious/noExplicitAny: a row has the columns that the statement selects.
    get(...values: SqlValue[]): any
    // biome-ignore lint/suspicious/noExplicitAny: a row has the columns that the statement selects.
    all(...values: SqlValue[]): any[]
  }
  readonly isTransaction: boolean
}

/** How Terce uses the transactions of a library such as Drizzle. */
export type Transactions<Tx> = {
  /** Runs `work` in a transaction of the library; it rolls back if `work` rejects. Handlers write in it. */
  run<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  /** Runs SQL in the transaction, as the `query` of a `pg` client does. */
  clientOf(tx: Tx): PgClient | SqliteClient
  /**
   * Ends the connection of a transaction whose handler did not end in time, so that its later writes fail. Absent where the library
   * itself rejects statements after the end of a transaction.
   */
  abandon?(tx: Tx): void | Promise<void>
}

export type CallOptions<Tx> = {
  /** Writes in this transaction, and reads what it has written. */
  tx?: Tx | PgClient | SqliteClient
  /** Repeating a creation under one key creates nothing twice. Not for a call with `tx`, which the application can roll back. */
  idempotencyKey?: string
}
