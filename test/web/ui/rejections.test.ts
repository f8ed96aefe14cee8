// The list of rejected CSV lines.
import { describe, expect, it } from 'vitest'
import { rejectedLines, shownRejections } from '../../../web/src/ui/rejections.tsx'

const lines = (n: number) => Array.from({ length: n }, (_, index) => ({ line: index + 2, why: 'Wrong.' }))

describe('the rejected lines of a CSV file', () => {
  it('are all listed up to ten, and the rest is counted', () => {
    expect(shownRejections(lines(5), 5)).toMatchObject({ more: 0 })
    expect(shownRejections(lines(5), 5).shown).toHaveLength(5)
    expect(shownRejections(lines(100), 250)).toMatchObject({ more: 240 })
  })

  it('are one entry for each line, with all its problems', () => {
    const problems = [
      { line: 3, message: 'Not a date.' },
      { line: 3, message: 'Not a time zone.' },
      { line: 4, message: 'Required.' },
    ]
    expect(rejectedLines(problems)).toEqual([
      { line: 3, why: 'Not a date. Not a time zone.' },
      { line: 4, why: 'Required.' },
    ])
  })
})
