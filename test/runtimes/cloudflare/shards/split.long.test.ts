// Doubling the number of shards in workerd, while people are created and events fall due: each person and each message is in
// one place, also if an object is stopped at any statement.
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { bucketFrom, bucketOf, shardOf } from '../../../../src/domain/events/bucket.ts'
import type { DateOfBirth } from '../../../../src/domain/users/date-of-birth.ts'
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
import type { SplitMistake } from '../../../support/workerd/shard-entry.ts'
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
      'ledger_days',
      'ledger_keys',
      'sessions',
      'templates',
      'timezones',
      'workers',
    ]
    const derived = ['user_words', 'zone_counts']
    const migrations = ['migrations', 'schema_migrations', 'sqlite_sequence']
    expect(tables.flat().sort()).toEqual([...TABLES_OF_PEOPLE, ...settings, ...derived, ...migrations].sort())
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

  it('moves a row of each table of people with its person', async () => {
    const index = 9
    const { user, bucket, had, read } = await createWithRows(index)
    await split(index)
    expect(await countsIn(index, index + SPLIT_TO / 2)).toEqual([NO_ROWS, had])
    const [old, known] = [shards.storeOf(index), shards.storeOf(index + SPLIT_TO / 2, SPLIT_TO)]
    for (const view of [old, shards.storeOf(index, SPLIT_TO / 2), known]) {
      expect(await view.readPerson(user.id)).toEqual(read)
      expect(await view.findResponse('one request', 0, bucket)).toMatchObject({ status: 201 })
      expect(await view.findFeed('hash')).toMatchObject({ userId: user.id })
    }
    expect(await shards.storeOf(index, SPLIT_TO).findUser(user.id)).toBeNull()
  })

  it('numbers later journal entries apart from those of the old shard', async () => {
    const index = 13
    const store = shards.storeOf(index)
    const { user } = personIn(bucketFrom(index + SPLIT_TO / 2), Date.now() + 3_600_000)
    await store.createUsers([{ user, occasions: [], events: [] }])
    const change = (year: number, version: number) =>
      store.updateUser({
        user: { ...user, dateOfBirth: `${year}-01-01` as DateOfBirth, version },
        reschedules: null,
      })
    expect(await change(1970, 2)).toBe('updated')
    await split(index)
    expect(await change(1971, 3)).toBe('updated')
    const entries = await store.readJournal({ kinds: ['person-changed'], from: 0 })
    expect(entries.map(({ before }) => before.dateOfBirth)).toEqual([user.dateOfBirth, '1970-01-01'])
    expect(entries[0]!.number).toBeLessThan(2 ** 36)
    expect(entries[1]!.number).toBeGreaterThan(Math.log2(SPLIT_TO) * 2 ** 36)
  })

  it('has each person in one shard, whichever statement the move is stopped at', async () => {
    let killed = 0
    for (let at = 1; ; at += 1) {
      const { wasKilled, found, expected } = await splitStoppedAt(at)
      expect(found).toEqual(expected)
      if (!wasKilled) break
      killed += 1
    }
    // A move has more statements than a bucket has tables.
    expect(killed).toBeGreaterThan(2 * TABLES_OF_PEOPLE.length)
  })
})

describe('a planted mistake is found', () => {
  const plant = (mistake: SplitMistake | null) => shards.ask(0, 'plant', mistake)
  afterEach(() => plant(null))

  it.each<[SplitMistake, number]>([
    ['a table is forgotten', 10],
    ['no rows are copied', 11],
    ['old rows stay', 12],
  ])('by the rows in both shards: %s', async (mistake, index) => {
    const { had } = await createWithRows(index)
    await plant(mistake)
    await split(index)
    expect(await countsIn(index, index + SPLIT_TO / 2)).not.toEqual([NO_ROWS, had])
  })
})

/** Twice the number of shards, for shards that are split alone. */
const SPLIT_TO = 1_024
const NO_ROWS = TABLES_OF_PEOPLE.map(() => 0)

