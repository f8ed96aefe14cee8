// A connection inside the transaction of an application: every write of the store commits or rolls back with it.
import { type Connection, run } from '../connection.ts'
import { withAnyDateStyle } from './date-style.ts'
import { type Client, naming } from './naming.ts'

/** `client` has begun a transaction. It runs one operation of the store after the other, each under a savepoint. */
export function joinTransaction(client: Client, schema: string): Connection {
  const named = naming(client, schema)
  const reading = withAnyDateStyle(named)
  let last: Promise<unknown> = Promise.resolve()

  /** Savepoints of two operations that run at once would end in the wrong order. */
  function inOrder<T>(work: () => Promise<T>): Promise<T> {
    const done = last.then(work, work)
    last = done.catch(() => {})
    return done
  }

  async function underSavepoint<T>(work: () => Promise<T>): Promise<T> {
    await client.query('SAVEPOINT terce')
    try {
      const result = await work()
      await client.query('RELEASE SAVEPOINT terce')
      return result
    } catch (error) {
      // One after the other: a library may prepare its statements, which allows one at a time.
      await client.query('ROLLBACK TO SAVEPOINT terce')
      await client.query('RELEASE SAVEPOINT terce')
      throw error
    }
  }

  /** The statements that Drizzle builds. A read does not fail for what it finds, and needs no savepoint. */
  const single = (statement: string | { text: string }, ...rest: unknown[]) => {
    const query = (): Promise<unknown> => Reflect.apply(reading.query, reading, [statement, ...rest])
    const text = typeof statement === 'string' ? statement : statement.text
    return inOrder(() => (/^select/i.test(text) ? query() : underSavepoint(query)))
  }

  const transaction: Connection['transaction'] = (work) =>
    inOrder(() => underSavepoint(() => work((query) => run(named, query))))
  return {
    client: { query: single } as Client,
    schema,
    query: (query) => inOrder(() => run(named, query)),
    transaction,
    // The settings for the planner would stay set to the end of the application's transaction.
    byKeys: transaction,
    batch: (query) => transaction((run) => run(query)),
    prepared: (work) => transaction((run) => work(run, run)),
  }
}
