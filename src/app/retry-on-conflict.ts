// Optimistic locking: repeats a read-modify-write while another writer wins. Never retries an error.

/** This many conflicts in a row on one record are a bug, not contention. */
const MAX_TRIES = 100

/** Calls `attempt` until it returns something other than null, which stands for a conflict. */
export async function retryOnConflict<T>(what: string, attempt: () => Promise<T | null>): Promise<T> {
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const result = await attempt()
    if (result !== null) return result
  }
  throw new Error(`${what} changed under each of ${MAX_TRIES} tries to change it.`)
}
