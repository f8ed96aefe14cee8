// Runs one scenario in every runtime and expects the same observations.
import { beforeAll, describe, expect, it } from 'vitest'
import { type SharedPostgres, sharedPostgres } from '../support/shared-postgres.ts'
import { KEY } from '../support/workerd/terce.ts'
import { openAws } from './support/homes/aws.ts'
import { openCloudflare } from './support/homes/cloudflare.ts'
import { openHyperdrive } from './support/homes/hyperdrive.ts'
import { openNodePostgres } from './support/homes/node-postgres.ts'
import { openNodeSqlite } from './support/homes/node-sqlite.ts'
import { type Observations, playScenario } from './support/scenario.ts'
import { noonSomewhere, startReceiver } from './support/scenario-fixtures.ts'
import type { Home } from './support/scenario-steps.ts'

/** Mostly for the start on a busy machine. */
const PATIENCE_MS = 120_000

let postgres: SharedPostgres | undefined
const HOMES: Record<string, (env: Record<string, string>) => Promise<Home>> = {
  'Node and a SQLite file': openNodeSqlite,
  'Node and PostgreSQL': (env) => openNodePostgres(env, postgres!),
  'a Worker, D1 and Queues': openCloudflare,
  'a Worker, Hyperdrive and Queues': (env) => openHyperdrive(env, postgres!),
  'Lambda, SQS and PostgreSQL': (env) => openAws(env, postgres!),
}

const day = noonSomewhere(Date.now())
const seenIn = new Map<string, Observations>()

beforeAll(async () => {
  postgres = await sharedPostgres()
}, PATIENCE_MS)

describe.each(Object.entries(HOMES))('Terce on %s', (name, open) => {
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

  it('plans nine o’clock in each timezone by the current rules', () => {
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

  it('sends a birthday message once, signed, and plans the next year', () => {
    expect(seen.greeted).toMatchObject({
      ...oneSigned,
      event: { status: 'COMPLETED', retryCount: 0, attempts: [attempt] },
      said: { type: 'BIRTHDAY', message: "Hey, Grace Hopper it's your birthday" },
      successor: { status: 'PENDING', yearsLater: 1 },
    })
  })

  it('moves a pending event with its person, under the same key', () => {
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

  it('retries while the receiver fails, with the same bytes and key, and records each attempt', () => {
    const exchange = { destination: 'http://the receiver', response: { shortened: false } }
    const failed = { outcome: 'RETRY', statusCode: 500, error: 'HTTP 500', ...exchange }
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

  it('fails an event that the receiver rejects, records the reason, and plans the next year', () => {
    expect(seen.rejected).toMatchObject({
      ...oneSigned,
      event: {
        status: 'FAILED',
        failureReason: 'HTTP 400',
        attempts: [{ outcome: 'FAILED', statusCode: 400 }],
      },
      successor: { status: 'PENDING', yearsLater: 1 },
    })
  })

  it('replays a failed event on request, once, under the same key', () => {
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

  it('deletes a person and sends them nothing', () => {
    const none = { user: 'USER_NOT_FOUND', event: 'EVENT_NOT_FOUND' }
    expect(seen.deleted).toEqual({ deletion: 204, ...none, again: 404 })
    expect(seen.posts).toMatchObject({ Franklin: 0 })
  })

  it('delivers an event that fell due while it was down, and states the delay', () => {
    expect(seen.downtime).toMatchObject({
      ...oneSigned,
      before: 0,
      isLateBy: true,
      event: { status: 'COMPLETED', occurrence: 'once', attempts: [attempt] },
      said: { message: 'Lift-off, Marie Curie' },
      successor: null,
    })
  })

  it('follows a weekly rule: today, and a week from today', () => {
    expect(seen.weekly).toMatchObject({
      ...oneSigned,
      event: { status: 'COMPLETED', eventType: 'WATERING', occurrence: day.today },
      said: { message: 'Water the plants, Hedy Lamarr' },
      successor: { status: 'PENDING', daysLater: 7 },
    })
  })

  it('sends one reminder of a task', () => {
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

  it('explains an event', () => {
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

  it('returns its settings', () => {
    const settings = {
      open: false,
      scope: 'admin',
      inbox: false,
      deliverAt: '09:00',
      retries: [100, 100, 100],
    }
    expect(seen.session).toMatchObject(settings)
  })

  it('responds to invalid requests with the documented problems', () => {
    expect(seen.timesRejected.map(({ status, body }) => [status, body.code])).toEqual([
      [400, 'INVALID_INPUT'],
      [404, 'USER_NOT_FOUND'],
      [404, 'EVENT_NOT_FOUND'],
      [400, 'INVALID_QUERY'],
      [405, 'METHOD_NOT_ALLOWED'],
    ])
  })

  it('sends each message as often as expected, and no other message', () => {
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

  it('has the same observations as the first runtime', () => {
    const [first] = seenIn.values()
    expect(seen).toEqual(first)
  })
})
