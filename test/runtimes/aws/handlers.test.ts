// The handlers of AWS Lambda against a queue that speaks SQS and a real PostgreSQL.
import { gunzipSync } from 'node:zlib'
import { ChangeMessageVisibilityBatchCommand, SendMessageCommand } from '@aws-sdk/client-sqs'
import type { Context } from 'aws-lambda'
import type { LambdaEvent } from 'hono/aws-lambda'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { replan } from '../../../src/app/timezones/replan.ts'
import { createIds } from '../../../src/domain/events/uuid.ts'
import { ENVIRONMENT_CHANNEL } from '../../../src/domain/settings/channel.ts'
import { loadTimezoneTable } from '../../../src/domain/time/tzdb.ts'
import { RELOAD_MS } from '../../../src/engine/deliver/destinations.ts'
import type { NewPerson } from '../../../src/ports/store.ts'
import { api, deadLetters, recovery, scheduler, worker } from '../../../src/runtimes/aws/handlers.ts'
import { closeAwsRuntime } from '../../../src/runtimes/aws/runtime.ts'
import { nodeClock } from '../../../src/runtimes/node/node-clock.ts'
import type { PostgresStore } from '../../../src/stores/postgres/postgres-store.ts'
import { claimAt, delivered } from '../../contracts/store/steps.ts'
import { type SqsServer, startSqs } from '../../queues/support/sqs-server.ts'
import { query } from '../../stores/postgres/support/audit.ts'
import { useOwnServer } from '../../stores/postgres/support/postgres-suite.ts'
import { DAY, HOUR, MINUTE, makePeople, makePlanned, YEAR } from '../../support/fixtures.ts'
import { until } from '../../support/until.ts'
import { metricsIn, parseEmf } from '../../telemetry/support/emf-schema.ts'
import { addMissedPerson, REPORT, reportsIn } from '../support/missed-person.ts'
import type { Sink } from '../support/sink.ts'
import { call, runEventSources } from './support/lambda.ts'

const stage = useOwnServer()
const KEY = 'a-key-of-thirty-two-characters-or-more'
let sqs: SqsServer
let sink: Sink
let store: PostgresStore

const before = { ...process.env }

beforeEach(async () => {
  sqs = await startSqs(4)
  sink = await stage.sink()
  store = await stage.open()
  Object.assign(process.env, {
    DATABASE_URL: stage.database(),
    QUEUE_URL: sqs.queueUrl,
    AWS_ENDPOINT_URL_SQS: sqs.endpoint,
    AWS_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: 'test',
    AWS_SECRET_ACCESS_KEY: 'test',
    WEBHOOK_URL: sink.url,
    TERCE_API_KEYS: `ops:admin:${KEY}`,
    LOG_LEVEL: 'silent',
  })
})
afterEach(async () => {
  await closeAwsRuntime()
  await sqs.stop()
  process.env = { ...before }
})

const run = () => runEventSources(sqs, { worker, deadLetters })

async function duePeople(count: number, lateMs = MINUTE): Promise<NewPerson[]> {
  const now = Math.round(await store.readClock())
  const people = makePeople(count, () => ({ targetAt: now - lateMs }))
  await store.createUsers(people)
  return people
}

async function statusesOf(people: readonly NewPerson[]): Promise<string[]> {
  const found = await Promise.all(people.map(({ events }) => store.findEvent(events[0]!.id)))
  return [...new Set(found.map((one) => one!.event.status))]
}

