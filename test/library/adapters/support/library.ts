// A library as the tests of its adapter use it: the transactions of an application, and its table.
import type pg from 'pg'
import type { Transactions } from '../../../../src/library/adapters/adapters.ts'

export type Library<Tx> = {
  transactions: Transactions<Tx>
  /** A transaction as the application itself begins it. */
  transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  /** Inserts a greeting into the table of the application. */
  insert(tx: Tx, note: string): PromiseLike<unknown>
  close?(): Promise<unknown>
}

/** `url` for a library that has no use for a pool. */
export type OpenLibrary<Tx> = (pool: pg.Pool, url: string) => Library<Tx>

export const CREATE_GREETINGS =
  'CREATE TABLE IF NOT EXISTS greetings (id serial PRIMARY KEY, note text NOT NULL)'

export function library<Tx>(
  transactions: Transactions<Tx>,
  uses: Omit<Library<Tx>, 'transactions'>,
): Library<Tx> {
  return { transactions, ...uses }
}
