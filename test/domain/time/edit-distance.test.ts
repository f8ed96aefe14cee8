// The promise that misspellings are measured right, though only part of the table is looked at.
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { bitsOf, editDistance, lettersOf } from '../../../src/domain/time/edit-distance.ts'

/** The whole table, as textbooks have it. */
function byTheBook(a: string, b: string): number {
  const rows = Array.from({ length: a.length + 1 }, (_, i) =>
    Array.from({ length: b.length + 1 }, (_, j) => (i === 0 ? j : j === 0 ? i : 0)),
  )
  for (let i = 1; i <= a.length; i++) {
    for (let j = 1; j <= b.length; j++) {
      const steps = [
        rows[i - 1]![j]! + 1,
        rows[i]![j - 1]! + 1,
        rows[i - 1]![j - 1]! + Number(a[i - 1] !== b[j - 1]),
      ]
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        steps.push(rows[i - 2]![j - 2]! + 1)
      rows[i]![j] = Math.min(...steps)
    }
  }
  return rows[a.length]![b.length]!
}

const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c', 'd'), maxLength: 9 })

it('is the textbook distance up to the limit, and above it anything above', () => {
  fc.assert(
    fc.property(word, word, fc.integer({ min: 1, max: 3 }), (a, b, limit) => {
      expect(Math.min(editDistance(a, b, limit), limit + 1)).toBe(Math.min(byTheBook(a, b), limit + 1))
    }),
    { numRuns: 2_000 },
  )
})

it('is never less than what the letters alone allow', () => {
  fc.assert(
    fc.property(word, word, (a, b) => {
      expect(bitsOf(lettersOf(a) ^ lettersOf(b))).toBeLessThanOrEqual(2 * byTheBook(a, b))
    }),
  )
})
