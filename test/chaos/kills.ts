// `npm run chaos -- --transactions N`: kills an application with Terce in it in the middle of its transactions, and compares its
// tables with Terce's.
import { compare, type Difference } from '../library/support/comparison.ts'
import { type Killed, type KillOptions, type KillRun, runKills } from '../library/support/kills.ts'

/** How often progress is written where no terminal shows it. */
const REPORT_MS = 60_000

/** Returns the exit code: 1 if the tables differ. */
export async function killTransactions(
  options: Omit<KillOptions, 'onProgress'>,
  print: (...lines: string[]) => void,
): Promise<number> {
  const from = Date.now()
  const progress = showProgress(options.transactions)
  const run = await runKills({ ...options, onProgress: progress.show })
  progress.end()
  const differences = run.tables.flatMap(compare)
  print(...describe(run, options, { minutes: (Date.now() - from) / 60_000, differences }))
  return differences.length + run.unexpected.length > 0 ? 1 : 0
}

function describe(
  run: KillRun,
  { database, seed }: Pick<KillOptions, 'database' | 'seed'>,
  { minutes, differences }: { minutes: number; differences: readonly Difference[] },
): string[] {
  const { tables, unexpected } = run
  const sum = (count: (of: KillRun['tables'][number]) => number) =>
    tables.reduce((total, of) => total + count(of), 0).toLocaleString('en')
  const settled = (status: string) =>
    sum(({ events }) => events.filter((event) => event.status === status).length)
  const name = database === 'postgres' ? 'PostgreSQL' : `SQLite (${tables.length} files)`
  const problems = [...differences.map(({ rule, detail }) => `${rule}: ${detail}`), ...unexpected]
  return [
    `${name}, seed ${seed}, ${minutes.toFixed(1)} minutes`,
    inWords(run),
    `The application has ${sum(({ accounts }) => accounts.length)} accounts and ${sum(({ todos }) => todos.length)} todos, Terce ${sum(({ users }) => users.length)} people and ${sum(({ tasks }) => tasks.length)} tasks.`,
    `${sum(({ events }) => events.length)} events: ${settled('COMPLETED')} COMPLETED, ${settled('FAILED')} FAILED, ${settled('PENDING')} planned. ${sum(({ effects }) => effects.length)} effects.`,
    ...(problems.length === 0
      ? ['No difference: no orphan, no missing event, every effect once.']
      : problems),
  ]
}

function inWords({ processes, byProcess, byBackend }: Killed): string {
  const [all, killed, ended] = [byProcess + byBackend, byProcess, byBackend].map((n) =>
    n.toLocaleString('en'),
  )
  return `${all} transactions interrupted: ${killed} by SIGKILL of ${processes} processes, ${ended} by pg_terminate_backend`
}

function showProgress(transactions: number): { show(killed: Killed): void; end(): void } {
  const { isTTY } = process.stderr
  let shownAt = Date.now()
  return {
    show(killed) {
      if (!isTTY && Date.now() - shownAt < REPORT_MS) return
      shownAt = Date.now()
      const line = `${inWords(killed)} (of ${transactions.toLocaleString('en')})`
      process.stderr.write(isTTY ? `\r\x1b[K${line}` : `${line}\n`)
    },
    end: () => void (isTTY && process.stderr.write('\r\x1b[K')),
  }
}
