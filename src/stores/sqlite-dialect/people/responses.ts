// First responses to requests with an idempotency key: each is kept by the batch that writes what it tells of.
import type { NewStoredResponse, ResponseExists, StoredResponse } from '../../../ports/store.ts'
import type { Executor, Plain, Value } from '../executor.ts'

/** Statements for the batch; the response is kept where the condition holds. A key that is taken fails the whole batch. */
export function storeResponse(response: NewStoredResponse, where: { sql: string; params: Value[] }): Plain[] {
  const { key, fingerprint, status, body, createdAt, forgetBefore } = response
  return [
    { sql: 'DELETE FROM responses WHERE created_at < ?', params: [forgetBefore] },
    {
      sql: `INSERT INTO responses (key, fingerprint, status, body, created_at) SELECT ?, ?, ?, ?, ? WHERE ${where.sql}`,
      params: [key, fingerprint, status, body, createdAt, ...where.params],
    },
  ]
}

/** What the batch came to; or, if it failed because the key of its response was taken, the response that stands. */
export async function unlessResponseExists<T>(
  executor: Executor,
  response: NewStoredResponse | undefined,
  batch: () => Promise<T>,
): Promise<T | ResponseExists> {
  try {
    return await batch()
  } catch (error) {
    const first = response ? await findResponse(executor, response.key, response.forgetBefore) : null
    if (first === null) throw error
    return { kind: 'response-exists', response: first }
  }
}

export async function findResponse(
  executor: Executor,
  key: string,
  notBefore: number,
): Promise<StoredResponse | null> {
  const [row] = await executor.read({
    sql: 'SELECT fingerprint, status, body FROM responses WHERE key = ? AND created_at >= ?',
    params: [key, notBefore],
  })
  if (row === undefined) return null
  const [fingerprint, status, body] = row as [string, number, string | null]
  return { key, fingerprint, status, body }
}
