// Promises about docs/requirements.md: every row has a status and, unless it is done, a reason; every path in it exists.
import { describe, expect, it } from 'vitest'
import { readPage } from './support/page.ts'
import { missingPaths } from './support/paths.ts'

const STATUSES = ['done', 'different', 'partial', 'missing']
const page = readPage('requirements.md')

const cells = (line: string) =>
  line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim())

const rows = page.text
  .split('\n')
  .filter((line) => /^\| \d+ \|/.test(line))
  .map(cells)
  .map(([number, requirement, from, status, code, test, reason]) => {
    return {
      number: Number(number),
      requirement,
      from,
      status: status!,
      code: code!,
      test: test!,
      reason: reason!,
    }
  })

describe('the page of requirements', () => {
  it('has rows, numbered without a gap', () => {
    expect(rows.length).toBeGreaterThan(150)
    expect(rows.map(({ number }) => number)).toEqual(rows.map((_, index) => index + 1))
  })

  it.each(rows)('row $number has a status, code, and a test or a reason: $requirement', (row) => {
    expect(STATUSES).toContain(row.status)
    expect(row.code).toMatch(/^`/)
    if (row.status === 'done') expect(row.test).toMatch(/^`/)
    else expect(row.reason.length).toBeGreaterThan(20)
  })

  it('names a decision page for every requirement that is met differently', () => {
    const without = rows.filter(
      ({ status, reason }) => status === 'different' && !reason.includes('](decisions/'),
    )
    expect(without).toEqual([])
  })

  it('counts its rows by status as they are', () => {
    for (const status of STATUSES) {
      const count = rows.filter((row) => row.status === status).length
      expect(page.text).toContain(`| ${status} | ${count} |`)
    }
  })

  it('names only files that exist', () => {
    expect(missingPaths(page.text)).toEqual([])
  })

  it('names only tests and recorded measurements as evidence', () => {
    const evidence = rows.flatMap(({ test }) => [...test.matchAll(/`([^`]+)`/g)].map((match) => match[1]!))
    expect(evidence.filter((path) => !/^(test\/.+\.ts|bench\/results\/.+)$/.test(path))).toEqual([])
  })
})

describe('the check of paths', () => {
  it('finds a file that does not exist, in a code span and in a link', () => {
    const text =
      'See `src/engine/nowhere.ts`, `src/engine/plan.ts`, [this](nowhere.md) and [that](requirements.md#users).'
    expect(missingPaths(text)).toEqual(['src/engine/nowhere.ts', 'docs/nowhere.md'])
  })
})
