// Reads the days that the ledger of a history has closed, and recomputes their hashes.
import { recomputeHash } from '../../../src/app/ledger/day-hash.ts'
import { closedDays, linesOf } from '../../../src/app/ledger/stored-day.ts'
import { isAlarming, type LedgerLine } from '../../../src/domain/ledger/line.ts'
import type { Store } from '../../../src/ports/store.ts'

export type ClosedDays = {
  /** The oldest first. */
  days: { day: string; closedAt: number }[]
  /** What is wrong with the days, as sentences. */
  findings: string[]
  /** The lines that nothing explains. */
  lines: LedgerLine[]
  /** The events of all lines in the column `delivered`, in order. */
  delivered: string[]
}

/** `last`: the day up to which all must be closed. */
export async function readClosedDays(store: Store, last: string): Promise<ClosedDays> {
  const days = (await closedDays(store)).reverse()
  const findings: string[] = []
  for (const day of days)
    if ((await recomputeHash(store, day)) !== day.hash) findings.push(`${day.day} does not have its hash.`)
  if ((days.at(-1)?.day ?? '') < last) findings.push(`${last} is not closed.`)
  const lines: LedgerLine[] = []
  const delivered: string[] = []
  for (const { day } of days)
    for await (const { number: _, ...line } of linesOf(store, day)) {
      if (isAlarming(line)) lines.push(line)
      if (line.column === 'delivered' && line.eventId !== null) delivered.push(line.eventId)
    }
  return {
    days: days.map(({ day, closedAt }) => ({ day, closedAt: closedAt! })),
    findings,
    lines,
    delivered: delivered.sort(),
  }
}
