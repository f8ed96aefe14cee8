// A date of birth is an existing date that is not in the future in the user's timezone.
import { describe, expect, it } from 'vitest'
import type { Timezone } from '../../../src/domain/time/timezone.ts'
import { tzdb } from '../../../src/domain/time/tzdb.ts'
import { bornInFuture, type DateOfBirth, parseDateOfBirth } from '../../../src/domain/users/date-of-birth.ts'

function parse(text: string) {
  const parsed = parseDateOfBirth(text)
  return 'value' in parsed ? parsed.value : parsed.problem.code
}

describe('a date of birth', () => {
  it.each(['1990-12-15', '1992-02-29', '1900-01-01', '0001-01-01', '9999-12-31', '--12-15', '--02-29'])(
    'can be %s',
    (text) => {
      expect(parse(text)).toBe(text)
    },
  )

  // The calendar's own tests have the other texts.
  it.each([
    '',
    '1990-02-30',
    '0000-12-15',
    '15/12/1990',
    '--02-30',
    '--1-5',
    '--13-01',
    '---12-15',
    '--12-15Z',
  ])('cannot be “%s”', (text) => {
    expect(parse(text)).toBe('INVALID_DATE')
  })

  it('cannot be in the future in the timezone of the user', () => {
    const isInFuture = (date: string, timezone = 'Etc/UTC', now = '2026-11-15T12:00:00Z') =>
      bornInFuture(date as DateOfBirth, timezone as Timezone, { now: Date.parse(now), table: tzdb }) !== null
    expect(isInFuture('2026-11-15')).toBe(false)
    expect(isInFuture('2026-11-16')).toBe(true)
    expect(isInFuture('2026-11-16', 'Pacific/Kiritimati')).toBe(false)
    expect(isInFuture('2026-11-15', 'Pacific/Pago_Pago', '2026-11-15T10:59:59Z')).toBe(true)
    expect(isInFuture('2026-11-15', 'Pacific/Pago_Pago', '2026-11-15T11:00:00Z')).toBe(false)
    expect(isInFuture('9999-12-31')).toBe(true)
    expect(isInFuture('--11-16')).toBe(false)
  })

  it('is not quoted in its problems, which are passed on', () => {
    expect(parseDateOfBirth('1990-02-30')).toEqual({
      problem: {
        code: 'INVALID_DATE',
        message:
          'This is not a calendar date. Use YYYY-MM-DD, such as 1990-12-15, or --12-15 without the year.',
      },
    })
  })
})
