// Measures how much the dashboard slows the engine, and how fast it responds, with many people stored and many events due.
import { mkdtempSync, rmSync } from 'node:fs'
import { availableParallelism, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import type { Browser } from 'playwright-core'
import type { Store } from '../src/ports/store.ts'
import { openSqliteStore } from '../src/stores/sqlite/sqlite-store.ts'
import { startTerce, type TerceProcess } from '../test/runtimes/support/terce-process.ts'
import { builtDashboard, launchBrowser } from '../test/web/support/browser.ts'
import { percentile } from './figures.ts'
import { addCrowd, addSpike } from './product/crowd.ts'
import { type Recording, record, startDashboardClient } from './product/dashboard-client.ts'
import { startSink, stopAll } from './servers.ts'

const HELP = `Usage: npm run bench -- dashboard [options]

  --people N                number of people in the database (1000000)
  --due N                   number of events that are due at one instant in each round (50000)
  --pairs N                 number of rounds with the dashboard, and of rounds without it (3)
  --help                    print this text

Creates a temporary SQLite file. Each round starts Terce on it, with a receiver in another process. In half of the rounds three
pages of the dashboard (Today, People, Failures) are open: the script repeats the requests of real pages, recorded
from Chromium, at their original pace.`

const { values } = parseArgs({
  options: {
    people: { type: 'string', default: '1000000' },
    due: { type: 'string', default: '50000' },
    pairs: { type: 'string', default: '3' },
    help: { type: 'boolean', default: false },
  },
})
if (values.help) {
  console.log(HELP)
  process.exit()
}
const people = Number(values.people)
const due = Number(values.due)
const pairs = Number(values.pairs)

const folder = mkdtempSync(join(tmpdir(), 'terce-measure-'))
const file = `${folder}/terce.db`
const grouped = (n: number) => Math.round(n).toLocaleString('en')

await builtDashboard()
// One POST in 200 is rejected, so that the dashboard has failures to show.
const sink = await startSink({ reject: 200 })
let browser: Browser | null = null
try {
  console.log(
    `${grouped(people)} people on SQLite, ${grouped(due)} events due at once; ${availableParallelism()} cores, load ${loadavg()[0]!.toFixed(1)} at the start`,
  )
  await timed('filling the database', () => withStore((store) => addCrowd(store, people)))
  browser = await launchBrowser()
  const recording = await recordPages(browser)
  await browser.close()
  browser = null
  await spikes(recording)
} finally {
  await browser?.close()
  await stopAll()
  rmSync(folder, { recursive: true, force: true })
}

/** Without a spike: records the requests of the pages, and times the first rows of the list of people. */
async function recordPages(browser: Browser): Promise<Recording> {
  return withTerce(async ({ url }) => {
    const recording = await record(browser, url)
    for (const [page, paths] of Object.entries(recording))
      console.log(`${page} requests: ${paths.join('  ')}`)
    const paints: number[] = []
    for (let i = 0; i < 7; i++) {
      const page = await browser.newPage()
      const started = performance.now()
      await page.goto(`${url}/app/people`)
      await page.getByRole('row').nth(5).waitFor()
      paints.push(performance.now() - started)
      await page.close()
    }
    console.log(`People, from navigation to the first rows in Chromium: ${spread(paints)} of 7 visits`)
    return recording
  })
}

async function spikes(recording: Recording): Promise<void> {
  const rounds: { alone: Round[]; watched: Round[] } = { alone: [], watched: [] }
  const tookMs = new Map<string, number[]>()
  for (let round = 0; round < pairs * 2; round++) {
    // Alternates in the order ABBA, so that a drift over time affects both equally.
    const isWatched = round % 4 === 1 || round % 4 === 2
    const result = await spike(isWatched ? recording : null, tookMs)
    rounds[isWatched ? 'watched' : 'alone'].push(result)
    const [rate, cpuMs] = [grouped(result.perSecond), result.cpuMs.toFixed(3)]
    console.log(
      `round ${round + 1}, dashboard ${isWatched ? 'open' : 'closed'}: ${rate} events/s, ${cpuMs} ms of CPU each (load ${loadavg()[0]!.toFixed(1)})`,
    )
  }
  const [closed, open] = [middle(rounds.alone), middle(rounds.watched)]
  console.log(
    `throughput: ${grouped(closed.perSecond)} events/s closed, ${grouped(open.perSecond)} open (medians); ratio ${(open.perSecond / closed.perSecond).toFixed(3)}`,
  )
  console.log(
    `CPU time of the process for each event: ${closed.cpuMs.toFixed(3)} ms closed, ${open.cpuMs.toFixed(3)} ms open; ratio ${(closed.cpuMs / open.cpuMs).toFixed(3)}`,
  )
  for (const [path, took] of [...tookMs].sort()) console.log(`GET ${path} during the spike: ${spread(took)}`)
}

type Round = {
  /** Between the first and the last request at the receiver. */
  perSecond: number
  /** CPU time of all threads for each event: less sensitive to other load on the machine. */
  cpuMs: number
}

function middle(rounds: readonly Round[]): Round {
  return {
    perSecond: median(rounds.map(({ perSecond }) => perSecond)),
    cpuMs: median(rounds.map(({ cpuMs }) => cpuMs)),
  }
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const half = Math.floor(sorted.length / 2)
  return sorted.length % 2 === 1 ? sorted[half]! : (sorted[half - 1]! + sorted[half]!) / 2
}

async function spike(recording: Recording | null, tookMs: Map<string, number[]>): Promise<Round> {
  // Leaves enough time to fill the database and start the process.
  const at = Date.now() + 15_000 + due / 4
  await withStore((store) => addSpike(store, due, at))
  await sink.readAndReset()
  return withTerce(async ({ url }) => {
    const client = recording === null ? null : startDashboardClient(url, recording)
    const leftMs = at - 500 - Date.now()
    if (leftMs < 0)
      throw new Error('The events were due before the process had started. Use a smaller --due.')
    await sleep(leftMs)
    // Requests before the spike do not count.
    client?.tookMs.clear()
    const before = await cpuSeconds(url)
    while ((await sink.read()).posts < due) await sleep(200)
    const { firstAt, lastAt } = await sink.read()
    const cpuMs = ((await cpuSeconds(url)) - before) * 1_000
    for (const [path, some] of client?.tookMs ?? []) tookMs.set(path, [...(tookMs.get(path) ?? []), ...some])
    client?.stop()
    if (client !== null && client.failures.length > 0) throw new Error(client.failures.join('\n'))
    return { perSecond: (due * 1_000) / (lastAt - firstAt), cpuMs: cpuMs / due }
  })
}

async function cpuSeconds(url: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text()
  return Number(/^process_cpu_seconds_total (\S+)/m.exec(text)?.[1])
}

async function withTerce<T>(work: (terce: TerceProcess) => Promise<T>): Promise<T> {
  const terce = await startTerce({
    DATABASE_URL: `sqlite:${file}`,
    WEBHOOK_URL: sink.url,
    ALLOW_PRIVATE_TARGETS: 'true',
    LOG_LEVEL: 'silent',
  })
  try {
    return await work(terce)
  } finally {
    await terce.kill('SIGTERM')
  }
}

async function withStore(work: (store: Store) => Promise<void>): Promise<void> {
  const store = openSqliteStore(file)
  try {
    await work(store)
  } finally {
    await store.close()
  }
}

async function timed(what: string, work: () => Promise<void>): Promise<void> {
  const started = performance.now()
  await work()
  console.log(`${what}: ${((performance.now() - started) / 1_000).toFixed(0)} s`)
}

function spread(values: readonly number[]): string {
  return `p50 ${percentile(values, 50).toFixed(0)} ms, p99 ${percentile(values, 99).toFixed(0)} ms`
}
