// When an event is tried again.
import type { EventDetail } from '../../api/types.ts'

export const isParked = ({ attempts }: Pick<EventDetail, 'attempts'>) => attempts.at(-1)?.outcome === 'PARKED'

/** Null for a parked event, also for one without an attempt: it is sent when its channel has room, and its wake time is only the fallback. */
export function nextTryAt(event: Pick<EventDetail, 'attempts' | 'wakeAt'>): string | null {
  return event.attempts.length === 0 || isParked(event) ? null : event.wakeAt
}
