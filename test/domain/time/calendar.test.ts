// The civil calendar, compared with Date in UTC.
import { describe, expect, it } from 'vitest'
import {
  civilFromLocalMs,
  DAY_MS,
  daysFromCivil,
  daysInMonth,
  formatCivilDate,
  isLeapYear,
  parseCivilDate,
} from '../../../src/domain/time/calendar.ts'

describe('parseCivilDate()', () => {
  it('parses existing dates from year 1 to year 9999', () => {
    expect(parseCivilDate('1990-05-17')).toEqual({ year: 1990, month: 5, day: 17 })
    expect(parseCivilDate('2024-02-29')).toEqual({ year: 2024, month: 2, day: 29 })
    expect(parseCivilDate('0001-01-01')).toEqual({ year: 1, month: 1, day: 1 })
    expect(parseCivilDate('9999-12-31')).toEqual({ year: 9999, month: 12, day: 31 })
  })

  it.each([
    '2023-02-29',
    '1900-02-29',
    '2026-04-31',
    '2026-00-10',
    '2026-13-01',
    '2026-01-00',
    '2026-01-32',
    '0000-01-01',
  ])('rejects %s, which does not exist', (text) => expect(parseCivilDate(text)).toBeNull())

  it.each([
    '',
    '1990-5-17',
    '1990/05/17',
    '17-05-1990',
    '1990-05-17T00:00',
    ' 1990-05-17',
    '1990-05-17\n',
    '+990-05-17',
    '1990-05-1٧',
    '１９９０-05-17',
  ])('rejects %j, which is not YYYY-MM-DD', (text) => expect(parseCivilDate(text)).toBeNull())

  it('is reversed by formatCivilDate()', () => {
    for (const text of ['0001-01-01', '0987-11-30', '1970-01-01', '2024-02-29', '9999-12-31']) {
      expect(formatCivilDate(parseCivilDate(text)!)).toBe(text)
    }
  })
})

describe('the civil calendar', () => {
  it('has the leap years of the Gregorian rule', () => {
    expect([2024, 2000, 1600].every(isLeapYear)).toBe(true)
    expect([2023, 2100, 1900].some(isLeapYear)).toBe(false)
  })

  it('counts the days of each month', () => {
    const days = (year: number) => Array.from({ length: 12 }, (_, i) => daysInMonth(year, i + 1))
    expect(days(2026)).toEqual([31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31])
    expect(days(2028)[1]).toBe(29)
  })

  it('counts days as Date does, for every day from 1890 to 2110', () => {
    const first = Date.UTC(1890, 0, 1) / DAY_MS
    const last = Date.UTC(2110, 0, 1) / DAY_MS
    for (let day = first; day <= last; day++) {
      const date = new Date(day * DAY_MS)
      const civil = { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() }
      if (daysFromCivil(civil.year, civil.month, civil.day) !== day)
        expect.fail(`days of ${date.toISOString()}`)
      const read = civilFromLocalMs(day * DAY_MS + DAY_MS - 1)
      if (read.year !== civil.year || read.month !== civil.month || read.day !== civil.day) {
        expect.fail(`date of ${date.toISOString()}`)
      }
    }
  })

  it('counts days correctly in years 1 and 9999 and before 1970', () => {
    expect(daysFromCivil(1, 1, 1)).toBe(-719_162)
    expect(formatCivilDate(civilFromLocalMs(-719_162 * DAY_MS))).toBe('0001-01-01')
    expect(daysFromCivil(9999, 12, 31)).toBe(Date.UTC(9999, 11, 31) / DAY_MS)
    expect(formatCivilDate(civilFromLocalMs(-1))).toBe('1969-12-31')
  })
})
