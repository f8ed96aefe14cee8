// Notifies the engine of newly planned events, so that it wakes in time.
import type { AppDeps } from './app-deps.ts'

export function announce(deps: Pick<AppDeps, 'onPlanned'>, events: readonly { targetAt: number }[]): void {
  if (events.length > 0)
    deps.onPlanned(events.reduce((least, { targetAt }) => Math.min(least, targetAt), Infinity))
}
