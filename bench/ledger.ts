// npm run bench -- ledger: closes days of the ledger over many people, and prints time, CPU time, memory and size.
import { cpus, loadavg } from 'node:os'
import { parseArgs } from 'node:util'
import { dayName } from '../src/domain/ledger/day.ts'
import { DAY_MS } from '../src/domain/time/calendar.ts'
import type { Closed, Done } from './ledger/job.ts'
import { runJob } from './ledger/run-job.ts'
import { tableBytes } from './ledger/table-bytes.ts'
import { addCrowd, crowdFields } from './product/crowd.ts'
import { openHome } from './product/home.ts'
import { startDatabase, stopAll } from './servers.ts'

const HELP = `Usage: npm run bench -- ledger [options]

Creates people, delivers the messages that are due by the engine, then closes two days of the ledger in a process of its own: the
first account, which records every occasion as seen, and the one of the next day. About one person in 365 is owed a message.

  --people N     how many people (100000)
  --store NAME   sqlite or postgres (sqlite)
  --everybody    everybody is owed a message on the second day
  --help         print this text`

/** The accounts begin this many days ago. A day ends everywhere a day and a half after it has begun by UTC. */
const FIRST_DAY = 8
const PLANNED_BEFORE_MS = 2 * DAY_MS

const { values } = parseArgs({
  options: {
    people: { type: 'string', default: '100000' },
    store: { type: 'string', default: 'sqlite' },
    everybody: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})

for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => stopAll().finally(() => process.exit(130)))

if (values.help) console.log(HELP)
else await main().finally(stopAll)

async function main(): Promise<void> {
  const people = Number(values.people)
  if (!(people > 0)) throw new Error(`--people ${values.people} is not a number.`)
  if (values.store !== 'sqlite' && values.store !== 'postgres')
    throw new Error(`Unknown store "${values.store}". Use sqlite or postgres.`)
  const name = `terce-${values.store}` as const
  say(
    `${people.toLocaleString('en')} people on ${values.store}, ${cpus().length} cores (${cpus()[0]?.model.trim()})`,
  )
  say(`Node ${process.version}, load average ${loadavg()[0]!.toFixed(1)}`)
  const postgres = name === 'terce-postgres' ? await startDatabase() : { url: () => '', pid: 0 }
  const home = await openHome(name, '', postgres)
  const run = <T>(job: object) => runJob<T>({ ...job, databaseUrl: home.databaseUrl })
  try {
    const firstDay = Math.floor(Date.now() / DAY_MS - FIRST_DAY) * DAY_MS
    const days = [dayName(firstDay), dayName(firstDay + DAY_MS)] as const
    await timed('people created', () =>
      addCrowd(home.store, people, {
        now: firstDay - PLANNED_BEFORE_MS,
        fields: (i) => ({
          ...crowdFields(i),
          ...(values.everybody && { dateOfBirth: `1992-${days[1].slice(5)}` }),
        }),
      }),
    )
    await home.settleDown()
    await timed('events delivered', () => run<Done>({ kind: 'deliver' }))
    await home.store.openLedgerDay({ day: days[0], startedAt: firstDay })
    for (const [i, day] of days.entries()) {
      await home.settleDown()
      const [cpuBefore, bytesBefore] = [home.databaseCpuUs(), await tableBytes(home)]
      const closed = await run<Closed>({ kind: 'close', day })
      const databaseCpuS = (home.databaseCpuUs() - cpuBefore) / 1e6
      report(`${i === 0 ? 'first account' : 'next account'}, ${day}`, closed, databaseCpuS)
      await home.settleDown()
      const added = (await tableBytes(home)) - bytesBefore
      const each = closed.lines === 0 || i === 0 ? '' : `, ${Math.round(added / closed.lines)} for each line`
      say(`  database: ${(added / 1e6).toFixed(2)} MB more${each}`)
    }
  } finally {
    await home.remove()
  }
}

function report(title: string, closed: Closed, databaseCpuS: number): void {
  const { counts } = closed
  say(`${title}: ${closed.seconds.toFixed(1)} s, ${closed.lines} lines`)
  say(`  CPU: Node ${closed.cpuS.toFixed(1)} s, PostgreSQL ${databaseCpuS.toFixed(1)} s`)
  say(`  memory: ${closed.peakMB} MB at its peak, ${closed.beforeMB} MB before`)
  say(
    `  ${Object.entries(counts)
      .map(([column, count]) => `${column} ${count}`)
      .join(', ')}`,
  )
  if (counts.unexplained !== 0 || counts.surplus !== 0) throw new Error('The account is not sound.')
}

async function timed(what: string, work: () => Promise<unknown>): Promise<void> {
  const started = performance.now()
  await work()
  say(`${what} in ${((performance.now() - started) / 1_000).toFixed(1)} s`)
}

function say(line: string): void {
  console.log(line)
}
