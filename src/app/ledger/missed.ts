// Counts what can miss a person now, by reason.
import { unaccounted } from '../../domain/ledger/account.ts'
import { MISSED_REASONS, type MissedReason } from '../../domain/ledger/problem.ts'
import type { LedgerStore } from '../../ports/ledger.ts'

export type Missed = Record<MissedReason, number>

/** A pass is due once an hour, and takes minutes. */
const UNCHECKED_MS = 6 * 3_600_000
/** More are counted as so many. */
const MOST_STUCK = 1_000

export async function countMissed(store: LedgerStore, now: number): Promise<Missed> {
  const counts = Object.fromEntries(MISSED_REASONS.map((reason) => [reason, 0])) as Missed
  const [problems, stuck, check, [newest]] = await Promise.all([
    store.countPlanProblems(),
    store.listStuck({ now, limit: MOST_STUCK }),
    store.findLedgerCheck(),
    store.listLedgerDays({ limit: 1 }),
  ])
  for (const { reason, count } of problems) counts[reason] = count
  counts.STUCK = stuck.length
  counts.UNACCOUNTED = newest === undefined ? 0 : unaccounted(newest)
  if (check !== null && (check.checkedAt ?? check.startedAt) < now - UNCHECKED_MS) counts.UNCHECKED = 1
  return counts
}

export function sumOf(missed: Missed): number {
  return MISSED_REASONS.reduce((sum, reason) => sum + missed[reason], 0)
}
