// The readiness of a process, with a result that is reused for a moment: /readyz needs no key, and each check is a write.
import type { Clock } from '../ports/clock.ts'

/** How long a result is reused, whether good or bad. */
const READINESS_TTL_MS = 2_000

type Result = { readAt: number; failure: { error: unknown } | null }

/**
 * Throws the error of the check. Concurrent callers share one check, so that a flood of requests is one write. Not with
 * `sharesChecks: false`, for a runtime that cancels a query together with the request that started it.
 */
export function createReadiness(
  clock: Clock,
  check: () => Promise<void>,
  { sharesChecks = true } = {},
): () => Promise<void> {
  let last: Result | null = null
  let running: Promise<Result> | null = null

  async function run(): Promise<Result> {
    const failure = await check().then(
      () => null,
      (error: unknown) => ({ error }),
    )
    running = null
    last = { readAt: clock.elapsedMs(), failure }
    return last
  }

  function current(): Result | Promise<Result> {
    if (last !== null && clock.elapsedMs() - last.readAt < READINESS_TTL_MS) return last
    if (!sharesChecks) return run()
    running ??= run()
    return running
  }

  return async () => {
    const { failure } = await current()
    if (failure !== null) throw failure.error
  }
}
