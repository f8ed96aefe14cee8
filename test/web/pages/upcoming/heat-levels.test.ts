// The colour levels of the year grid.
import { describe, expect, it } from 'vitest'
import { heatRanges, levelOf, rangeText } from '../../../../web/src/pages/upcoming/heat-levels.ts'

const textsOf = (counts: readonly number[]) => heatRanges(counts).map(rangeText)

describe('the colour levels of days', () => {
  it('split the days with messages into quarters, also if one day has far more than the rest', () => {
    const counts = [...Array.from({ length: 40 }, (_, i) => i + 1), 100_000]
    const ranges = heatRanges(counts)
    expect(ranges.map(rangeText)).toEqual(['1–11', '12–21', '22–31', '32–100,000'])
    const levels = counts.map((count) => levelOf(count, ranges))
    for (const level of [1, 2, 3, 4])
      expect(levels.filter((one) => one === level).length).toBeGreaterThanOrEqual(9)
  })

  it('are fewer if there are fewer different counts, and end with the darkest', () => {
    expect(heatRanges([])).toEqual([])
    expect(heatRanges([3, 3, 3])).toEqual([{ from: 3, to: 3, level: 4 }])
    expect(textsOf([1, 1, 1, 1, 1, 1, 9])).toEqual(['1', '2–9'])
    expect(heatRanges([1, 1, 1, 1, 1, 1, 9]).map(({ level }) => level)).toEqual([2, 4])
  })

  it('ignore days without messages', () => {
    const ranges = heatRanges([0, 0, 0, 0, 5])
    expect(textsOf([0, 0, 0, 0, 5])).toEqual(['5'])
    expect([levelOf(0, ranges), levelOf(5, ranges)]).toEqual([0, 4])
  })
})
