// Runs planted test files as CI does: a file that passes when it is repeated alone is flaky, one that fails again has failed.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { runAndRepeat } from './repeat.ts'

const folder = mkdtempSync(join(tmpdir(), 'terce-repeat-'))
afterAll(() => rmSync(folder, { recursive: true }))

it('repeats each failed file alone: one that passes then is flaky, one that fails again has failed', async () => {
  const command = [
    'node_modules/vitest/vitest.mjs',
    'run',
    '--config',
    'test/support/planted/vitest.config.ts',
  ]
  const env = { PLANTED_STATE: join(folder, 'ran-once') }
  const { run, passed, flaky, failed } = await runAndRepeat(['fail', 'setup', 'with-reason'], {
    command,
    env,
  })
  expect(run.files.map(({ file }) => file.split('/').at(-1)).sort()).toEqual([
    'failing.planted.ts',
    'fails-once.planted.ts',
    'setup.planted.ts',
    'with-reason.planted.ts',
  ])
  expect(passed).toBe(false)
  const failure = expect.stringContaining('this is the first run')
  expect(flaky).toMatchObject([{ file: 'test/support/planted/fails-once.planted.ts', failed: 1, failure }])
  expect(failed.map(({ file }) => file).sort()).toEqual([
    'test/support/planted/failing.planted.ts',
    'test/support/planted/setup.planted.ts',
  ])
})
