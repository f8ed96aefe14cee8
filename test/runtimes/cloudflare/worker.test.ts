// The deployed bundle of the Worker in workerd, with real D1, cron, queue and webhooks.
import { Webhook } from 'standardwebhooks'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { ClaimRef } from '../../../src/ports/claim.ts'
import { openD1Store } from '../../../src/stores/d1/d1-store.ts'
import { SECRET } from '../../channels/webhook/support/fixtures.ts'
import { type D1InWorkerd, startD1 } from '../../support/workerd/d1.ts'
import { DEPLOYMENT } from '../../support/workerd/deployment.ts'
import {
  type Call,
  callerOf,
  KEY,
  keepOutput,
  metricsWorker,
  terceWorker,
} from '../../support/workerd/terce.ts'
import { addMissedPerson, REPORT, reportsIn } from '../support/missed-person.ts'
import { type Arrival, type Sink, startSink } from '../support/sink.ts'

type Created = { user: { id: string }; nextBirthdayEvent: { id: string; targetTimestampUTC: string } }
type Story = {
  status: string
  wakeAt: string | null
  failureReason: string | null
  retryCount: number
  attempts: { outcome: string; statusCode: number | null }[]
}

let d1: D1InWorkerd
let sink: Sink
let heartbeat: Sink
let call: Call
let cron: () => Promise<void>
const output: string[] = []
/** The status codes of the receiver's next responses; 200 when the list is empty. */
let statuses: number[] = []

beforeAll(async () => {
  sink = await startSink((response) => {
    response.statusCode = statuses.shift() ?? 200
    response.end()
  })
  const vars = {
    TERCE_API_KEYS: `tests:admin:${KEY}`,
    TERCE_SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
    WEBHOOK_URL: sink.url,
    WEBHOOK_SECRET: SECRET,
    ALLOW_PRIVATE_TARGETS: 'true',
    RETRY: '1ms,1ms',
  }
  heartbeat = await startSink((response) => response.end())
  const urls = { HEARTBEAT_URL: heartbeat.url, REPORT_TO: 'environment' }
  const metrics = metricsWorker('metrics')
  d1 = await startD1(
    [
      metrics,
      await terceWorker('terce', { ...vars, ...urls }, { consumes: true, metrics }),
      await terceWorker('without-wrapper', vars),
      await terceWorker('another-isolate', vars),
      await terceWorker('without-keys', {}),
      await terceWorker('misconfigured', { LEASE_MS: 'long' }),
    ],
    { handleRuntimeStdio: keepOutput(output) },
  )
  ;({ call, cron } = await callerOf(d1.miniflare, 'terce'))
  await cron()
})
afterAll(async () => {
  await d1.stop()
  await sink.close()
  await heartbeat.close()
})

beforeEach(() => {
  sink.arrivals.length = 0
  statuses = []
  output.length = 0
})
afterEach(() =>
  // Channels and keys stay, as they do between deployments.
  d1.db.batch(
    ['attempts', 'payloads', 'events', 'users'].map((table) => d1.db.prepare(`DELETE FROM ${table}`)),
  ),
)

async function createPerson(given: object = {}): Promise<Created> {
  const person = { firstName: 'Ada', lastName: 'Byron', dateOfBirth: '1815-12-10', timezone: 'Europe/London' }
  const { status, body } = await call<Created>('POST', '/user', { ...person, ...given })
  expect(status).toBe(201)
  return body
}

/** Moves the planned events so that they fell due a minute ago. */
async function makeDue(): Promise<void> {
  const at = Date.now() - 60_000
  await d1.db
    .prepare(`UPDATE events SET target_at = ?1, wake_at = ?1 WHERE status = 'PENDING'`)
    .bind(at)
    .raw()
}

async function storyOf(eventId: string): Promise<Story> {
  const { body } = await call<Story>('GET', `/event/${eventId}`)
  return body
}

async function settledAs(eventId: string, status: string): Promise<Story> {
  return expectSoon(async () => {
    const story = await storyOf(eventId)
    expect(story.status).toBe(status)
    return story
  })
}

/** Polls until the condition holds. */
async function expectSoon<T>(check: () => Promise<T>, deadline = Date.now() + 30_000): Promise<T> {
  try {
    return await check()
  } catch (error) {
    if (Date.now() > deadline) throw error
    await new Promise((resolve) => setTimeout(resolve, 10))
    return expectSoon(check, deadline)
  }
}

