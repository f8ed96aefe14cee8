// Drizzle and Knex on `pg`: their transactions give the connection. Knex rejects its own statements after the end of a transaction.
import type { PgClient, Transactions } from '../transactions.ts'

type Database<Tx> = { transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T> }
type InDrizzle = { session?: { client?: PgClient & { end(): Promise<void>; release?(): void } } }

/** Transactions of a Drizzle database: `drizzle(db)`, where `db` is on a `pg` pool. */
export function drizzle<Tx>(db: Database<Tx>): Transactions<Tx> {
  function clientOf(tx: Tx) {
    const client = (tx as InDrizzle).session?.client
    if (typeof client?.query !== 'function') throw new TypeError('Terce needs a Drizzle database on pg.')
    return client
  }
  return {
    run: (work) =>
      db.transaction((tx) => {
        // On a single client, transactions of two handlers would be one.
        if (clientOf(tx).release === undefined)
          throw new TypeError('Handlers need a Drizzle database on a pool.')
        return work(tx)
      }),
    clientOf,
    // Drizzle returns the client to the pool, on which a late statement would commit by itself. Not awaited: the server may not respond.
    abandon: (tx) =>
      void clientOf(tx)
        .end()
        .catch(() => {}),
  }
}

type InKnex = { client: { acquireConnection(): Promise<PgClient> }; isCompleted(): boolean }

/** Transactions of Knex: `knex(db)`, where `db` has the client `pg`. */
export function knex<Tx extends { isCompleted(): boolean }>(db: Database<Tx>): Transactions<Tx> {
  return {
    run: (work) => db.transaction(work),
    clientOf: (tx) => ({
      async query(query) {
        const connection = await (tx as unknown as InKnex).client.acquireConnection()
        if (tx.isCompleted()) throw new Error('The transaction has ended.')
        return connection.query(query)
      },
    }),
  }
}
