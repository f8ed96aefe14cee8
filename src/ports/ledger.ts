// The ledger: the journal, what a daily account reads, the closed days and their lines.
import type { OccasionAccount } from '../domain/ledger/account/input.ts'
import type { EntryOf, JournalKind, LatenessLimits } from '../domain/ledger/journal.ts'
import type { LedgerColumn, LedgerCounts, StoredLine } from '../domain/ledger/line.ts'
import type { User } from '../domain/users/user.ts'
import type { Page } from './query.ts'

export type LedgerDay = LedgerCounts & {
  /** `2026-11-17` */
  day: string
  /** When the account was begun. */
  startedAt: number
  /** Null while the account is being computed. */
  closedAt: number | null
  /** How far the account has come; null once it is closed. */
  cursor: string | null
  /** People accounted for. */
  people: number
  /** Set when it is closed: the IANA release that the account was computed with, and the hash (src/domain/ledger/day-hash.ts). */
  tzVersion: string | null
  hash: string | null
  /** When LEDGER_URL accepted its report; null before. Of an open day: its last alarm. */
  reportedAt: number | null
  /** When its lines were pruned; null while it has them. The counts and the hash stay. */
  prunedAt: number | null
}

/** The progress of an account: written only if the day is open and still at the cursor `from`. */
export type AccountPage = {
  day: string
  from: string | null
  to: string
  people: number
  lines: readonly StoredLine[]
  /** The ids of occasions that no earlier account has seen. */
  newlySeen: readonly string[]
}

export type UnaccountedEvent = { id: string; occasionId: string; targetAt: number }

export type ClosedDay = LedgerCounts & {
  day: string
  people: number
  tzVersion: string
  hash: string
  closedAt: number
}

/** `at` is when the days are pruned. */
export type LedgerPrune = { linesBefore: string; entriesBefore: number; at: number; limit: number }

export type LineQuery = {
  day: string
  limit: number
  /** The `nextCursor` of the page before. */
  cursor: string | null
}

/** The person and the occasion of a line. */
export type LineSubject = Pick<User, 'externalId' | 'firstName' | 'lastName' | 'timezone'> & {
  occasionId: string
  userId: string
  occasionType: string
}

export type LedgerStore = {
  /** Entries of these kinds from an instant on, oldest first, and the numbers of those that cannot be read. */
  readJournal<K extends JournalKind>(of: {
    kinds: readonly K[]
    from: number
  }): Promise<{ entries: EntryOf<K>[]; unreadable: number[] }>

  /** Deletions by the numbers that lines name, in no order; one that was pruned is missing. */
  findDeletions(numbers: readonly number[]): Promise<EntryOf<'person-deleted' | 'occasion-deleted'>[]>

  /** Appends an entry if the limits differ from those of the last such entry, and no entry of the last day has them. */
  recordLimits(limits: LatenessLimits, at: number): Promise<void>

  /** Pages of people, in order of id, with the accounts of all their occasions; `people` counts them. */
  readAccounts(of: {
    limit: number
    cursor: string | null
    eventsFrom: number
    /** The day whose open lines are `carried`. */
    carriedFrom: string | null
  }): Promise<Page<OccasionAccount> & { people: number }>

  /** The accounts of these occasions, in no order; an occasion that does not exist is missing. */
  findAccounts(of: {
    occasionIds: readonly string[]
    eventsFrom: number
    carriedFrom: string | null
  }): Promise<OccasionAccount[]>

  /**
   * Occasions that an earlier account has seen and that are gone without a deletion in the journal, and open events without an
   * occasion. A page at a time.
   */
  listVanished(of: {
    limit: number
    cursor: string | null
  }): Promise<Page<{ occasionId: string; eventId: string | null }>>

  /**
   * Events of this local day or an earlier one that were settled since an instant and that no line of this day has, nor one of
   * an earlier day with their settlement. In order of settlement.
   */
  listUnaccounted(of: {
    day: string
    settledFrom: number
    limit: number
    cursor: string | null
  }): Promise<Page<UnaccountedEvent>>

  /**
   * How many people there are who were created before an instant (`existing`), how many of them since another one (`created`), and
   * how many deletions the journal has since a third one.
   */
  countPeople(of: {
    createdBefore: number
    createdFrom: number
    deletedFrom: number
  }): Promise<{ existing: number; created: number; deleted: number }>

  /** Begins the account of a day. False if the day exists. */
  openLedgerDay(day: Pick<LedgerDay, 'day' | 'startedAt'>): Promise<boolean>

  /**
   * False, and nothing is written, if the day is closed or its cursor is another one: another process has the account, or
   * somebody was erased while it was in its last stage (src/domain/ledger/day.ts).
   */
  saveAccountPage(page: AccountPage): Promise<boolean>

  /** False if the day was closed before or, with `cursor`, if its account is not there. */
  closeLedgerDay(day: ClosedDay, cursor?: string): Promise<boolean>

  /**
   * The days from one to another, both included, the newest first; at most `limit`. With `only`, closed days that have unexplained
   * or surplus lines, or that were not reported.
   */
  listLedgerDays(of: {
    from?: string
    to?: string
    only?: 'unsound' | 'unreported'
    limit: number
  }): Promise<LedgerDay[]>

  /** Records that the report of the day was accepted; with null, that it was not. */
  markLedgerReported(day: string, at: number | null): Promise<void>

  /** Records an alarm about an open day. False if the day is closed, or has an alarm since that instant. */
  markLedgerAlarm(day: string, of: { at: number; unlessSince: number }): Promise<boolean>

  /** Pages of the lines of a day, in order of their number. */
  listLedgerLines(query: LineQuery): Promise<Page<StoredLine>>

  /** Pages of the lines of a day, or of one column of it, in order of their rank (`rankOf`) and number. */
  listLedgerLinesByRank(query: LineQuery & { column?: LedgerColumn }): Promise<Page<StoredLine>>

  /** In no order; an occasion that does not exist is missing. */
  findLineSubjects(occasionIds: readonly string[]): Promise<LineSubject[]>

  /** The newest lines of an occasion, newest first. */
  listOccasionLines(occasionId: string, limit: number): Promise<StoredLine[]>

  /** The lines of an event, of every day that has one. */
  findLedgerLines(eventId: string): Promise<StoredLine[]>

  /**
   * Marks the closed days before `linesBefore` as pruned and deletes up to `limit` of their lines, and up to `limit` entries of the
   * journal that were recorded before `entriesBefore`. Entries stay while an occasion of theirs has its end or the due time of its
   * task after that instant, and so do those of timezone rules and limits of lateness. Returns how many rows it deleted.
   */
  pruneLedger(of: LedgerPrune): Promise<number>
}
