// Calls HEARTBEAT_URL after each run of a serverless scheduler. A service that expects the calls reports when they stop.
import type { Dial } from '../../channels/dial/dial.ts'
import type { Telemetry } from '../../ports/telemetry.ts'

/** Never throws: a run has not failed because of it. */
export type Ping = (telemetry: Telemetry) => Promise<void>

/** Shorter than the time that a function of AWS keeps back from its run. */
const TIMEOUT_MS = 1_500

export function createPing(dial: Dial, url: string | null): Ping {
  return async (telemetry) => {
    if (url === null) return
    try {
      await call(dial, url, { timeoutMs: TIMEOUT_MS })
    } catch (error) {
      telemetry({ kind: 'error', operation: 'ping', error, retryInMs: null })
    }
  }
}

/** Throws unless the response is 2xx. Follows no redirect. */
async function call(
  dial: Dial,
  url: string,
  { timeoutMs, ...init }: RequestInit & { timeoutMs: number },
): Promise<void> {
  const signal = AbortSignal.timeout(timeoutMs)
  const response = await dial.fetch(url, { ...init, redirect: 'manual', signal })
  await response.body?.cancel()
  if (!response.ok) throw Object.assign(new Error('rejected'), { code: `HTTP_${response.status}` })
}
