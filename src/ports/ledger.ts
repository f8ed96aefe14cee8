// The ledger: three questions about the tables of the other roles, the problems that were found, and the closed days.
import type { DayCounts, DayGroup } from '../domain/ledger/account.ts'
import type { PlanFault } from '../domain/ledger/problem.ts'
import type { User } from '../domain/users/user.ts'

/**
 * An open event that is not alone, or that waits without a reason: it can be claimed only long after it is due, without a retry, a lease
 * or a channel that it waits for.
 */
export type OddEvent = {
  occasionId: string
  eventId: string
  version: number
  targetAt: number
  /** Whether its occasion has another open event. */
  isExtra: boolean
}

/** A pass over the plans of everybody. */
export type LedgerCheck = {
  /** The UTC day on which it began. */
  day: string
  startedAt: number
  /** The cursor of the next page; null if the pass is complete. */
  cursor: string | null
  /** When the last pass of the day was completed; null before. */
  checkedAt: number | null
}

/** A page of a pass that was checked. `to` is null for the last one. */
export type CheckedPage = {
  day: string
  startedAt: number
  from: string | null
  to: string | null
  at: number
  faults: readonly PlanFault[]
}

export type ClosedDay = DayCounts & {
  /** `2026-11-17` */
  day: string
  /** Problems that were there when it was closed. */
  missed: number
  closedAt: number
  /** When its report was accepted; null before. */
  reportedAt: number | null
}

/** A fault with its person; `goneAt` is set once a later pass did not find it any more. */
export type PlanProblem = PlanFault &
  Pick<User, 'externalId' | 'firstName' | 'lastName' | 'timezone'> & {
    userId: string
    occasionType: string
    foundAt: number
    goneAt: number | null
  }

export type LedgerStore = {
  /** Question 1, beside `listPeople`: the odd open events of these occasions. Replays do not count. */
  listOddEvents(of: { occasionIds: readonly string[]; now: number }): Promise<OddEvent[]>

  /**
   * Question 2: the ids of up to `limit` open events that could have been claimed for ten minutes, or whose lease does not end for a day.
   * Those of a channel that is not active, held or down are left out.
   */
  listStuck(of: { now: number; limit: number }): Promise<string[]>

  /** Question 3: the messages due on a local day up to `now`, by their fate. A replay counts as its original. */
  countDay(of: { day: string; now: number }): Promise<DayGroup[]>

  /** The newest pass; null before the first. */
  findLedgerCheck(): Promise<LedgerCheck | null>

  /** Begins a pass if the newest one began at `replaces`. False if another process has begun one. */
  beginLedgerCheck(check: { day: string; startedAt: number; replaces: number | null }): Promise<boolean>

  /**
   * Stores the faults of a page and the place of the pass. The last page ends the problems that the pass has not found again.
   * False, and the place is unchanged, if another process has stored the page.
   */
  saveLedgerCheck(page: CheckedPage): Promise<boolean>

  /** Problems that are there or, with `day`, were there at some time of that UTC day, of all occasions or one; the newest first. */
  listPlanProblems(of: {
    day?: string
    occasionId?: string | undefined
    limit: number
  }): Promise<PlanProblem[]>

  /** How many problems are there, by reason. */
  countPlanProblems(): Promise<{ reason: PlanFault['reason']; count: number }[]>

  /** Ends the problems of an occasion that was planned again. */
  endPlanProblems(occasionId: string, at: number): Promise<void>

  /** The closed days from one to another, both included, the newest first. */
  listLedgerDays(of: { from?: string; to?: string; limit: number }): Promise<ClosedDay[]>

  /** The first day of the ledger; null before it began. */
  firstLedgerDay(): Promise<string | null>

  /** False if the day is closed already. Deletes problems that ended more than 90 days ago. */
  closeLedgerDay(day: Omit<ClosedDay, 'reportedAt'>): Promise<boolean>

  markLedgerReported(day: string, at: number): Promise<void>

  /** Where reports go by the settings of the dashboard: an e-mail address, or the name of a webhook channel; null for nowhere. */
  findReportTarget(): Promise<string | null>

  saveReportTarget(target: string | null): Promise<void>

  /** Reserves the sending of reports until an instant. False if another process has reserved it beyond `now`. */
  reserveReports(of: { now: number; until: number }): Promise<boolean>

  /** Ends the reservation until that instant. */
  releaseReports(until: number): Promise<void>
}
