// The bars of the chart of messages on Today.
import { describe, expect, it } from 'vitest'
import type { WaveStep } from '../../../../web/src/api/types.ts'
import { BAR_MS, barsOf, periodOfBar, totalOf } from '../../../../web/src/pages/today/bars.ts'

const NOON = Date.parse('2026-11-15T12:00:00Z')
const MINUTE = 60_000
const SPAN = { from: NOON - 720 * MINUTE, before: NOON + 720 * MINUTE }

const step = (minutes: number, offsetMinutes: number, counts: Partial<WaveStep> = { sent: 1 }): WaveStep => ({
  dueAt: new Date(NOON + minutes * MINUTE).toISOString(),
  offsetMinutes,
  ...{ sent: 0, inFlight: 0, failed: 0, remaining: 0 },
  ...counts,
})

describe('the bars of the chart of messages', () => {
  it('do not overlap, with messages due in every minute of the span', () => {
    const wave = Array.from({ length: 1_440 }, (_, i) => step(i - 720, (i % 105) * 15 - 720))
    const bars = barsOf(wave, SPAN)
    expect(bars).toHaveLength(96)
    for (const [i, bar] of bars.entries())
      if (i > 0) expect(bar.from - bars[i - 1]!.from).toBeGreaterThanOrEqual(BAR_MS)
    expect(bars.reduce((sum, bar) => sum + totalOf(bar), 0)).toBe(1_440)
  })

  it('add up the messages of a quarter of an hour, and leave out empty ones', () => {
    const wave = [
      step(-3, 60, { sent: 2, failed: 1 }),
      step(0, 345, { remaining: 1 }),
      step(7, 0, { inFlight: 4 }),
      step(20, 0, {}),
    ]
    const bars = barsOf(wave, SPAN)
    expect(
      bars.map(({ from, sent, inFlight, failed, remaining }) => [
        from - NOON,
        sent,
        inFlight,
        failed,
        remaining,
      ]),
    ).toEqual([
      [-BAR_MS, 2, 0, 1, 0],
      [0, 0, 4, 0, 1],
    ])
    expect([...bars[1]!.offsets]).toEqual([345, 0])
  })

  it('link to the minutes from the first through the last message', () => {
    const [one] = barsOf([step(0, 0), step(0, 60)], SPAN)
    expect(periodOfBar(one!)).toBe('2026-11-15T12:00Z..2026-11-15T12:01Z')
    const [more] = barsOf([step(2, 0), step(14, 60)], SPAN)
    expect(periodOfBar(more!)).toBe('2026-11-15T12:02Z..2026-11-15T12:15Z')
  })
})
