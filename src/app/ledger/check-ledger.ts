// Checks that closed days are as they were signed: the signatures, the chain of hashes, the root, the counts and every line.
import { countLine, type LedgerCounts, noCounts } from '../../domain/ledger/line.ts'
import {
  type DayHeader,
  headerHash,
  headerText,
  isAsCommitted,
  NO_PREVIOUS,
} from '../../domain/ledger/seal.ts'
import { createTreeBuilder, leafOf } from '../../domain/ledger/tree.ts'
import { DAY_MS } from '../../domain/time/calendar.ts'
import type { Signer } from '../../ports/signer.ts'
import type { LedgerDay, LedgerStore } from '../../ports/store/ledger.ts'
import { neededSince } from './prunable.ts'
import { closedDays, headerOf, linesOf } from './stored-day.ts'

type CheckDeps = {
  store: Pick<LedgerStore, 'listLedgerDays' | 'listLedgerLines' | 'listLedgerKeys'>
  signer: Pick<Signer, 'verify'>
}

/** What is wrong with the last `days` closed days, the newest first, as sentences. An empty list: nothing is. */
export async function checkLedger({ store, signer }: CheckDeps, days: number): Promise<string[]> {
  const closed = await closedDays(store)
  const keys = (await store.listLedgerKeys()).map(({ publicKey }) => publicKey)
  const findings: string[] = []
  for (const [i, day] of closed.slice(0, days).entries()) {
    const header = headerOf(day)
    if (header === null) findings.push(`The seal of ${day.day} is incomplete.`)
    else
      findings.push(
        ...(await checkSignature(signer, day, header, keys)),
        ...checkChain(header, closed[i + 1]),
        ...(day.prunedAt === null ? await checkLines(store, header) : checkPruned(day, closed[0]!)),
      )
  }
  return findings
}

async function checkSignature(
  signer: CheckDeps['signer'],
  { day, publicKey, signature }: LedgerDay,
  header: DayHeader,
  keys: readonly string[],
): Promise<string[]> {
  if (publicKey === null || !keys.includes(publicKey))
    return [`${day} is signed with another key than those of the installation.`]
  const isSigned = signature !== null && (await signer.verify(publicKey, headerText(header), signature))
  return isSigned
    ? []
    : [`The signature of ${day} does not fit its header: a count, the root or a date was altered.`]
}

/** `before`: the closed day before; undefined if there is none. */
function checkChain({ day, previous }: DayHeader, before: LedgerDay | undefined): string[] {
  if (before === undefined)
    return previous === NO_PREVIOUS
      ? []
      : [`The days before ${day} are missing: it continues a day that is gone.`]
  if (Date.parse(day) - Date.parse(before.day) !== DAY_MS)
    return [`The days between ${before.day} and ${day} are missing.`]
  const header = headerOf(before)
  const isChained = header !== null && previous === headerHash(headerText(header))
  return isChained ? [] : [`${day} does not continue ${before.day}: one of them was altered or replaced.`]
}

/** Lines are pruned only of days that no account reads any more. */
function checkPruned({ day }: LedgerDay, newest: LedgerDay): string[] {
  if (Date.parse(day) < neededSince(newest)) return []
  return [`The lines of ${day} were removed before a prune removes them.`]
}

async function checkLines(store: CheckDeps['store'], header: DayHeader): Promise<string[]> {
  const { day } = header
  const counts = noCounts()
  const tree = createTreeBuilder()
  let altered = 0
  let erasedDeliveries = 0
  for await (const line of linesOf(store, day)) {
    countLine(counts, line)
    tree.add(leafOf(line.column, line.commitment))
    if (!isAsCommitted(line)) altered += 1
    if (line.salt === null && line.column === 'delivered') erasedDeliveries += 1
  }
  const findings: string[] = []
  if (tree.root() !== header.root) findings.push(`A line of ${day} was altered, added or removed.`)
  if (altered > 0) findings.push(`${day} has lines that differ from their commitment: ${altered}.`)
  for (const name of Object.keys(counts) as (keyof LedgerCounts)[]) {
    // An erased delivery no longer says whether it was late.
    const most = counts[name] + (name === 'late' ? erasedDeliveries : 0)
    if (header[name] < counts[name] || header[name] > most)
      findings.push(`The account of ${day} says ${name} ${header[name]}, and its lines give ${counts[name]}.`)
  }
  return findings
}
