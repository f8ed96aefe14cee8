// How often a relative time changes.
import { describe, expect, it } from 'vitest'
import { fromNow } from '../../../web/src/clock/format.ts'
import { nowFor } from '../../../web/src/clock/now.ts'

const NOW = Date.UTC(2026, 10, 15, 12)
const MINUTE = 60_000
const DAY = 86_400_000

/** How many renders a text relative to `instant` needs within a minute. */
function rendersInAMinute(instant: number): number {
  const seconds = Array.from({ length: 60 }, (_, second) => nowFor(instant, NOW + second * 1_000))
  return new Set(seconds).size
}

describe('a relative time', () => {
  it('renders each second while it shows seconds, and seldom when it shows days', () => {
    expect(rendersInAMinute(NOW + 30 * MINUTE)).toBe(60)
    expect(rendersInAMinute(NOW + 5 * 60 * MINUTE + 1)).toBeLessThanOrEqual(2)
    expect(rendersInAMinute(NOW + 90 * DAY + 1_500_000)).toBe(1)
    expect(rendersInAMinute(NOW - 400 * DAY - 1_500_000)).toBe(1)
  })

  it('shows the text that the exact time gives', () => {
    for (const away of [18_000, 59 * MINUTE + 59_000, 61 * MINUTE, 25 * 60 * MINUTE, 90 * DAY + 5_000_000]) {
      for (const instant of [NOW + away, NOW - away]) {
        expect(fromNow(instant, nowFor(instant, NOW))).toBe(fromNow(instant, NOW))
      }
    }
  })
})
