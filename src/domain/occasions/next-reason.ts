// Why an occasion has no next event.
import type { Occasion } from './occasion.ts'

/**
 * PAUSED. IN_FLIGHT: its event is being sent, and the successor is planned when that is settled. SENT: the message of its only date was
 * sent, or failed. PAST: its only date has passed. ENDED: its rule, its last date or the table of its calendar has no later occurrence. NOT_PLANNED: an occurrence is owed
 * and has no event, which is an error.
 */
export const NEXT_REASONS = ['PAUSED', 'IN_FLIGHT', 'SENT', 'PAST', 'ENDED', 'NOT_PLANNED'] as const
export type NextReason = (typeof NEXT_REASONS)[number]

/** For an occasion without a planned event. `isOwed`: whether its rule has a next occurrence; `isSettled`: whether it had a message. */
export function whyNoNext(
  occasion: Pick<Occasion, 'date' | 'repeats' | 'until' | 'pausedAt'>,
  { isOwed = false, isSettled = false },
): NextReason {
  const { date, repeats, until, pausedAt } = occasion
  if (pausedAt !== null) return 'PAUSED'
  if (isOwed) return 'NOT_PLANNED'
  const isCutOff = until !== null && date !== null && date > until
  if (repeats !== 'ONCE' || isCutOff) return 'ENDED'
  return isSettled ? 'SENT' : 'PAST'
}
