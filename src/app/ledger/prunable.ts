// What the ledger no longer needs. An account reads the events of its day, and those of some days before.
import { dayName } from '../../domain/ledger/day.ts'
import { DAY_MS } from '../../domain/time/calendar.ts'
import type { Clock } from '../../ports/clock.ts'
import type { LedgerDay, LedgerStore } from '../../ports/store.ts'
import { EVENTS_BEFORE_MS } from './account-pages.ts'
import { nextToClose } from './close-days.ts'

/** The instant before which settled events can be removed: `before`, or an earlier one if a day that is not closed needs later events. */
export async function prunableBefore(
  store: Pick<LedgerStore, 'listLedgerDays'>,
  before: number,
): Promise<number> {
  const [newest] = await store.listLedgerDays({ limit: 1 })
  if (newest === undefined) return before
  return Math.min(before, neededSince(newest))
}

/** Events settled since then, and the lines of days since then, are needed if this is the newest day. */
function neededSince(newest: LedgerDay): number {
  return Date.parse(nextToClose(newest)) - EVENTS_BEFORE_MS
}

/** Longer than an account looks back for the record of a change. */
const ENTRIES_KEPT_MS = 60 * DAY_MS
const STEP = 1_000

/**
 * Removes the lines of closed days before the instant and old entries of the journal, except those that an account still needs.
 * `isTimeUp` is asked after each step; true leaves the rest for another call.
 */
export async function pruneLedger(
  { store, clock }: { store: Pick<LedgerStore, 'listLedgerDays' | 'pruneLedger'>; clock: Pick<Clock, 'now'> },
  olderThan: number,
  isTimeUp: () => boolean = () => false,
): Promise<void> {
  const at = clock.now()
  const before = await prunableBefore(store, olderThan)
  const entriesBefore = Math.min(before, at - ENTRIES_KEPT_MS)
  const prune = { linesBefore: dayName(before), entriesBefore, at, limit: STEP }
  while ((await store.pruneLedger(prune)) >= STEP && !isTimeUp());
}
