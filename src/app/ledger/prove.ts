// Proves that a line of an event is in the signed account of its day.

import { dayName } from '../../domain/ledger/day.ts'
import { type LedgerProof, ledgerProof } from '../../domain/ledger/file.ts'
import type { StoredLine } from '../../domain/ledger/line.ts'
import { headerText, isAsCommitted } from '../../domain/ledger/seal.ts'
import { createTreeBuilder, leafOf } from '../../domain/ledger/tree.ts'
import type { LedgerDay, LedgerStore } from '../../ports/store/ledger.ts'
import type { Store } from '../../ports/store.ts'
import { headerOf, linesOf } from './stored-day.ts'

type Reads = Pick<Store, 'findLedgerLines' | 'listLedgerDays' | 'listLedgerLines' | 'findEvent'>

export type ProofResult =
  | { kind: 'proven'; proof: LedgerProof }
  /** No closed day has a line of the event. */
  | { kind: 'no-line' }
  | { kind: 'no-event' }
  /** The day of the event is closed, and its lines were pruned. */
  | { kind: 'pruned'; day: string }
  /** The line differs from its commitment, or the lines of the day no longer give the root that was signed. */
  | { kind: 'altered'; day: string }

/** Of the newest day that has a line of the event, or of the given one. Reads all lines of the day. */
export async function proveEvent(store: Reads, eventId: string, of?: string): Promise<ProofResult> {
  const found = await newestLine(store, eventId, of)
  if (found === null) return whyNone(store, eventId, of)
  const { line, day } = found
  const header = headerOf(day)
  const tree = createTreeBuilder()
  for await (const { column, commitment } of linesOf(store, line.day))
    tree.add(leafOf(column, commitment), commitment === line.commitment)
  const path = tree.proof()
  const { publicKey, signature } = day
  if (
    header === null ||
    path === null ||
    publicKey === null ||
    signature === null ||
    !isAsCommitted(line) ||
    tree.root() !== day.root
  )
    return { kind: 'altered', day: line.day }
  const proof = ledgerProof({ publicKey, signature, header: headerText(header) }, line, path)
  // A line that is found by its event has not been erased.
  return proof === null ? { kind: 'no-line' } : { kind: 'proven', proof }
}

async function whyNone(store: Reads, eventId: string, of: string | undefined): Promise<ProofResult> {
  const found = await store.findEvent(eventId)
  if (found === null) return { kind: 'no-event' }
  const { targetAt, offsetSeconds } = found.event
  const name = of ?? dayName(targetAt + offsetSeconds * 1000)
  const [day] = await store.listLedgerDays({ from: name, to: name, limit: 1 })
  return day === undefined || day.prunedAt === null ? { kind: 'no-line' } : { kind: 'pruned', day: name }
}

/**
 * The line of the event on the last closed day that has one, or on the day `of`. Of a day with several lines of the event, the first
 * one.
 */
export async function newestLine(
  store: Pick<LedgerStore, 'findLedgerLines' | 'listLedgerDays'>,
  eventId: string,
  of?: string,
): Promise<{ line: StoredLine; day: LedgerDay } | null> {
  const lines = (await store.findLedgerLines(eventId)).filter(({ day }) => of === undefined || day === of)
  for (const line of lines.sort((a, b) => b.day.localeCompare(a.day))) {
    const [day] = await store.listLedgerDays({ from: line.day, to: line.day, limit: 1 })
    if (day !== undefined && day.closedAt !== null) return { line, day }
  }
  return null
}
