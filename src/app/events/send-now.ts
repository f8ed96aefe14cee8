// Makes a pending event claimable at once, for development and tests. Keeps its occurrence, instant and key.
import type { NamedEvent } from '../../ports/store.ts'
import type { AppDeps } from '../app-deps.ts'
import { retryOnConflict } from '../retry-on-conflict.ts'

type SendNowResult =
  | { kind: 'due'; event: NamedEvent }
  | { kind: 'missing' }
  /** It was claimed before, or is settled. */
  | { kind: 'not-pending'; event: NamedEvent }

/** The successor is planned as if the event had been sent at its time. Idempotent. */
export function sendNow(
  { store, clock, onPlanned }: Pick<AppDeps, 'store' | 'clock' | 'onPlanned'>,
  eventId: string,
): Promise<SendNowResult> {
  return retryOnConflict(`Event ${eventId}`, async () => {
    const found = await store.findEvent(eventId)
    if (found === null) return { kind: 'missing' }
    const { event } = found
    if (event.status !== 'PENDING') return { kind: 'not-pending', event }
    const now = clock.now()
    if (event.wakeAt !== null && event.wakeAt <= now) return { kind: 'due', event }
    const { id, occasionId, occurrence, targetAt, offsetSeconds, timezone, tzVersion, version } = event
    const to = { id, occasionId, occurrence, targetAt, offsetSeconds, timezone, tzVersion }
    const moved = await store.replan([{ eventId, version, to, wakeAt: now }], now)
    // Claimed or changed since it was read.
    if (moved.length === 0) return null
    onPlanned(now)
    return { kind: 'due', event: { ...event, wakeAt: now, updatedAt: now, version: version + 1 } }
  })
}
