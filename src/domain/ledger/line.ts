// The lines of a daily account: one for each occurrence that was owed on the day, and one for each message that was not owed.

export const LEDGER_COLUMNS = ['delivered', 'failed', 'excused', 'open', 'unexplained', 'surplus'] as const
/**
 * `excused`: a recorded change or rule explains why there was no message. `open`: it may still be delivered. `unexplained`: it
 * was owed, and nothing explains what became of it. `surplus`: a message was sent that was not owed.
 */
export type LedgerColumn = (typeof LEDGER_COLUMNS)[number]

export type LedgerLine = {
  column: LedgerColumn
  /** A code in capitals; null for a plain delivery. */
  reason: string | null
  /** Null once the person was erased; so are `eventId`, `occurrence` and the instants. */
  occasionId: string | null
  /** Null if no event belongs to it. */
  eventId: string | null
  occurrence: string | null
  /** When it was due. */
  dueAt: number | null
  /** Where the present state of the occasion puts the occurrence, or the one in its place; null unless it differs from `dueAt`. */
  expectedAt: number | null
  /** When the event was settled. */
  settledAt: number | null
  /** The number of the attempt that settled it. */
  attempt: number | null
  /** The journal entry that explains it. */
  entry: number | null
  /** The event of this occasion that explains it, such as an earlier one that was still open. */
  because: string | null
  /** The day that owed it, if that is not the day of the account. */
  carriedFrom: string | null
}

/** A line whose fields are null where they are not given. */
export function makeLine(
  column: LedgerColumn,
  reason: string | null,
  fields: Partial<Omit<LedgerLine, 'column' | 'reason'>>,
): LedgerLine {
  return {
    column,
    reason,
    occasionId: null,
    eventId: null,
    occurrence: null,
    dueAt: null,
    expectedAt: null,
    settledAt: null,
    attempt: null,
    entry: null,
    because: null,
    carriedFrom: null,
    ...fields,
  }
}

/** `number`: from 1, in the order of the account. */
export type StoredLine = LedgerLine & { day: string; number: number }

/** A delivery up to this late counts as on time. */
export const ON_TIME_MS = 60_000

export type LedgerCounts = Record<LedgerColumn, number> & {
  /** Every line but the surplus. */
  owed: number
  /** Of the delivered lines: more than a minute after they were due, or at a time that is not known. */
  late: number
  /** Of the delivered lines: claimed before they were due. Such a line is not late. */
  early: number
  /** Of the owed lines: those of an earlier day, which were open or settled since its close. */
  carried: number
}

/** The counts in the order in which people read them. `carried` is told apart. */
export const SHOWN_COUNTS = [
  ...(['owed', 'delivered', 'late', 'early', 'failed'] as const),
  ...(['excused', 'open', 'unexplained', 'surplus'] as const),
] as const satisfies (keyof LedgerCounts)[]

export function noCounts(): LedgerCounts {
  return {
    owed: 0,
    delivered: 0,
    late: 0,
    early: 0,
    failed: 0,
    excused: 0,
    open: 0,
    unexplained: 0,
    surplus: 0,
    carried: 0,
  }
}

/** In the order in which the hash of a day has them. */
export const COUNTS = Object.keys(noCounts()) as (keyof LedgerCounts)[]

export function countLine(counts: LedgerCounts, line: LedgerLine): void {
  counts[line.column] += 1
  if (line.column === 'surplus') return
  counts.owed += 1
  if (line.carriedFrom !== null) counts.carried += 1
  if (line.column !== 'delivered') return
  if (line.reason === 'EARLY') counts.early += 1
  else if (isLate(line)) counts.late += 1
}

/** A delivery whose clock was set back before its settlement is not known to be on time. */
function isLate({ reason, settledAt, dueAt }: LedgerLine): boolean {
  return reason === 'SETTLED_BEFORE_CLAIM' || settledAt! - dueAt! > ON_TIME_MS
}

/** The place of a line in lists, which begin with problems. Late and early deliveries come before excused lines. */
export function rankOf(line: LedgerLine): number {
  const { column, reason } = line
  if (column !== 'delivered') return RANKS[column]
  if (reason === 'EARLY' || isLate(line)) return NOT_ON_TIME
  return reason === null ? PLAIN_RANK : DELIVERED
}

const RANKS = { surplus: 0, unexplained: 1, failed: 2, open: 3, excused: 5 }
const NOT_ON_TIME = 4
const DELIVERED = 6
/** Of a delivery on time without a reason: the last rank, which nearly all lines have. */
export const PLAIN_RANK = 7

/** The ranks that lines of a column have; all of them without a column. */
export function ranksOf(column: LedgerColumn | null): number[] {
  if (column === null) return Array.from({ length: PLAIN_RANK + 1 }, (_, rank) => rank)
  return column === 'delivered' ? [NOT_ON_TIME, DELIVERED, PLAIN_RANK] : [RANKS[column]]
}

/** Whether the line is one of those that a sound day does not have. */
export function isAlarming({ column }: Pick<LedgerLine, 'column'>): boolean {
  return column === 'unexplained' || column === 'surplus'
}
