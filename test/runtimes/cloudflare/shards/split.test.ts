// Doubling the number of shards in workerd, while people are created and events fall due: each person and each message is in
// one place, also if an object is stopped at any statement.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bucketFrom, bucketOf, shardOf } from '../../../../src/domain/events/bucket.ts'
import type { NewPerson, Store } from '../../../../src/ports/store.ts'
import { TABLES_OF_PEOPLE } from '../../../../src/stores/durable-object/bucket-rows.ts'
import { openShardedStore } from '../../../../src/stores/sharded/sharded-store.ts'
import { SECRET } from '../../../channels/webhook/support/fixtures.ts'
import {
  addOccasion,
  makeOccasion,
  makePerson,
  makePlanned,
  newId,
  SECOND,
} from '../../../support/fixtures.ts'
import { until } from '../../../support/until.ts'
import { type Shards, startShards } from '../../../support/workerd/shards.ts'
import { type Sink, startSink } from '../../support/sink.ts'

const FROM = 4
const TO = 8

let sink: Sink
let shards: Shards

const settingsWith = (count: number) => ({
  WEBHOOK_URL: sink.url,
  WEBHOOK_SECRET: SECRET,
  ALLOW_PRIVATE_TARGETS: 'true',
  RETRY: '1s,2s,4s',
  SHARDS: String(count),
  LOG_LEVEL: 'silent',
})

beforeAll(async () => {
  sink = await startSink()
  shards = await startShards(settingsWith(FROM))
})
afterAll(async () => {
  await shards.stop()
  await sink.close()
})

/** The store of a caller that divides people by this number of shards. */
function storeOver(count: number): Store {
  const stores = Array.from({ length: count }, (_, index) => shards.storeOf(index, count))
  return openShardedStore({
    shards: { count: () => count, store: (index) => stores[index]! },
    registry: shards.storeOf('registry'),
  })
}

/** A person of the bucket with an event due at that instant. */
function personIn(bucket: string, targetAt: number): NewPerson {
  const person = makePerson({ targetAt })
  const user = { ...person.user, id: newId(targetAt, bucket) }
  const occasion = makeOccasion(user)
  return { user, occasions: [occasion], events: [makePlanned(occasion, user, targetAt)] }
}

const rowsOf = (index: number, sql: string) => shards.ask<(string | number)[][]>(index, 'read', sql)

const STATES = `SELECT o.user_id, group_concat(e.status) FROM occasions AS o
  JOIN (SELECT * FROM events ORDER BY id) AS e ON e.occasion_id = o.id GROUP BY o.id`

/** The person of every occasion in a shard, with the states of its events in their order. */
async function statesIn(index: number): Promise<[string, string][]> {
  return (await rowsOf(index, STATES)) as [string, string][]
}

