// Whole months of the history are dropped, and the rows that must stay are kept.
import pg from 'pg'
import { describe, expect, it } from 'vitest'
import { pruneHistory } from '../../../../src/app/events/prune.ts'
import { connect } from '../../../../src/stores/postgres/connection.ts'
import { createMonths, dropMonth, readMonths } from '../../../../src/stores/postgres/events/months.ts'
import type { PostgresStore } from '../../../../src/stores/postgres/postgres-store.ts'
import { attemptsOf, claimAt, create, delivered, eventsOf, retry } from '../../../contracts/store/steps.ts'
import { DAY, HOUR, makePeople, makePerson, newId, T0, YEAR } from '../../../support/fixtures.ts'
import { query } from '../support/audit.ts'
import { createPastMonths } from '../support/past-months.ts'
import { useStage } from '../support/postgres-suite.ts'

const stage = useStage()
const sql = <T extends object>(text: string) => query<T>(stage.database(), text)

/** A store whose history has a partition for each month from June 2018 to July 2020. */
async function openWithMonths(): Promise<PostgresStore> {
  const store = await stage.open()
  await createPastMonths(stage.database(), '2018-06', 26)
  return store
}

/** Delivers all due events once a year, up to T0, each time at the second attempt. */
async function deliverYearly(store: PostgresStore, from: number): Promise<void> {
  for (let at = from; at <= T0; at += YEAR) {
    await store.settle((await claimAt(store, at)).map((claim) => retry(claim, at + HOUR)))
    await store.settle((await claimAt(store, at + HOUR)).map((claim) => delivered(claim)))
  }
}

const partitionsOf = async (table: string, column = 'id') =>
  Object.fromEntries(
    (
      await sql<{ name: string; count: number }>(
        `SELECT tableoid::regclass::text AS name, count(${column})::int FROM terce.${table} GROUP BY 1 ORDER BY 1`,
      )
    ).map(({ name, count }) => [name.replace('terce.', ''), count]),
  )

const monthNames = async () =>
  (
    await sql<{ name: string }>(`SELECT name FROM terce.history_months('settled_events') ORDER BY before_id`)
  ).map(({ name }) => name)

function connection() {
  const opened = connect(stage.database(), { connections: 2 })
  stage.atEnd(() => opened.pool.end())
  return opened
}

