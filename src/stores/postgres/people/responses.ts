// Stores the first response to a request with an idempotency key, in the transaction that writes the users or the occasion.
// A transaction that also locks a user locks the user first.
import type { NewStoredResponse, ResponseExists, StoredResponse } from '../../../ports/store.ts'
import type { Run } from '../connection.ts'
import { atMs } from '../instant.ts'

const DELETE_OLD_RESPONSE = `DELETE FROM terce.responses WHERE key = $1 AND created_at < ${atMs('$2')}`

const INSERT_RESPONSE = `INSERT INTO terce.responses (key, fingerprint, status, body, created_at)
  VALUES ($1, $2, $3, $4, ${atMs('$5')}) ON CONFLICT DO NOTHING RETURNING key`

/**
 * Runs inside a transaction. Returns the response stored earlier, or null after storing this one. Waits for a concurrent
 * request with that key.
 */
export async function storeResponse(run: Run, response: NewStoredResponse): Promise<ResponseExists | null> {
  const { key, fingerprint, status, body, createdAt, forgetBefore } = response
  await run({ text: DELETE_OLD_RESPONSE, values: [key, forgetBefore] })
  const kept = await run({ text: INSERT_RESPONSE, values: [key, fingerprint, status, body, createdAt] })
  if (kept.length === 0)
    return { kind: 'response-exists', response: (await findResponse(run, key, forgetBefore))! }
  await forgetResponses(run, forgetBefore)
  return null
}

// Skips locked rows to avoid deadlocks: the deletion of a user locks its responses in another order. A later request deletes
// the skipped ones.
const FORGET_RESPONSES = `DELETE FROM terce.responses WHERE key IN (
    SELECT key FROM terce.responses WHERE created_at < ${atMs('$1')} FOR UPDATE SKIP LOCKED) RETURNING 1`

export async function forgetResponses(run: Run, before: number): Promise<number> {
  return (await run({ text: FORGET_RESPONSES, values: [before] })).length
}

/** Deletes the response that this transaction stored. */
export async function deleteResponse(run: Run, { key }: NewStoredResponse): Promise<void> {
  await run({ text: 'DELETE FROM terce.responses WHERE key = $1', values: [key] })
}

const FIND_RESPONSE = `SELECT fingerprint, status, body FROM terce.responses WHERE key = $1 AND created_at >= ${atMs('$2')}`

export async function findResponse(run: Run, key: string, notBefore: number): Promise<StoredResponse | null> {
  const [row] = await run({ text: FIND_RESPONSE, values: [key, notBefore] })
  if (row === undefined) return null
  const [fingerprint, status, body] = row as [string, number, string | null]
  return { key, fingerprint, status, body }
}
