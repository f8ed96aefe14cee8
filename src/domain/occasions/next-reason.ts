// Why an occasion has no next event.
import { dayNumber, parseCivilDate } from '../time/calendar.ts'
import type { Occasion } from './occasion.ts'
import { sendRuleOf } from './schedule.ts'
import { sendDay } from './send-day.ts'

/**
 * PAUSED. SKIPPED: its only date is on a weekend, on which it is not sent. IN_FLIGHT: its event is being sent, and the successor is planned when that is settled. SENT: the message of its only date was
 * sent, or failed. PAST: its only date has passed. ENDED: its rule, its last date or the table of its calendar has no later occurrence. NOT_PLANNED: an occurrence is owed
 * and has no event, which is an error.
 */
export const NEXT_REASONS = [
  'PAUSED',
  'SKIPPED',
  'IN_FLIGHT',
  'SENT',
  'PAST',
  'ENDED',
  'NOT_PLANNED',
] as const
export type NextReason = (typeof NEXT_REASONS)[number]

/** For an occasion without a planned event. `isOwed`: whether its rule has a next occurrence; `isSettled`: whether it had a message. */
export function whyNoNext(
  occasion: Pick<Occasion, 'date' | 'repeats' | 'until' | 'pausedAt' | 'shiftDays' | 'onWeekend'>,
  { isOwed = false, isSettled = false },
): NextReason {
  const { date, repeats, until, pausedAt } = occasion
  if (pausedAt !== null) return 'PAUSED'
  if (isOwed) return 'NOT_PLANNED'
  const isCutOff = until !== null && date !== null && date > until
  if (repeats !== 'ONCE' || isCutOff) return 'ENDED'
  if (isSettled) return 'SENT'
  const isSent = date === null || sendDay(dayNumber(parseCivilDate(date)!), sendRuleOf(occasion)) !== null
  return isSent ? 'PAST' : 'SKIPPED'
}
