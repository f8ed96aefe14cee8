// Instants as text: which texts are instants, and which are rejected although Date.parse accepts them.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formatInstant, formatLocal, parseInstant } from '../../../src/domain/time/timestamp.ts'

describe('parseInstant()', () => {
  it.each([
    ['2028-02-29T16:00:00Z', '2028-02-29T16:00:00.000Z'],
    ['2026-12-15T16:00Z', '2026-12-15T16:00:00.000Z'],
    ['2026-12-15T09:00:00-07:00', '2026-12-15T16:00:00.000Z'],
    ['2026-12-15T21:45+05:45', '2026-12-15T16:00:00.000Z'],
    ['2026-12-15T16:00:00.5Z', '2026-12-15T16:00:00.500Z'],
    ['2026-12-15T16:00:00.123456789Z', '2026-12-15T16:00:00.123Z'],
    ['0001-01-01T00:00:00Z', '0001-01-01T00:00:00.000Z'],
  ])('reads %s', (text, expected) => {
    expect(formatInstant(parseInstant(text)!)).toBe(expected)
  })

  it.each([
    '2028-02-31T16:00:00Z',
    '2027-02-29T16:00:00Z',
    '2028-04-31T16:00:00Z',
    '0000-01-01T00:00:00Z',
    '2026-12-15T24:00:00Z',
    '2026-12-15T16:60:00Z',
    '2026-12-15T16:00:60Z',
    '2026-12-15T16:00:00',
    '2026-12-15',
    '2026-12-15 16:00:00Z',
    '2026-12-15T16:00.5Z',
    '2026-12-15T16:00:00+25:00',
    '2026-12-15T16:00:00+0700',
    '0001-01-01T00:00:00+01:00',
    '9999-12-31T23:59:59-01:00',
    '+012026-12-15T16:00:00Z',
    '15 December 2026 16:00 UTC',
    '1797350400000',
    '',
  ])('rejects %j', (text) => expect(parseInstant(text)).toBeNull())

  it('reads what the product writes, in UTC and with an offset', () => {
    const instants = fc.integer({ min: Date.UTC(1970, 0), max: Date.UTC(2100, 0) })
    const offsets = fc.integer({ min: -14 * 60, max: 14 * 60 }).map((minutes) => minutes * 60)
    fc.assert(
      fc.property(instants, offsets, (instant, offset) => {
        expect(parseInstant(formatInstant(instant))).toBe(instant)
        expect(parseInstant(formatLocal(instant, offset))).toBe(Math.floor(instant / 1000) * 1000)
      }),
    )
  })
})
