// Runs Vitest in a process of its own and reads the result of each file.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'

export type FileResult = {
  file: string
  seconds: number
  passed: number
  failed: number
  /** The first line of the first failure; null if the file passed. */
  failure: string | null
}

export type Run = {
  files: readonly FileResult[]
  seconds: number
  /** Vitest failed for a reason that belongs to no file, as an unhandled error. */
  failedOutsideFiles: boolean
}

/** What the JSON reporter of Vitest writes, as far as it is read here. */
type Report = {
  testResults: readonly {
    name: string
    status: string
    startTime: number
    endTime: number
    message: string
    assertionResults: readonly { status: string; fullName: string; failureMessages: readonly string[] }[]
  }[]
}

const VITEST = join(createRequire(import.meta.url).resolve('vitest/package.json'), '../vitest.mjs')
export const LONG_FILES = '**/*.long.test.ts'

/** `command` is a script that starts Vitest with the arguments that follow. */
export type Options = { env?: Record<string, string>; command?: readonly string[] }

export async function runTests(
  args: readonly string[],
  { env = {}, command = [VITEST, 'run'] }: Options = {},
): Promise<Run> {
  const folder = mkdtempSync(join(tmpdir(), 'terce-tier-'))
  const report = join(folder, 'report.json')
  const reporters = ['default', './test/support/count-reporter.ts', 'json'].map(
    (name) => `--reporter=${name}`,
  )
  const startedAt = performance.now()
  try {
    const child = spawn(
      process.execPath,
      [...command, ...args, ...reporters, `--outputFile.json=${report}`],
      {
        env: { ...process.env, ...env },
        stdio: 'inherit',
      },
    )
    const [code] = await once(child, 'exit')
    const files = existsSync(report) ? resultsOf(JSON.parse(readFileSync(report, 'utf8'))) : []
    const seconds = (performance.now() - startedAt) / 1000
    return { files, seconds, failedOutsideFiles: code !== 0 && files.every(isPassed) }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

export const isPassed = ({ failure }: FileResult) => failure === null

export function sum(files: readonly FileResult[], count: 'passed' | 'failed'): number {
  return files.reduce((total, file) => total + file[count], 0)
}

export function resultsOf({ testResults }: Report): FileResult[] {
  return testResults.map(({ name, status, startTime, endTime, message, assertionResults }) => {
    const failed = assertionResults.filter((test) => test.status === 'failed')
    const first = failed[0]
    const text = first === undefined ? message : `${first.fullName}: ${first.failureMessages[0] ?? ''}`
    return {
      file: relative(process.cwd(), name),
      seconds: (endTime - startTime) / 1000,
      passed: assertionResults.filter((test) => test.status === 'passed').length,
      failed: failed.length,
      failure: status === 'failed' ? (text.split('\n')[0] ?? '') : null,
    }
  })
}
