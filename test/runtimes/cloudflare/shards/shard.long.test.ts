// A shard in workerd: its alarm delivers what is due, and nothing that stops it loses or doubles an event.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Store } from '../../../../src/ports/store.ts'
import { SECRET } from '../../../channels/webhook/support/fixtures.ts'
import { makePerson } from '../../../support/fixtures.ts'
import { until } from '../../../support/until.ts'
import { type Shards, startShards } from '../../../support/workerd/shards.ts'
import { type Sink, startSink } from '../../support/sink.ts'

const MINUTE_MS = 60_000

let sink: Sink
let shards: Shards
let statuses: number[] = []
let shard = -1
let store: Store

beforeAll(async () => {
  sink = await startSink((response) => {
    response.statusCode = statuses.shift() ?? 200
    response.end()
  })
  shards = await startShards({
    WEBHOOK_URL: sink.url,
    WEBHOOK_SECRET: SECRET,
    ALLOW_PRIVATE_TARGETS: 'true',
    RETRY: '1s,2s,4s',
    SHARDS: '4',
  })
})
afterAll(async () => {
  await shards.stop()
  await sink.close()
})

function useNextShard(): void {
  shard += 1
  store = shards.storeOf(shard)
  sink.arrivals.length = 0
  statuses = []
}
beforeEach(useNextShard)

async function createDue(at: number): Promise<string> {
  const person = makePerson()
  const event = person.events[0]!
  await store.createUsers([{ ...person, events: [{ ...event, targetAt: at }] }])
  return event.id
}

const settled = (eventId: string) =>
  until(
    `event ${eventId} is settled`,
    () => store.findEvent(eventId),
    (found) => found?.event.status === 'COMPLETED',
  )

const alarmAt = () => shards.ask<number | null>(shard, 'alarmAt')
const isOfSuccessor = (at: number | null) => at !== null && at > Date.now() + MINUTE_MS
const moveAlarm = (at: number | null) => shards.ask(shard, 'moveAlarm', at)
const readRows = (sql: string) => shards.ask<unknown[][]>(shard, 'read', sql)

describe('the alarm of a shard', () => {
  it('delivers an event when it is due, and is then set to its successor', async () => {
    const at = Date.now() + 500
    const eventId = await createDue(at)
    await sink.waitFor(1)
    expect(sink.arrivals[0]!.at).toBeGreaterThanOrEqual(at)
    await settled(eventId)
    const next = await until('the alarm is set to the successor', alarmAt, isOfSuccessor)
    expect(next).toBe(await store.nextWakeAt())
    expect(sink.arrivals).toHaveLength(1)
  })

  it('moves forward when an earlier event is planned, and never back', async () => {
    const now = Date.now()
    await createDue(now + 3 * MINUTE_MS)
    await createDue(now + 2 * MINUTE_MS)
    await createDue(now + 4 * MINUTE_MS)
    expect(await alarmAt()).toBe(now + 2 * MINUTE_MS)
  })

  it('retries after the second that the policy names', async () => {
    statuses = [500, 200]
    const eventId = await createDue(Date.now())
    await settled(eventId)
    const [first, second] = sink.arrivals
    expect(second!.at - first!.at).toBeGreaterThanOrEqual(900)
    // A run by the minute would take longer.
    expect(second!.at - first!.at).toBeLessThan(20_000)
    expect(second!.body).toBe(first!.body)
  })

  it('is set again by the cron after it was lost', async () => {
    // One of the four that the cron knows.
    expect(shard).toBeLessThan(4)
    const at = Date.now() + 60 * MINUTE_MS
    await createDue(at)
    await moveAlarm(null)
    expect(await alarmAt()).toBeNull()
    await shards.cron()
    // The first ping of an object also makes it replan, in an alarm before this one.
    await until('the alarm is set to the event', alarmAt, (seen) => seen === at)
  })

  it('is set again after an error', async () => {
    const eventId = await createDue(Date.now() + MINUTE_MS)
    await readRows('ALTER TABLE events RENAME TO hidden')
    await moveAlarm(Date.now())
    const isRetry = (at: number | null) => at !== null && at > Date.now() + 500 && at < Date.now() + 10_000
    await until('the alarm has failed', alarmAt, isRetry)
    // Due before the alarm can find it: a run between the two statements would sleep until the old instant.
    await readRows('UPDATE hidden SET wake_at = 1')
    await readRows('ALTER TABLE hidden RENAME TO events')
    await settled(eventId)
  })
})

describe('a shard that is stopped at a statement', () => {
  /** Delivers one event, and stops the object before the given statement. False if the delivery took fewer statements. */
  async function deliver(killAt: number): Promise<boolean> {
    useNextShard()
    const eventId = await createDue(Date.now() + MINUTE_MS)
    await readRows('UPDATE events SET wake_at = 1')
    await shards.ask(shard, 'killAfter', killAt)
    await moveAlarm(Date.now())
    const isKilled = async () =>
      (await shards.ask<{ statements: number }>('isolate', 'counts')).statements >= killAt
    // The first question after the stop may fail: it is the one that finds the object gone.
    const isDone = () => alarmAt().then(isOfSuccessor, () => false)
    await until(
      'the object was stopped or is done',
      async () => (await isKilled()) || (await isDone()),
      Boolean,
    )
    const wasKilled = await isKilled()
    await shards.ask(shard, 'killAfter', null).catch(() => shards.ask(shard, 'killAfter', null))
    if (wasKilled) await healWithinMinute()
    await settled(eventId)
    await until('the alarm is set to the successor', alarmAt, isOfSuccessor)
    const rows = await readRows('SELECT status, count(*) FROM events GROUP BY status ORDER BY status')
    expect(rows).toEqual([
      ['COMPLETED', 1],
      ['PENDING', 1],
    ])
    expect(new Set(sink.arrivals.map(({ body, key }) => `${key} ${body}`)).size).toBe(1)
    expect(sink.arrivals.length).toBeLessThanOrEqual(2)
    return wasKilled
  }

  /** The alarm and every lease end within a minute: moves both to now. */
  async function healWithinMinute(): Promise<void> {
    const [[status, leaseUntil]] = (await readRows(
      'SELECT status, lease_until FROM events ORDER BY id LIMIT 1',
    )) as [[string, number | null]]
    if (status === 'COMPLETED') return
    const soon = Date.now() + MINUTE_MS
    expect(leaseUntil ?? 0).toBeLessThan(soon)
    expect((await alarmAt()) ?? Infinity).toBeLessThan(soon)
    await readRows(`UPDATE events SET lease_until = lease_until - ${MINUTE_MS} WHERE lease_until IS NOT NULL`)
    await moveAlarm(Date.now())
  }

  it('delivers within a minute, with equal bytes, one COMPLETED event and one successor', async () => {
    let killAt = 1
    while (await deliver(killAt)) killAt += 1
    expect(killAt).toBeGreaterThan(10)
  }, 240_000)
})
