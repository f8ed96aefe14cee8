// Why an occasion has no next event.
import { dayNumber, parseCivilDate } from '../time/calendar.ts'
import type { User } from '../users/user.ts'
import type { Occasion } from './occasion.ts'
import { lacksDate, sendRuleOf } from './schedule.ts'
import { sendDay } from './send-day.ts'

/**
 * PAUSED. NO_DATE: the date of birth is missing, or its year, which every rule needs but a Gregorian year. SKIPPED: its only date is on a weekend, on which it is not sent. IN_FLIGHT: its event is being sent, and the successor is planned when that is settled. SENT: the message of its only date was
 * sent, or failed. PAST: its only date has passed. ENDED: its rule, its last date or the table of its calendar has no later occurrence. NOT_PLANNED: an occurrence is owed
 * and has no event, which is an error.
 */
export const NEXT_REASONS = [
  'PAUSED',
  'NO_DATE',
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
  occasion: Occasion,
  user: Pick<User, 'dateOfBirth'>,
  { isOwed = false, isSettled = false },
): NextReason {
  const { date, repeats, until, pausedAt } = occasion
  if (pausedAt !== null) return 'PAUSED'
  if (lacksDate(occasion, user)) return 'NO_DATE'
  if (isOwed) return 'NOT_PLANNED'
  const isCutOff = until !== null && date !== null && date > until
  if (repeats !== 'ONCE' || isCutOff) return 'ENDED'
  if (isSettled) return 'SENT'
  const isSent = date === null || sendDay(dayNumber(parseCivilDate(date)!), sendRuleOf(occasion)) !== null
  return isSent ? 'PAST' : 'SKIPPED'
}
