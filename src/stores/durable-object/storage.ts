// The part of a Durable Object's storage that is used here. Its full types would change what `fetch` and `Request` mean in
// the whole program.
import type { Value } from '../sqlite-dialect/executor.ts'

export type SqlCursor = {
  /** Rows as objects: two columns of one name become one. */
  toArray(): Record<string, unknown>[]
  /** Rows as arrays. */
  raw(): { toArray(): unknown[][] }
}

export type ObjectStorage = {
  sql: {
    /** Runs one or more statements. The parameters belong to the last of them. */
    exec(sql: string, ...params: readonly Value[]): SqlCursor
  }
  /** One transaction: if the callback throws, none of its statements was run. */
  transactionSync<T>(run: () => T): T
}
