// Promises about docs/requirements.md: every requirement names a test or says why there is none, and every path exists.
import { describe, expect, it } from 'vitest'
import { readPage } from './support/page.ts'
import { missingPaths } from './support/paths.ts'

const page = readPage('requirements.md')
const lines = page.text.split('\n').filter((line) => line.startsWith('- '))

const EVIDENCE = /`(?:test\/[^`]+\.ts|bench\/results\/[^`]+)`/

describe('the page of requirements', () => {
  it('names a test or a recorded measurement, or says what is different or left out', () => {
    expect(lines.length).toBeGreaterThan(150)
    const bare = lines.filter(
      (line) => !EVIDENCE.test(line) && !/: \*\*(?:differs|partial)\*\*\. .{20}/.test(line),
    )
    expect(bare).toEqual([])
  })

  it('names a decision page for every requirement that is met differently', () => {
    const different = lines.filter((line) => line.includes('**differs**'))
    expect(different.length).toBeGreaterThan(20)
    expect(different.filter((line) => !line.includes('](decisions/'))).toEqual([])
  })

  it('names only files that exist', () => {
    expect(missingPaths(page.text)).toEqual([])
  })
})

describe('the check of paths', () => {
  it('finds a file that does not exist, in a code span and in a link', () => {
    const text =
      'See `src/engine/nowhere.ts`, `src/engine/plan.ts`, [this](nowhere.md) and [that](requirements.md#users).'
    expect(missingPaths(text)).toEqual(['src/engine/nowhere.ts', 'docs/nowhere.md'])
  })
})