const messageOf = ({ body }: Arrival) => JSON.parse(body).message

describe('the Worker', () => {
  it('replans a part on request, and leaves the second check of the timezone to its later runs', async () => {
    const none = { previousRules: null, previousVersion: null, changedAt: null, replanCursor: null }
    const earlier = { name: 'America/Vancouver', rules: '-28800|0|', version: '2000a', ...none }
    await openD1Store(d1.db).saveZones([earlier])
    const { status, body } = await call('POST', '/tz/replan')
    expect([status, body]).toMatchObject([200, { dryRun: false, complete: false }])
    expect((await call('GET', '/tz')).body).toMatchObject({ state: 'CURRENT', differs: [] })
  })

  it('moves the events of a timezone whose rules changed, in the first cron run of an isolate', async () => {
    const person = { dateOfBirth: '1990-12-15', timezone: 'America/Vancouver' }
    const { nextBirthdayEvent } = await createPerson(person)
    const planned = Date.parse(nextBirthdayEvent.targetTimestampUTC)
    // As an earlier release with another law has left them.
    await d1.db.batch([
      d1.db.prepare(
        `UPDATE timezones SET rules = '-28800|0|', version = '2000a' WHERE name = 'America/Vancouver'`,
      ),
      d1.db.prepare(
        `UPDATE events SET target_at = target_at + 3600000, wake_at = wake_at + 3600000, tz_version = '2000a'`,
      ),
    ])
    const another = await callerOf(d1.miniflare, 'another-isolate')
    await another.cron()
    expect(await d1.db.prepare('SELECT target_at, wake_at FROM events').raw()).toEqual([[planned, planned]])
    const [record] = (await openD1Store(d1.db).listZones()).filter(({ name }) => name === 'America/Vancouver')
    expect(record).toMatchObject({ previousVersion: '2000a', replanCursor: null })
  })

  it('delivers a due event, signed, and plans its successor', async () => {
    const { user, nextBirthdayEvent } = await createPerson({ firstName: 'Zoë' })
    await makeDue()
    await cron()
    await sink.waitFor(1)
    const { body, headers, key } = sink.arrivals[0]!
    expect(messageOf(sink.arrivals[0]!)).toBe("Hey, Zoë Byron it's your birthday")
    expect(new Webhook(SECRET).verify(body, headers as Record<string, string>)).toMatchObject({
      userId: user.id,
    })
    expect(headers['webhook-id']).toBe(key)
    await settledAs(nextBirthdayEvent.id, 'COMPLETED')
    const { body: events } = await call<{ items: object[] }>('GET', `/user/${user.id}/event?status=PENDING`)
    expect(events.items).toHaveLength(1)
    await cron()
    expect(sink.arrivals).toHaveLength(1)
  })

  it('delivers several hundred events once each, in batches of the queue’s maximum size', async () => {
    const people = Array.from({ length: 250 }, (_, index) => ({
      firstName: `N${index}`,
      lastName: 'X',
      dateOfBirth: '1990-01-01',
      timezone: 'Asia/Jakarta',
    }))
    expect((await call('POST', '/user/bulk', { users: people })).status).toBeLessThan(300)
    await makeDue()
    await cron()
    await sink.waitFor(250)
    await expectSoon(async () => {
      const [row] = await d1.db.prepare(`SELECT count(*) FROM events WHERE status = 'COMPLETED'`).raw()
      expect(row).toEqual([250])
    })
    expect(new Set(sink.arrivals.map(messageOf)).size).toBe(250)
    expect(sink.arrivals).toHaveLength(250)
    // Objects that an isolate keeps between batches must not be bound to the call that created them.
    expect(output.filter((line) => /went wrong|different request|rror:/.test(line))).toEqual([])
  })

  it('sends to a channel that was created over the API, with its secret encrypted in D1', async () => {
    const channel = { name: 'ours', kind: 'webhook', url: `${sink.url}?ours`, isDefault: true }
    const { status, body } = await call<{ secret: string; channel: { id: string } }>(
      'POST',
      '/channel',
      channel,
    )
    expect(status).toBe(201)
    const rows = await d1.db.prepare(`SELECT secrets FROM channels WHERE name = 'ours'`).raw()
    expect(JSON.stringify(rows)).not.toContain(body.secret)
    // A worker reads the changed channels within two seconds.
    await expectSoon(async () => {
      sink.arrivals.length = 0
      const { user, nextBirthdayEvent } = await createPerson()
      await makeDue()
      await cron()
      await settledAs(nextBirthdayEvent.id, 'COMPLETED')
      await call('DELETE', `/user/${user.id}`)
      const [arrival] = sink.arrivals
      new Webhook(body.secret).verify(arrival!.body, arrival!.headers as Record<string, string>)
    })
  })

  it('rejects an SMTP channel, which a Worker cannot open', async () => {
    const smtp = { name: 'post', kind: 'smtp', server: 'smtp://mail.example', from: 'Terce <t@example.com>' }
    const { status, body } = await call<{ code: string }>('POST', '/channel', smtp)
    expect(status).toBe(400)
    expect(JSON.stringify(body)).toContain('This runtime has no SMTP')
  })
})

