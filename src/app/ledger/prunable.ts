// Which history the ledger no longer needs. An account reads the events of its day, and those of some days before.
import type { LedgerStore } from '../../ports/store.ts'
import { EVENTS_BEFORE_MS } from './account-pages.ts'
import { nextToClose } from './close-days.ts'

/** The instant before which settled events can be removed: `before`, or an earlier one if a day that is not closed needs later events. */
export async function prunableBefore(
  store: Pick<LedgerStore, 'listLedgerDays'>,
  before: number,
): Promise<number> {
  const [newest] = await store.listLedgerDays({ limit: 1 })
  if (newest === undefined) return before
  return Math.min(before, Date.parse(nextToClose(newest)) - EVENTS_BEFORE_MS)
}
