// The counts of a day, by its lines.
import { expect, it } from 'vitest'
import { countLine, makeLine, noCounts } from '../../../src/domain/ledger/line.ts'

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