describe('the metrics of the Worker', () => {
  type Row = { name: string; value: number; outcome: string; type: string; channel: string }
  const rows = () =>
    output
      .filter((line) => line.startsWith('{"point"'))
      .map((line) => {
        const { indexes, blobs, doubles } = JSON.parse(line).point
        const [channel, type, outcome] = blobs
        return { name: indexes[0], value: doubles[0], outcome, type, channel } as Row
      })
  const valuesOf = (name: string) => rows().flatMap((row) => (row.name === name ? [row.value] : []))

  it('are data points of each run of the cron and each batch of the queue', async () => {
    const { nextBirthdayEvent } = await createPerson()
    await makeDue()
    await cron()
    await settledAs(nextBirthdayEvent.id, 'COMPLETED')
    await expectSoon(async () => {
      expect(rows()).toContainEqual(
        expect.objectContaining({
          name: 'terce_settled_events_total',
          type: 'BIRTHDAY',
          outcome: 'delivered',
          value: 1,
        }),
      )
    })
    expect(valuesOf('terce_due_events')).toEqual([1])
    expect(valuesOf('terce_oldest_due_seconds')[0]).toBeGreaterThanOrEqual(60)
    expect(valuesOf('terce_handed_over_events_total')).toEqual([1])
    expect(valuesOf('terce_delivery_lateness_seconds')[0]).toBeGreaterThanOrEqual(60)
    expect(valuesOf('terce_database_bytes')[0]).toBeGreaterThan(10_000)
    expect(rows().find(({ name }) => name === 'terce_runs_total')).toMatchObject({
      outcome: 'done',
      value: 1,
    })
  })

  it('are written to the binding of wrangler.jsonc', async () => {
    const { cron: run } = await callerOf(d1.miniflare, 'without-wrapper')
    await run()
    expect(output.filter((line) => /rror/.test(line))).toEqual([])
  })

  it('are accompanied by a call of HEARTBEAT_URL after each run', async () => {
    const before = heartbeat.arrivals.length
    await cron()
    expect(heartbeat.arrivals.length).toBe(before + 1)
  })

  it('have the person who would be missed, and a closed day is reported to REPORT_TO once', async () => {
    // The plans were checked by the first run of this file, and are checked once an hour.
    await d1.db.batch([d1.db.prepare('DELETE FROM ledger_days')])
    await addMissedPerson(openD1Store(d1.db))
    await cron()
    await cron()
    expect(reportsIn(sink.arrivals)).toEqual([expect.objectContaining(REPORT)])
    await expectSoon(async () => expect(valuesOf('terce_missed').filter((value) => value > 0)).toContain(1))
  })
})

