// Repeats a request that the server could not take now, and names a server that cannot be reached.
import type { Fetch } from './path-client.ts'

/** A server that asks for a longer wait is not waited for. */
const LONGEST_WAIT_MS = 60_000

/** A fetch that repeats a rejected request up to so many times. */
export function retrying(fetch: Fetch, retries: number): Fetch {
  return async (url, init) => {
    for (let tries = 0; ; tries++) {
      const response = await fetch(url, init)
      const waitMs = tries < retries && mayRepeat(response, init) ? waitBefore(response, tries) : Infinity
      if (waitMs > LONGEST_WAIT_MS) return response
      await response.body?.cancel()
      // With jitter: clients that were rejected together must not come back together.
      await sleep(waitMs * (1 + Math.random() / 4), init.signal ?? null)
    }
  }
}

/**
 * Nothing was done for a 429. After a 503 the request may be done. Then only a read, a whole change and a request under an
 * idempotency key have the same response again: a deleted record is missing, and a changed one has another version.
 */
function mayRepeat({ status }: Response, { method = 'GET', headers }: RequestInit): boolean {
  if (status !== 503) return status === 429
  const sent = new Headers(headers)
  return sent.has('Idempotency-Key') || (!['POST', 'DELETE'].includes(method) && !sent.has('If-Match'))
}

function waitBefore(response: Response, tries: number): number {
  const asked = response.headers.get('Retry-After') ?? ''
  const seconds = /^\d{1,9}$/.test(asked) ? Number(asked) : 2 ** tries
  return seconds * 1_000
}

function sleep(ms: number, signal: AbortSignal | null): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted()
    const abort = () => {
      clearTimeout(timer)
      reject(signal!.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort)
      resolve()
    }, ms)
    signal?.addEventListener('abort', abort, { once: true })
  })
}

/** The fetch of the platform. Its "fetch failed" does not say where to. */
export const fetchNamed: Fetch = async (url, init) => {
  try {
    return await globalThis.fetch(url, init)
  } catch (error) {
    if (init.signal?.aborted) throw error
    const { code, message = String(error) } = ((error as Error).cause ?? error) as {
      code?: string
      message?: string
    }
    throw new TypeError(`Cannot reach ${new URL(url).origin}: ${code ?? message}`, { cause: error })
  }
}
