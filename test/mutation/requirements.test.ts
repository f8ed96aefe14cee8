// docs/requirements.md and the edits that break its requirements. `npm run mutate -- --requirements` applies the edits.
import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { readBreakages, readRows } from './requirements.ts'

const page = readFileSync('docs/requirements.md', 'utf8')
const rows = readRows()
const breakages = readBreakages()

describe('the requirements', () => {
  it('have one test file or measurement each, which exists', () => {
    expect(rows).toHaveLength(page.match(/^- /gm)!.length)
    expect(page.match(/`(?:test|bench)\//g)).toHaveLength(rows.length)
    const files = rows.flatMap(({ stage }) => stage?.files ?? [])
    expect(files.filter((file) => !existsSync(file))).toEqual([])
  })

  it('are each broken by an edit, or have the reason why none does', () => {
    const named = (some: readonly { requirement: string }[]) => some.map(({ requirement }) => requirement)
    expect(named(breakages)).toEqual(named(rows))
    const isCode = new Map(breakages.map((one) => [one.requirement, 'file' in one]))
    expect(rows.filter(({ requirement, stage }) => stage === null && isCode.get(requirement))).toEqual([])
  })

  it('are broken by edits whose text occurs once in its file', () => {
    const edits = breakages.flatMap((one) => ('file' in one ? [one] : []))
    const unfit = edits.filter(
      ({ file, find, replacement }) =>
        find === replacement || readFileSync(file, 'utf8').split(find).length !== 2,
    )
    expect(unfit).toEqual([])
  })
})
