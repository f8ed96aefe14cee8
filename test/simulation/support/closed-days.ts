// Reads the days that the ledger of a history has closed, and checks their seals.
import { checkLedger } from '../../../src/app/ledger/check-ledger.ts'
import { closedDays, linesOf } from '../../../src/app/ledger/stored-day.ts'
import { isAlarming, type LedgerLine } from '../../../src/domain/ledger/line.ts'
import type { Signer } from '../../../src/ports/signer.ts'
import type { Store } from '../../../src/ports/store.ts'

export type ClosedDays = {
  /** The oldest first. */
  days: { day: string; closedAt: number }[]
  /** What is wrong with the days and their seals, as sentences. */
  findings: string[]
  /** The lines that nothing explains. */
  lines: LedgerLine[]
  /** The events of all lines in the column `delivered`, in order. */
  delivered: string[]
}

/** `last`: the day up to which all must be closed. */
export async function readClosedDays(store: Store, signer: Signer, last: string): Promise<ClosedDays> {
  const days = (await closedDays(store)).reverse()
  const findings = await checkLedger({ store, signer }, days.length)
  if ((days.at(-1)?.day ?? '') < last) findings.push(`${last} is not closed.`)
  const lines: LedgerLine[] = []
  const delivered: string[] = []
  for (const { day } of days)
    for await (const { salt: _, commitment: __, ...line } of linesOf(store, day)) {
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
