// Whether the server responds, as the frame of the page shows it.
import { useSyncExternalStore } from 'react'
import { whenReachable } from './client.ts'

export type Connection = 'live' | 'late' | 'unreachable'

/** A page whose last response is older is not current. */
const LATE_MS = 10_000

let isReachable = true
let respondedAt = Date.now()
const listeners = new Set<() => void>()

whenReachable((hasResponded) => {
  isReachable = hasResponded
  if (hasResponded) respondedAt = Date.now()
  for (const listener of listeners) listener()
})

function connection(): Connection {
  if (!isReachable) return 'unreachable'
  return Date.now() - respondedAt > LATE_MS ? 'late' : 'live'
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  const timer = setInterval(listener, 1_000)
  return () => {
    listeners.delete(listener)
    clearInterval(timer)
  }
}

export function useConnection(): Connection {
  return useSyncExternalStore(subscribe, connection)
}

/** When the server last responded, by the clock of the browser. */
export function lastResponseAt(): number {
  return respondedAt
}
