// Runs the type checker and the linter over everything, so that `npm test` alone finds what `npm run check` finds.
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const PROJECT = fileURLToPath(new URL('..', import.meta.url))

/** The type check takes half a minute of a core, and many times that beside other work. */
const BUSY_MS = 600_000

describe('the project', () => {
  // One after another: each needs a core for up to half a minute, and other tests run beside this file.
  it(
    'passes the type check of src, test, bench, scripts and examples',
    async () => {
      expect(await run('tsc', '-p', '.')).toEqual({ exitCode: 0, output: '' })
    },
    BUSY_MS,
  )

  it(
    'passes the type check of the dashboard',
    async () => {
      expect(await run('tsc', '-p', 'web')).toEqual({ exitCode: 0, output: '' })
    },
    BUSY_MS,
  )

  it('passes lint and format checks without a warning', async () => {
    const { exitCode, output } = await run('biome', 'check', '--error-on-warnings', '.')
    expect(exitCode, output).toBe(0)
  })
})

function run(command: string, ...args: string[]): Promise<{ exitCode: unknown; output: string }> {
  const { NODE_OPTIONS: _, ...env } = process.env
  return new Promise((resolve) => {
    execFile(`node_modules/.bin/${command}`, args, { cwd: PROJECT, env }, (error, stdout, stderr) => {
      resolve({ exitCode: error === null ? 0 : (error.code ?? error.signal), output: stdout + stderr })
    })
  })
}