describe('scheduler and worker', () => {
  it('deliver each due event once', async () => {
    const people = await duePeople(25)
    expect(await scheduler({}, call(10_000))).toMatchObject({ handedOver: 25, rejected: 0 })
    expect(sqs.count(sqs.queueUrl)).toBe(25)
    expect(sink.arrivals).toEqual([])
    expect(await run()).toBe(25)
    expect(await statusesOf(people)).toEqual(['COMPLETED'])
    expect(new Set(sink.arrivals.map(({ key }) => key)).size).toBe(25)
    expect(sink.arrivals).toHaveLength(25)
    expect(sqs.count(sqs.queueUrl)).toBe(0)
  })

  it('apply the changes that were enqueued by SQL before they look for due events', async () => {
    const born = `to_char(now() AT TIME ZONE 'UTC', '1990-MM-DD')`
    await query(
      stage.database(),
      `SELECT terce.enqueue_user(jsonb_build_object('externalId', '42', 'firstName', 'Ada', 'lastName', 'Lovelace',
        'timezone', 'UTC', 'dateOfBirth', ${born}, 'sendTodayNow', true)), terce.enqueue_user('{"externalId": "43"}')`,
    )
    process.env.DELIVER_AT = '00:00'
    expect(await scheduler({}, call(10_000))).toMatchObject({ handedOver: 1 })
    await run()
    expect(sink.arrivals.map(({ body }) => JSON.parse(body).externalId)).toEqual(['42'])
    const errors = await query(stage.database(), 'SELECT external_id, code FROM terce.enqueue_errors')
    expect(errors).toEqual([{ external_id: '43', code: 'INVALID_INPUT' }])
  })

  it('move events whose timezone has new rules, in the first run of a new release', async () => {
    const old = loadTimezoneTable({ version: '2000a', zones: { 'Asia/Tokyo': '0|0|' }, links: {} })
    const planner = { ids: createIds(Math.random), table: old }
    const clock = { ...nodeClock, now: () => Date.now() }
    const deps = { store, planner, clock, telemetry() {}, onPlanned() {} }
    await replan(deps, { check: 'recent' })
    // 09:00 by the old rules is 18:00 in Tokyo.
    const midnight = Math.ceil(Date.now() / DAY) * DAY + 40 * DAY
    const day = new Date(midnight).toISOString()
    const [person] = makePeople(1, () => ({
      timezone: 'Asia/Tokyo',
      dateOfBirth: `1992-${day.slice(5, 10)}`,
      targetAt: midnight + 9 * HOUR,
      occurrence: day.slice(0, 4),
    }))
    await store.createUsers([person!])
    await scheduler({}, call(60_000))
    expect((await store.findEvent(person!.events[0]!.id))!.event.targetAt).toBe(midnight)
  })

  /** Runs the worker, and returns the handles of the messages that it was given. */
  async function runNoting(): Promise<string[]> {
    const handles: string[] = []
    const noting: typeof worker = (event, context) => {
      handles.push(...event.Records.map(({ receiptHandle }) => receiptHandle))
      return worker(event, context)
    }
    await runEventSources(sqs, { worker: noting, deadLetters })
    return handles
  }

  /** Makes the messages visible, as if the visibility timeout had passed. */
  function makeVisible(handles: readonly string[]) {
    const Entries = handles.map((ReceiptHandle, i) => ({
      Id: String(i),
      ReceiptHandle,
      VisibilityTimeout: 0,
    }))
    return sqs.client.send(new ChangeMessageVisibilityBatchCommand({ QueueUrl: sqs.queueUrl, Entries }))
  }

  it('keep the messages while the database is down, and deliver each once when it is back', async () => {
    const people = await duePeople(3)
    await scheduler({}, call(10_000))
    await stage.server().crash()
    let handles: string[]
    try {
      handles = await runNoting()
      expect(sqs.count(sqs.queueUrl)).toBe(3)
    } finally {
      await stage.server().restart()
    }
    expect(await statusesOf(people)).toEqual(['PROCESSING'])
    await makeVisible(handles)
    await run()
    expect(await statusesOf(people)).toEqual(['COMPLETED'])
    expect(sink.arrivals).toHaveLength(3)
  })

  // A call that throws would use up all receives before the lease expires, and the events would fail.
  it.each([
    ['cannot open the database', 'DATABASE_URL', 'postgres://127.0.0.1:9/terce'],
    ['has an invalid setting', 'RETRY', 'sometimes'],
  ])(
    'keep the messages hidden while a worker that starts %s, and dead-letter none',
    async (_, name, value) => {
      const people = await duePeople(3)
      await scheduler({}, call(10_000))
      await closeAwsRuntime()
      const valid = process.env[name] ?? ''
      process.env[name] = value
      const handles = await runNoting()
      expect([handles.length, sqs.count(sqs.queueUrl), sqs.count(sqs.deadUrl)]).toEqual([3, 3, 0])
      process.env[name] = valid
      await makeVisible(handles)
      await run()
      expect(await statusesOf(people)).toEqual(['COMPLETED'])
      expect(sink.arrivals).toHaveLength(3)
    },
  )

  it('dead-letter a message that does not name an event, and deliver the others', async () => {
    const people = await duePeople(2)
    await sqs.client.send(new SendMessageCommand({ QueueUrl: sqs.queueUrl, MessageBody: 'hello' }))
    await scheduler({}, call(10_000))
    const events: Parameters<typeof worker>[0][] = []
    const noting: typeof worker = async (event, context) => {
      events.push(event)
      return worker(event, context)
    }
    await runEventSources(sqs, { worker: noting, deadLetters })
    expect(await statusesOf(people)).toEqual(['COMPLETED'])
    expect(sqs.count(sqs.queueUrl)).toBe(1)
    const Records = events.flatMap((event) => event.Records).filter(({ body }) => body === 'hello')
    expect(await worker({ Records }, call(10_000))).toEqual({
      batchItemFailures: [{ itemIdentifier: Records[0]!.messageId }],
    })
    expect(await deadLetters({ Records }, call(10_000))).toEqual({ batchItemFailures: [] })
  })

  it('hold the messages of a held channel, and send them in the runs after its end', async () => {
    const people = await duePeople(3)
    const holdUntil = async (end: number) => {
      const hold = { until: new Date(end).toISOString() }
      const { statusCode } = await request('POST', `/channel/${ENVIRONMENT_CHANNEL}/hold`, hold)
      expect(statusCode).toBe(200)
    }
    await holdUntil(Date.now() + HOUR)
    expect(await scheduler({}, call(4_000))).toMatchObject({ handedOver: 0 })
    expect(await statusesOf(people)).toEqual(['PENDING'])
    const end = Date.now() + RELOAD_MS
    await holdUntil(end)
    await until('the hold has ended', Date.now, (now) => now > end)
    await scheduler({}, call(4_000))
    await run()
    expect(sink.arrivals).toHaveLength(people.length)
    expect(await statusesOf(people)).toEqual(['COMPLETED'])
  })

  it('deliver to a channel that was created over the API', async () => {
    const other = await stage.sink()
    process.env.ALLOW_PRIVATE_TARGETS = 'true'
    process.env.TERCE_SECRET_KEY = Buffer.alloc(32, 7).toString('base64')
    const channel = { name: 'other', kind: 'webhook', url: other.url, isDefault: true }
    const { statusCode, body } = await request('POST', '/channel', channel)
    expect(statusCode, body).toBe(201)
    await duePeople(1)
    await scheduler({}, call(10_000))
    await run()
    expect(other.arrivals).toHaveLength(1)
    expect(sink.arrivals).toHaveLength(0)
  })
})

