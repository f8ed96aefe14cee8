// A date of birth is an existing date that is not in the future in the user's timezone.
import { describe, expect, it } from 'vitest'
import type { Timezone } from '../../../src/domain/time/timezone.ts'
import { tzdb } from '../../../src/domain/time/tzdb.ts'
import { parseDateOfBirth } from '../../../src/domain/users/date-of-birth.ts'

function parse(text: string, timezone: string | null = 'Etc/UTC', now = '2026-11-15T12:00:00Z') {
  const parsed = parseDateOfBirth(text, {
    timezone: timezone as Timezone | null,
    now: Date.parse(now),
    table: tzdb,
  })
  return 'date' in parsed ? parsed.date : parsed.problem.code
}

describe('a date of birth', () => {
  it.each(['1990-12-15', '1992-02-29', '2000-02-29', '1900-01-01', '0001-01-01', '2026-11-15'])(
    'can be %s',
    (text) => {
      expect(parse(text)).toBe(text)
    },
  )

  // The calendar's own tests have the other texts.
  it.each(['', '1990-02-30', '0000-01-01', '15/12/1990', '1990-12-15T00:00:00Z'])(
    'cannot be “%s”',
    (text) => {
      expect(parse(text)).toBe('INVALID_DATE')
    },
  )

  it('cannot be in the future in the timezone of the user', () => {
    expect(parse('2026-11-16')).toBe('DATE_IN_FUTURE')
    expect(parse('2026-11-16', 'Pacific/Kiritimati')).toBe('2026-11-16')
    expect(parse('2026-11-15', 'Pacific/Pago_Pago', '2026-11-15T10:59:59Z')).toBe('DATE_IN_FUTURE')
    expect(parse('2026-11-15', 'Pacific/Pago_Pago', '2026-11-15T11:00:00Z')).toBe('2026-11-15')
    expect(parse('9999-12-31')).toBe('DATE_IN_FUTURE')
  })

  it('can be in the future if the timezone is unknown, but must exist', () => {
    expect(parse('9999-12-31', null)).toBe('9999-12-31')
    expect(parse('1990-02-30', null)).toBe('INVALID_DATE')
  })

  it('is quoted, shortened, in the message for an invalid date, with a remedy', () => {
    const where = { timezone: null, now: 0, table: tzdb }
    expect(parseDateOfBirth('x'.repeat(5_000), where)).toEqual({
      problem: {
        field: 'dateOfBirth',
        code: 'INVALID_DATE',
        message: `"${'x'.repeat(40)}" is not a calendar date. Use YYYY-MM-DD, such as 1990-12-15.`,
      },
    })
  })
})
