// Runs every snippet of the page on tests of an application, in a project that has Terce installed.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { run } from '../cli/support/run-command.ts'
import { useProject } from '../client/support/project.ts'
import { useStage } from '../stores/postgres/support/postgres-suite.ts'
import { readPage } from './support/page.ts'

const page = readPage('testing.md')
const project = useProject()
const stage = useStage()
const VITEST = new URL('../../node_modules/vitest/vitest.mjs', import.meta.url).pathname

const fileOf = (block: string) => /^\/\/ (\S+\.(?:test\.)?[jt]s)\n/.exec(block)?.[1]
const blocks = page.blocks('ts')
const named = new Map(blocks.map((block) => [fileOf(block), block]))
/** Blocks without a name are further tests of the first file. */
const further = blocks.filter((block) => fileOf(block) === undefined)

// A machine with other work on it starts the first test of a file in seconds.
const SLOW = ['--testTimeout=120000', '--hookTimeout=120000']

/** The lines of the report that name a test: passed with ✓, failed with ×. */
async function vitest(files: Record<string, string>): Promise<{ code: number | null; tests: string[] }> {
  for (const [name, text] of Object.entries(files)) writeFileSync(join(project.path, name), text)
  const args = [VITEST, 'run', '--root', project.path, '--no-color', '--reporter=verbose', ...SLOW]
  const env = { TEST_DATABASE_URL: stage.database() }
  const { code, stdout } = await run(process.execPath, args, { cwd: project.path, env })
  const lines = [...stdout.matchAll(/^ *([✓×]) (.+\.test\.ts) > (.+?)(?: +\d+ms)?$/gmu)]
  return { code, tests: lines.map(([, sign, file, name]) => `${sign} ${file} ${name}`).sort() }
}

describe('the page on tests of an application', () => {
  it('has tests that pass with vitest, also twice on one database, and a test that fails if nobody is greeted', async () => {
    project.install('vitest', 'pg')
    const files = {
      'greetings.ts': named.get('greetings.ts')!,
      'greetings.test.ts': [named.get('greetings.test.ts')!, ...further].join('\n'),
      'postgres.test.ts': named.get('postgres.test.ts')!,
      'receiver.test.ts': named.get('receiver.test.ts')!,
    }
    const names = Object.entries(files).flatMap(([file, text]) =>
      [...text.matchAll(/^it\('(.+?)', async/gm)].map(([, name]) => `${file} ${name}`),
    )
    expect(names).toHaveLength(further.length + 3)
    const passed = names.map((name) => `✓ ${name}`).sort()
    expect(await vitest(files)).toEqual({ code: 0, tests: passed })
    const broken = { 'greetings.ts': files['greetings.ts'].replace("'BIRTHDAY'", "'WORK_ANNIVERSARY'") }
    const failed = passed.map((line) => line.replace(/^✓(?=.* at nine$)/, '×')).sort()
    expect(await vitest(broken)).toEqual({ code: 1, tests: failed })
  }, 600_000)

  it('has a test that passes with node:test', async () => {
    const [test] = page.blocks('js')
    writeFileSync(join(project.path, fileOf(test!)!), test!)
    const args = ['--test', '--test-reporter=tap', fileOf(test!)!]
    const { code, stdout } = await run(process.execPath, args, { cwd: project.path, env: {} })
    expect(code, stdout).toBe(0)
    expect(stdout).toContain('# pass 1')
  })
})
