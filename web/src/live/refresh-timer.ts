// When a page refetches while data changes. Free of browser APIs, because the load measurement uses it too.

/** Batches changes that arrive together, and refetches at most once a second during a run of changes. */
const LINGER_MS = 250
const MIN_INTERVAL_MS = 1_000
/** A slow server is busy: the interval is at least this many times the last response time. */
const RESPONSE_TIME_FACTOR = 20
const MAX_INTERVAL_MS = 10_000
/** The server caches its figures for a second, so refetch once more after the last change. */
const SETTLED_MS = 1_300

type RefreshTimer = {
  /** Something changed. */
  soon(): void
  /** Something may have changed. */
  again(): void
  /** Refetches at once. */
  now(): void
  stop(): void
}

/** `refetch` resolves once the data has arrived. */
export function createRefreshTimer(refetch: () => Promise<unknown>): RefreshTimer {
  let lingering: ReturnType<typeof setTimeout> | undefined
  let settling: ReturnType<typeof setTimeout> | undefined
  let notBefore = 0

  function now(): void {
    clearTimeout(lingering)
    lingering = undefined
    const begun = Date.now()
    notBefore = begun + MIN_INTERVAL_MS
    const rest = () => {
      const tookMs = Date.now() - begun
      notBefore = begun + Math.min(MAX_INTERVAL_MS, Math.max(MIN_INTERVAL_MS, tookMs * RESPONSE_TIME_FACTOR))
    }
    refetch().then(rest, rest)
  }

  function after(ms: number): ReturnType<typeof setTimeout> {
    return setTimeout(now, Math.max(ms, notBefore - Date.now()))
  }

  return {
    now,
    soon() {
      lingering ??= after(LINGER_MS)
      clearTimeout(settling)
      settling = after(SETTLED_MS)
    },
    again() {
      lingering ??= after(0)
    },
    stop() {
      clearTimeout(lingering)
      clearTimeout(settling)
    },
  }
}
