// The seal of a closed day: commitments that reveal nothing about their lines, and the header text that is hashed and signed.
import { sha256Hex } from '../formats/sha256.ts'
import { formatInstant } from '../time/timestamp.ts'
import type { LedgerCounts, LedgerLine, StoredLine } from './line.ts'

/** The form of headers, commitments and leaves. Another form needs another name. */
export const LEDGER_FORMAT = 'terce-ledger/1'

/** In place of the hash of the day before, for the first day of an installation. */
export const NO_PREVIOUS = '0'.repeat(64)

/** The order of the counts in a header. */
const COUNTS = [
  'expected',
  'delivered',
  'late',
  'failed',
  'excused',
  'open',
  'unexplained',
  'surplus',
  'carried',
] as const satisfies readonly (keyof LedgerCounts)[]

/** What is signed about a day. */
export type DayHeader = LedgerCounts & {
  /** `2026-11-17` */
  day: string
  /** The `headerHash` of the day before, or NO_PREVIOUS. */
  previous: string
  /** The root of the tree (tree.ts) over the lines, in ascending order of commitment. */
  root: string
  people: number
  tzVersion: string
  closedAt: number
}

/**
 * SHA-256 of the salt and of every field of the line, as a JSON array. `salt`: random, 32 hexadecimal digits. Once the salt is
 * erased, nobody can find the line by trying all likely contents.
 */
export function commitmentOf(line: LedgerLine, salt: string): string {
  return sha256Hex(
    JSON.stringify([
      salt,
      line.column,
      line.reason,
      line.occasionId,
      line.eventId,
      line.occurrence,
      line.dueAt,
      line.settledAt,
      line.attempt,
      line.entry,
      line.because,
      line.carriedFrom,
    ]),
  )
}

/** Whether the fields of a line are those of its commitment. An erased line has nothing to compare, and must have no ids. */
export function isAsCommitted({ day: _, salt, commitment, ...line }: StoredLine): boolean {
  if (salt !== null) return commitmentOf(line, salt) === commitment
  return line.occasionId === null && line.eventId === null
}

/** One `name value` per line. Every line of the account is either expected or surplus, so `lines` is their sum. */
export function headerText(day: DayHeader): string {
  const fields: [name: string, value: string | number][] = [
    ['format', LEDGER_FORMAT],
    ['day', day.day],
    ['previous', day.previous],
    ['root', day.root],
    ['lines', day.expected + day.surplus],
    ...COUNTS.map((name): [string, number] => [name, day[name]]),
    ['people', day.people],
    ['tzVersion', day.tzVersion],
    ['closedAt', formatInstant(day.closedAt)],
  ]
  return fields.map(([name, value]) => `${name} ${value}\n`).join('')
}

export function headerHash(header: string): string {
  return sha256Hex(header)
}
