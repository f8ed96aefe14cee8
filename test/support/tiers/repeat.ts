// Runs test files and repeats each failed one once, alone, so that a flaky test does not end a run but is named at its end.
import { type FileResult, isPassed, type Options, type Run, runTests } from './run-tests.ts'

/** A run in which more files fail is broken, not flaky: none of them is repeated. */
const MOST_REPEATED = 5

export type Repeated = {
  run: Run
  /** The first results of the files that passed when they were repeated. */
  flaky: readonly FileResult[]
  failed: readonly FileResult[]
  passed: boolean
}

export async function runAndRepeat(args: readonly string[], options: Options = {}): Promise<Repeated> {
  const run = await runTests(args, options)
  const firstFailed = run.files.filter((result) => !isPassed(result))
  const repeatable = firstFailed.length <= MOST_REPEATED ? firstFailed : []
  const flaky: FileResult[] = []
  for (const result of repeatable) {
    process.stdout.write(`\nRepeating ${result.file} alone.\n`)
    const again = await runTests([result.file], options)
    if (again.files.length > 0 && again.files.every(isPassed) && !again.failedOutsideFiles) flaky.push(result)
  }
  const failed = firstFailed.filter((result) => !flaky.includes(result))
  const passed = run.files.length > 0 && failed.length === 0 && !run.failedOutsideFiles
  return { run, flaky, failed, passed }
}
