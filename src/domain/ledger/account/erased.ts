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
    const wasOpenBefore = owedOn < day && previousAt !== null && isOpenAt(event, entry.at, previousAt)
    if (owedOn !== day && !wasOpenBefore) return []
    const carriedFrom = owedOn === day ? null : dayName(owedOn * DAY_MS)
    return [{ ...outcomeOf(event), entry: entry.number, carriedFrom }]
  })
}

/** Whether the event was open when the account of the day before was closed. A replay may have been added since. */
function isOpenAt({ createdAt, executedAt }: ErasedEvent, deletedAt: number, closedAt: number): boolean {
  return createdAt <= closedAt && (executedAt ?? deletedAt) > closedAt
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