/** Rows that a delivered event of a person does not have. */
const OTHER_ROWS = [
  `INSERT INTO attempts (event_id, number, claimed_by, started_at, finished_at, error)
    SELECT id, 1, 'worker', 1, 2, 'HTTP 503' FROM events LIMIT 1`,
  `INSERT INTO moves (occasion_id, event_id, version, cause, moved_at)
    SELECT occasion_id, id, version, 'person', 1 FROM events LIMIT 1`,
  `INSERT INTO tasks (id, user_id, title, due_at, due_revision, remind_before_ms, created_at, updated_at, version)
    SELECT id, user_id, 'Call', 1, 1, 0, 1, 1, 1 FROM occasions LIMIT 1`,
  `INSERT INTO journal (at, kind, user_id, details) SELECT 1, 'person-changed', id, '{}' FROM users LIMIT 1`,
  `INSERT INTO journal (at, kind, occasion_id, details)
    SELECT 1, 'occasion-changed', id, '{}' FROM occasions LIMIT 1`,
  `INSERT INTO ledger_lines (day, commitment, place, occasion_id)
    SELECT '2026-01-01', 'commitment', 'delivered', id FROM occasions LIMIT 1`,
  `INSERT INTO ledger_occasions (occasion_id) SELECT id FROM occasions LIMIT 1`,
]

/** A person of a bucket that leaves the shard, with rows in every table of people. */
async function createWithRows(index: number) {
  const bucket = bucketFrom(index + SPLIT_TO / 2)
  const store = shards.storeOf(index)
  const person = addOccasion(personIn(bucket, Date.now()), { type: 'ANNIVERSARY' }, Date.now() + 3_600_000)
  const { user } = person
  const stored = { fingerprint: '', status: 201, body: '{}', createdAt: 1, forgetBefore: 0 }
  await store.createUsers([person], { key: 'one request', ...stored })
  await store.createFeed({ id: newId(1, bucket), tokenHash: 'hash', userId: user.id, createdAt: 1 })
  await until(
    'the event is delivered',
    () => store.findEvent(person.events[0]!.id),
    (found) => found?.event.status === 'COMPLETED',
  )
  for (const rows of OTHER_ROWS) await rowsOf(index, rows)
  const [had] = await countsIn(index)
  // A table without rows would show nothing.
  expect(had).not.toContain(0)
  return { user, bucket, had, read: await store.readPerson(user.id) }
}

/** The number of rows in each table of people. */
async function countsIn(...indexes: number[]) {
  // Each shard has entries of its own for the rules of timezones.
  const ofPeople = (table: string) => (table === 'journal' ? `journal WHERE kind <> 'zone-changed'` : table)
  const counts = TABLES_OF_PEOPLE.map((table) => `(SELECT count(*) FROM ${ofPeople(table)})`).join(', ')
  return Promise.all(indexes.map(async (index) => (await rowsOf(index, `SELECT ${counts}`))[0]))
}

async function split(index: number): Promise<void> {
  const isSplit = async () => {
    const plan = { index, to: SPLIT_TO }
    const done = await shards.ask<boolean>(index, 'split', plan).catch(() => false)
    // An object that was stopped has an alarm 45 s later.
    if (!done) await shards.ask(index, 'moveAlarm', Date.now()).catch(() => {})
    return done
  }
  await until('the shard is split', isSplit, (done) => done)
}

let nextIndex = 16

/** Splits a shard of two people, one of whom leaves it, with a stop at a statement of the move. */
async function splitStoppedAt(at: number) {
  const index = nextIndex++
  const later = Date.now() + 3_600_000
  const people = [0, 1].map((i) => personIn(bucketFrom(index + (i * SPLIT_TO) / 2), later))
  await shards.storeOf(index).createUsers(people)
  // The first statement of a move, after those of the engine.
  await shards.ask(index, 'killAfter', at, { from: 'substr(id, -4) >= ' })
  await split(index)
  const { statements } = await shards.ask<{ statements: number }>('isolate', 'counts')
  await shards.ask(index, 'killAfter', null)
  const places = [index, index + SPLIT_TO / 2].map(async (i) => (await statesIn(i)).map(([id]) => id))
  return {
    wasKilled: statements >= at,
    found: await Promise.all(places),
    expected: people.map(({ user }) => [user.id]),
  }
}
