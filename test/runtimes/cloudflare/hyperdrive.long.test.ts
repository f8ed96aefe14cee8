// The bundle of the Worker on PostgreSQL in workerd, with a Hyperdrive binding to a real server.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { dayName } from '../../../src/domain/ledger/day.ts'
import { openPostgresStore } from '../../../src/stores/postgres/postgres-store.ts'
import { query } from '../../stores/postgres/support/audit.ts'
import { HOUR, makePeople } from '../../support/fixtures.ts'
import { type PostgresServer, startPostgres } from '../../support/postgres-server.ts'
import { KEY } from '../../support/workerd/terce.ts'
import { startHyperdrive } from '../support/homes/hyperdrive.ts'
import type { RunningWorker } from '../support/homes/workerd.ts'
import { startProxy } from '../support/proxy.ts'
import { type Sink, startSink } from '../support/sink.ts'

let server: PostgresServer
let sink: Sink
let url: string
let proxy: Awaited<ReturnType<typeof startProxy>>
let terce: RunningWorker
const output: string[] = []

beforeAll(async () => {
  server = await startPostgres({ fast: true })
  sink = await startSink((response) => response.end())
})
afterAll(async () => {
  await sink.close()
  await server.stop()
})
beforeEach(async () => {
  output.length = 0
  sink.arrivals.length = 0
  url = await server.createMigratedDatabase()
  const vars = {
    TERCE_API_KEYS: `tests:admin:${KEY}`,
    WEBHOOK_URL: sink.url,
    ALLOW_PRIVATE_TARGETS: 'true',
    RATE_LIMIT: '60/min',
  }
  // Miniflare does not survive a connection that is rejected; the proxy accepts it.
  proxy = await startProxy({ port: server.port })
  const address = new URL(url)
  address.port = String(proxy.port)
  terce = await startHyperdrive(vars, address.href, output)
})
afterEach(async () => {
  await terce.stop()
  await proxy.close()
})

async function until(check: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 30_000
  while (!(await check()) && Date.now() < deadline) await new Promise((resolve) => setTimeout(resolve, 20))
}

async function countOf(sql: string): Promise<number> {
  const [row] = (await query(url, sql)) as Record<string, unknown>[]
  return Number(Object.values(row!)[0])
}

describe('the Worker on Hyperdrive', () => {
  it('delivers each of several hundred due events once, in batches that run at the same time', async () => {
    const store = await openPostgresStore(url)
    const now = Date.now()
    await store.createUsers(makePeople(250, () => ({ targetAt: now - 60_000 })))
    await store.close()
    await terce.cron()
    await sink.waitFor(250)
    await until(async () => (await countOf('SELECT count(*)::int FROM terce.settled_events')) === 250)
    expect(await countOf('SELECT count(*)::int FROM terce.settled_events')).toBe(250)
    expect(new Set(sink.arrivals.map(({ key }) => key)).size).toBe(250)
    expect(sink.arrivals).toHaveLength(250)
    expect(output.filter((line) => /went wrong|different request|rror:/.test(line))).toEqual([])
  })

  it('closes a day of the ledger that has ended, and finds nobody who would be missed', async () => {
    const day = dayName(Date.now() - 36 * HOUR)
    const store = await openPostgresStore(url)
    try {
      const due = { dateOfBirth: `1992-${day.slice(5)}`, targetAt: Date.parse(day) + 9 * HOUR }
      await store.createUsers(makePeople(3, () => due))
      await store.beginLedgerCheck({ day, startedAt: due.targetAt, replaces: null })
      await terce.cron()
      const [closed] = await store.listLedgerDays({ limit: 1 })
      expect(closed).toMatchObject({ day, due: 3, missed: 0 })
    } finally {
      await store.close()
    }
  })

  it('closes the connections of each call', async () => {
    await Promise.all(Array.from({ length: 5 }, () => terce.call('GET', '/user')))
    await terce.cron()
    const open = `SELECT count(*)::int FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()`
    await until(async () => (await countOf(open)) === 0)
    expect(await countOf(open)).toBe(0)
  })

  it('keeps rate limits from call to call', async () => {
    const statuses = new Set<number>()
    // 60 calls, and one more for each second that they take.
    for (let i = 0; i < 300 && !statuses.has(429); i++)
      statuses.add((await terce.call('GET', '/user')).status)
    expect([...statuses]).toEqual([200, 429])
  })

  it('applies changes that were enqueued by SQL', async () => {
    await query(
      url,
      `SELECT terce.enqueue_user('{"externalId": "42", "firstName": "Ada", "lastName": "Byron", "dateOfBirth": "1815-12-10", "timezone": "Europe/London"}'::jsonb)`,
    )
    await terce.cron()
    const { body } = await terce.call<{ items: object[] }>('GET', '/user')
    expect(body.items).toMatchObject([{ externalId: '42', firstName: 'Ada' }])
  })

  it('responds with 503 while the database is down, and works when it is back', async () => {
    expect((await terce.call('GET', '/readyz')).status).toBe(200)
    await server.crash()
    expect(await terce.call('GET', '/user')).toMatchObject({
      status: 503,
      body: { code: 'DATABASE_UNAVAILABLE' },
    })
    await server.restart()
    await until(async () => (await terce.call('GET', '/user')).status === 200)
    expect((await terce.call('GET', '/user')).status).toBe(200)
  })

  it('names the missing columns and the command when the migrations were not applied', async () => {
    await query(url, 'DROP TABLE terce.attempts')
    await expect(terce.cron()).rejects.toThrow()
    await until(async () => output.join().includes('The database lacks'))
    expect(output.join('\n')).toMatch(/The database lacks attempts\.\w+ and \d+ more columns/)
    expect(output.join('\n')).toContain('npx terce migrate')
  })
})
