// How instants are printed in lists and explanations.
import { describe, expect, it } from 'vitest'
import { brief } from '../../../src/cli/output/schedule-lines.ts'

describe('an instant in a list', () => {
  it.each([
    ['2026-12-15T09:00:00-07:00', '2026-12-15 09:00 -07:00'],
    ['2026-12-15T09:00:05+05:30', '2026-12-15 09:00:05 +05:30'],
    ['2026-12-15T16:00:00.000Z', '2026-12-15 16:00Z'],
    ['2026-11-15T16:52:56.396Z', '2026-11-15 16:52:56.396Z'],
    ['2026-11-15T16:52:00.007Z', '2026-11-15 16:52:00.007Z'],
    ['2026-11-15T16:52:56.396+01:00', '2026-11-15 16:52:56.396 +01:00'],
  ])('prints %s as %s', (timestamp, text) => {
    expect(brief(timestamp)).toBe(text)
  })
})
