// The generated tables of the documentation are those that `npm run docs` writes.
import { describe, expect, it } from 'vitest'
import { table } from '../../scripts/docs/markdown-table.ts'
import { outdatedPages, updatePage } from '../../scripts/docs/pages.ts'

it('every generated table is up to date (if not, run npm run docs)', () => {
  expect([...outdatedPages().keys()]).toEqual([])
})

describe('npm run docs', () => {
  const file = 'docs/page.md'
  const rows = table(() => [
    ['`A`', '1', null],
    ['`B`', '2', null],
  ])
  const pageOf = (lines: string) =>
    `# Page\n<!-- generated: t -->\n| name | value | meaning |\n|---|---|---|\n${lines}<!-- /generated -->\nEnd.\n`
  const update = (text: string) => updatePage(file, text, [{ file, name: 't', render: rows }])

  it('corrects values, keeps the order and the sentences of the page, and removes rows without a definition', () => {
    const page = pageOf('| `B` | 9 | the last |\n| `C` | 3 | gone |\n| `A` | 9 | the *first* |\n')
    expect(update(page)).toBe(pageOf('| `B` | 2 | the last |\n| `A` | 1 | the *first* |\n'))
  })

  it('names a row whose meaning is not written', () => {
    expect(() => update(pageOf('| `A` | 1 | the first |\n'))).toThrow(`${file}, t: Add a row for \`B\``)
  })

  it.each([
    ['', 'no marker'],
    ['<!-- generated: t -->\n| a |\n|---|\n', 'no end'],
    ['<!-- generated: other -->\n<!-- /generated -->\n', 'another name'],
  ])('rejects the page %j: %s', (text) => {
    expect(() => update(text)).toThrow(`${file} has the markers`)
  })
})
