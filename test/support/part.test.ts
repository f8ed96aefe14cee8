import { describe, expect, it } from 'vitest'
import { isInPart, readPart } from './part.ts'

const INDEXES = [0, 1, 2, 3, 4, 5, 6]

describe('TERCE_PART', () => {
  it('selects every N-th index, starting with K', () => {
    expect(INDEXES.filter((index) => isInPart(index, readPart('1/3')))).toEqual([1, 4])
  })

  it('selects every index when it is not set or empty', () => {
    for (const text of [undefined, ''])
      expect(INDEXES.filter((index) => isInPart(index, readPart(text)))).toEqual(INDEXES)
  })

  it.each(['3', '3/3', '-1/3', '1/0', '1/x'])('rejects "%s"', (text) => {
    expect(() => readPart(text)).toThrow(`K/N with K from 0 to N - 1, such as 3/10, and is "${text}".`)
  })
})