describe('pruning by months', () => {
  it('drops a month whose events all have later ones, with their bodies, attempts and moves', async () => {
    const store = await openWithMonths()
    const person = makePerson({ targetAt: T0 - 2 * YEAR })
    await create(store, person)
    await deliverYearly(store, T0 - 2 * YEAR)
    const [first, , last] = await eventsOf(store, person.user.id)
    await sql(`INSERT INTO terce.moves (occasion_id, event_id, version, cause, moved_at)
      SELECT occasion_id, id, 2, 'TEST', now() FROM terce.settled_events WHERE id = '${first!.id}'`)
    const before = T0 - 300 * DAY
    expect(await store.countPrunable(before)).toBe(2)
    expect(await pruneHistory(store, before)).toBe(2)
    expect(await store.countPrunable(before)).toBe(0)
    expect(await partitionsOf('settled_events')).toEqual({ settled_events_2020_06: 1 })
    expect(await partitionsOf('payloads', 'event_id')).toEqual({ payloads_2020_06: 1 })
    expect(await attemptsOf(store, first!.id)).toEqual([])
    expect(await attemptsOf(store, last!.id)).toHaveLength(2)
    expect(await sql('SELECT * FROM terce.moves')).toEqual([])
    const names = await monthNames()
    expect(names).not.toContain('settled_events_2019_06')
    expect(names).toContain('settled_events_2019_08')
  })

  it('keeps the last settled event of each occasion, its body and its attempts', async () => {
    const store = await openWithMonths()
    const people = makePeople(3, () => ({ targetAt: T0 - YEAR }))
    await create(store, ...people)
    const claims = await claimAt(store, T0 - YEAR)
    await store.settle(claims.map((claim) => retry(claim, T0 - YEAR + HOUR)))
    for (const [i, claim] of (await claimAt(store, T0 - YEAR + HOUR)).entries())
      await store.settle([delivered(claim, i === 0 ? {} : { successor: null })])
    await store.settle((await claimAt(store, T0)).map((claim) => delivered(claim)))
    const ids = claims.map(({ id }) => id)
    const kept = await Promise.all(ids.slice(1).map((id) => store.findEvent(id)))
    expect(await pruneHistory(store, T0 + 300 * DAY)).toBe(1)
    expect(await store.findEvent(ids[0]!)).toBeNull()
    expect(await Promise.all(ids.slice(1).map((id) => store.findEvent(id)))).toEqual(kept)
    expect(kept.map((found) => found?.attempts.length)).toEqual([2, 2])
    expect(await partitionsOf('settled_events')).toMatchObject({ settled_events_other: 3 })
    expect(await partitionsOf('payloads', 'event_id')).toMatchObject({ payloads_other: 3 })
    const { plans } = (await store.readPerson(people[1]!.user.id))!
    expect(plans[0]!.lastSettled).toMatchObject({ targetAt: T0 - YEAR })
  })

  it('keeps an event that was settled after the instant, until it is old itself', async () => {
    const store = await openWithMonths()
    await create(store, makePerson({ targetAt: T0 - 2 * YEAR }))
    const [claim] = await claimAt(store, T0 - 2 * YEAR)
    await store.settle([delivered(claim!, { at: T0 - 10 * DAY })])
    await deliverYearly(store, T0 - YEAR)
    expect(await pruneHistory(store, T0 - 300 * DAY)).toBe(1)
    expect(await partitionsOf('settled_events')).toEqual({
      settled_events_2020_06: 1,
      settled_events_other: 1,
    })
    expect(await pruneHistory(store, T0 - 9 * DAY)).toBe(1)
  })

  it('keeps the body of an open event that was first due in the month', async () => {
    const store = await openWithMonths()
    await create(store, makePerson({ targetAt: T0 - 2 * YEAR }))
    const [claim] = await claimAt(store, T0 - 2 * YEAR)
    await store.settle([retry(claim!, T0 + DAY)])
    await pruneHistory(store, T0)
    expect(await monthNames()).not.toContain('settled_events_2018_06')
    const [again] = await claimAt(store, T0 + DAY)
    expect(again!.body).toBe(claim!.body)
    const { settled } = await store.settle([delivered(again!)])
    expect(settled).toEqual([claim!.id])
    expect((await store.findEvent(claim!.id))!.attempts).toHaveLength(2)
  })

  it('keeps an event that was settled between the search and the drop', async () => {
    const store = await openWithMonths()
    const searchedAt = Date.now() - HOUR
    await create(store, makePerson({ targetAt: T0 - 2 * YEAR }), makePerson({ targetAt: T0 - 2 * YEAR }))
    const [old, late] = await claimAt(store, T0 - 2 * YEAR)
    await store.settle([delivered(old!), delivered(late!, { at: Date.now() })])
    await dropMonth(connection(), { name: 'settled_events_2018_06', kept: [], searchedAt })
    expect(await store.findEvent(late!.id)).not.toBeNull()
    expect(await store.findEvent(old!.id)).toBeNull()
  })

  it('leaves a month alone of which only a part is older', async () => {
    const store = await openWithMonths()
    await create(store, makePerson({ targetAt: T0 - YEAR }))
    await deliverYearly(store, T0 - YEAR)
    for (const before of [T0 - YEAR + 20 * DAY, Date.UTC(2019, 6, 1, 23)]) {
      expect(await store.countPrunable(before)).toBe(0)
      expect(await pruneHistory(store, before)).toBe(0)
    }
    expect(await pruneHistory(store, Date.UTC(2019, 6, 2))).toBe(1)
  })

  /** Copies of the settled events before T0, each of an occasion of its own. */
  const addKept = (count: number) =>
    sql(`INSERT INTO terce.settled_events SELECT s.* FROM terce.settled_events AS old, generate_series(1, ${count}) AS n,
        jsonb_populate_record(old, jsonb_build_object('occasion_id', gen_random_uuid(),
          'id', overlay(old.id::text placing lpad(to_hex(n), 12, '0') from 25))) AS s
      WHERE old.id < '${newId(T0 - DAY)}';
    INSERT INTO terce.payloads SELECT id, 'body of ' || id FROM terce.settled_events ON CONFLICT DO NOTHING`)

  it('keeps more than a few events in a partition of their own, with their bodies, and prunes it no second time', async () => {
    const store = await openWithMonths()
    await create(store, makePerson({ targetAt: T0 - YEAR }))
    await deliverYearly(store, T0 - YEAR)
    await addKept(201)
    const [old] = await sql<{ id: string }>('SELECT id FROM terce.settled_events ORDER BY id LIMIT 1')
    expect(await store.countPrunable(T0)).toBe(1)
    expect(await pruneHistory(store, T0)).toBe(1)
    expect(await partitionsOf('settled_events')).toEqual({
      settled_events_2019_06_kept: 201,
      settled_events_2020_06: 1,
    })
    expect(await partitionsOf('payloads', 'event_id')).toEqual({
      payloads_2019_06_kept: 201,
      payloads_2020_06: 1,
    })
    expect(await sql(`SELECT body FROM terce.payloads WHERE event_id = '${old!.id}'`)).toHaveLength(1)
    const names = await monthNames()
    expect(await pruneHistory(store, T0)).toBe(0)
    expect(await monthNames()).toEqual(names)
  })

  it('deletes one by one where more events stay than can be copied under a lock', async () => {
    const store = await openWithMonths()
    await create(store, makePerson({ targetAt: T0 - YEAR }))
    await deliverYearly(store, T0 - YEAR)
    await addKept(50_001)
    expect(await pruneHistory(store, T0)).toBe(1)
    expect(await partitionsOf('settled_events')).toEqual({
      settled_events_2019_06: 50_001,
      settled_events_2020_06: 1,
    })
  }, 120_000)

  it('goes on after the events that stay when it is called again, and starts again when it has reached the end', async () => {
    const store = await stage.open()
    await create(store, ...makePeople(3, () => ({ targetAt: T0 - 3 * YEAR })))
    const once = await claimAt(store, T0 - 3 * YEAR)
    await store.settle(once.map((claim, i) => delivered(claim, i === 2 ? {} : { successor: null })))
    await deliverYearly(store, T0 - 2 * YEAR)
    const prune = (limit: number) => store.prune({ before: T0 + DAY, limit })
    expect([await prune(1), await prune(1), await prune(1), await prune(1)]).toEqual([1, 1, 1, 0])
    // The first of those that stayed gets a later one.
    await sql(
      `UPDATE terce.settled_events SET occasion_id = '${once[0]!.occasion.id}' WHERE target_at = to_timestamp(${T0 / 1000})`,
    )
    expect([await prune(1), await prune(1)]).toEqual([1, 0])
  })

  it('is retried until a long transaction has ended, while others settle', async () => {
    const store = await openWithMonths()
    await create(store, makePerson({ targetAt: T0 - YEAR }))
    await deliverYearly(store, T0 - YEAR)
    const reader = new pg.Client(stage.database())
    await reader.connect()
    stage.atEnd(() => reader.end())
    await reader.query('BEGIN; SELECT count(*) FROM terce.settled_events')
    const pruned = pruneHistory(store, T0 - 300 * DAY)
    for (let i = 0; i < 10; i++) {
      await create(store, makePerson({ targetAt: T0 }))
      await store.settle((await claimAt(store, T0)).map((claim) => delivered(claim)))
    }
    expect(await monthNames()).toContain('settled_events_2019_06')
    await reader.query('COMMIT')
    expect(await pruned).toBe(1)
  })

  it('leaves nothing of a person who is deleted: neither in the months nor among the kept events', async () => {
    const store = await openWithMonths()
    const person = makePerson({ targetAt: T0 - 2 * YEAR })
    await create(store, person)
    await deliverYearly(store, T0 - 2 * YEAR)
    const once = makePerson({ targetAt: T0 - YEAR })
    await create(store, once)
    await store.settle(
      (await claimAt(store, T0 - YEAR)).map((claim) => delivered(claim, { successor: null })),
    )
    await pruneHistory(store, T0 - 300 * DAY)
    expect(await partitionsOf('settled_events')).toEqual({
      settled_events_2020_06: 1,
      settled_events_other: 1,
    })
    for (const { user } of [person, once]) await store.deleteUser(user.id, T0)
    for (const [table, column] of [
      ['settled_events', 'id'],
      ['payloads', 'event_id'],
      ['attempts', 'event_id'],
    ])
      expect(await sql(`SELECT ${column} FROM terce.${table}`)).toEqual([])
  })
})

