// Runs Vitest on planted test files and reads what the reporter prints.
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const PROJECT = fileURLToPath(new URL('../..', import.meta.url))

describe('the reporter of test counts', () => {
  it('prints the reason of each skipped test and lets the run pass', () => {
    expect(runPlanted('with-reason.planted.ts')).toEqual({
      exitCode: 0,
      printed: [
        'skipped: with-reason.planted.ts > needs a linter: the linter is not installed',
        '1 passed, 0 failed',
      ],
    })
  })

  it('fails the run for each test that is skipped without a reason', () => {
    const printed = [
      'skipped: no-reason.planted.ts > is skipped: FAILED, no reason given',
      'skipped: no-reason.planted.ts > is skipped on a condition: FAILED, no reason given',
      'skipped: no-reason.planted.ts > is to be written: FAILED, no reason given',
      '1 passed, 3 failed',
    ]
    expect(runPlanted('no-reason.planted.ts')).toEqual({ exitCode: 1, printed })
  })

  it('counts a suite whose setup fails as one failure', () => {
    expect(runPlanted('setup.planted.ts')).toEqual({ exitCode: 1, printed: ['1 passed, 1 failed'] })
  })

  it('prints the command that runs a failed test alone', () => {
    const { exitCode, printed } = runPlanted('failing.planted.ts')
    const command = `npx vitest run failing.planted.ts -t '^it'\\''s a suite (> )?that fails (> )?for a \\(good\\) reason$'`
    expect({ exitCode, printed }).toEqual({
      exitCode: 1,
      printed: [`repeat: ${command}`, '1 passed, 1 failed'],
    })
    const pattern = /-t '(.+)'$/.exec(command)![1]!.replaceAll(`'\\''`, "'")
    expect(runPlanted('failing.planted.ts', '-t', pattern).printed.at(-1)).toBe('0 passed, 1 failed')
  })
})

function runPlanted(...args: string[]): { exitCode: number | null; printed: string[] } {
  const config = 'test/support/planted/vitest.config.ts'
  const { status, stdout } = spawnSync('node_modules/.bin/vitest', ['run', '--config', config, ...args], {
    cwd: PROJECT,
    encoding: 'utf8',
  })
  return { exitCode: status, printed: stdout.trim().split('\n') }
}
