// The lines of people and occasions whose rows are gone: deleted, with an entry in the journal, or vanished without one.
import { reasonCode } from '../../events/failure-reason.ts'
import { DAY_MS } from '../../time/calendar.ts'
import { dayName } from '../day.ts'
import type { EntryOf, ErasedEvent } from '../journal.ts'
import { type LedgerLine, makeLine } from '../line.ts'

type Deletion = EntryOf<'person-deleted'> | EntryOf<'occasion-deleted'>

/** The lines of a deletion on a day. `previousAt`: when the account of the day before was closed; null if it was not. */
export function accountErased(entry: Deletion, day: number, previousAt: number | null): LedgerLine[] {
  if (!Array.isArray(entry.erased)) return [makeLine('unexplained', 'UNREADABLE', { entry: entry.number })]
  return entry.erased.flatMap((event) => {
    const owedOn = Math.floor((event.targetAt + event.offsetSeconds * 1000) / DAY_MS)
    const isLater = owedOn < day && previousAt !== null && isSettledSince(event, entry.at, previousAt)
    if (owedOn !== day && !isLater && !isSentAhead(event, owedOn, { day, deletedAt: entry.at })) return []
    const carriedFrom = owedOn === day ? null : dayName(owedOn * DAY_MS)
    return [{ ...outcomeOf(event), entry: entry.number, carriedFrom }]
  })
}

/** Whether the event was settled or deleted after the close of the day before. A replay that was added since counts if it was delivered. */
function isSettledSince(
  { createdAt, executedAt, status }: ErasedEvent,
  deletedAt: number,
  closedAt: number,
): boolean {
  return (executedAt ?? deletedAt) > closedAt && (createdAt <= closedAt || status === 'COMPLETED')
}

/** How many days after it a deletion is read again. */
export const READ_AGAIN_DAYS = 2

/** Whether the message was sent long before its day, which will not read the deletion: the day of the deletion has its line. */
function isSentAhead(
  { status }: ErasedEvent,
  owedOn: number,
  { day, deletedAt }: { day: number; deletedAt: number },
): boolean {
  const deletedOn = Math.floor(deletedAt / DAY_MS)
  return status === 'COMPLETED' && day === deletedOn && owedOn > deletedOn + READ_AGAIN_DAYS
}

function outcomeOf({ status, failureCode, targetAt, executedAt }: ErasedEvent): LedgerLine {
  const instants = { dueAt: targetAt, settledAt: executedAt }
  if (status === 'COMPLETED') return makeLine('delivered', 'ERASED', instants)
  if (status === 'FAILED') return makeLine('failed', reasonCode(failureCode ?? ''), instants)
  return makeLine('excused', 'DELETED', {})
}

export const VANISHED = 'VANISHED'

/** A row that an account has seen and that is gone without a deletion. */
export function vanishedLine(row: { occasionId: string; eventId: string | null }): LedgerLine {
  return makeLine('unexplained', VANISHED, row)
}