describe('background writes', () => {
  it('are finished before a call ends: the status of a channel, the last use of a key', async () => {
    process.env.WEBHOOK_URL = (await stage.sink((response) => response.writeHead(410).end())).url
    await duePeople(1)
    await scheduler({}, call(10_000))
    await run()
    const [channel] = await store.listChannels()
    expect(channel).toMatchObject({ status: 'DISABLED' })
    const made = await request('POST', '/key', { name: 'other', scope: 'read' })
    const { key } = JSON.parse(made.body)
    await request('GET', '/user', undefined, { authorization: `Bearer ${key}` })
    const [stored] = await store.listApiKeys()
    expect(stored!.lastUsedAt).not.toBeNull()
  })
})

describe('a poison message', () => {
  it('leaves its event FAILED with a reason, and its successor planned', async () => {
    const [person] = await duePeople(1)
    await scheduler({}, call(10_000))
    const dying = () => Promise.reject(new Error('Runtime exited with error: signal: killed'))
    await runEventSources(sqs, { worker: dying, deadLetters: inDeadLetters })
    const { event } = (await store.findEvent(person!.events[0]!.id))!
    expect(event).toMatchObject({
      status: 'FAILED',
      failureCode: 'QUEUE_EXHAUSTED',
    })
    const { items } = await store.listEvents({ limit: 10, cursor: null, userId: person!.user.id })
    expect(items.map(({ status }) => status).sort()).toEqual(['FAILED', 'PENDING'])
    expect(sqs.count(sqs.deadUrl)).toBe(0)
  })

  /** As in the template: the QUEUE_URL of this function is the dead-letter queue. */
  const inDeadLetters: typeof deadLetters = async (event, context) => {
    process.env.QUEUE_URL = sqs.deadUrl
    return deadLetters(event, context)
  }
})

/** The metrics that are written to standard output meanwhile, as CloudWatch reads them. */
async function metricsDuring(work: () => Promise<unknown>): Promise<string[]> {
  process.env.METRICS_NAMESPACE = 'Terce/test'
  const lines: string[] = []
  const stdout = vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    lines.push(...String(text).trimEnd().split('\n'))
    return true
  })
  try {
    await work()
  } finally {
    stdout.mockRestore()
  }
  return lines.flatMap((line) => metricsIn(parseEmf(line)))
}

