// Closed days as Terce seals them.
import {
  countLine,
  type LedgerColumn,
  noCounts,
  type StoredLine,
} from '../../../../src/domain/ledger/line.ts'
import {
  commitmentOf,
  type DayHeader,
  headerHash,
  headerText,
  NO_PREVIOUS,
} from '../../../../src/domain/ledger/seal.ts'
import { createTreeBuilder, leafOf } from '../../../../src/domain/ledger/tree.ts'
import type { SigningKey } from '../../../../src/ports/signer.ts'
import { webCryptoSigner } from '../../../../src/runtimes/config/signer.ts'

export type SealedDay = { day: DayHeader; header: string; signature: string; lines: StoredLine[] }

export function createKey(): Promise<SigningKey> {
  return webCryptoSigner.createKey()
}

/** Lines of a day; of one occasion if it is given. */
export function linesOf(day: string, columns: readonly LedgerColumn[], occasionId?: string): StoredLine[] {
  const lines = columns.map((column, i): StoredLine => {
    const line = {
      column,
      reason: column === 'excused' ? 'PAUSED' : null,
      occasionId: occasionId ?? crypto.randomUUID(),
      eventId: crypto.randomUUID(),
      occurrence: day,
      dueAt: Date.parse(day) + i,
      settledAt: column === 'delivered' ? Date.parse(day) + i + 250 : null,
      attempt: column === 'delivered' ? 1 : null,
      entry: column === 'excused' ? 12 : null,
      because: null,
      carriedFrom: null,
    }
    const salt = webCryptoSigner.newSalt()
    return { ...line, day, salt, commitment: commitmentOf(line, salt) }
  })
  return lines.sort((a, b) => (a.commitment < b.commitment ? -1 : 1))
}

/** Closes a day after `before`. `change` alters the header before it is signed. */
export async function sealDay(
  key: SigningKey,
  lines: StoredLine[],
  of: { day: string; before?: SealedDay; change?: Partial<DayHeader> },
): Promise<SealedDay> {
  const counts = noCounts()
  const tree = createTreeBuilder()
  for (const line of lines) {
    countLine(counts, line)
    tree.add(leafOf(line.column, line.commitment))
  }
  const day: DayHeader = {
    ...counts,
    day: of.day,
    previous: of.before === undefined ? NO_PREVIOUS : headerHash(of.before.header),
    root: tree.root(),
    people: 1_000,
    tzVersion: '2026a',
    closedAt: Date.parse(of.day) + 129_600_000,
    ...of.change,
  }
  const header = headerText(day)
  return { day, header, signature: await webCryptoSigner.sign(key.privateKey, header), lines }
}
