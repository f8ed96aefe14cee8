// The day on which a message is sent, for every date of the calendar's cycle of 400 years.
import { describe, expect, it } from 'vitest'
import {
  formatShift,
  parseShift,
  sendDay,
  sendNotes,
  WEEKEND_RULES,
} from '../../../src/domain/occasions/send-day.ts'
import { DAY_MS } from '../../../src/domain/time/calendar.ts'

const weekdayOf = (day: number) => new Date(day * DAY_MS).getUTCDay()
const isWeekend = (day: number) => weekdayOf(day) % 6 === 0

describe('the day of sending', () => {
  it('is the nearest weekday before or after a weekend, or none, in all 400 years', () => {
    const first = Date.UTC(1900, 0, 1) / DAY_MS
    for (let date = first; date < first + 146_097; date++)
      for (const shiftDays of [0, -3, 90]) {
        const wanted = date + shiftDays
        const [exact, before, after, skip] = WEEKEND_RULES.map(
          (onWeekend) => sendDay(date, { shiftDays, onWeekend })?.day ?? null,
        )
        const saturday = weekdayOf(wanted) === 6
        const expected = isWeekend(wanted)
          ? [wanted, wanted - (saturday ? 1 : 2), wanted + (saturday ? 2 : 1), null]
          : [wanted, wanted, wanted, wanted]
        // Not one assertion each: they are 1.7 million.
        if ([exact, before, after, skip].some((day, i) => day !== expected[i]))
          expect.fail(`${date} ${shiftDays}: ${[exact, before, after, skip]}, expected ${expected}`)
      }
  })

  it('is explained in words', () => {
    expect(sendNotes('2026-12-15', { shiftDays: -3, onWeekend: 'AFTER' })).toEqual([
      { code: 'SHIFTED', text: 'It is sent 3 days before 2026-12-15.' },
      {
        code: 'MOVED_FROM_WEEKEND',
        text: 'Saturday, 2026-12-12 is on a weekend: it is sent on Monday, 2026-12-14.',
      },
    ])
    expect(sendNotes('2026-12-15', { shiftDays: 0, onWeekend: 'BEFORE' })).toEqual([])
  })
})

describe('a shift', () => {
  it.each([
    ['-P3D', -3],
    ['P1W', 7],
    ['-P2W1D', -15],
    ['P0D', 0],
    ['-P90D', -90],
  ])('%s is %i days', (text, days) => {
    expect(parseShift(text)).toBe(days)
    expect(parseShift(formatShift(days))).toBe(days)
  })

  it.each(['P91D', '-P13W', 'PT3H', 'P1M', 'P', '-P', '3', 'P1D3W', ''])('cannot be %j', (text) => {
    expect(parseShift(text)).toBeNull()
  })
})