describe('the queue of the Worker', () => {
  async function claimed(): Promise<{ ref: ClaimRef; eventId: string }> {
    const { nextBirthdayEvent } = await createPerson()
    await makeDue()
    const claims = await openD1Store(d1.db).claimDue({
      now: Date.now(),
      limit: 10,
      leaseMs: 600_000,
      claimedBy: 'the test',
      render: ({ id }) => JSON.stringify({ message: id }),
    })
    const { id: eventId } = nextBirthdayEvent
    expect(claims).toMatchObject([{ id: eventId }])
    return { ref: { eventId, version: claims[0]!.version }, eventId }
  }

  async function send(binding: string, ...bodies: unknown[]): Promise<void> {
    const queue = await d1.miniflare.getQueueProducer(binding, 'terce')
    await queue.sendBatch(bodies.map((body) => ({ body })))
  }

  it('can deliver a message twice, and the event is sent once', async () => {
    const { ref, eventId } = await claimed()
    await send('DUE', ref, ref)
    await settledAs(eventId, 'COMPLETED')
    await send('DUE', ref)
    await send('DUE', 'no reference at all')
    await expectSoon(async () =>
      expect(output.join('\n')).toContain('Dropped messages that do not name an event'),
    )
    expect(sink.arrivals).toHaveLength(1)
  })

  it('delivers dead letters, whose events fail with a reason', async () => {
    const { ref, eventId } = await claimed()
    await send('DEAD', ref)
    expect(await settledAs(eventId, 'FAILED')).toMatchObject({
      failureReason: expect.stringMatching(/^QUEUE_EXHAUSTED/),
    })
    expect(sink.arrivals).toEqual([])
  })

  it('is distinguished by name from the dead-letter queue', () => {
    const [due, dead] = DEPLOYMENT.queues.consumers
    expect(due!.dead_letter_queue).toBe(dead!.queue)
    expect(dead!.queue).toMatch(/-dead$/)
    expect(due!.queue).not.toMatch(/-dead$/)
    expect(DEPLOYMENT.queues.producers).toEqual([{ binding: 'DUE', queue: due!.queue }])
  })
})

describe('a Worker that is open to the internet', () => {
  it('rejects requests without a key, even while no key exists', async () => {
    expect((await call('GET', '/user', undefined, null)).status).toBe(401)
    expect((await call('GET', '/user', undefined, 'terce_guess-guess-guess-guess')).status).toBe(401)
    const bare = await callerOf(d1.miniflare, 'without-keys')
    expect((await bare.call('GET', '/user', undefined, null)).status).toBe(401)
    expect((await bare.call('GET', '/healthz', undefined, null)).status).toBe(200)
  })

  it('accepts a key that was created over the API, and records its last use', async () => {
    const { body: made } = await call<{ key: string }>('POST', '/key', { name: 'reader', scope: 'read' })
    expect((await call('GET', '/user', undefined, made.key)).status).toBe(200)
    expect((await call('POST', '/user', {}, made.key)).status).toBe(403)
    await expectSoon(async () => {
      const { body } = await call<{ items: { lastUsedAt: string | null }[] }>('GET', '/key')
      expect(body.items).toMatchObject([{ name: 'reader', lastUsedAt: expect.any(String) }])
    })
  })

  it('serves the dashboard, which asks for a key, and no other file', async () => {
    for (const path of ['/app/', '/app/people/1'])
      expect(await call('GET', path, undefined, null)).toEqual({
        status: 200,
        body: expect.stringContaining('<title>A page for tests</title>'),
      })
    expect((await call('GET', '/app/assets/hello.js', undefined, null)).body).toContain("'🎂'")
    expect((await call('GET', '/app/assets/none.js', undefined, null)).status).toBe(404)
    expect((await call('GET', '/index.html', undefined, null)).status).toBe(404)
  })

  it('responds that it is not set up, and logs why, when a setting is invalid', async () => {
    const { call: ask } = await callerOf(d1.miniflare, 'misconfigured')
    expect(await ask('GET', '/healthz')).toEqual({ status: 500, body: expect.stringMatching(/not set up/) })
    await expectSoon(async () => expect(output.join('\n')).toContain('LEASE_MS=long is not usable'))
  })

  it('writes no personal data to its log', async () => {
    statuses = [422]
    await createPerson({ firstName: 'Persephone' })
    await makeDue()
    await cron()
    await sink.waitFor(1)
    await expectSoon(async () =>
      expect(output.join('\n')).toContain('"msg":"Delivery failed; no more retries"'),
    )
    expect(JSON.parse(output.find((line) => line.includes('no more retries'))!)).toMatchObject({
      level: 'error',
      time: expect.any(String),
      reason: 'HTTP 422',
    })
    expect(output.join('\n')).not.toMatch(/Persephone|Byron|1815/)
  })
})

// Runs last: the channel stays disabled, and no other channel is left.
describe('a receiver that is gone for good', () => {
  it('has its channel disabled for all isolates', async () => {
    statuses = [410]
    const { nextBirthdayEvent } = await createPerson()
    await makeDue()
    await cron()
    await settledAs(nextBirthdayEvent.id, 'FAILED')
    type Channels = { items: object[] }
    await expectSoon(async () => {
      const { items } = (await call<Channels>('GET', '/channel')).body
      expect(items).toContainEqual(expect.objectContaining({ isDefault: true, status: 'DISABLED' }))
    })
  })
})
