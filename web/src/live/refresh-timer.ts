// When a page refetches while data changes. Free of browser APIs, because the load measurement uses it too.

/** Batches changes that arrive together, and refetches at most once a second during a run of changes. */
const LINGER_MS = 250
const MIN_INTERVAL_MS = 1_000
/** A slow server is busy: the interval is at least this many times the last response time. */
const RESPONSE_TIME_FACTOR = 20
/** Below the age at which the page no longer calls itself live. */
const MAX_INTERVAL_MS = 6_000
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

/** `refetch` resolves once the data has arrived. The next one waits for it: otherwise a slow server would never finish one. */
export function createRefreshTimer(refetch: () => Promise<unknown>): RefreshTimer {
  let lingering: ReturnType<typeof setTimeout> | undefined
  let settling: ReturnType<typeof setTimeout> | undefined
  let notBefore = 0
  let isRunning = false
  let isWanted = false
  let isStopped = false

  function now(): void {
    clearTimeout(lingering)
    lingering = undefined
    isWanted = isRunning
    if (isRunning || isStopped) return
    isRunning = true
    const begun = Date.now()
    const rest = () => {
      isRunning = false
      const tookMs = Date.now() - begun
      notBefore = begun + Math.min(MAX_INTERVAL_MS, Math.max(MIN_INTERVAL_MS, tookMs * RESPONSE_TIME_FACTOR))
      if (isWanted) again()
    }
    refetch().then(rest, rest)
  }

  /** The interval may have grown while the timer ran. */
  function due(): void {
    if (isRunning || Date.now() >= notBefore) now()
    else lingering = setTimeout(due, notBefore - Date.now())
  }

  function again(): void {
    lingering ??= setTimeout(due, Math.max(0, notBefore - Date.now()))
  }

  return {
    now,
    again,
    soon() {
      lingering ??= setTimeout(due, Math.max(LINGER_MS, notBefore - Date.now()))
      clearTimeout(settling)
      settling = setTimeout(again, SETTLED_MS)
    },
    stop() {
      isStopped = true
      clearTimeout(lingering)
      clearTimeout(settling)
    },
  }
}
