// When an event is tried again.
import type { EventDetail } from '../../api/types.ts'

/** Its last attempt used no retry: it is sent when its channel is up. */
export const waitsForChannel = ({ attempts }: Pick<EventDetail, 'attempts'>) =>
  attempts.at(-1)?.outcome === 'RELEASED'

/** Null for an event that waits for its channel, also for one without an attempt. */
export function nextTryAt(event: Pick<EventDetail, 'attempts' | 'wakeAt'>): string | null {
  return event.attempts.length === 0 || waitsForChannel(event) ? null : event.wakeAt
}
