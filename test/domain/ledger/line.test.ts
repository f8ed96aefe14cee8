// The counts of a day, by its lines.
import { expect, it } from 'vitest'
import {
  countLine,
  LEDGER_COLUMNS,
  makeLine,
  noCounts,
  rankOf,
  ranksOf,
} from '../../../src/domain/ledger/line.ts'

it('counts a delivery on time, a late one, an early one and erased ones apart', () => {
  const counts = noCounts()
  const delivered = (lateMs: number, reason: string | null = null) =>
    countLine(counts, makeLine('delivered', reason, { dueAt: 1_000_000, settledAt: 1_000_000 + lateMs }))
  delivered(60_000)
  delivered(60_001)
  delivered(-3_600_000, 'EARLY')
  delivered(90_000, 'EARLY')
  countLine(counts, makeLine('delivered', null, {}))
  countLine(counts, makeLine('delivered', 'EARLY', {}))
  expect(counts).toEqual({ ...noCounts(), owed: 6, delivered: 6, late: 1, early: 3 })
})

it('counts carried lines among the owed ones, without surplus messages', () => {
  const counts = noCounts()
  for (const column of ['delivered', 'surplus'] as const)
    countLine(counts, makeLine(column, null, { carriedFrom: '2027-03-11' }))
  expect(counts).toEqual({ ...noCounts(), owed: 1, delivered: 1, surplus: 1, carried: 1 })
})

it('ranks problems first, and deliveries on time last', () => {
  const delivered = (lateMs: number, reason: string | null = null) =>
    makeLine('delivered', reason, { dueAt: 0, settledAt: lateMs })
  const columns = ['surplus', 'unexplained', 'failed', 'open'] as const
  const lines = [
    ...columns.map((column) => makeLine(column, 'ANY', {})),
    delivered(60_001),
    makeLine('excused', 'PAUSED', {}),
    delivered(0, 'ERASED'),
    delivered(60_000),
  ]
  expect(lines.map(rankOf)).toEqual(ranksOf(null))
  expect(rankOf(delivered(-1, 'EARLY'))).toBe(rankOf(delivered(60_001)))
  for (const column of LEDGER_COLUMNS)
    expect(lines.filter((line) => line.column === column).map(rankOf)).toEqual(ranksOf(column))
})
