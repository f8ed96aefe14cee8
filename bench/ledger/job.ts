// One job of the ledger's benchmark: node bench/ledger/job.ts JSON. Sends its result to the parent.
import { setTimeout as sleep } from 'node:timers/promises'
import { closeDays } from '../../src/app/ledger/close-days.ts'
import type { LedgerDeps } from '../../src/app/ledger/ledger-deps.ts'
import { startClosing } from '../../src/app/ledger/start-closing.ts'
import { DELIVER_ALWAYS } from '../../src/domain/events/lateness.ts'
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
import { personDueAt, planner } from '../engines/people.ts'

type Job = { databaseUrl: string } & (
  | { kind: 'deliver' }
  | { kind: 'close'; day: string }
  | { kind: 'beside' }
)

export type Done = { delivered: number }
type Used = { seconds: number; cpuS: number; peakMB: number; beforeMB: number }
export type Closed = Used & { lines: number; counts: LedgerCounts }
export type Round = {
  closing: boolean
  /** The lateness of each event before the spike, in milliseconds. */
  late: number[]
  /** Of the spike: its rate, the CPU time of the process for an event, and the pages of the account meanwhile. */
  perSecond: number
  cpuUs: number
  pages: number
}
export type Beside = { rounds: Round[] }

/** Rounds without an account and beside one, in turns: a change in the machine's load affects both. */
const ROUNDS = 12
/** Each second some events are due, then many at once. */
const [SECONDS, EACH_SECOND, SPIKE] = [4, 50, 5_000]
const BATCH = 1_000
/** Longer than it takes to create the people. */
const LEAD_MS = 8_000

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

function perform(of: Job): Promise<Done | Closed | Beside> {
  switch (of.kind) {
    case 'deliver':
      return deliver()
    case 'close':
      return close(of.day)
    case 'beside':
      return beside()
  }
}

/** Delivers everything that is due. */
async function deliver(): Promise<Done> {
  const { count } = await store.countOverdue(Date.now())
  if (count === 0) return { delivered: 0 }
  const { settled, stop } = run(() => {})
  await settled(count)
  await stop()
  return { delivered: count }
}

/** Runs an engine over a channel that does nothing. `onDeliver` receives the id of each event. */
function run(onDeliver: (eventId: string) => void) {
  let delivered = 0
  let waiting: { count: number; resolve: () => void } | null = null
  const engine = startEngine(
    {
      store,
      planner,
      clock: systemClock,
      dice: Math.random,
      retryPolicy: DEFAULT_RETRY_POLICY,
      templates: createTemplates({ store, clock: systemClock, telemetry: rejectErrors }),
      lateness: DELIVER_ALWAYS,
      keepResponses: 'failures',
      telemetry: (notice) => {
        rejectErrors(notice)
        if (notice.kind === 'settled') delivered += notice.delivered
        if (waiting !== null && delivered >= waiting.count) waiting.resolve()
      },
      destinations: onlyDestination(noOp(onDeliver)),
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
  return {
    /** Resolves when that many events were delivered since the start. */
    settled: (count: number) =>
      new Promise<void>((resolve) => {
        waiting = { count, resolve }
        if (delivered >= count) resolve()
      }),
    stop: () => engine.stop(),
    isBusy: engine.isBusy,
  }
}

function rejectErrors(notice: Notice): void {
  if (notice.kind === 'error') throw notice.error
}

function depsOf(onClosed: (notice: Notice & { kind: 'ledger' }) => void): LedgerDeps {
  return {
    store,
    clock: systemClock,
    planner,
    telemetry: (notice) => {
      rejectErrors(notice)
      if (notice.kind === 'ledger') onClosed(notice)
    },
  }
}

/** Closes one day. */
async function close(day: string): Promise<Closed> {
  let found: (Notice & { kind: 'ledger' }) | null = null
  const deps = depsOf((notice) => (found = notice))
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

async function beside(): Promise<Beside> {
  const rounds: Round[] = []
  for (let i = 0; i < ROUNDS; i++) rounds.push(await round(i % 2 === 1))
  return { rounds }
}

async function round(closing: boolean): Promise<Round> {
  const start = Math.ceil((Date.now() + LEAD_MS) / 1_000) * 1_000
  const steady = Array.from({ length: SECONDS * EACH_SECOND }, (_, i) => start + (i % SECONDS) * 1_000)
  const spikeAt = start + (SECONDS + 2) * 1_000
  const dueAt = await addDue([...steady, ...Array.from({ length: SPIKE }, () => spikeAt)])
  if (Date.now() > start - 1_000) throw new Error('The people were created too late.')
  const late: number[] = []
  const engine = run((eventId) => {
    const at = dueAt.get(eventId)!
    if (at !== spikeAt) late.push(Date.now() - at)
  })
  await sleep(start - 500 - Date.now())
  let pages = 0
  const stopClosing = closing
    ? startClosing({ ...depsOf(() => {}), postReport: null }, DELIVER_ALWAYS, () => {
        pages += 1
        return engine.isBusy()
      })
    : null
  await engine.settled(steady.length)
  await sleep(spikeAt - Date.now())
  const [cpu, pagesBefore] = [process.cpuUsage(), pages]
  await engine.settled(dueAt.size)
  const perSecond = (SPIKE * 1_000) / (Date.now() - spikeAt)
  const { user, system } = process.cpuUsage(cpu)
  pages -= pagesBefore
  await stopClosing?.()
  await engine.stop()
  return { closing, late, perSecond, cpuUs: (user + system) / SPIKE, pages }
}

/** The due time of each event by its id. */
async function addDue(instants: readonly number[]): Promise<Map<string, number>> {
  const dueAt = new Map<string, number>()
  for (let from = 0; from < instants.length; from += BATCH) {
    const people = instants.slice(from, from + BATCH).map((at) => personDueAt(store, at))
    for (const [i, { events }] of people.entries()) dueAt.set(events[0]!.id, instants[from + i]!)
    await store.createUsers(people)
  }
  return dueAt
}
