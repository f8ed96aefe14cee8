// The Worker where its D1 fails, its tables are missing, or its settings are invalid.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { QUEUE_LEASE_MS } from '../../../src/runtimes/shared/serverless.ts'
import { type D1InWorkerd, startD1 } from '../../support/workerd/d1.ts'
import { callerOf, KEY, keepOutput, terceWorker } from '../../support/workerd/terce.ts'

type Handled = {
  outcome: string
  ackAll: boolean
  retryMessages: { msgId: string; delaySeconds?: number }[]
}
type QueueHandler = { queue(name: string, messages: object[]): Promise<Handled> }

const vars = { TERCE_API_KEYS: `tests:admin:${KEY}` }
let d1: D1InWorkerd
const output: string[] = []

beforeAll(async () => {
  d1 = await startD1(
    [
      await terceWorker('terce', vars),
      await terceWorker('without-queries', vars, { queries: 1 }),
      await terceWorker('misconfigured', { LEASE_MS: 'long' }),
    ],
    { handleRuntimeStdio: keepOutput(output) },
  )
})
afterAll(() => d1.stop())
beforeEach(() => {
  output.length = 0
})

/** Polls, because workerd writes its log after the response. */
async function logged(text: string): Promise<string> {
  const deadline = Date.now() + 20_000
  while (!output.join('\n').includes(text) && Date.now() < deadline)
    await new Promise((resolve) => setTimeout(resolve, 10))
  return output.join('\n')
}

async function receive(name: string, attempts: number): Promise<Handled> {
  const worker = (await d1.miniflare.getWorker(name)) as unknown as QueueHandler
  const body = { eventId: '01990000-0000-7000-8000-000000000000', version: 1 }
  return worker.queue('terce-due', [{ id: 'one', timestamp: new Date(), attempts, body }])
}

describe('a Worker whose database fails', () => {
  it('ends a cron run with its own error, and logs no error of the driver', async () => {
    const { cron } = await callerOf(d1.miniflare, 'without-queries')
    await expect(cron()).rejects.toThrow()
    const log = await logged('Thrown:')
    expect(log).toContain('Thrown: The operation schedule failed. See the previous log line.')
    expect(log).toContain('The scheduler run failed')
    expect(log).not.toMatch(/Failed query|params:|Too many API requests/)
  })

  it('responds to /healthz, and to /readyz with 503', async () => {
    const { call } = await callerOf(d1.miniflare, 'without-queries')
    const statusOf = async (path: string) => (await call('GET', path)).status
    expect([await statusOf('/healthz'), await statusOf('/readyz')]).toEqual([200, 503])
  })

  it('returns the messages of a batch to the queue', async () => {
    const { outcome, retryMessages } = await receive('without-queries', 2)
    expect([outcome, retryMessages]).toEqual(['ok', [{ msgId: 'one', delaySeconds: 60 }]])
    expect(output.join('\n')).not.toMatch(/Failed query|params:|Too many API requests/)
  })
})

describe('a Worker with an invalid setting', () => {
  it('keeps messages in the queue until their leases expire, so that none is dead-lettered because of it', async () => {
    const delays: number[] = []
    for (const attempts of [1, 2, 3, 4, 5]) {
      const { outcome, ackAll, retryMessages } = await receive('misconfigured', attempts)
      expect([outcome, ackAll]).toEqual(['ok', false])
      delays.push(...retryMessages.map(({ delaySeconds }) => delaySeconds ?? 0))
    }
    expect(delays.reduce((sum, delay) => sum + delay * 1_000, 0)).toBeGreaterThan(QUEUE_LEASE_MS)
    expect(await logged('LEASE_MS')).toContain('LEASE_MS=long is not usable')
  })
})

// Runs last: the tables stay incomplete.
describe('a Worker that was deployed before its migrations were applied', () => {
  it('names the missing columns and the command, in cron runs and in /readyz', async () => {
    await d1.db.prepare('DROP TABLE attempts').raw()
    const { cron, call } = await callerOf(d1.miniflare, 'terce')
    await expect(cron()).rejects.toThrow()
    const log = await logged('The database lacks')
    expect(log).toMatch(/The database lacks attempts\.\w+ and \d+ more columns\. Apply the migrations/)
    expect(log).toContain('npx wrangler d1 migrations apply terce --remote')
    expect((await call('GET', '/readyz')).status).toBe(503)
  })
})
