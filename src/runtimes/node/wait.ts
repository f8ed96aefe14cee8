// Waits for a database that is unavailable when the process starts, as a running process waits for one that went away.
import { FROZEN, StoreUnavailableError } from '../../domain/errors.ts'
import { retry } from '../../engine/retry.ts'
import { backoffMs } from '../../engine/timing.ts'
import type { Clock } from '../../ports/clock.ts'

type Wait = { attempt: number; retryInMs: number; error: unknown }

/**
 * Calls `start` until it succeeds: after 1, 2, 4 … at most 30 seconds. An error that is no outage, such as a wrong password,
 * is thrown, and so is a frozen database: waiting would hide it.
 */
export function startWhenAvailable<T>(
  start: () => Promise<T>,
  { clock, onWait }: { clock: Clock; onWait: (wait: Wait) => void },
): Promise<T> {
  const waitAfter = (error: unknown, attempt: number) => {
    const outage = [error, (error as Error).cause].find((one) => one instanceof StoreUnavailableError)
    if (outage === undefined || outage.code === FROZEN) return null
    const retryInMs = backoffMs(attempt)
    onWait({ attempt, retryInMs, error: outage })
    return retryInMs
  }
  return retry(clock, waitAfter, start)
}
