// Whether the account of a day has everybody: those who are there now, and those of the day before who were not deleted since.
import { endOfDay } from '../day.ts'
import { type LedgerLine, makeLine } from '../line.ts'

/** Clocks differ, and a person who is created in a transaction is there when it commits. */
const COMMITTED_AFTER_MS = 60 * 60 * 1000

/** What the account is compared with. `previous`: the day before; null for the first one. */
export type PeopleCounts = {
  accounted: number
  previous: number | null
  /** Created before the account began, and there now. */
  existing: number
  /** Of these, created since the day before was closed. */
  created: number
  /** Deleted since the account of the day before began. */
  deleted: number
}

/** The instants between which people are counted. An account begins after the end of its day. */
export function countedSpan(day: string, previous: { day: string; closedAt: number | null } | null) {
  return {
    createdBefore: endOfDay(day) - COMMITTED_AFTER_MS,
    createdFrom: (previous?.closedAt ?? 0) + COMMITTED_AFTER_MS,
    deletedFrom: previous === null ? 0 : endOfDay(previous.day) - COMMITTED_AFTER_MS,
  }
}

export function accountPeople({
  accounted,
  previous,
  existing,
  created,
  deleted,
}: PeopleCounts): LedgerLine[] {
  const isMissing = accounted < existing || (previous !== null && accounted < previous - deleted + created)
  return isMissing ? [makeLine('unexplained', 'PEOPLE_MISSING', {})] : []
}
