// The metrics of a Node process in each role.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openSqliteStore } from '../../../src/stores/sqlite/sqlite-store.ts'
import { startTerce, type Terce } from '../../stores/postgres/support/processes.ts'
import { seedDuePeople } from '../support/due-people.ts'
import { addMissedPerson, REPORT, reportsIn } from '../support/missed-person.ts'
import { startSink } from '../support/sink.ts'
import { runTerce } from '../support/terce-process.ts'

let folder: string
let file: string
const cleanups: (() => Promise<unknown>)[] = []
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'terce-metrics-'))
  file = join(folder, 'terce.db')
})
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
  rmSync(folder, { recursive: true })
})

async function start(role: 'all' | 'worker', env: Record<string, string>): Promise<Terce> {
  const terce = await startTerce(role, { DATABASE_URL: `sqlite:${file}`, ...env })
  cleanups.push(() => terce.end('SIGKILL'))
  return terce
}

const page = async (url: string) => (await fetch(url)).text()

/** Polls until the page contains the text. */
async function pageSaying(url: string, text: string | RegExp): Promise<string> {
  for (;;) {
    const seen = await page(url)
    if (seen.match(text)) return seen
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

describe('the metrics of a process', () => {
  it('are served by the API and count deliveries', async () => {
    await seedDuePeople(file, [{ firstName: 'Ada', lastName: 'Lovelace' }])
    const terce = await start('all', {})
    const url = `${terce.url}/metrics`
    const metrics = await pageSaying(url, /terce_deliveries_total\{channel="\w+",outcome="delivered"\} 1/)
    expect((await fetch(url)).headers.get('content-type')).toContain('version=0.0.4')
    const late = /terce_delivery_lateness_seconds_sum\{channel="\w+"\} ([\d.]+)/.exec(metrics)?.[1]
    expect(Number(late)).toBeGreaterThanOrEqual(60)
    expect(metrics).toContain('terce_claimed_events_total 1')
    expect(metrics).toContain('terce_database_up 1')
    expect(metrics).not.toMatch(/Ada|Lovelace|terce_database_connections/)
  })

  it('have the person who would be missed, and a worker sends the report of a closed day to REPORT_TO', async () => {
    const receiver = await startSink()
    cleanups.push(() => receiver.close())
    const store = openSqliteStore(file)
    await addMissedPerson(store)
    await store.close()
    const { url } = await start('all', { WEBHOOK_URL: receiver.url, REPORT_TO: 'environment' })
    await receiver.waitFor(1)
    expect(reportsIn(receiver.arrivals)).toEqual([expect.objectContaining(REPORT)])
    expect(await page(`${url}/metrics`)).toContain('\nterce_missed{reason="UNPLANNED"} 1\n')
  })

  it('of a worker are on METRICS_PORT, which serves nothing else', async () => {
    const receiver = await startSink()
    cleanups.push(() => receiver.close())
    await seedDuePeople(file, [{ firstName: 'Ada', lastName: 'Lovelace' }])
    const worker = await start('worker', { WEBHOOK_URL: receiver.url, METRICS_PORT: '0' })
    const url = /metrics\s+(http\S+)/.exec(worker.output())![1]!
    await pageSaying(url, 'terce_claimed_events_total 1')
    const base = url.replace('/metrics', '')
    expect((await fetch(`${base}/healthz`)).status).toBe(200)
    expect((await fetch(`${base}/user`)).status).toBe(404)
    expect((await fetch(url, { method: 'POST' })).status).toBe(405)
    expect(await worker.end('SIGTERM')).toBe(0)
  })

  it('have no port of their own by default, and name METRICS_PORT if it is in use', async () => {
    const terce = await start('all', {})
    expect(terce.output()).not.toContain('  metrics ')
    const { port } = new URL(terce.url)
    const { code, output } = await runTerce({
      DATABASE_URL: `sqlite:${join(folder, 'other.db')}`,
      PORT: '0',
      METRICS_PORT: port,
    })
    expect({ code, output }).toEqual({
      code: 1,
      output: expect.stringContaining(`METRICS_PORT=${port} cannot be used: EADDRINUSE.`),
    })
  })
})
