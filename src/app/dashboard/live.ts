// Tells listeners in this process that something changed, several changes at once as one.
import type { Clock } from '../../ports/clock.ts'
import type { Notice, Telemetry } from '../../ports/telemetry.ts'

/** What kind of thing changed; of whom, nobody is told. */
export type Change = { kinds: string[] }

export type Live = {
  /** Returns how to stop listening. */
  listen(onChange: (change: Change) => void): () => void
  /** Somebody changed something over the API. */
  touch(kind: string): void
  telemetry: Telemetry
}

/** A spike makes thousands of changes a second: a page cannot show more than a few. */
const GATHER_MS = 200

export function createLive(clock: Clock): Live {
  const listeners = new Set<(change: Change) => void>()
  const gathered = new Set<string>()
  let gathering = false

  function tell(): void {
    gathering = false
    const change = { kinds: [...gathered] }
    gathered.clear()
    for (const listener of listeners) listener(change)
  }

  function touch(kind: string): void {
    if (listeners.size === 0) return
    gathered.add(kind)
    if (gathering) return
    gathering = true
    clock.after(GATHER_MS, tell)
  }

  return {
    listen(onChange) {
      listeners.add(onChange)
      return () => void listeners.delete(onChange)
    },
    touch,
    telemetry: (notice) => {
      const kind = KIND[notice.kind]
      if (kind !== undefined) touch(kind)
    },
  }
}

const KIND: Partial<Record<Notice['kind'], string>> = {
  claimed: 'event',
  attempt: 'event',
  settled: 'event',
  breaker: 'channel',
  channel: 'channel',
  rescheduled: 'user',
}
