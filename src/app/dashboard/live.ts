// Notifies listeners in this process of changes, in batches.
import type { Clock } from '../../ports/clock.ts'
import type { Notice, Telemetry } from '../../ports/telemetry.ts'

/** The kinds of things that changed. Never says which event or person. */
export type Change = { kinds: string[] }

export type Live = {
  /** Returns a function that stops listening. */
  listen(onChange: (change: Change) => void): () => void
  /** Reports a change made over the API. */
  touch(kind: string): void
  telemetry: Telemetry
}

/** Changes within this time are one notification: a spike makes thousands a second, and a page shows only a few. */
const LINGER_MS = 200

export function createLive(clock: Clock): Live {
  const listeners = new Set<(change: Change) => void>()
  const batch = new Set<string>()
  let lingering = false

  function notify(): void {
    lingering = false
    const change = { kinds: [...batch] }
    batch.clear()
    for (const listener of listeners) listener(change)
  }

  function touch(kind: string): void {
    if (listeners.size === 0) return
    batch.add(kind)
    if (lingering) return
    lingering = true
    clock.after(LINGER_MS, notify)
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
  destination: 'channel',
  channel: 'channel',
  rescheduled: 'user',
}
