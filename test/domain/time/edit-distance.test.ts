// The edit distance, compared with the textbook algorithm: the code computes only part of the table.
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { bitsOf, editDistance, lettersOf } from '../../../src/domain/time/edit-distance.ts'

/** The textbook algorithm, with the whole table. */
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

it('editDistance() equals the textbook distance up to the limit, and exceeds the limit beyond it', () => {
  fc.assert(
    fc.property(word, word, fc.integer({ min: 1, max: 3 }), (a, b, limit) => {
      expect(Math.min(editDistance(a, b, limit), limit + 1)).toBe(Math.min(byTheBook(a, b), limit + 1))
    }),
    { numRuns: 2_000 },
  )
})

it('the letters of two words never differ by more than twice their edit distance', () => {
  fc.assert(
    fc.property(word, word, (a, b) => {
      expect(bitsOf(lettersOf(a) ^ lettersOf(b))).toBeLessThanOrEqual(2 * byTheBook(a, b))
    }),
  )
})
