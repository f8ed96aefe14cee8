// Knex on `pg`: its transaction returns its connection, and rejects its own statements after its end.
import type { PgClient, Transactions } from '../transactions.ts'

type Inside = { client: { acquireConnection(): Promise<PgClient> }; isCompleted(): boolean }
type Database<Tx> = { transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T> }

/** Transactions of Knex: `knex(db)`, where `db` has the client `pg`. */
export function knex<Tx extends { isCompleted(): boolean }>(db: Database<Tx>): Transactions<Tx> {
  return {
    run: (work) => db.transaction(work),
    clientOf: (tx) => ({
      async query(query) {
        const connection = await (tx as unknown as Inside).client.acquireConnection()
        if (tx.isCompleted()) throw new Error('The transaction has ended.')
        return connection.query(query)
      },
    }),
  }
}
