// Parsing and formatting a time of day.
import { describe, expect, it } from 'vitest'
import { formatLocalTime, parseLocalTime } from '../../../src/domain/time/local-time.ts'

describe('parseLocalTime()', () => {
  it('parses hours and minutes, and seconds if given', () => {
    expect(parseLocalTime('00:00')).toBe(0)
    expect(parseLocalTime('09:00')).toBe(9 * 3_600_000)
    expect(parseLocalTime('23:59')).toBe(86_340_000)
    expect(parseLocalTime('23:59:59')).toBe(86_399_000)
  })

  it.each([
    '',
    '9:00',
    '09',
    '09:0',
    '24:00',
    '23:60',
    '23:59:60',
    '09:00:',
    '09:00:0',
    '09:00:00.5',
    '09.00',
    '09:00Z',
    ' 09:00',
    '09:00 AM',
    '-9:00',
    '09:00-30',
    '٠٩:٠٠',
  ])('rejects %j', (text) => expect(parseLocalTime(text)).toBeNull())

  it('is reversed by formatLocalTime() for every minute and second of the day', () => {
    for (let second = 0; second < 86_400; second++) {
      const text = formatLocalTime(second * 1000)
      if (parseLocalTime(text) !== second * 1000) expect.fail(text)
      if (text.length !== (second % 60 === 0 ? 5 : 8)) expect.fail(text)
    }
  })
})
