// How often a page looks again while things change. Knows no browser: what measures the dashboard keeps the same pace.

/** However many changes come at once, one refresh is enough; and one a second, however long they go on. */
const GATHER_MS = 250
const APART_MS = 1_000
/** The server keeps its counts for a second, so one look more after the last change. */
const SETTLED_MS = 1_300

export type Pace = {
  /** Something changed. */
  soon(): void
  /** Now, whatever was planned. */
  now(): void
  stop(): void
}

export function createPace(refresh: () => void): Pace {
  let gathering: ReturnType<typeof setTimeout> | undefined
  let settling: ReturnType<typeof setTimeout> | undefined
  let refreshedAt = 0
  const now = () => {
    gathering = undefined
    refreshedAt = Date.now()
    refresh()
  }
  return {
    now,
    soon() {
      gathering ??= setTimeout(now, Math.max(GATHER_MS, refreshedAt + APART_MS - Date.now()))
      clearTimeout(settling)
      settling = setTimeout(now, SETTLED_MS)
    },
    stop() {
      clearTimeout(gathering)
      clearTimeout(settling)
    },
  }
}
