// Changes the source in one small way at a time, in a copy of the project, and looks whether a test fails. Prints the survivors.
import { type ChildProcess, fork } from 'node:child_process'
import {
  appendFileSync,
  cpSync,
  existsSync,
  globSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { applied, isValid, type Mutant, mutantsIn } from './mutants.ts'
import { type BrokenRequirement, brokenRequirements } from './requirements.ts'
import type { Request } from './runner.ts'
import { type Stage, stagesOf, suiteOf } from './suites.ts'

const HELP = `npm run mutate -- [options]
  Changes the source in one small way at a time and runs the tests of the changed file. Prints the mutants that no test killed.

  --sample N       how many mutants (300)
  --only TEXT      only of files whose path contains the text
  --seed N         the seed of the sample (1)
  --results FILE   where results are kept; a mutant in it is not judged again (terce-mutation.jsonl in the temporary folder)
  --again          judge mutants again that are in the results
  --least N        exit with 1 if fewer than N per cent are killed (0)
  --quick          run only the first stage of the tests
  --simulate       survivors of the engine also face the simulation
  --requirements   break each requirement of docs/requirements.md instead, and run its test
  --list           list the mutants and run nothing
  --help           this text
`

const { values: options } = parseArgs({
  options: {
    sample: { type: 'string', default: '300' },
    only: { type: 'string', default: '' },
    seed: { type: 'string', default: '1' },
    results: { type: 'string', default: join(tmpdir(), 'terce-mutation.jsonl') },
    again: { type: 'boolean', default: false },
    least: { type: 'string', default: '0' },
    quick: { type: 'boolean', default: false },
    simulate: { type: 'boolean', default: false },
    requirements: { type: 'boolean', default: false },
    list: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})
if (options.help) {
  process.stdout.write(HELP)
  process.exit()
}

type Result = Pick<Mutant, 'id' | 'file' | 'line' | 'operator'> & {
  verdict: 'killed' | 'survived'
  by: string
  diff: string
}

const ROOT = resolve(import.meta.dirname, '../..')
process.chdir(ROOT)
const SIMULATION: Stage = {
  files: ['test/simulation/simulation.test.ts', 'test/simulation/simulation.long.test.ts'],
}
/** How long each stage takes without a mutant. A mutant that takes several times as long counts as killed. */
const tookMs = new Map<string, number>()
/** Files of the copy that the runner has to load again. */
const changed = new Set<string>()
let runner: ChildProcess | null = null
const limitOf = (stage: Stage) => 20_000 + 4 * (tookMs.get(JSON.stringify(stage)) ?? 60_000)

const chosen: (Mutant | BrokenRequirement)[] = options.requirements
  ? brokenRequirements().filter(({ file, stage }) => `${file} ${stage.files}`.includes(options.only))
  : sample(
      globSync('src/**/*.ts')
        .sort()
        .filter((file) => stagesOf(file) !== null && file.includes(options.only))
        .map((file) => mutantsIn(file, readFileSync(file, 'utf8'))),
      Number(options.sample),
    )
const known = new Map<string, Result>(options.again ? [] : readResults().map((result) => [result.id, result]))
// Those of one test together: in each run a test runs once without a mutant. For others the fast suites come first.
const order = (one: (typeof chosen)[number]) =>
  'stage' in one ? `${one.stage.files} ${one.stage.names}` : String(suiteOf(one.file)).padStart(3)
const open = chosen.filter(({ id }) => !known.has(id)).sort((a, b) => (order(a) < order(b) ? -1 : 1))
print(`${chosen.length} mutants, ${chosen.length - open.length} judged before (${options.results}).`)
if (options.list) for (const { file, line, operator } of chosen) print(`${file}:${line} ${operator}`)
else if (open.length > 0) await judgeAll()
report()

async function judgeAll(): Promise<void> {
  const copy = mkdtempSync(join(tmpdir(), 'terce-mutation-'))
  try {
    const left = new Set(['node_modules', '.git', 'data'])
    cpSync(ROOT, copy, { recursive: true, filter: (path) => !left.has(path.slice(ROOT.length + 1)) })
    symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'))
    for (const [index, mutant] of open.entries()) {
      const result = await judge(copy, mutant)
      known.set(mutant.id, result)
      appendFileSync(options.results, `${JSON.stringify(result)}\n`)
      print(`${index + 1}/${open.length} ${result.verdict} ${mutant.file}:${mutant.line} ${mutant.operator}`)
    }
  } finally {
    stopRunner()
    rmSync(copy, { recursive: true })
  }
}

async function judge(copy: string, mutant: Mutant | BrokenRequirement): Promise<Result> {
  const { id, file, line, operator } = mutant
  const text = readFileSync(file, 'utf8')
  const result = { id, file, line, operator, diff: diffOf(text, mutant) }
  const write = (content: string) => {
    writeFileSync(join(copy, file), content)
    changed.add(file)
  }
  const simulated = options.simulate && file.startsWith('src/engine')
  const stages = 'stage' in mutant ? [mutant.stage] : [...stagesOf(file)!, ...(simulated ? [SIMULATION] : [])]
  for (const stage of options.quick ? stages.slice(0, 1) : stages) {
    if (!tookMs.has(JSON.stringify(stage))) {
      const started = performance.now()
      if (await fails(copy, stage)) throw new Error(`Fails without a mutant: ${stage.files.join(' ')}`)
      tookMs.set(JSON.stringify(stage), performance.now() - started)
    }
    write(applied(text, mutant))
    const isKilled = await fails(copy, stage)
    write(text)
    if (isKilled) return { ...result, verdict: 'killed', by: stage.files[0]! }
  }
  return { ...result, verdict: 'survived', by: '' }
}

function fails(copy: string, stage: Stage): Promise<boolean> {
  runner ??= startRunner(copy)
  const child = runner
  return new Promise((done) => {
    const limit = setTimeout(() => stopRunner(), limitOf(stage))
    const end = (failed: boolean) => {
      clearTimeout(limit)
      child.removeAllListeners()
      if (child.exitCode !== null || child.signalCode !== null) runner = null
      done(failed)
    }
    child.once('message', end).once('exit', () => end(true))
    child.send({ stage, changed: [...changed] } satisfies Request)
    changed.clear()
  })
}

function startRunner(copy: string): ChildProcess {
  // In memory: the databases of tests wait for the disk.
  const env = {
    ...process.env,
    VITEST_MAX_WORKERS: '1',
    ...(existsSync('/dev/shm') && { TMPDIR: '/dev/shm' }),
  }
  const stdio = ['ignore', 'ignore', 'ignore', 'ipc'] as const
  return fork(join(copy, 'test/mutation/runner.ts'), { cwd: copy, env, stdio: [...stdio], detached: true })
}

/** Ends the whole group: tests start processes of their own. */
function stopRunner(): void {
  if (runner !== null) process.kill(-runner.pid!, 'SIGKILL')
}

/** Takes mutants of all files, and in each file of all operators, in turn. The seed decides the order. */
function sample(files: Mutant[][], count: number): Mutant[] {
  const rank = ({ id }: Mutant) =>
    (BigInt(`0x${id}`) * BigInt(options.seed) * 2_654_435_761n) % 4_294_967_291n
  const inTurn = (groups: Mutant[][]) =>
    Array.from({ length: Math.max(0, ...groups.map(({ length }) => length)) }, (_, round) =>
      groups.flatMap((group) => group[round] ?? []),
    ).flat()
  const byOperator = (mutants: Mutant[]) => {
    const sorted = mutants.sort((a, b) => (rank(a) < rank(b) ? -1 : 1))
    return inTurn([...Map.groupBy(sorted, ({ operator }) => operator).values()])
  }
  const found: Mutant[] = []
  for (const mutant of inTurn(files.map(byOperator))) {
    if (found.length === count) break
    if (isValid(mutant)) found.push(mutant)
  }
  return found
}

function diffOf(text: string, mutant: Mutant): string {
  const first = text.lastIndexOf('\n', mutant.start - 1) + 1
  const after = text.indexOf('\n', mutant.end)
  const last = after < 0 ? text.length : after
  const changed = text.slice(first, mutant.start) + mutant.replacement + text.slice(mutant.end, last)
  return [
    ...text
      .slice(first, last)
      .split('\n')
      .map((line) => `- ${line.trim()}`),
    ...changed.split('\n').map((line) => `+ ${line.trim()}`),
  ].join('\n')
}

function print(line: string): void {
  process.stdout.write(`${line}\n`)
}

function readResults(): Result[] {
  if (!existsSync(options.results)) return []
  return readFileSync(options.results, 'utf8')
    .trim()
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))
}

function report(): void {
  const judged = chosen.flatMap(({ id }) => known.get(id) ?? [])
  const survivors = judged.filter(({ verdict }) => verdict === 'survived')
  for (const { file, line, operator, diff } of survivors)
    print(`\n${file}:${line} survived: ${operator}\n${diff}`)
  const killed = judged.length - survivors.length
  const percent = (100 * killed) / Math.max(1, judged.length)
  print(`\n${killed} of ${judged.length} killed (${percent.toFixed(1)} %).`)
  if (!options.list && percent < Number(options.least)) process.exitCode = 1
}
