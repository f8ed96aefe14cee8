// Kysely with its dialect of PostgreSQL, by its public methods.

import { asJsonRows, type JsonRow, valuesOf } from '../../stores/postgres/clients/json-rows.ts'
import type { Transactions } from '../transactions.ts'

type Result = { rows: unknown[]; numAffectedRows?: bigint }
type Inside = {
  withoutPlugins(): { executeQuery(query: object): Promise<Result> }
  getExecutor(): { provideConnection(use: () => Promise<void>): Promise<void> }
}
type Database<Tx> = { transaction(): { execute<T>(work: (tx: Tx) => Promise<T>): Promise<T> } }

/** Transactions of Kysely: `kysely(db)`. */
export function kysely<Tx extends { isTransaction: true }>(db: Database<Tx>): Transactions<Tx> {
  const inside = (tx: Tx) => tx as unknown as Inside
  return {
    async run(work) {
      const ended = Promise.withResolvers<void>()
      // Kysely rejects statements after ROLLBACK has returned; a late one that is sent before would commit by itself. They wait here.
      const block = (tx: Tx) =>
        new Promise<void>((blocked, failed) => {
          const wait = () => {
            blocked()
            return ended.promise
          }
          inside(tx).getExecutor().provideConnection(wait).catch(failed)
        })
      const blockIfFailed = (tx: Tx) =>
        work(tx).catch(async (error) => {
          await block(tx)
          throw error
        })
      return db.transaction().execute(blockIfFailed).finally(ended.resolve)
    },
    clientOf: (tx) => ({
      async query({ text, values = [] }) {
        const json = asJsonRows(text)
        const query = { kind: 'RawNode', sqlFragments: [json ?? text], parameters: [] }
        const compiled = { query, queryId: { queryId: 'terce' }, sql: json ?? text, parameters: values }
        const { rows, numAffectedRows } = await inside(tx).withoutPlugins().executeQuery(compiled)
        if (json === null) return { rows: [], rowCount: Number(numAffectedRows ?? 0) }
        return { rows: valuesOf(rows as JsonRow[]), rowCount: rows.length }
      },
    }),
  }
}
