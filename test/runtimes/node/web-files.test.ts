// Whether the dashboard is built, and as new as its sources.
import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { dashboardProblem } from '../../../src/runtimes/node/web-files.ts'

it('The built dashboard is missing, current, or older than its sources', () => {
  const root = mkdtempSync(join(tmpdir(), 'terce-built-'))
  onTestFinished(() => rmSync(root, { recursive: true }))
  const write = (folder: string, name: string, at: number) => {
    mkdirSync(join(root, folder), { recursive: true })
    writeFileSync(join(root, folder, name), '')
    for (const path of [join(root, folder, name), join(root, folder)]) utimesSync(path, at, at)
  }
  expect(dashboardProblem(root)).toBe('missing')
  write('dist/web', 'index.html', 2_000)
  expect(dashboardProblem(root), 'without sources').toBeNull()
  write('web/src/pages', 'today.tsx', 1_000)
  expect(dashboardProblem(root)).toBeNull()
  write('web/src/pages', 'today.tsx', 3_000)
  expect(dashboardProblem(root)).toBe('outdated')
})
