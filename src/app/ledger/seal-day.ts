// Seals a day: counts its lines, computes the root over them, and signs the header that names the day before.
import { ACCOUNTED } from '../../domain/ledger/day.ts'
import { countLine, type LedgerCounts, noCounts } from '../../domain/ledger/line.ts'
import { type DayHeader, headerHash, headerText, NO_PREVIOUS } from '../../domain/ledger/seal.ts'
import { createTreeBuilder, leafOf } from '../../domain/ledger/tree.ts'
import type { Store } from '../../ports/store.ts'
import type { LedgerDeps } from './ledger-deps.ts'
import { signingKey } from './signing-key.ts'
import { headerOf, linesOf } from './stored-day.ts'

/** What the account of a day comes to. `cursor`: where the account was when its lines were read. */
export type DayTotals = { counts: LedgerCounts; people: number; root: string; cursor: string }

/** False if another process has sealed the day, or has begun its account again. */
export async function sealDay(deps: LedgerDeps, day: string, totals: DayTotals): Promise<boolean> {
  const { store, planner, signer, telemetry, clock } = deps
  const { publicKey, privateKey } = await signingKey(deps)
  const { counts, people, root, cursor } = totals
  const previous = await hashBefore(store, day)
  const { version: tzVersion } = planner.table
  const header: DayHeader = { ...counts, day, previous, root, people, tzVersion, closedAt: clock.now() }
  const signature = await signer.sign(privateKey, headerText(header))
  const isOurs = await store.closeLedgerDay({ ...header, publicKey, signature }, cursor)
  if (isOurs) telemetry({ kind: 'ledger', day, people, ...counts })
  return isOurs
}

/** The account is complete. */
export async function readTotals(store: Store, day: string): Promise<DayTotals> {
  const [{ people } = { people: 0 }] = await store.listLedgerDays({ from: day, to: day, limit: 1 })
  const counts = noCounts()
  const tree = createTreeBuilder()
  for await (const line of linesOf(store, day)) {
    countLine(counts, line)
    tree.add(leafOf(line.column, line.commitment))
  }
  return { counts, people, root: tree.root(), cursor: ACCOUNTED }
}

/** The hash of the last closed day before this one. */
async function hashBefore(store: Store, day: string): Promise<string> {
  const before = (await store.listLedgerDays({ to: day, limit: 2 })).find((one) => one.day < day)
  const header = before === undefined ? null : headerOf(before)
  return header === null ? NO_PREVIOUS : headerHash(headerText(header))
}
