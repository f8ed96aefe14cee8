// What the account of one occasion is computed from: its rows, and what all occasions share.
import type { EventStatus } from '../../events/event-status.ts'
import type { Occasion } from '../../occasions/occasion.ts'
import type { Task } from '../../tasks/task.ts'
import type { EntryOf, PersonState } from '../journal.ts'
import type { StoredLine } from '../line.ts'
import type { ZoneHistory } from './zone-history.ts'

/** An event as the account needs it. */
export type AccountEvent = {
  id: string
  occurrence: string
  status: EventStatus
  targetAt: number
  offsetSeconds: number
  timezone: string
  tzVersion: string
  replayOf: string | null
  wakeAt: number | null
  leaseUntil: number | null
  claimedBy: string | null
  claimedAt: number | null
  executedAt: number | null
  statusCode: number | null
  failureCode: string | null
  parkCount: number
  retryCount: number
  version: number
  createdAt: number
  updatedAt: number
  /** Whether its body is stored; false while it is pending. */
  hasBody: boolean
  /** How many attempts before the settling one are recorded. */
  attempts: number
}

/** Everything that one occasion's account follows from. */
export type OccasionAccount = {
  user: PersonState & { id: string; createdAt: number }
  occasion: Occasion
  task: Task | null
  /**
   * Open events, events due since `eventsFrom`, and those of carried lines. Also the last event that was settled and due
   * before, if it may matter: the first of the others was planned since, none is open, or the person or the occasion was ever
   * changed (version above 1). Oldest target first.
   */
  events: AccountEvent[]
  /** Every change of the person and of the occasion, oldest first; none if the entry of one cannot be read. */
  changes: (EntryOf<'person-changed'> | EntryOf<'occasion-changed'>)[]
  /** False if an entry of the changes cannot be read. */
  isReadable: boolean
  /** The places that open events had before changes since `eventsFrom` moved or removed them, if there are `changes`. */
  moves: { at: number; occurrence: string; targetAt: number }[]
  /** Lines that were open on the account of the day before. */
  carried: StoredLine[]
  /** Whether an earlier account has seen the occasion. */
  seen: boolean
}

/** What the accounts of all occasions share. */
export type Context = {
  zones: ZoneHistory
  /** The limits of lateness, each from an instant on; oldest first. */
  limits: readonly EntryOf<'limits-changed'>[]
  /** When the account is computed. */
  now: number
}
