// One transaction on a client. BEGIN is sent with the first statement and COMMIT with the last where the driver pipelines: a
// statement that fails makes the COMMIT behind it a rollback. If an administrator cancels the BEGIN itself, the statement behind it
// commits alone and the caller gets an error, as after a lost connection: a lease or the fencing of a settlement covers both.
import type pg from 'pg'

export type Transaction = {
  client: pg.PoolClient
  /** Resolves with the result of BEGIN. */
  begun: Promise<pg.QueryResult | pg.QueryResult[]>
  /** Sends a statement. */
  send<T>(statement: () => Promise<T>): Promise<T>
  /** Sends the last statement, and commits. */
  sendLast<T>(statement: () => Promise<T>): Promise<T>
  /** Commits, unless the last statement did. */
  commit(): Promise<void>
  /** Ends the transaction after a statement that failed. */
  rollBack(): Promise<void>
}

export function begin(client: pg.PoolClient, text: string): Transaction {
  const begun: Transaction['begun'] = client.query(text)
  // The statement that was sent with it reports its failure.
  begun.catch(() => {})
  let committed: Promise<unknown> | null = null

  async function send<T>(statement: () => Promise<T>): Promise<T> {
    if (!client.pipeline) await begun
    const [result] = await Promise.all([statement(), begun])
    return result
  }

  async function commit(): Promise<void> {
    committed ??= send(() => client.query('COMMIT'))
    await committed
  }

  async function sendLast<T>(statement: () => Promise<T>): Promise<T> {
    const sent = send(statement)
    if (!client.pipeline) await sent
    const [result] = await Promise.all([sent, commit()])
    return result
  }

  async function rollBack(): Promise<void> {
    await (committed ?? client.query('ROLLBACK'))
  }

  return { client, begun, send, sendLast, commit, rollBack }
}