describe('a shard that is split', () => {
  it('moves each table that has rows of people, and keeps no other', async () => {
    const tables = await rowsOf(
      0,
      `SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE '\\_%' ESCAPE '\\'`,
    )
    const settings = [
      'api_keys',
      'audit_entries',
      'channels',
      'sessions',
      'templates',
      'timezones',
      'workers',
    ]
    const derived = ['user_words', 'zone_counts']
    const ledger = ['migrations', 'schema_migrations']
    expect(tables.flat().sort()).toEqual([...TABLES_OF_PEOPLE, ...settings, ...derived, ...ledger].sort())
  })

  it('loses and doubles no person and no message, while people are created and events fall due', async () => {
    const before = storeOver(FROM)
    const now = Date.now()
    const dueLater = (count: number) =>
      Array.from({ length: count }, (_, i) =>
        personIn(bucketFrom(Math.random() * 0x1_0000), now + (i % 8) * SECOND),
      )
    expect(await shards.ask<number>('registry', 'shardCount')).toBe(FROM)
    await shards.deploy(settingsWith(TO))
    const people = dueLater(400)
    await before.createUsers(people)
    const count = () => shards.ask<number>('registry', 'shardCount')
    // The registry begins at its first call after the deployment.
    expect(await count()).toBe(FROM)
    while ((await count()) < TO) {
      const more = dueLater(10)
      people.push(...more)
      expect(await before.createUsers(more)).toEqual({ kind: 'created', created: 10 })
      const { user } = people[Math.floor(Math.random() * people.length)]!
      expect(await before.findUser(user.id)).toMatchObject({ id: user.id })
    }
    await until(
      'every event is delivered',
      async () => (await Promise.all(Array.from({ length: TO }, (_, i) => statesIn(i)))).flat(),
      (states) => states.every(([, status]) => status === 'COMPLETED,PENDING'),
    )
    const found: string[] = []
    for (let index = 0; index < TO; index++)
      for (const [userId] of await statesIn(index)) {
        expect(shardOf(bucketOf(userId), TO)).toBe(index)
        found.push(userId)
      }
    expect(found.sort()).toEqual(people.map(({ user }) => user.id).sort())
    expect(sink.arrivals).toHaveLength(people.length)
    expect(new Set(sink.arrivals.map(({ key }) => key)).size).toBe(people.length)
    const list = (store: Store) => store.listUsers({ limit: 10_000, cursor: null })
    const ids = (await list(before)).items.map(({ id }) => id)
    expect(ids).toEqual((await list(storeOver(TO))).items.map(({ id }) => id))
    expect(ids).toHaveLength(people.length)
  })

  it('moves occasions, tasks, bodies, attempts, moves, feeds and stored responses with their person', async () => {
    const [index, to] = [9, 1_024]
    const bucket = bucketFrom(index + to / 2)
    const store = shards.storeOf(index)
    const person = addOccasion(personIn(bucket, Date.now()), { type: 'ANNIVERSARY' }, Date.now() + 3_600_000)
    const response = {
      key: 'one request',
      fingerprint: '',
      status: 201,
      body: '{}',
      createdAt: 1,
      forgetBefore: 0,
    }
    await store.createUsers([person], response)
    const { user } = person
    await store.createFeed({ id: newId(1, bucket), tokenHash: 'hash', userId: user.id, createdAt: 1 })
    await until(
      'the event is delivered',
      () => store.findEvent(person.events[0]!.id),
      (found) => found?.event.status === 'COMPLETED',
    )
    const counts = TABLES_OF_PEOPLE.map((table) => `(SELECT count(*) FROM ${table})`).join(', ')
    const [had] = await rowsOf(index, `SELECT ${counts}`)
    const person1 = await store.readPerson(user.id)
    await until(
      'the shard is split',
      () => shards.ask<boolean>(index, 'split', { index, to }),
      (done) => done,
    )
    expect(await rowsOf(index, `SELECT ${counts}`)).toEqual([TABLES_OF_PEOPLE.map(() => 0)])
    expect(await rowsOf(index + to / 2, `SELECT ${counts}`)).toEqual([had])
    for (const view of [store, shards.storeOf(index, to / 2), shards.storeOf(index + to / 2, to)]) {
      expect(await view.readPerson(user.id)).toEqual(person1)
      expect(await view.findResponse('one request', 0, bucket)).toMatchObject({ status: 201 })
      expect(await view.findFeed('hash')).toMatchObject({ userId: user.id })
    }
    expect(await shards.storeOf(index, to).findUser(user.id)).toBeNull()
  })

  it('has each person in one shard, whichever statement the move is stopped at', async () => {
    const to = 1_024
    let killed = true
    for (let at = 1, index = 16; killed; at += 1, index += 1) {
      const store = shards.storeOf(index)
      const later = Date.now() + 3_600_000
      const people = [0, 1].map((i) => personIn(bucketFrom(index + (i * to) / 2), later))
      await store.createUsers(people)
      await shards.ask(index, 'killAfter', at)
      const isSplit = async () => {
        const done = await shards.ask<boolean>(index, 'split', { index, to }).catch(() => false)
        // An object that was stopped has an alarm 45 s later.
        if (!done) await shards.ask(index, 'moveAlarm', Date.now()).catch(() => {})
        return done
      }
      await until('the shard is split', isSplit, (done) => done)
      killed = (await shards.ask<number>('isolate', 'statements')) >= at
      await shards.ask(index, 'killAfter', null)
      const places = await Promise.all(
        [index, index + to / 2].map(async (i) => (await statesIn(i)).map(([id]) => id)),
      )
      expect(places).toEqual(people.map(({ user }) => [user.id]))
    }
  })
})
