// One line of text for people: an accepted line is stable, visible and closed. The rules one by one are tested with users.
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { parseLine } from '../../../src/domain/formats/line.ts'

const sign = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 1 }),
  fc.string({ unit: 'binary', maxLength: 1 }),
  fc.constantFrom(
    '\u202a',
    '\u202c',
    '\u202e',
    '\u2067',
    '\u2069',
    '\u0315',
    '\u200d',
    '\ufe0f',
    '\u2800',
    ' ',
  ),
)
const text = fc.array(sign, { maxLength: 20 }).map((signs) => signs.join(''))
const rules = { what: 'The name', max: 12 }

it('parseLine() accepts its own result unchanged, and rejects with a sentence about the field', () => {
  const seen = { accepted: 0, rejected: 0 }
  fc.assert(
    fc.property(text, (given) => {
      const { value, problem } = parseLine(given, rules)
      if (value === null) {
        seen.rejected += 1
        expect(problem).toMatch(/^The name .*\.$/)
        return
      }
      seen.accepted += 1
      expect(parseLine(value, rules)).toEqual({ value, problem: null })
      expect(value).toBe(value.normalize('NFC').trim())
      expect([...value].length).toBeLessThanOrEqual(12)
      expect(value.isWellFormed()).toBe(true)
      expect(value).not.toMatch(/[\u202d\u202e\n]/)
    }),
    { numRuns: 2_000 },
  )
  expect(seen).toEqual({ accepted: expect.any(Number), rejected: expect.any(Number) })
  expect(Math.min(seen.accepted, seen.rejected)).toBeGreaterThan(50)
})
