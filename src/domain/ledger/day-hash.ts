// The hash of a closed day: over its counts and its lines, chained to the day before. Contains only what stays when a person is
// erased, so that an erasure does not change it.
import { sha256Hex } from '../formats/sha256.ts'
import { COUNTS, type LedgerCounts, type StoredLine } from './line.ts'

/** In place of the hash of the day before, for the first day of an installation. */
export const NO_PREVIOUS = '0'.repeat(64)

/** What is told of a closed day, without personal data. */
export type DayReport = LedgerCounts & { day: string; people: number; hash: string; previous: string }

/** The hash so far with one more line. It begins with the hash of the day before, and lines are added in order of their number. */
export function addLine(hash: string, { number, column, reason }: StoredLine): string {
  return sha256Hex(JSON.stringify([hash, number, column, reason]))
}

/** `lines`: the hash with all lines of the day. */
export function hashOfDay(lines: string, day: LedgerCounts & { day: string; people: number }): string {
  return sha256Hex(JSON.stringify([lines, day.day, day.people, ...COUNTS.map((name) => day[name])]))
}
