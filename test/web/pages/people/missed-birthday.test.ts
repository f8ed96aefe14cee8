// A birthday that is today, after the delivery time.
import { describe, expect, it } from 'vitest'
import { missedBirthday } from '../../../../web/src/pages/people/missed-birthday.ts'

const NOW = Date.UTC(2026, 10, 15, 12)

describe('a missed birthday', () => {
  it('is reported only on the day, after the delivery time, in a known time zone', () => {
    const berlin = { dateOfBirth: '1990-11-15', timezone: 'Europe/Berlin' }
    expect(missedBirthday(berlin, 540, NOW)).toEqual({ nextYear: 2027, passedAt: Date.UTC(2026, 10, 15, 8) })
    expect(missedBirthday({ ...berlin, timezone: 'America/Vancouver' }, 540, NOW)).toBeNull()
    expect(missedBirthday({ ...berlin, dateOfBirth: '1990-11-16' }, 540, NOW)).toBeNull()
    expect(missedBirthday({ ...berlin, timezone: 'Mars' }, 540, NOW)).toBeNull()
    expect(missedBirthday({ ...berlin, dateOfBirth: '2026-11-15' }, 540, NOW)).toBeNull()
  })
})
