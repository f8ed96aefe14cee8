// One job of the benchmark of the ledger: node bench/ledger/job.ts JSON. Sends its result to the parent.
import { closeDays } from '../../src/app/ledger/close-days.ts'
import type { LedgerDeps } from '../../src/app/ledger/ledger-deps.ts'
import { DEFAULT_RETRY_POLICY } from '../../src/domain/events/retry-policy.ts'
import type { LedgerCounts } from '../../src/domain/ledger/line.ts'
import { BREAKER } from '../../src/engine/deliver/circuit-breaker.ts'
import { createTemplates } from '../../src/engine/deliver/templates.ts'
import { startEngine } from '../../src/engine/engine.ts'
import type { Store } from '../../src/ports/store.ts'
import type { Notice } from '../../src/ports/telemetry.ts'
import { systemClock } from '../../src/runtimes/shared/system-clock.ts'
import { openPostgresStore } from '../../src/stores/postgres/postgres-store.ts'
import { openThreadedSqliteStore } from '../../src/stores/sqlite/sqlite-store.ts'
import { onlyDestination } from '../../test/support/fixed-parts.ts'
import { noOp } from '../channels.ts'
import { planner } from '../engines/people.ts'

type Job = { databaseUrl: string } & ({ kind: 'deliver' } | { kind: 'close'; day: string })

export type Done = { delivered: number }
type Used = { seconds: number; cpuS: number; peakMB: number; beforeMB: number }
export type Closed = Used & { lines: number; counts: LedgerCounts }

const job = JSON.parse(process.argv[2]!) as Job
const store = await openStore(job.databaseUrl)
const result = await perform(job)
await store.close()
process.send!(result, () => process.disconnect())

function openStore(url: string): Promise<Store> {
  if (!url.startsWith('sqlite:')) return openPostgresStore(url)
  return openThreadedSqliteStore(url.slice('sqlite:'.length), systemClock, (error) => {
    throw error
  })
}

function perform(of: Job): Promise<Done | Closed> {
  return of.kind === 'deliver' ? deliver() : close(of.day)
}

/** Delivers everything that is due, over a channel that does nothing. */
async function deliver(): Promise<Done> {
  const { count } = await store.countOverdue(Date.now())
  if (count === 0) return { delivered: 0 }
  const all = Promise.withResolvers<void>()
  let delivered = 0
  const engine = startEngine(
    {
      store,
      planner,
      clock: systemClock,
      dice: Math.random,
      retryPolicy: DEFAULT_RETRY_POLICY,
      templates: createTemplates({ store, clock: systemClock, telemetry: rejectErrors }),
      lateness: new Map(),
      keepResponses: 'failures',
      telemetry: (notice) => {
        rejectErrors(notice)
        if (notice.kind === 'settled') delivered += notice.delivered
        if (delivered >= count) all.resolve()
      },
      destinations: onlyDestination(noOp()),
    },
    {
      workerId: 'bench',
      leaseMs: 60_000,
      concurrency: 1_000,
      batchSize: 1_000,
      pollMs: 1_000,
      graceMs: 1_000,
      breaker: BREAKER,
    },
  )
  await all.promise
  await engine.stop()
  return { delivered: count }
}

function rejectErrors(notice: Notice): void {
  if (notice.kind === 'error') throw notice.error
}

/** Closes one day. */
async function close(day: string): Promise<Closed> {
  let found: (Notice & { kind: 'ledger' }) | null = null
  const telemetry = (notice: Notice) => {
    rejectErrors(notice)
    if (notice.kind === 'ledger') found = notice
  }
  const deps: LedgerDeps = { store, clock: systemClock, planner, telemetry }
  const used = await measured(() => closeDays(deps, { mayContinue: () => found === null }))
  const { kind: _, day: closed, people: __, hash: ___, previous: ____, ...counts } = found!
  if (closed !== day) throw new Error(`${closed} was closed instead of ${day}.`)
  return { ...used, lines: counts.owed + counts.surplus, counts }
}

async function measured(work: () => Promise<unknown>): Promise<Used> {
  globalThis.gc!()
  const beforeMB = Math.round(process.memoryUsage.rss() / 1e6)
  const [started, cpu] = [performance.now(), process.cpuUsage()]
  await work()
  const { user, system } = process.cpuUsage(cpu)
  return {
    seconds: (performance.now() - started) / 1_000,
    cpuS: (user + system) / 1e6,
    peakMB: Math.round((process.resourceUsage().maxRSS * 1024) / 1e6),
    beforeMB,
  }
}
