// Classifies settlements that a statement did not match. Writes nothing.
import type { Settlement, SettleResult } from '../../../ports/claim.ts'

/**
 * A row of READ_UNSETTLED: id, version, status, wake_at in milliseconds (null once terminal), whether it has a lease; on
 * PostgreSQL also claimed_at in milliseconds.
 */
type Row = readonly unknown[]

/** Classifies the settlements that are not known to be `settled`, by the rows of their events. */
export function classify(
  settlements: readonly Settlement[],
  settled: ReadonlySet<string>,
  rows: readonly Row[],
): SettleResult {
  const found = new Map(rows.map((row) => [row[0], row]))
  const result: SettleResult = { settled: [...settled], stale: [], replan: [] }
  for (const settlement of settlements) {
    const { eventId, version } = settlement
    if (settled.has(eventId)) continue
    const [, storedVersion, status, wakeAt, hasLease, claimedAt] = found.get(eventId) ?? []
    const isOther = (claimedAt ?? settlement.claimedAt) !== settlement.claimedAt
    const written = storedVersion === version + 1 && !hasLease && isAsWritten(settlement, status, wakeAt)
    if (written) result.settled.push(eventId)
    else if (storedVersion === version && hasLease && !isOther) result.replan.push(eventId)
    else result.stale.push(eventId)
  }
  return result
}

/** Whether the event is as this settlement leaves it: an earlier call that seemed to fail had committed. */
function isAsWritten(settlement: Settlement, status: unknown, wakeAt: unknown): boolean {
  if (settlement.kind === 'terminal') return status === settlement.status
  return status === 'PROCESSING' && (settlement.wakeAt === null || wakeAt === settlement.wakeAt)
}
