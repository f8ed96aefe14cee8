// The text of a progress bar.
import { describe, expect, it } from 'vitest'
import { paceText } from '../../../web/src/ui/progress.tsx'

const pace = (done: number, total: number, elapsedMs: number) =>
  paceText({ done, total, elapsedMs, unit: 'rows' })

describe('the progress of a long run', () => {
  it('has the rate and the time left', () => {
    expect(pace(45_000, 100_000, 4_000)).toBe('45,000 of 100,000 rows, 11,250/s, 5 s left')
    expect(pace(1_000, 100_000, 10_000)).toBe('1,000 of 100,000 rows, 100/s, 16 min 30 s left')
  })

  it('has neither within the first second', () => {
    expect(pace(500, 100_000, 900)).toBe('500 of 100,000 rows')
    expect(pace(0, 100_000, 5_000)).toBe('0 of 100,000 rows')
  })

  it('has no time left at the end', () => {
    expect(pace(100, 100, 2_000)).toBe('100 of 100 rows, 50/s')
  })
})
