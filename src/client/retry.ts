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
      await sleep(waitMs, init.signal ?? null)
    }
  }
}

/** Nothing was done for a 429. After a 503 a creation may be stored: it is repeated under an idempotency key alone. */
function mayRepeat({ status }: Response, { method, headers }: RequestInit): boolean {
  return (
    status === 429 || (status === 503 && (method !== 'POST' || new Headers(headers).has('Idempotency-Key')))
  )
}

/** With jitter: clients that were rejected together must not come back together. */
function waitBefore(response: Response, tries: number): number {
  const asked = response.headers.get('Retry-After') ?? ''
  const seconds = /^\d{1,9}$/.test(asked) ? Number(asked) : 2 ** tries
  return seconds * 1_000 * (1 + Math.random() / 4)
}

function sleep(ms: number, signal: AbortSignal | null): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted()
    const timer = setTimeout(resolve, ms)
    signal?.addEventListener('abort', () => {
      clearTimeout(timer)
      reject(signal.reason)
    })
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
