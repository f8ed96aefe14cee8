// npm run test:long, the whole proof: every long file, a sample of mutants, and the quick files with the clock moved. Goes on after
// a failure and ends with a table of everything that ran.
import { spawnSync } from 'node:child_process'
import { instantsOf } from '../moved-clock/instants.ts'
import { type FileResult, isPassed, LONG_FILES, type Run, runTests, sum } from './run-tests.ts'
import { inMinutes, type Row, tableOf } from './table.ts'

const TEST_AT = 'test/support/moved-clock/test-at.ts'
const MUTATE = ['test/mutation/mutate.ts', '--sample', '20', '--again', '--least', '75']

const startedAt = performance.now()
const rows: Row[] = []
const count = { passed: 0, failed: 0 }

record(await runTests(['.long.test.ts']), (file) => `npx vitest run ${file}`)
mutants()
const [first, second] = instantsOf(Date.now())
await atInstant(first, ['unit', 'process', 'browser'])
await atInstant(second, ['unit'])

const failed = rows.filter(({ repeat }) => repeat !== undefined).length
process.stdout.write(
  `\n${tableOf(rows)}\n\nThe long tier took ${inMinutes((performance.now() - startedAt) / 1000)}.\n`,
)
process.stdout.write(`${count.passed} passed, ${count.failed} failed\n`)
process.exitCode = failed === 0 ? 0 : 1

function mutants(): void {
  const begun = performance.now()
  const { status } = spawnSync(process.execPath, MUTATE, { stdio: 'inherit' })
  const seconds = (performance.now() - begun) / 1000
  const name = 'mutants'
  if (status === 0) rows.push({ name, result: 'passed', seconds })
  else rows.push({ name, result: 'FAILED', seconds, repeat: `node ${MUTATE.join(' ')}` })
}

/** Passed files have no row of their own here: they are those of `npm test`. */
async function atInstant(instant: string, projects: readonly string[]): Promise<void> {
  const args = [...projects.flatMap((project) => ['--project', project]), '--exclude', LONG_FILES]
  const run = await runTests(args, { command: [TEST_AT, instant] })
  const name = `${projects.join(', ')} at ${instant}`
  rows.push({ name, result: `${run.files.filter(isPassed).length} files passed`, seconds: run.seconds })
  record(
    { ...run, files: run.files.filter((file) => !isPassed(file)) },
    (file) => `npm run test:at -- ${instant} ${file}`,
  )
}

function record({ files, failedOutsideFiles, seconds }: Run, repeat: (file: string) => string): void {
  for (const result of files) rows.push(rowOf(result, repeat))
  if (failedOutsideFiles)
    rows.push({ name: 'outside of all files', result: 'FAILED', seconds, repeat: 'see the errors above' })
  count.passed += sum(files, 'passed')
  count.failed += sum(files, 'failed') + (failedOutsideFiles ? 1 : 0)
}

function rowOf(result: FileResult, repeat: (file: string) => string): Row {
  const { file: name, seconds } = result
  if (isPassed(result)) return { name, result: `${result.passed} passed`, seconds }
  return { name, result: 'FAILED', seconds, repeat: repeat(name) }
}
