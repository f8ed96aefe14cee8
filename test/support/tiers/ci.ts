// npm run test:ci, what CI runs: the whole of `npm test`, then the part of the long tier that the change can break, within a time limit.
import { spawnSync } from 'node:child_process'
import { globSync } from 'node:fs'
import { baseOf, changedSince, isAffected, ordered, runGit } from './affected.ts'
import { runAndRepeat } from './repeat.ts'
import { type FileResult, LONG_FILES, sum } from './run-tests.ts'
import { inMinutes, type Row, tableOf } from './table.ts'

/** No further long files start after this time. The longest group takes two minutes and `npm ci` one, so CI ends within 15. */
const LAST_START_SECONDS = 11 * 60
const FILES_IN_A_GROUP = 8

const startedAt = performance.now()
const elapsed = () => (performance.now() - startedAt) / 1000
const rows: Row[] = []
const flaky: FileResult[] = []
const count = { passed: 0, failed: 0 }

process.exitCode = (await main()) ? 0 : 1

async function main(): Promise<boolean> {
  const commit = runGit('rev-parse', 'HEAD')
  const base = baseOf(commit)
  const checkedAt = elapsed()
  const checked = spawnSync('npm', ['run', 'check'], { stdio: 'inherit' }).status === 0
  rows.push({ name: 'npm run check', result: checked ? 'passed' : 'FAILED', seconds: elapsed() - checkedAt })
  let ok = checked && (await tests('npm test', ['--exclude', LONG_FILES]))
  const leftOut: string[] = []
  if (ok) ok = await longTier(commit, base, leftOut)
  print(
    `\nCI of ${commit.slice(0, 8)}, changes since ${base?.slice(0, 8) ?? 'the beginning'}: ${inMinutes(elapsed())}`,
  )
  print(tableOf(rows))
  if (leftOut.length > 0) print(`\nLeft out (npm run test:long runs all of them):\n${leftOut.join('\n')}`)
  print(`\n${count.passed} passed, ${count.failed} failed`)
  for (const { file, failure } of flaky) print(`FLAKY ${file}: ${failure}`)
  return ok
}

/** The affected long files, and a tenth of the seeds and planted mistakes, which the commit's hash chooses. */
async function longTier(commit: string, base: string | null, leftOut: string[]): Promise<boolean> {
  const changed = changedSince(base)
  const files = ordered(globSync('test/**/*.long.test.ts'), commit)
  const simulated = files.filter((file) => file.startsWith('test/simulation/'))
  const others = files.filter((file) => !simulated.includes(file))
  const part = `${Number.parseInt(commit.slice(0, 8), 16) % 10}/10`
  leftOut.push('mutants, moved clocks', `nine tenths of ${simulated.join(' and ')}`)
  let ok = await tests(`seeds and mistakes, part ${part}`, simulated, { TERCE_PART: part })
  const affected = others.filter((file) => isAffected(file, changed))
  leftOut.push(...others.filter((file) => !affected.includes(file)).map((file) => `${file}: not affected`))
  while (affected.length > 0 && elapsed() < LAST_START_SECONDS) {
    const group = affected.splice(0, FILES_IN_A_GROUP)
    if (!(await tests(`${group.length} long files`, group))) ok = false
  }
  leftOut.push(...affected.map((file) => `${file}: affected, no time left`))
  return ok
}

async function tests(
  name: string,
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<boolean> {
  const result = await runAndRepeat(args, { env })
  const { run, failed, passed } = result
  flaky.push(...result.flaky)
  count.passed += sum(run.files, 'passed') + sum(result.flaky, 'failed')
  count.failed += sum(failed, 'failed') + (run.failedOutsideFiles ? 1 : 0)
  const text = passed ? `${run.files.length} files passed` : 'FAILED'
  rows.push({ name, result: text, seconds: run.seconds })
  for (const { file, seconds } of result.flaky) rows.push({ name: `  ${file}`, result: 'FLAKY', seconds })
  for (const { file, seconds } of failed)
    rows.push({ name: `  ${file}`, result: 'FAILED', seconds, repeat: `npx vitest run ${file}` })
  return passed
}

function print(text: string): void {
  process.stdout.write(`${text}\n`)
}
