// The part of Cloudflare's D1 binding that is used here. Its full types would change what `fetch` and `Request` mean in
// the whole program.
import type { Value } from '../sqlite-dialect/executor.ts'

export type D1Statement = {
  bind(...values: readonly Value[]): D1Statement
  /** Rows as arrays: as objects, two columns of one name become one. */
  raw(): Promise<unknown[][]>
}

/** Rows as objects, the only form in which a batch gives them. */
export type D1Result = { results: Record<string, unknown>[]; meta: { changes: number; size_after?: number } }

export type D1Database = {
  prepare(sql: string): D1Statement
  /** One transaction: if a statement fails, none was run. */
  batch(statements: D1Statement[]): Promise<D1Result[]>
}
