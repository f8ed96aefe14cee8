// SHA-256, compared with node:crypto.
import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { sha256Hex } from '../../../src/domain/formats/sha256.ts'

const reference = (text: string) => createHash('sha256').update(text, 'utf8').digest('hex')

describe('SHA-256', () => {
  it('agrees with node:crypto at every length around a block boundary', () => {
    for (let length = 0; length <= 200; length++) {
      const text = 'x'.repeat(length)
      expect(sha256Hex(text), `${length} bytes`).toBe(reference(text))
    }
  })

  it('agrees with node:crypto on any text', () => {
    const text = fc.string({ unit: 'binary', maxLength: 300 })
    fc.assert(
      fc.property(text, (value) => sha256Hex(value) === reference(value)),
      { numRuns: 500 },
    )
  })

  it('pads by the length in bytes, not in characters', () => {
    for (const text of ['é'.repeat(27), `${'é'.repeat(27)}x`, '🎂'.repeat(14), '李'.repeat(21), '\ud800']) {
      expect(sha256Hex(text)).toBe(reference(text))
    }
  })

  it('agrees with node:crypto on a long text', () => {
    const text = 'Terce 🕘 '.repeat(50_000)
    expect(sha256Hex(text)).toBe(reference(text))
  })
})
