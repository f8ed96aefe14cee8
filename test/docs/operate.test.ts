// Promises about docs/operate.md and docs/monitor.md: the commands work, and every metric is named and no other.
import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { readConfig } from '../../src/runtimes/config/config.ts'
import { logTelemetry } from '../../src/telemetry/log.ts'
import { createLogger } from '../../src/telemetry/logger.ts'
import { type MetricOf, RUN_METRICS } from '../../src/telemetry/metric-list.ts'
import { createMetrics } from '../../src/telemetry/metrics.ts'
import { STATUS_CODES, STATUS_WORDS, TERM_NAMES } from '../../web/src/pages/messages/query.ts'
import type { Json } from '../http/support/test-app.ts'
import { seedDuePeople } from '../runtimes/support/due-people.ts'
import { startSink } from '../runtimes/support/sink.ts'
import { startTerce } from '../runtimes/support/terce-process.ts'
import { createTestClock, T0 } from '../support/fixtures.ts'
import { readPage } from './support/page.ts'
import { rowsOf, spansOf } from './support/tables.ts'

const page = ['operate.md', 'monitor.md'].map((name) => readPage(name).text).join('\n')
const run = promisify(execFile)

function section(title: string): string {
  return page.split(/^## /m).find((text) => text.startsWith(`${title}\n`))!
}

function commands(text: string): string[] {
  return [...text.matchAll(/```sh\n([\s\S]*?)```/g)].map((match) => match[1]!)
}

async function shell(script: string, url: string) {
  const standIn = new URL('./support/curl.ts', import.meta.url).pathname
  const orStandIn = `command -v curl > /dev/null || curl() { "${process.execPath}" "${standIn}" "$@"; }\n`
  const text = orStandIn + script.replaceAll('localhost:3000', url)
  const { stdout } = await run('bash', ['-euo', 'pipefail', '-c', text])
  return JSON.parse(stdout)
}

describe('operating Terce, as written', () => {
  it('explains and sends again what failed', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'terce-operate-'))
    const file = join(folder, 'terce.db')
    await seedDuePeople(file, Array(3).fill({ firstName: 'Ada', lastName: 'Lovelace' }))
    let status = 404
    const receiver = await startSink((response) => {
      response.statusCode = status
      response.end()
    })
    const terce = await startTerce({ DATABASE_URL: `sqlite:${file}`, WEBHOOK_URL: receiver.url })
    const count = async (of: string) => {
      const { items } = (await (await fetch(`${terce.url}/event?status=${of}`)).json()) as Json
      return items.length as number
    }
    const until = async (of: string, wanted: number) => {
      while ((await count(of)) !== wanted) await new Promise((resolve) => setTimeout(resolve, 50))
    }
    try {
      const [explain, replay, dryRun, replayAll] = commands(section('Replay failed events'))
      await until('FAILED', 3)
      expect((await shell(explain!, terce.url)).summary).toContain('the receiver responded with HTTP 404')
      status = 200
      expect(await shell(replay!, terce.url)).toMatchObject({ occurrence: expect.stringMatching(/~1$/) })
      await until('COMPLETED', 1)
      expect(await shell(dryRun!, terce.url)).toMatchObject({ matched: 3, replayed: 0 })
      expect(await shell(replayAll!, terce.url)).toMatchObject({
        matched: 3,
        replayed: 2,
        skipped: 1,
        nextCursor: null,
      })
      await until('COMPLETED', 3)
      const keys = receiver.arrivals.map(({ key }) => key)
      expect([keys.length, new Set(keys).size]).toEqual([6, 3])
    } finally {
      await terce.kill('SIGKILL')
      await receiver.close()
      rmSync(folder, { recursive: true })
    }
  })

  it('lists every metric there is, and alerts on no other', async () => {
    const metrics = createMetrics({
      clock: createTestClock(T0),
      overdue: async () => ({ count: 0, oldestAt: null, newestAt: null }),
      unsound: async () => ({ unexplained: 0, surplus: 0, unclosedDays: 0 }),
      waiting: async () => [],
      pool: () => ({ total: 0, idle: 0, waiting: 0 }),
      version: '1',
      tzVersion: '2026f',
    })
    const kinds = [...(await metrics.render()).matchAll(/^# TYPE (terce_\w+) (\w+)/gm)]
    const listed = [...section('Metrics').matchAll(/^\| `(terce_\w+)` \| (\w+)/gm)]
    const named = (found: RegExpMatchArray[]) => found.map(([, name, kind]) => `${name} ${kind}`).sort()
    expect(named(listed)).toEqual(named(kinds))
    const alerts = /```yaml\n([\s\S]*?)```/.exec(section('Metrics'))![1]!
    const used = [...alerts.matchAll(/\bterce_\w+/g)].map(([name]) => name.replace(/_bucket$/, ''))
    expect(used.length).toBeGreaterThan(8)
    const names = kinds.map(([, name]) => name)
    for (const name of used) expect(names).toContain(name)
  })

  it('lists the further metrics of Cloudflare and AWS', () => {
    const listed = rowsOf('docs/monitor.md', 'further metric', 'kind')
    const known = Object.entries<MetricOf>(RUN_METRICS).map(([name, { kind, labels }]) => [
      name,
      kind,
      labels,
    ])
    expect(listed.map(([name, kind, labels]) => [spansOf(name!)[0], kind, spansOf(labels!)])).toEqual(known)
  })

  it('lists log messages that there are', () => {
    const lines: string[] = []
    const telemetry = logTelemetry(createLogger('info', { write: (line) => void lines.push(line) }))
    telemetry({ kind: 'error', operation: 'settle', error: new Error(), retryInMs: 2_000 })
    const known =
      readFileSync(new URL('../../src/telemetry/log.ts', import.meta.url), 'utf8') + lines.join('')
    const listed = [...section('Logs').matchAll(/^\| `([^`]+)`/gm)].map((match) => match[1]!)
    expect(listed.length).toBeGreaterThan(8)
    expect(listed.filter((message) => !known.includes(message))).toEqual([])
  })

  it('has the log messages, metrics, fields and alerts that docs/outages.md names', () => {
    const files = [
      ...[
        'src/telemetry/log.ts',
        'test/golden/api.txt',
        'deploy/aws/template.yaml',
        'docs/cli.md',
        'src/domain/settings/channel.ts',
      ],
    ]
    const known = files.map((file) => readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8'))
    const named = rowsOf('docs/outages.md', 'where').flatMap((row) => spansOf(row.join(' ')))
    expect(named.length).toBeGreaterThan(12)
    expect(named.filter((name) => !`${known}${page}`.includes(name))).toEqual([])
  })

  it('names METRICS_PORT as it is read', () => {
    expect(readPage('settings.md').text).toContain('`METRICS_PORT` | none')
    expect(readConfig({}).metricsPort).toBeNull()
    expect(readConfig({ METRICS_PORT: '9464' }).metricsPort).toBe(9464)
    expect(() => readConfig({ METRICS_PORT: 'x' })).toThrow('METRICS_PORT=x is not usable')
  })
})

describe('the filters of the page Messages in docs/operate.md', () => {
  const rows = rowsOf('docs/operate.md', 'filter', 'values')

  it('are those that the page reads', () => {
    const named = rows.flatMap(([filter]) => spansOf(filter!)).map((filter) => filter.replace(':', ''))
    expect(named.sort()).toEqual([...TERM_NAMES].sort())
  })

  it('name the words for a status', () => {
    const [, words] = rows.find(([filter]) => filter!.includes('status'))!
    expect(spansOf(words!)).toEqual(STATUS_WORDS)
  })

  it('have the words for a status that docs/glossary.md gives', () => {
    const words = rowsOf('docs/glossary.md', 'status in the API').flatMap(([code, words]) =>
      words!.split(', ').map((word) => [word, spansOf(code!)[0]]),
    )
    expect(Object.fromEntries(words)).toEqual(STATUS_CODES)
  })
})
