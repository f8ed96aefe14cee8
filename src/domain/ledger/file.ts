// What leaves the installation: the file of closed days, and the proof that one line is in the account of a day.
// src/ledger-verifier reads both.
import type { LedgerColumn, LedgerLine, StoredLine } from './line.ts'
import { LEDGER_FORMAT } from './seal.ts'
import type { InclusionProof } from './tree.ts'

export const PROOF_FORMAT = 'terce-ledger-proof/1'

export type LedgerFile = {
  format: typeof LEDGER_FORMAT
  /** Ed25519, 32 bytes in base64. */
  publicKey: string
  /**
   * In order, each the day after the one before. A day that is signed with another key has that one. The lines of a pruned day are
   * null.
   */
  days: {
    header: string
    signature: string
    publicKey?: string
    lines: [column: LedgerColumn, commitment: string][] | null
  }[]
}

export type LedgerProof = {
  format: typeof PROOF_FORMAT
  publicKey: string
  header: string
  signature: string
  line: LedgerLine
  salt: string
} & InclusionProof

/** A closed day with its lines in ascending order of commitment, a page at a time; null if they were pruned. */
export type FileDay = {
  header: string
  signature: string
  publicKey: string
  lines: Pages<Pick<StoredLine, 'column' | 'commitment'>> | null
}

type Pages<T> = AsyncIterable<readonly T[]> | Iterable<readonly T[]>

/** The text of a LedgerFile in parts, because a day may have more lines than the memory holds. One line of text for each line. */
export async function* ledgerFileText(
  publicKey: string,
  days: AsyncIterable<FileDay> | Iterable<FileDay>,
): AsyncGenerator<string> {
  yield `{"format":${JSON.stringify(LEDGER_FORMAT)},"publicKey":${JSON.stringify(publicKey)},"days":[`
  let beforeDay = '\n'
  for await (const { lines, ...day } of days) {
    const { header, signature } = day
    const signed = { header, signature, ...(day.publicKey !== publicKey && { publicKey: day.publicKey }) }
    yield `${beforeDay}${JSON.stringify(signed).slice(0, -1)},"lines":`
    beforeDay = ',\n'
    if (lines === null) {
      yield 'null}'
      continue
    }
    yield '['
    let beforeLine = '\n'
    for await (const page of lines) {
      if (page.length === 0) continue
      const texts = page.map(({ column, commitment }) => JSON.stringify([column, commitment]))
      yield beforeLine + texts.join(',\n')
      beforeLine = ',\n'
    }
    yield '\n]}'
  }
  yield '\n]}\n'
}

/** Null for an erased line: without its salt nothing can be shown about it. */
export function ledgerProof(
  day: Pick<LedgerProof, 'publicKey' | 'header' | 'signature'>,
  { salt, day: _, commitment: __, ...line }: StoredLine,
  { index, path }: InclusionProof,
): LedgerProof | null {
  if (salt === null) return null
  const { publicKey, header, signature } = day
  return { format: PROOF_FORMAT, publicKey, header, signature, line, salt, index, path }
}