describe('the metrics of the functions', () => {
  it('are lines on standard output that CloudWatch accepts, at the end of each call', async () => {
    await duePeople(3, 2 * MINUTE)
    const ofScheduler = await metricsDuring(() => scheduler({}, call(10_000)))
    expect(ofScheduler).toEqual(
      expect.arrayContaining([
        'terce_due_events{} 3',
        'terce_runs_total{outcome=done,of=scheduler} 1',
        'terce_handed_over_events_total{} 3',
        'terce_claimed_events_total{} 3',
      ]),
    )
    const [oldest] = ofScheduler.flatMap(
      (line) => /^terce_oldest_due_seconds\{\} (.*)$/.exec(line)?.[1] ?? [],
    )
    expect(Number(oldest)).toBeGreaterThanOrEqual(120)
    expect(await metricsDuring(run)).toEqual(
      expect.arrayContaining([
        'terce_settled_events_total{type=BIRTHDAY,outcome=delivered} 3',
        'terce_settled_events_total{outcome=delivered} 3',
        'terce_deliveries_total{channel=environment,outcome=delivered} 3',
      ]),
    )
  })

  it('have a call of HEARTBEAT_URL beside them, after each run that did not fail', async () => {
    const heartbeat = await stage.sink()
    process.env.HEARTBEAT_URL = heartbeat.url
    await scheduler({}, call(10_000))
    expect(heartbeat.arrivals).toHaveLength(1)
    await stage.server().crash()
    try {
      await expect(scheduler({}, call(5_000))).rejects.toThrow(/^The operation schedule failed/)
    } finally {
      await stage.server().restart()
    }
    expect(heartbeat.arrivals).toHaveLength(1)
  })
})

describe('a person who would be missed', () => {
  it('is found by the recovery run, which sends the report of the closed day once, and is in the metrics of the scheduler', async () => {
    process.env.REPORT_TO = 'environment'
    await addMissedPerson(store)
    const metrics = await metricsDuring(async () => {
      await recovery({}, call(60_000))
      await recovery({}, call(60_000))
      await scheduler({}, call(10_000))
    })
    expect(reportsIn(sink.arrivals)).toEqual([expect.objectContaining(REPORT)])
    expect(metrics).toContain('terce_missed{reason=UNPLANNED} 1')
    expect(metrics).toContain('terce_missed{reason=STUCK} 0')
  })
})

describe('recovery', () => {
  it('reports overdue events and queues them', async () => {
    const people = [...(await duePeople(1, 3 * HOUR)), ...(await duePeople(2, HOUR))]
    const [oldest, , newest] = people.map(({ events }) => events[0]!.targetAt)
    expect(await recovery({}, call(60_000))).toEqual({
      count: 3,
      oldestAt: oldest,
      newestAt: newest,
      handedOver: 3,
      pruned: 0,
    })
    await run()
    expect(await statusesOf(people)).toEqual(['COMPLETED'])
    expect(await recovery({}, call(60_000))).toMatchObject({ count: 0, oldestAt: null, handedOver: 0 })
  })

  it('removes events settled before PRUNE_AFTER, and keeps the last one of each occasion', async () => {
    const [person] = await duePeople(1, 60 * DAY)
    const { id, targetAt } = person!.events[0]!
    const [claim] = await claimAt(store, targetAt)
    const successor = makePlanned(person!.occasions[0]!, person!.user, targetAt + YEAR)
    await store.settle([delivered(claim!, { at: targetAt, successor })])
    process.env.PRUNE_AFTER = '1h'
    expect(await recovery({}, call(60_000))).toMatchObject({ pruned: 0 })
    const later = { ...successor, targetAt: targetAt + HOUR }
    await store.replan([{ eventId: successor.id, version: 1, to: later }], targetAt)
    await recovery({}, call(60_000))
    await run()
    expect(await recovery({}, call(60_000))).toMatchObject({ pruned: 1 })
    expect(await store.findEvent(id)).toBeNull()
  })
})

