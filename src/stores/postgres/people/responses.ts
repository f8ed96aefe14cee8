// First responses to requests with an idempotency key: each is kept by the transaction that writes what it tells of. One that
// locks a user too locks the user first.
import type { NewStoredResponse, ResponseExists, StoredResponse } from '../../../ports/store.ts'
import type { Run } from '../connection.ts'

/** Within a transaction. Null, and it is kept; or the response that stands. A request under way with its key is waited for. */
export async function storeResponse(run: Run, response: NewStoredResponse): Promise<ResponseExists | null> {
  await run({
    text: 'DELETE FROM responses WHERE key = $1 AND created_at < to_timestamp($2::float8 / 1000)',
    values: [response.key, response.forgetBefore],
  })
  const kept = await run({
    text: `INSERT INTO responses (key, fingerprint, status, body, created_at)
      VALUES ($1, $2, $3, $4, to_timestamp($5::float8 / 1000)) ON CONFLICT DO NOTHING RETURNING key`,
    values: [response.key, response.fingerprint, response.status, response.body, response.createdAt],
  })
  if (kept.length === 0)
    return {
      kind: 'response-exists',
      response: (await findResponse(run, response.key, response.forgetBefore))!,
    }
  await forgetResponses(run, response.forgetBefore)
  return null
}

/**
 * Passes over those that somebody is about to erase: whoever deletes a user takes the responses in another order than that of
 * age, and each would wait for the other. The next request forgets them.
 */
async function forgetResponses(run: Run, before: number): Promise<void> {
  await run({
    text: `DELETE FROM responses WHERE key IN (SELECT key FROM responses WHERE created_at < to_timestamp($1::float8 / 1000)
      FOR UPDATE SKIP LOCKED)`,
    values: [before],
  })
}

/** Takes back what the same transaction kept. */
export async function deleteResponse(run: Run, { key }: NewStoredResponse): Promise<void> {
  await run({ text: 'DELETE FROM responses WHERE key = $1', values: [key] })
}

export async function findResponse(run: Run, key: string, notBefore: number): Promise<StoredResponse | null> {
  const [row] = await run({
    text: `SELECT fingerprint, status, body FROM responses WHERE key = $1 AND created_at >= to_timestamp($2::float8 / 1000)`,
    values: [key, notBefore],
  })
  if (row === undefined) return null
  const [fingerprint, status, body] = row as [string, number, string | null]
  return { key, fingerprint, status, body }
}
