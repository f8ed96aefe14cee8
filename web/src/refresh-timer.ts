// How often a page looks again while things change. Knows no browser: what measures the dashboard keeps the same pace.

/** However many changes come at once, one look is enough; and one a second, however long they go on. */
const GATHER_MS = 250
const APART_MS = 1_000
/** A server that takes long to answer has better things to do: it is left alone for so many times as long. */
const TIMES_AS_LONG = 20
const LONGEST_APART_MS = 10_000
/** The server keeps its counts for a second, so one look more after the last change. */
const SETTLED_MS = 1_300

export type RefreshTimer = {
  /** Something changed. */
  soon(): void
  /** Something may have changed. */
  again(): void
  /** Now, whatever was planned. */
  now(): void
  stop(): void
}

/** `look` ends when what it asked for is there. */
export function createRefreshTimer(look: () => Promise<unknown>): RefreshTimer {
  let gathering: ReturnType<typeof setTimeout> | undefined
  let settling: ReturnType<typeof setTimeout> | undefined
  let notBefore = 0

  function now(): void {
    clearTimeout(gathering)
    gathering = undefined
    const begun = Date.now()
    notBefore = begun + APART_MS
    const rest = () => {
      const tookMs = Date.now() - begun
      notBefore = begun + Math.min(LONGEST_APART_MS, Math.max(APART_MS, tookMs * TIMES_AS_LONG))
    }
    look().then(rest, rest)
  }

  function after(ms: number): ReturnType<typeof setTimeout> {
    return setTimeout(now, Math.max(ms, notBefore - Date.now()))
  }

  return {
    now,
    soon() {
      gathering ??= after(GATHER_MS)
      clearTimeout(settling)
      settling = after(SETTLED_MS)
    },
    again() {
      gathering ??= after(0)
    },
    stop() {
      clearTimeout(gathering)
      clearTimeout(settling)
    },
  }
}
