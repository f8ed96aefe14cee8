// The lines of people and occasions whose rows are gone: deleted, with an entry in the journal, or vanished without one.
import { reasonCode } from '../../events/failure-reason.ts'
import { DAY_MS } from '../../time/calendar.ts'
import type { EntryOf, ErasedEvent } from '../journal.ts'
import type { LedgerLine } from '../line.ts'

const NOBODY = {
  occasionId: null,
  eventId: null,
  occurrence: null,
  dueAt: null,
  settledAt: null,
  attempt: null,
  entry: null,
  because: null,
  carriedFrom: null,
} as const satisfies Partial<LedgerLine>

type Deletion = EntryOf<'person-deleted'> | EntryOf<'occasion-deleted'>

/** The lines of a deletion on a day. `previousAt`: when the account of the day before was closed; null if it was not. */
export function accountErased(entry: Deletion, day: number, previousAt: number | null): LedgerLine[] {
  return entry.erased.flatMap((event) => {
    const of = Math.floor((event.targetAt + event.offsetSeconds * 1000) / DAY_MS)
    const isOpenBefore = of < day && previousAt !== null && isOpenAt(event, entry.at, previousAt)
    if (of !== day && !isOpenBefore) return []
    const carriedFrom = of === day ? null : dayText(of)
    return [{ ...NOBODY, ...outcomeOf(event), entry: entry.number, carriedFrom }]
  })
}

/** Whether the event was deleted or settled only after the account of the day before was closed. */
function isOpenAt({ executedAt }: ErasedEvent, deletedAt: number, closedAt: number): boolean {
  return (executedAt ?? deletedAt) > closedAt
}

function outcomeOf({ status, failureCode, targetAt, executedAt }: ErasedEvent) {
  const instants = { dueAt: targetAt, settledAt: executedAt }
  if (status === 'COMPLETED') return { column: 'delivered', reason: 'ERASED', ...instants } as const
  if (status === 'FAILED')
    return { column: 'failed', reason: reasonCode(failureCode ?? ''), ...instants } as const
  return { column: 'excused', reason: 'DELETED' } as const
}

function dayText(day: number): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 10)
}

export const VANISHED = 'VANISHED'

/** A row that an account has seen and that is gone without a deletion. */
export function vanishedLine({
  occasionId,
  eventId,
}: {
  occasionId: string
  eventId: string | null
}): LedgerLine {
  return { ...NOBODY, column: 'unexplained', reason: VANISHED, occasionId, eventId }
}
