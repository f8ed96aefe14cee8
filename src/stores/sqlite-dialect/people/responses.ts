// Stores the first response to a request with an idempotency key, in the batch that writes the users or the occasion.
import type { NewStoredResponse, ResponseExists, StoredResponse } from '../../../ports/store.ts'
import type { Executor, Plain, Value } from '../executor.ts'

/** Statements for the batch; they store the response where the condition holds. A key that exists fails the whole batch. */
export function storeResponse(response: NewStoredResponse, where: { sql: string; params: Value[] }): Plain[] {
  const { key, fingerprint, status, body, createdAt, forgetBefore } = response
  return [
    oldResponses(forgetBefore),
    {
      sql: `INSERT INTO responses (key, fingerprint, status, body, created_at) SELECT ?, ?, ?, ?, ? WHERE ${where.sql}`,
      params: [key, fingerprint, status, body, createdAt, ...where.params],
    },
  ]
}

function oldResponses(before: number): Plain {
  return { sql: 'DELETE FROM responses WHERE created_at < ?', params: [before] }
}

/** Counts by the rows returned: the changes that D1 reports include the links that cascade. */
export async function forgetResponses(executor: Executor, before: number): Promise<number> {
  const { sql, params } = oldResponses(before)
  const statement = { sql: `${sql} RETURNING key`, params, returns: true }
  const [result] = await executor.batch([statement], { erases: true })
  return result!.rows.length
}

/** The result of the batch or, if it failed because the key exists, the response stored earlier. */
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
