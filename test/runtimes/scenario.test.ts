// The same life in every home, unchanged, and the same to be seen of it.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type PostgresServer, startPostgres } from '../support/postgres-server.ts'
import { KEY } from '../support/workerd/terce.ts'
import { openAws } from './support/homes/aws.ts'
import { openCloudflare } from './support/homes/cloudflare.ts'
import { openNodePostgres } from './support/homes/node-postgres.ts'
import { openNodeSqlite } from './support/homes/node-sqlite.ts'
import { type Observations, playScenario } from './support/scenario.ts'
import { noonSomewhere, startReceiver } from './support/scenario-fixtures.ts'
import type { Home } from './support/scenario-steps.ts'

/** Most of it is for starting on a machine that has much else to do. */
const PATIENCE_MS = 120_000

let postgres: PostgresServer | undefined
const HOMES: Record<string, (env: Record<string, string>) => Promise<Home>> = {
  'Node and a SQLite file': openNodeSqlite,
  'Node and PostgreSQL': (env) => openNodePostgres(env, postgres!),
  'a Worker, D1 and Queues': openCloudflare,
  'Lambda, SQS and PostgreSQL': (env) => openAws(env, postgres!),
}

const day = noonSomewhere(Date.now())
const seenIn = new Map<string, Observations>()

beforeAll(async () => {
  postgres = await startPostgres({ fast: true })
}, PATIENCE_MS)
afterAll(() => postgres?.stop())

