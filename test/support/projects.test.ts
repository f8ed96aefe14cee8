// The project of a test file, and the guard that a unit test starts nothing. This file is itself a unit test: it imports none of
// the modules that would make it another.
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { filesByProject, PROJECTS, projectOf } from './projects.ts'

const projectIn = (files: Record<string, string>, file: string) =>
  projectOf(file, (path) => files[path] ?? null)

describe('the project of a test file', () => {
  it.each([
    ['test/package/package.test.ts', '', 'package'],
    ['test/simulation/simulation.test.ts', '', 'simulation'],
    ['test/web/app.long.test.ts', `import { chromium } from 'playwright-core'`, 'browser'],
    ['test/stores/d1.test.ts', `import { Miniflare } from 'miniflare'`, 'workerd'],
    ['test/a.test.ts', `import {\n  a,\n  b,\n} from './support/postgres-server.ts'`, 'postgres'],
    ['test/a.test.ts', `import 'node:child_process'`, 'process'],
    ['test/a.test.ts', `import type { Server } from 'node:http'`, 'unit'],
    ['test/a.test.ts', `import { it } from 'vitest'`, 'unit'],
  ])('%s with %j is %s', (file, text, project) => {
    expect(projectIn({ [file]: text }, file)).toBe(project)
  })

  it('is decided by what its helpers import, also in a circle', () => {
    const files = {
      'test/a.test.ts': `import { helper } from './support/helper.ts'`,
      'test/support/helper.ts': `import { other } from './other.ts'`,
      'test/support/other.ts': `import { helper } from './helper.ts'\nimport { createServer } from 'node:net'`,
    }
    expect(projectIn(files, 'test/a.test.ts')).toBe('process')
  })

  it('has files in every project', () => {
    const files = filesByProject()
    for (const project of PROJECTS) expect(files[project], project).not.toEqual([])
    expect(files.unit).toContain('test/support/projects.test.ts')
  })
})

describe('a test file', () => {
  it('replaces no module for the other files of its process', () => {
    const replacing = new RegExp(`\\bvi\\.${'mock'}\\(`)
    const files = Object.values(filesByProject()).flat()
    const texts = files.map((file) => readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8'))
    expect(replacing.test(`vi.${'mock'}('./a.ts')`)).toBe(true)
    expect(files.filter((_, index) => replacing.test(texts[index]!))).toEqual([])
  })
})

describe('a unit test', () => {
  const { spawn, execFile, spawnSync, execFileSync, fork } = process.getBuiltinModule('node:child_process')
  const { createServer } = process.getBuiltinModule('node:net')

  it.each([
    ['spawn', () => spawn('true')],
    ['fork', () => fork('nothing.js')],
    ['execFile', () => execFile('true')],
    ['spawnSync', () => spawnSync('true')],
    ['execFileSync', () => execFileSync('true')],
  ])('fails if it starts a process by %s', (_name, start) => {
    expect(start).toThrow('A unit test starts a process.')
  })

  it('fails if it starts a server', () => {
    expect(() => createServer().listen(0)).toThrow('A unit test starts a server.')
  })
})
