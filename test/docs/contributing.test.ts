// Promises about CONTRIBUTING.md: its paths exist, its commands are scripts of the package.
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { missingPaths } from './support/paths.ts'

const root = new URL('../../', import.meta.url)
const page = readFileSync(new URL('CONTRIBUTING.md', root), 'utf8')
const { scripts } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8'))

describe('the page for contributors', () => {
  it('names only files and folders that exist', () => {
    expect(missingPaths(page, '.')).toEqual([])
  })

  it('names only scripts that the package has', () => {
    const named = [...page.matchAll(/npm run ([\w:]+)/g)].map((match) => match[1]!)
    expect(named.length).toBeGreaterThan(5)
    expect(named.filter((name) => !(name in scripts))).toEqual([])
  })
})
