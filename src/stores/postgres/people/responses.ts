// Stores the first response to a request with an idempotency key, in the transaction that writes the users or the occasion.
// A transaction that also locks a user locks the user first.
import type { NewStoredResponse, ResponseExists, StoredResponse } from '../../../ports/store.ts'
import type { Run } from '../connection.ts'

/**
 * Runs inside a transaction. Returns the response stored earlier, or null after storing this one. Waits for a concurrent
 * request with that key.
 */
export async function storeResponse(run: Run, response: NewStoredResponse): Promise<ResponseExists | null> {
  await run({
    text: 'DELETE FROM terce.responses WHERE key = $1 AND created_at < to_timestamp($2::float8 / 1000)',
    values: [response.key, response.forgetBefore],
  })
  const kept = await run({
    text: `INSERT INTO terce.responses (key, fingerprint, status, body, created_at)
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
 * Skips locked rows to avoid deadlocks: the deletion of a user locks its responses in another order. A later request deletes
 * the skipped ones.
 */
export async function forgetResponses(run: Run, before: number): Promise<number> {
  const gone = await run({
    text: `DELETE FROM terce.responses WHERE key IN (SELECT key FROM terce.responses WHERE created_at < to_timestamp($1::float8 / 1000)
      FOR UPDATE SKIP LOCKED) RETURNING 1`,
    values: [before],
  })
  return gone.length
}

/** Deletes the response that this transaction stored. */
export async function deleteResponse(run: Run, { key }: NewStoredResponse): Promise<void> {
  await run({ text: 'DELETE FROM terce.responses WHERE key = $1', values: [key] })
}

export async function findResponse(run: Run, key: string, notBefore: number): Promise<StoredResponse | null> {
  const [row] = await run({
    text: `SELECT fingerprint, status, body FROM terce.responses WHERE key = $1 AND created_at >= to_timestamp($2::float8 / 1000)`,
    values: [key, notBefore],
  })
  if (row === undefined) return null
  const [fingerprint, status, body] = row as [string, number, string | null]
  return { key, fingerprint, status, body }
}
