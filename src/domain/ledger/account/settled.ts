// The lines of events that were settled and are on no account yet: a replay after the close of its day, an event of a day that a
// clock ahead of time closed, or a row that was moved to another day.
import { DAY_MS } from '../../time/calendar.ts'
import { dayName } from '../day.ts'
import type { LedgerLine } from '../line.ts'
import { notOwed } from './account.ts'
import { withExpected } from './expected-at.ts'
import type { AccountEvent, Context, OccasionAccount } from './input.ts'
import { localDay, permittedDay } from './permitted.ts'
import { place } from './placing.ts'
import { isPermittedReminder } from './reminders.ts'
import { type Case, caseOf } from './timeline.ts'

/** `eventIds`: the events that are on no account. `from`: the first day of the ledger; of the days before it there is no account. */
export function accountSettled(
  input: OccasionAccount,
  { eventIds, day, from }: { eventIds: ReadonlySet<string>; day: number; from: number },
  context: Context,
): LedgerLine[] {
  let of: Case
  try {
    of = caseOf(input, context)
  } catch {
    // The account of the person has a line that says so.
    return []
  }
  const lines = new Map<string, LedgerLine>()
  for (const event of input.events) {
    // A replay that failed leaves its occurrence as it was.
    if (!eventIds.has(event.id) || (event.status === 'FAILED' && event.replayOf !== null)) continue
    const owedOn = owedDay(of, event)
    const ownDay = owedOn ?? localDay(event)
    if (ownDay > day || (ownDay < from && event.replayOf === null)) continue
    const carriedFrom = ownDay === day ? null : dayName(ownDay * DAY_MS)
    for (const line of owedOn === null ? notOwed(of, event) : place(of, event))
      if (eventIds.has(line.eventId!)) lines.set(line.eventId!, { ...withExpected(of, line), carriedFrom })
  }
  return [...lines.values()]
}

/** The day that owed the event; null if none did. An operator has asked for a replay. */
function owedDay(of: Case, event: AccountEvent): number | null {
  if (event.replayOf !== null) return localDay(event)
  if (of.input.task === null) return permittedDay(of, event)
  return isPermittedReminder(of, event) ? localDay(event) : null
}