describe('the partitions of the next months', () => {
  const forget = (name: string) => sql(`DROP TABLE terce.settled_events_${name}, terce.payloads_${name}`)
  const suffix = (name: string) => name.replace('settled_events_', '')

  it('are created for three months, by one of many processes that start at once', async () => {
    await stage.open()
    const created = await monthNames()
    expect(created).toHaveLength(4)
    await forget(suffix(created.at(-1)!))
    await Promise.all(Array.from({ length: 5 }, () => stage.open()))
    expect(await monthNames()).toEqual(created)
  })

  it('get the rows that the default partition has of them', async () => {
    const store = await stage.open()
    const last = (await readMonths(connection(), 'settled_events')).at(-1)!
    await forget(suffix(last.name))
    const person = makePerson({ targetAt: T0 })
    await create(store, person)
    const [claim] = await claimAt(store, T0)
    await store.settle([delivered(claim!)])
    await sql(
      `UPDATE terce.settled_events SET id = '${last.fromId}'; UPDATE terce.payloads SET event_id = '${last.fromId}'`,
    )
    expect(await partitionsOf('settled_events')).toEqual({ settled_events_other: 1 })
    await createMonths(connection())
    expect(await partitionsOf('settled_events')).toEqual({ [last.name]: 1 })
    expect((await store.findEvent(last.fromId!))!.event.deliveryPayload).toBe(claim!.body)
  })

  it('are left out if the default partition has more rows of them than can be moved under a lock', async () => {
    await stage.open()
    const last = (await readMonths(connection(), 'settled_events')).at(-1)!
    await forget(suffix(last.name))
    await sql(`INSERT INTO terce.payloads SELECT overlay('${last.fromId}' placing lpad(to_hex(n), 12, '0') from 25)::uuid, ''
      FROM generate_series(1, 1001) AS n`)
    await createMonths(connection())
    expect(await monthNames()).toContain(last.name)
    expect(await partitionsOf('payloads', 'event_id')).toEqual({ payloads_other: 1001 })
  })
})

describe('an occurrence that was settled in another month', () => {
  it('is not settled a second time by an event that was planned again', async () => {
    const store = await openWithMonths()
    const person = makePerson({ targetAt: T0 - YEAR })
    await create(store, person)
    const [first] = await claimAt(store, T0 - YEAR)
    await store.settle([delivered(first!)])
    // No operation of the store makes this: the open event gets the occurrence of the settled one.
    await sql(`UPDATE terce.events SET occurrence = '${first!.occurrence}', plan_revision = 1`)
    const [second] = await claimAt(store, T0)
    const { settled } = await store.settle([delivered(second!)])
    expect(settled).toEqual([second!.id])
    const rows = await sql(`SELECT id FROM terce.settled_events WHERE occurrence = '${first!.occurrence}'`)
    expect(rows).toEqual([{ id: first!.id }])
  })
})
