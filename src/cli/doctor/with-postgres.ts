// One connection to PostgreSQL for a check.
import pg from 'pg'

/** Opens one connection and closes it afterwards. */
export async function withPostgres<T>(url: string, look: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: 5_000,
    query_timeout: 5_000,
  })
  // A broken connection rejects its query and emits an error event too; the rejection is enough.
  client.on('error', () => {})
  try {
    await client.connect()
    return await look(client)
  } catch (error) {
    const { host, pathname } = new URL(url)
    const { message, code } = error as Error & { code?: string }
    throw new Error(`Cannot use postgres://${host}${pathname}: ${message || code}. Check DATABASE_URL.`)
  } finally {
    await client.end().catch(() => {})
  }
}
