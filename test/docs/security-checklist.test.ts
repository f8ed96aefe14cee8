// docs/security-asvs.md has every heading of OWASP ASVS 5.0.0, and all files that it and docs/security.md name exist.
import { existsSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { readRoot } from '../deploy/support/deploy-files.ts'
import { rowsOf, spansOf } from './support/tables.ts'

const PAGE = 'docs/security.md'
const CHECKLIST = 'docs/security-asvs.md'
const ROOT = new URL('../../', import.meta.url).pathname

/** How many sections each chapter has. */
const SECTIONS = [5, 4, 7, 4, 4, 8, 6, 4, 2, 7, 7, 3, 4, 3, 4, 5, 3]

/** What is wrong with a row of the checklist. */
function problemsOf([heading, status, tests, remark]: string[]): string[] {
  const files = spansOf(tests ?? '')
  const problems = files.filter((file) => !existsSync(ROOT + file)).map((file) => `${file} does not exist`)
  if (!['met', 'partly'].includes(status!)) problems.push(`has the status ${status}`)
  if (status === 'met' && !files.some((file) => /^test\/.*\.test\.ts$/.test(file)))
    problems.push('is met without a test')
  if (status === 'partly' && (remark ?? '') === '') problems.push('does not say what is missing')
  return problems.map((problem) => `${heading} ${problem}`)
}

describe('the checklist in docs/security-asvs.md', () => {
  const rows = rowsOf(CHECKLIST, 'heading', 'status', 'tests')

  it('has every heading of the standard once, in its order', () => {
    const expected = SECTIONS.flatMap((sections, chapter) =>
      Array.from({ length: sections }, (_, section) => `V${chapter + 1}.${section + 1}`),
    )
    const [, others = ''] = readRoot(CHECKLIST).split('\nNot applicable')
    const absent = [...others.matchAll(/\bV\d+\.\d+\b/g)].map(([section]) => section)
    const found = rows.map(([heading]) => heading!.split(' ')[0])
    expect(found).toEqual(expected.filter((section) => !absent.includes(section)))
    expect([...found, ...absent].sort()).toEqual(expected.sort())
  })

  it('names a test for each heading that is met, what is missing otherwise, and only files that exist', () => {
    expect(rows.flatMap(problemsOf)).toEqual([])
  })

  it.each([
    [['V1.1 X', 'met', '`test/gone.test.ts`', ''], 'V1.1 X test/gone.test.ts does not exist'],
    [['V1.1 X', 'met', '`src/http/app.ts`', ''], 'V1.1 X is met without a test'],
    [['V1.1 X', 'partly', '`src/http/app.ts`', ''], 'V1.1 X does not say what is missing'],
    [['V1.1 X', 'surely', '`src/http/app.ts`', 'x'], 'V1.1 X has the status surely'],
  ])('would report the planted row %j', (row, problem) => {
    expect(problemsOf(row)).toEqual([problem])
  })
})

it.each([PAGE, CHECKLIST])('%s names only files of src, test, deploy and docs that exist', (page) => {
  const text = readRoot(page).replaceAll(/^```[\s\S]*?^```/gm, '')
  const named = spansOf(text).filter((span) => /^(src|test|deploy|docs|scripts)\/[\w./-]+\.\w+$/.test(span))
  expect(named.length).toBeGreaterThan(10)
  expect(named.filter((file) => !existsSync(ROOT + file))).toEqual([])
})

it('docs/security.md has a threat model, and compares all four platforms', () => {
  for (const [first, second] of [
    ['asset', 'where it is'],
    ['actor', 'can'],
    ['boundary', 'check'],
  ])
    expect(rowsOf(PAGE, first!, second!).length).toBeGreaterThan(4)
  const platforms = [
    '',
    'Node, SQLite',
    'Node, PostgreSQL',
    'Cloudflare Workers, D1',
    'AWS Lambda, PostgreSQL',
  ]
  for (const row of rowsOf(PAGE, ...platforms)) for (const cell of row) expect(cell).not.toBe('')
})
