// What time it is, by the server's clock: a laptop that is wrong must not show wrong hours for others.
import { useSyncExternalStore } from 'react'

let aheadMs = 0
let seconds = now()
const listeners = new Set<() => void>()
let timer: ReturnType<typeof setTimeout> | undefined

export function now(): number {
  return Date.now() + aheadMs
}

/** What the server's clock showed when ours showed that. */
export function serverTimeAt(ours: number): number {
  return ours + aheadMs
}

/** Small differences are the time that the answer took. */
const TOLERATED_MS = 2_000

export function syncClock(instant: string): void {
  const ahead = Date.parse(instant) - Date.now()
  aheadMs = Math.abs(ahead) > TOLERATED_MS ? ahead : 0
}

function tick(): void {
  seconds = now()
  for (const listener of listeners) listener()
  timer = setTimeout(tick, 1_000 - (seconds % 1_000))
}

function subscribe(listener: () => void): () => void {
  if (listeners.size === 0) tick()
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
    if (listeners.size === 0) clearTimeout(timer)
  }
}

/** Now, rounded down to whole steps, so that what shows minutes is drawn once a minute. */
export function useNow(stepMs = 1_000): number {
  return useSyncExternalStore(subscribe, () => Math.floor(seconds / stepMs) * stepMs)
}