describe.each(Object.entries(HOMES))('at home in %s, Terce', (name, open) => {
  let seen: Observations

  beforeAll(async () => {
    const receiver = await startReceiver()
    let home: Home | null = null
    try {
      home = await open({
        WEBHOOK_URL: receiver.url,
        WEBHOOK_SECRET: receiver.secret,
        TERCE_API_KEYS: `tests:admin:${KEY}`,
        RETRY: '100ms,100ms,100ms',
        LOG_LEVEL: 'silent',
      })
      seen = await playScenario({ home, receiver, day })
      seenIn.set(name, seen)
    } finally {
      await home?.remove()
      await receiver.close()
    }
  }, PATIENCE_MS)

  const oneSigned = { posts: 1, allSigned: true, sameKey: true, asRecorded: true }
  const attempt = { number: 1, outcome: 'DELIVERED', statusCode: 200, error: null }

  it('knows nine o’clock in each place by the law of today', () => {
    const nine = { status: 'PENDING', inDays: 100 }
    expect(seen.places).toEqual([
      // British Columbia keeps summer time all year from 2026 on.
      { ...nine, name: 'Carr', timezone: 'America/Vancouver', inDays: null, ...at('16:00', '-07:00') },
      { ...nine, name: 'Kartini', timezone: 'Asia/Jakarta', ...at('02:00', '+07:00') },
      { ...nine, name: 'Lhamu', timezone: 'Asia/Kathmandu', ...at('03:15', '+05:45') },
      { ...nine, name: 'Salote', timezone: 'Pacific/Tongatapu', ...at('20:00', '+13:00') },
    ])
  })
  const at = (utc: string, offset: string) => ({ utc: `T${utc}:00.000Z`, local: `T09:00:00${offset}` })

  it('greets once, signed, and plans the next year', () => {
    expect(seen.greeted).toMatchObject({
      ...oneSigned,
      event: { status: 'COMPLETED', retryCount: 0, attempts: [attempt] },
      said: { type: 'BIRTHDAY', message: "Hey, Grace Hopper it's your birthday" },
      successor: { status: 'PENDING', yearsLater: 1 },
    })
  })

  it('moves a pending greeting with its person, under the same key', () => {
    expect(seen.moved).toMatchObject({
      rescheduled: 1,
      skipped: 0,
      events: 1,
      utc: ['T02:00:00.000Z', 'T00:00:00.000Z'],
      sameDay: true,
      sameEvent: true,
      sameKey: true,
    })
  })

  it('tries again while the receiver has trouble: the same bytes, the same key, each attempt on record', () => {
    const failed = { outcome: 'RETRY', statusCode: 503, error: 'HTTP 503' }
    expect(seen.retried).toMatchObject({
      ...oneSigned,
      posts: 3,
      sameBytes: true,
      event: {
        status: 'COMPLETED',
        retryCount: 2,
        attempts: [
          { ...failed, number: 1 },
          { ...failed, number: 2 },
          { ...attempt, number: 3 },
        ],
      },
    })
  })

  it('gives up what is refused for good, says why, and plans the next year', () => {
    expect(seen.refused).toMatchObject({
      ...oneSigned,
      event: {
        status: 'FAILED',
        failureReason: 'HTTP 400',
        attempts: [{ outcome: 'FAILED', statusCode: 400 }],
      },
      successor: { status: 'PENDING', yearsLater: 1 },
    })
  })

  it('sends what failed again when it is asked to, under the same key, once', () => {
    expect(seen.replayed).toMatchObject({
      ...oneSigned,
      posts: 2,
      sameBytes: true,
      event: { status: 'COMPLETED', replayOf: 'an id', attempts: [attempt] },
      successor: { status: 'PENDING', yearsLater: 1 },
      original: { status: 'FAILED', replays: [{ status: 'COMPLETED' }] },
      again: [409, 'ALREADY_DELIVERED'],
    })
  })

  it('forgets whom it is told to forget, and sends them nothing', () => {
    const none = { user: 'USER_NOT_FOUND', event: 'EVENT_NOT_FOUND' }
    expect(seen.deleted).toEqual({ deletion: 204, ...none, again: 404 })
    expect(seen.posts).toMatchObject({ Franklin: 0 })
  })

  it('catches up on what fell due while it was away, and says how late it is', () => {
    expect(seen.downtime).toMatchObject({
      ...oneSigned,
      before: 0,
      isLateBy: true,
      event: { status: 'COMPLETED', occurrence: 'once', attempts: [attempt] },
      said: { message: 'Lift-off, Marie Curie' },
      successor: null,
    })
  })

  it('keeps a rule: today, and a week from today', () => {
    expect(seen.weekly).toMatchObject({
      ...oneSigned,
      event: { status: 'COMPLETED', eventType: 'WATERING', occurrence: day.today },
      said: { message: 'Water the plants, Hedy Lamarr' },
      successor: { status: 'PENDING', daysLater: 7 },
    })
  })

  it('reminds of a task once', () => {
    expect(seen.reminded).toMatchObject({
      ...oneSigned,
      reminders: 1,
      event: { status: 'COMPLETED', eventType: 'TASK_REMINDER' },
      said: { title: 'Feed the chimpanzees', taskId: 'an id' },
      successor: null,
      task: { completed: false, reminderSentAt: 'an instant', nextReminderAt: null },
    })
    expect((seen.reminded.task as { audit: unknown[] }).audit).toHaveLength(1)
  })

  it('explains itself', () => {
    expect(seen.explained).toMatchObject({
      pending: {
        summary: expect.stringMatching(
          /is due on \d{4}-12-13 at 09:00 in America\/Vancouver, which is 16:00 UTC\. It has not been sent yet\.$/,
        ),
        instant: { offset: '-07:00' },
      },
      failed: { summary: expect.stringMatching(/It was replayed as event an id, which was delivered\.$/) },
    })
  })

  it('lists every event, page by page', () => {
    const events = seen.events as { status: string }[]
    const counts = Object.groupBy(events, ({ status }) => status)
    // Three greetings and a replay, a watering, a reminder, a launch. Pending: a birthday for each of eleven, a watering.
    expect([counts.COMPLETED?.length, counts.FAILED?.length, counts.PENDING?.length]).toEqual([6, 1, 12])
    expect(events).toHaveLength(19)
  })

  it('tells what it is set to', () => {
    const told = { open: false, scope: 'admin', inbox: false, deliverAt: '09:00', retries: [100, 100, 100] }
    expect(seen.session).toMatchObject(told)
  })

  it('says no in the same way', () => {
    expect(seen.refusals.map(({ status, body }) => [status, body.code])).toEqual([
      [400, 'INVALID_INPUT'],
      [404, 'USER_NOT_FOUND'],
      [404, 'EVENT_NOT_FOUND'],
      [400, 'INVALID_QUERY'],
      [405, 'METHOD_NOT_ALLOWED'],
    ])
  })

  it('sends each message as often as it has to, and nobody anything else', () => {
    expect(seen.posts).toEqual({
      Hopper: 1,
      Byron: 3,
      Noether: 2,
      Lamarr: 1,
      Goodall: 1,
      Curie: 1,
      Meitner: 0,
      Franklin: 0,
    })
  })

  it('does in all and everything what it does in the first home', () => {
    const [first] = seenIn.values()
    expect(seen).toEqual(first)
  })
})