describe('the API behind a gateway', () => {
  it('rejects requests without a key, also with the Host header localhost', async () => {
    process.env.TERCE_API_KEYS = ''
    for (const host of ['localhost', 'abc.execute-api.us-east-1.amazonaws.com']) {
      const { statusCode } = await request('GET', '/user', undefined, { host, authorization: '' })
      expect(statusCode).toBe(401)
    }
  })

  it('records actions and rejections in the audit log, and the recovery run prunes it', async () => {
    await request('POST', '/key', { name: 'audited', scope: 'read' })
    await request('GET', '/user', undefined, { authorization: '' })
    const actions = async () =>
      (await store.listAuditEntries({ limit: 10, before: null }))
        .reverse()
        .map(({ action, actor }) => [action, actor])
    expect(await actions()).toEqual([
      ['key.created', 'environment:ops'],
      ['request.rejected', null],
    ])
    process.env.AUDIT_RETENTION = '1ms'
    await closeAwsRuntime()
    await recovery({}, call(60_000))
    expect(await actions()).toEqual([['audit.pruned', null]])
  })

  it('reads the address of a caller from the gateway, and behind a load balancer from the address it appended', async () => {
    const addressOf = async (requestContext: object, forwarded: string) => {
      const headers = { authorization: '', 'x-forwarded-for': forwarded }
      await request('GET', '/user', undefined, headers, requestContext)
      const [entry] = await store.listAuditEntries({ limit: 1, before: null, action: 'request.rejected' })
      return entry!.address
    }
    expect(await addressOf({}, '192.0.2.1')).toBe('203.0.113.9')
    const elb = {
      elb: { targetGroupArn: 'arn:aws:elasticloadbalancing:us-east-1:123456789012:targetgroup/t/1' },
    }
    expect(await addressOf({ ...elb, http: undefined }, '192.0.2.1, 198.51.100.7')).toBe('198.51.100.7')
  })

  it('compresses the reference, in base64 as the gateway expects it', async () => {
    const { headers, body } = await request('GET', '/docs', undefined, { 'accept-encoding': 'gzip' })
    expect(headers['content-encoding']).toBe('gzip')
    expect(gunzipSync(Buffer.from(body, 'base64')).toString()).toContain('Terce API reference')
  })

  it.each(['csv', 'json'])('exports pages that fit into the 6 MB of a response (%s)', async (format) => {
    const long = '長'.repeat(100)
    const people = makePeople(2_500, () => ({}))
    const named = people.map(({ user, ...rest }, i) => ({
      ...rest,
      user: {
        ...user,
        firstName: `"${long.slice(2)}`,
        lastName: long,
        externalId: `${'"'.repeat(200)}${i}`,
        email: `${'e'.repeat(60)}@${`${'x'.repeat(60)}.`.repeat(3)}example`,
      },
    }))
    await store.createUsers(named)
    let [text, cursor, pages] = ['', '', 0]
    do {
      const response = await request('GET', `/user/export?format=${format}${cursor && `&cursor=${cursor}`}`)
      expect(Buffer.byteLength(JSON.stringify(response))).toBeLessThan(6_000_000)
      const { body, headers, isBase64Encoded } = response
      text += isBase64Encoded ? Buffer.from(body, 'base64').toString() : body
      cursor = headers['terce-next-cursor'] ?? ''
      pages += 1
    } while (cursor !== '')
    expect(pages).toBeGreaterThan(1)
    expect(text.trimEnd().split('\n').length).toBe(2_500 + (format === 'csv' ? 2 : 1))
  })

  it('does not start with a SQLite file, and names the setting to change', async () => {
    process.env.DATABASE_URL = 'sqlite:./terce.db'
    await expect(request('GET', '/user')).rejects.toThrow(/DATABASE_URL .* Give postgres:/)
  })

  it('responds with 503 and Retry-After while the database cannot be reached, and works when it can', async () => {
    const url = new URL(stage.database())
    url.port = '9'
    process.env.DATABASE_URL = url.href
    const { statusCode, headers, body } = await request('GET', '/user')
    expect([statusCode, headers['retry-after']]).toEqual([503, '5'])
    expect(JSON.parse(body)).toMatchObject({ code: 'DATABASE_UNAVAILABLE' })
    process.env.DATABASE_URL = stage.database()
    expect(await request('GET', '/user')).toMatchObject({ statusCode: 200 })
  })
})

/** A request from an API Gateway HTTP API, payload format 2.0. */
type LambdaResponse = {
  statusCode: number
  body: string
  headers: Record<string, string>
  isBase64Encoded: boolean
}

async function request(
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
  requestContext: object = {},
): Promise<LambdaResponse> {
  const [rawPath, rawQueryString = ''] = path.split('?')
  const event = {
    version: '2.0',
    routeKey: '$default',
    rawPath,
    rawQueryString,
    headers: {
      host: 'example.com',
      'content-type': 'application/json',
      authorization: `Bearer ${KEY}`,
      ...headers,
    },
    // Of a load balancer: payload format 1.0.
    httpMethod: method,
    path,
    requestContext: {
      http: { method, path, sourceIp: '203.0.113.9' },
      domainName: 'example.com',
      ...requestContext,
    },
    body: body === undefined ? null : JSON.stringify(body),
    isBase64Encoded: false,
  }
  return (await api(event as unknown as LambdaEvent, call(25_000) as Context)) as LambdaResponse
}
