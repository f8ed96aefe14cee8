// A new timezone table in a shard in workerd: events that are due leave first, and the others move page by page.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { NewPerson, Store } from '../../../../src/ports/store.ts'
import { SECRET } from '../../../channels/webhook/support/fixtures.ts'
import { HOUR, makePeople, makePerson } from '../../../support/fixtures.ts'
import { until } from '../../../support/until.ts'
import { type Shards, startShards } from '../../../support/workerd/shards.ts'
import { KEY } from '../../../support/workerd/terce.ts'
import { type Sink, startSink } from '../../support/sink.ts'

const ZONE = 'America/Vancouver'
/** Three pages of a replan and a part of a fourth. */
const PEOPLE = 3_500
const YEAR = new Date().getUTCFullYear() + 1
/** British Columbia stays at UTC-7 from 2026 on. */
const NINE = Date.parse(`${YEAR}-01-15T16:00:00Z`)

let sink: Sink
let shards: Shards
let shard = -1
let store: Store
/** Ends the response to a message that has arrived. */
let respond = () => {}

beforeAll(async () => {
  sink = await startSink((response) => {
    respond = () => response.end()
  })
  shards = await startShards({
    WEBHOOK_URL: sink.url,
    WEBHOOK_SECRET: SECRET,
    ALLOW_PRIVATE_TARGETS: 'true',
    SHARDS: '4',
    TERCE_API_KEYS: `tests:admin:${KEY}`,
  })
})
afterAll(async () => {
  await shards.stop()
  await sink.close()
})

beforeEach(async () => {
  shard += 1
  store = shards.storeOf(shard)
  sink.arrivals.length = 0
  // As a release with another law has left them.
  const plannedBefore = (person: NewPerson): NewPerson => ({
    ...person,
    events: person.events.map((event) => ({ ...event, tzVersion: '2000a', offsetSeconds: -28_800 })),
  })
  const people = makePeople(PEOPLE, () => ({
    timezone: ZONE,
    dateOfBirth: '1990-01-15',
    occurrence: `${YEAR}-01-15`,
    targetAt: NINE + HOUR,
  })).map(plannedBefore)
  for (let from = 0; from < PEOPLE; from += 500) await store.createUsers(people.slice(from, from + 500))
  const previous = { previousRules: null, previousVersion: null, changedAt: null, replanCursor: null }
  await store.saveZones([{ name: ZONE, rules: '-28800|0|', version: '2000a', ...previous }], { at: 1 })
})

const read = (sql: string) => shards.ask<unknown[][]>(shard, 'read', sql)
/** A call may find that the object was stopped, and is repeated. */
const startAlarm = () =>
  until(
    'the alarm is set',
    () =>
      shards.ask(shard, 'moveAlarm', Date.now()).then(
        () => true,
        () => false,
      ),
    Boolean,
  )
/** Statements that move a page, since `killAfter` was called. */
const countMoves = async () => (await shards.ask<{ statements: number }>('isolate', 'counts')).statements

async function countUnmoved(): Promise<number> {
  return (await read(`SELECT count(*) FROM events WHERE target_at = ${NINE + HOUR}`))[0]![0] as number
}

const allMoved = () => until('all events are moved', countUnmoved, (count) => count === 0)

describe('a shard with a new timezone table', () => {
  it('delivers what is due before it moves the events of other days', async () => {
    const due = makePerson({ targetAt: Date.now() + 500 })
    await store.createUsers([due])
    await sink.waitFor(1)
    // The receiver has not responded, and the replan waits for the settlement.
    expect(await countUnmoved()).toBe(PEOPLE)
    respond()
    await allMoved()
    expect(await read(`SELECT DISTINCT target_at, wake_at FROM events WHERE target_at = ${NINE}`)).toEqual([
      [NINE, NINE],
    ])
    expect(sink.arrivals).toHaveLength(1)
  })

  it('keeps the pages that were moved when it is stopped, and continues after them', async () => {
    // Before the statement that moves the third page.
    await shards.ask(shard, 'killAfter', 3, { only: 'UPDATE OR IGNORE events' })
    await startAlarm()
    await until('the object was stopped', countMoves, (count) => count >= 3)
    await startAlarm()
    await allMoved()
    // Two pages, the one that was stopped, and two more.
    expect(await countMoves()).toBe(5)
  })

  it('moves its events when the API is asked for a replan, also after it had nothing left to move', async () => {
    const replanByApi = async () =>
      expect(await shards.post('/tz/replan')).toMatchObject({ complete: false, moved: 0, zones: [] })
    await replanByApi()
    await allMoved()
    const isRecorded = async () => (await read(`SELECT version FROM timezones WHERE name = '${ZONE}'`))[0]![0]
    const release = await until('the timezone is recorded', isRecorded, (version) => version !== '2000a')
    // The check after an hour is over, and an object of the previous release plans again.
    await read(`UPDATE timezones SET replan_cursor = '${release} done' WHERE replan_cursor IS NULL`)
    const runToEnd = async () => {
      const alarmAt = await shards.ask<number | null>(shard, 'alarmAt')
      if (alarmAt !== null && alarmAt !== NINE) await startAlarm()
      return alarmAt
    }
    await until('the shard sleeps until its next event', runToEnd, (at) => at === NINE)
    await read(`UPDATE events SET target_at = target_at + ${HOUR}, wake_at = wake_at + ${HOUR},
      tz_version = '2000a', offset_seconds = -28800`)
    await replanByApi()
    await allMoved()
  })
})
