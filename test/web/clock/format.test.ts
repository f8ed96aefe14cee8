// Dates, times and occasion types as text.
import { describe, expect, it } from 'vitest'
import {
  dateText,
  durationText,
  offsetText,
  retryText,
  typeCode,
  typeText,
  utcText,
  wallIn,
} from '../../../web/src/clock/format.ts'

describe('times', () => {
  it('use the time zone table of Terce, not that of the browser', () => {
    // Since 2026 Vancouver keeps summer time all year.
    expect(wallIn(Date.UTC(2026, 11, 15, 16), 'America/Vancouver')).toMatchObject({
      time: '09:00',
      date: '2026-12-15',
    })
    expect(offsetText(-420)).toBe('UTC−7')
    expect(offsetText(345)).toBe('UTC+5:45')
  })

  it('show the UTC date if it differs from the local date', () => {
    expect(utcText(Date.UTC(2026, 10, 15, 23), '2026-11-16')).toBe('Sun 15 Nov 23:00Z')
    expect(utcText(Date.UTC(2026, 10, 15, 9), '2026-11-15')).toBe('09:00Z')
  })

  it('show the local date of a message, and the number of its retry', () => {
    expect(dateText('2026-12-05T09:00:00-07:00')).toBe('5 Dec 2026')
    expect(['2026', '2:2026-11-16~3'].map(retryText)).toEqual(['', ' (retry 3)'])
  })

  it('show durations in their two largest units', () => {
    expect([0, 4_000, 61_000, 90_000_000, 366 * 86_400_000].map(durationText)).toEqual([
      '0 s',
      '4 s',
      '1 min 1 s',
      '1 d 1 h',
      '1 y 1 d',
    ])
  })
})

describe('an occasion type', () => {
  it('is stored as a code and shown as text', () => {
    expect(['Work anniversary', ' pay-day! ', 'Fête', 'NAME_DAY'].map(typeCode)).toEqual([
      'WORK_ANNIVERSARY',
      'PAY_DAY',
      'FETE',
      'NAME_DAY',
    ])
    expect(typeText('WORK_ANNIVERSARY')).toBe('Work anniversary')
  })
})
