// The connection pool, and how statements and transactions run on it. Needs no session state, so that a transaction pooler works.
import pg from 'pg'
import { SCHEMA } from '../tables/postgres.ts'
import type { Parameter } from './arrays.ts'
import { withAnyDateStyle } from './clients/date-style.ts'
import { type Client, naming } from './clients/naming.ts'
import { createPreparing, isOutdated } from './clients/prepared.ts'
import { PrimaryClient, READ_ONLY_TRANSACTION, rejectStandby } from './clients/primary-client.ts'
import { begin, type Transaction } from './clients/transaction.ts'

export type Row = unknown[]
export type Query = { text: string; values: readonly Parameter[] }
/** Runs a statement inside the caller's transaction. */
export type Run = (query: Query) => Promise<Row[]>

export type Connection = {
  /** Runs the statements that Drizzle builds. */
  client: Client
  /** The schema of this installation. Statements name it `terce`. */
  schema: string
  /** Runs a single statement. Rows are arrays. */
  query(query: Query): Promise<Row[]>
  /** Runs `work` in a transaction; a throw rolls it back. */
  transaction<T>(work: (run: Run) => Promise<T>): Promise<T>
  /**
   * Like `transaction`, for many rows: planning is restricted to nested loops over keys. By itself the planner reads a whole
   * table of some ten thousand rows to join a batch of a thousand (36 ms against 12 ms), and a plan made for an empty
   * table is a disaster on a full one.
   */
  byKeys<T>(work: (run: Run) => Promise<T>): Promise<T>
  /** Runs a single statement under that restriction. */
  batch(query: Query): Promise<Row[]>
  /**
   * Like `byKeys`, for the statements of every claim and settlement: a connection plans each of them once, for all values.
   * `last` runs a statement and commits, in one round trip. `work` may be called twice, if nothing of the first call was committed.
   */
  prepared<T>(work: (run: Run, last: Run) => Promise<T>): Promise<T>
}

// A client that vanishes inside a transaction would keep its rows locked until the server notices, two hours by default.
// Expired leases do not help: claims skip locked rows.
const BEGIN = `BEGIN; SET LOCAL idle_in_transaction_session_timeout = ${10_000}`
// Up to PostgreSQL 17 the server compiles a statement that needs a disabled node each time, because its plan seems costly: 1.5 s
// for a claim of enqueued changes that takes 10 ms.
const BY_KEYS = `${BEGIN}; SET LOCAL enable_hashjoin = off; SET LOCAL enable_mergejoin = off; SET LOCAL enable_seqscan = off; SET LOCAL jit = off`
// A plan for all values does not know how few events are due: it must read them in the order of the index, not sort them.
const PREPARED = `${BY_KEYS}; SET LOCAL enable_bitmapscan = off; SET LOCAL enable_sort = off; SET LOCAL plan_cache_mode = force_generic_plan`

/** A connection that is not inside a transaction. */
export type PooledConnection = Connection & {
  pool: pg.Pool
  /** Like `byKeys`, with the client of the transaction, whose statements are not renamed. */
  withClient<T>(work: (client: Client) => Promise<T>): Promise<T>
}

export function connect(
  url: string,
  { connections, schema = SCHEMA }: { connections: number; schema?: string },
): PooledConnection {
  return connectionOn(createPool(url, connections), schema)
}

export function createPool(url: string, connections: number): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max: connections,
    keepAlive: true,
    connectionTimeoutMillis: 5_000,
    // A silent connection must not block a worker for ever.
    query_timeout: 30_000,
    Client: PrimaryClient,
    pipeline: true,
    verify: rejectStandby,
  })
  // An idle connection that breaks is replaced at its next use; without a listener it would end the process.
  pool.on('error', () => {})
  return pool
}

type Pooled = { release(broken?: Error | boolean): void }
type Listen = (event: 'error', listener: () => void) => unknown

/**
 * A connection of any pool, also an application's. If it breaks between two statements it emits an error, which would end the
 * process without a listener; the next statement fails.
 */
export async function checkOut<C extends Pooled>(connect: () => Promise<C>): Promise<Pooled & { client: C }> {
  const client: C & { on?: Listen; off?: Listen } = await connect()
  const ignore = () => {}
  client.on?.('error', ignore)
  return {
    client,
    release(broken) {
      client.release(broken)
      client.off?.('error', ignore)
    },
  }
}

export function connectionOn(pool: pg.Pool, schema = SCHEMA): PooledConnection {
  const preparing = createPreparing(schema)

  async function transact<T>(
    textFor: (client: pg.PoolClient) => string,
    work: (transaction: Transaction) => Promise<T>,
  ): Promise<T> {
    const { client, release } = await checkOut(() => pool.connect())
    const transaction = begin(client, textFor(client))
    let broken: Error | undefined
    try {
      const result = await work(transaction)
      await transaction.commit()
      return result
    } catch (error) {
      // Roll back only on a connection that responded: a silent one would wait for the timeout again.
      if (isFromServer(error)) {
        await transaction.rollBack().catch((failure) => {
          broken = failure
        })
        // After a failover the address may lead to another server, and this connection to a standby.
        if (error.code === READ_ONLY_TRANSACTION || isOutdated(error)) broken = error
      } else broken = error as Error
      throw error
    } finally {
      release(broken)
    }
  }

  const inTransaction = <T>(text: string, work: (run: Run) => Promise<T>) =>
    transact(
      () => text,
      ({ client, send }) => work((query) => send(() => run(naming(client, schema), query))),
    )

  async function prepared<T>(work: (run: Run, last: Run) => Promise<T>): Promise<T> {
    try {
      return await transact(
        (client) => `${PREPARED}${preparing.probe(client)}`,
        async ({ client, begun, send, sendLast }) => {
          const named = naming(client, schema)
          const statement = (query: Query) => () => run(named, query, preparing.nameOn(client, query.text))
          const result = await work(
            (query) => send(statement(query)),
            (query) => sendLast(statement(query)),
          )
          preparing.observe(client, await begun)
          return result
        },
      )
    } catch (error) {
      if (!preparing.isToBlame(error)) throw error
      return inTransaction(PREPARED, (run) => work(run, run))
    }
  }

  const client = naming(pool as Client, schema)
  return {
    pool,
    client: withAnyDateStyle(client),
    schema,
    withClient: (work) =>
      transact(
        () => BY_KEYS,
        ({ client, begun }) => begun.then(() => work(client)),
      ),
    query: (query) => run(client, query),
    transaction: (work) => inTransaction(BEGIN, work),
    byKeys: (work) => inTransaction(BY_KEYS, work),
    batch: (query) => inTransaction(BY_KEYS, (run) => run(query)),
    prepared,
  }
}

/** By its fields: the pool of an application may come from another copy of the driver. */
function isFromServer(error: unknown): error is pg.DatabaseError {
  return error instanceof Error && 'severity' in error && 'routine' in error
}

/** Prepares the statement on this client if it has a name. */
export async function run(client: Client, { text, values }: Query, name?: string): Promise<Row[]> {
  const query = { text, values: values as Parameter[], rowMode: 'array' } as const
  const { rows } = await client.query<Row>(name === undefined ? query : { ...query, name })
  return rows
}
