// The current time by the server's clock: a wrong clock in the browser must not show wrong times.
import { useSyncExternalStore } from 'react'

let aheadMs = 0
let seconds = now()
const listeners = new Set<() => void>()
let timer: ReturnType<typeof setTimeout> | undefined

export function now(): number {
  return Date.now() + aheadMs
}

/** Smaller differences are network latency. */
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

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** Relative times show two units: seconds below an hour, minutes below a day, hours below a year, then days. */
function stepOf(distanceMs: number): number {
  if (distanceMs < HOUR_MS) return 1_000
  if (distanceMs < DAY_MS) return 60_000
  return distanceMs < 365 * DAY_MS ? HOUR_MS : DAY_MS
}

/** A time close to now that changes only when the distance to `instant`, as text, changes. */
export function nowFor(instant: number, now: number): number {
  const ahead = instant - now
  const step = stepOf(Math.abs(ahead))
  return instant - Math.trunc(ahead / step) * step
}

/** Now, for a text relative to `instant`: "in 3 months" does not render every second. */
export function useNowFor(instant: number): number {
  return useSyncExternalStore(subscribe, () => nowFor(instant, seconds))
}

/** Now, rounded down to `stepMs`: a component that shows minutes renders once a minute. */
export function useNow(stepMs = 1_000): number {
  return useSyncExternalStore(subscribe, () => Math.floor(seconds / stepMs) * stepMs)
}
