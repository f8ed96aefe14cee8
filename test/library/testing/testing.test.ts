// The promises of terce/testing, on SQLite in memory, in a file, and on PostgreSQL.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'
import { afterEach, describe, expect, it } from 'vitest'
import { PermanentError } from '../../../src/library/handlers/handler.ts'
import { createTestTerce, type TestOptions, type TestTerce } from '../../../src/library/testing/testing.ts'
import { useStage } from '../../stores/postgres/support/postgres-suite.ts'
import { type Greeting, greetingsOf, randomPeople, sorted } from './support/people.ts'

const stage = useStage()
const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

type Options = Pick<TestOptions, 'now' | 'settings' | 'seed'>
// biome-ignore lint/suspicious/noExplicitAny: the homes have different transactions.
type Tx = any
type Home = {
  terce: TestTerce<Tx>
  /** The table of the application. */
  insert(tx: Tx, note: string): Promise<void>
  notes(): Promise<string[]>
}

const TABLE = 'CREATE TABLE greetings (note text NOT NULL)'
const INSERT = 'INSERT INTO greetings VALUES'
const SELECT = 'SELECT note FROM greetings ORDER BY note'
const noteOf = ({ note }: { note: string }) => note

async function inMemory(options: Options): Promise<Home> {
  const terce = await createTestTerce(options)
  cleanups.push(() => terce.stop())
  terce.sqlite.exec(TABLE)
  return {
    terce,
    insert: async (tx, note) => void tx.prepare(`${INSERT} (?)`).run(note),
    notes: async () => terce.sqlite.prepare(SELECT).all().map(noteOf),
  }
}

async function inFile(options: Options): Promise<Home> {
  const folder = mkdtempSync(join(tmpdir(), 'terce-testing-'))
  cleanups.push(() => rmSync(folder, { recursive: true }))
  const path = join(folder, 'app.db')
  const db = new DatabaseSync(path)
  cleanups.push(() => db.close())
  db.exec(TABLE)
  const terce = await createTestTerce<DatabaseSync>({ ...options, database: path })
  cleanups.push(() => terce.stop())
  return {
    terce,
    insert: async (tx, note) => void tx.prepare(`${INSERT} (?)`).run(note),
    notes: async () => (db.prepare(SELECT).all() as { note: string }[]).map(noteOf),
  }
}

async function onPostgres(options: Options): Promise<Home> {
  const pool = new pg.Pool({ connectionString: stage.database(), max: 5 })
  cleanups.push(() => pool.end())
  await pool.query(TABLE)
  const terce = await createTestTerce({ ...options, database: pool })
  cleanups.push(() => terce.stop())
  return {
    terce,
    insert: async (tx, note) => void (await tx.query(`${INSERT} ($1)`, [note])),
    notes: async () => (await pool.query(SELECT)).rows.map(noteOf),
  }
}

const ADA = {
  externalId: 'ada',
  firstName: 'Ada',
  lastName: 'Lovelace',
  dateOfBirth: '1992-02-28',
  timezone: 'America/New_York',
}
const NOW = '2027-02-27T12:00:00Z'
const NINE = '2027-02-28T14:00:00.000Z'

describe.each([
  ['SQLite in memory', inMemory],
  ['a SQLite file', inFile],
  ['PostgreSQL', onPostgres],
])('a Terce for tests on %s', (_, home) => {
  it('delivers a birthday at nine local time, and not a millisecond before', async () => {
    const { terce, insert, notes } = await home({ now: NOW })
    terce.on('BIRTHDAY', (event, { tx }) => insert(tx, `${event.message} ${terce.clock.now()}`))
    await terce.users.create(ADA)
    await terce.clock.advanceTo(Date.parse(NINE) - 1)
    expect([terce.deliveries, await notes()]).toEqual([[], []])
    await terce.clock.advanceTo('2027-02-28T09:00', 'America/New_York')
    expect(terce.deliveries).toEqual([
      {
        type: 'BIRTHDAY',
        externalId: 'ada',
        occurrence: '2027',
        at: NINE,
        localTime: '2027-02-28T09:00:00-05:00',
        attempt: 1,
        channel: 'handlers',
        idempotencyKey: expect.any(String),
        body: expect.objectContaining({ targetTimestampUTC: NINE, lateBySeconds: 0 }),
      },
    ])
    expect(await notes()).toEqual([`Hey, Ada Lovelace it's your birthday ${Date.parse(NINE)}`])
    const events = []
    for await (const { status, occurrence } of terce.events.list()) events.push(`${occurrence} ${status}`)
    expect(events.sort()).toEqual(['2027 COMPLETED', '2028 PENDING'])
  })

  it('delivers three birthdays within three years, at their own instants', async () => {
    const { terce } = await home({ now: NOW })
    await terce.users.create({ ...ADA, dateOfBirth: '1992-02-29' })
    await terce.clock.advanceTo('2030-02-27T00:00:00Z')
    expect(terce.deliveries.map(({ localTime }) => localTime)).toEqual([
      '2027-03-01T09:00:00-05:00',
      '2028-02-29T09:00:00-05:00',
      '2029-03-01T09:00:00-05:00',
    ])
    expect(terce.clock.now()).toBe(Date.parse('2030-02-27T00:00:00Z'))
  })

  it('retries a handler that throws after the waits of the settings, and rolls its writes back', async () => {
    const { terce, insert, notes } = await home({ now: NOW, settings: { RETRY: '10s,60s' } })
    const seen: number[] = []
    terce.on('BIRTHDAY', async (_event, { tx, attempt }) => {
      seen.push(terce.clock.now() - Date.parse(NINE))
      await insert(tx, `attempt ${attempt}`)
      if (attempt < 3) throw new Error(`no ${attempt}`)
    })
    await terce.users.create(ADA)
    await terce.clock.advanceTo(NINE)
    expect([seen, terce.deliveries]).toEqual([[0], []])
    await terce.clock.advanceBy({ days: 1 })
    const [, first, second] = seen as [number, number, number]
    expect(seen).toHaveLength(3)
    // A wait is random, up to half as long again.
    expect(first).toBeGreaterThanOrEqual(10_000)
    expect(first).toBeLessThan(20_000)
    expect(second - first).toBeGreaterThanOrEqual(60_000)
    expect(await notes()).toEqual(['attempt 3'])
    expect(terce.failures.map(({ attempt, error }) => [attempt, (error as Error).message])).toEqual([
      [1, 'no 1'],
      [2, 'no 2'],
    ])
    expect(terce.deliveries).toMatchObject([
      { attempt: 3, at: new Date(Date.parse(NINE) + second).toISOString() },
    ])
  })

  it('fails an event for good if its handler throws a PermanentError, and plans the next year', async () => {
    const { terce } = await home({ now: NOW })
    terce.on('*', () => {
      throw new PermanentError('no such account')
    })
    await terce.users.create(ADA)
    await terce.clock.advanceTo('2028-03-01T00:00:00Z')
    expect(terce.failures.map(({ occurrence, attempt }) => [occurrence, attempt])).toEqual([
      ['2027', 1],
      ['2028', 1],
    ])
  })

  it('delivers an event that a handler plans for now within the same move', async () => {
    const { terce } = await home({ now: NOW })
    terce.on('BIRTHDAY', async (event, { tx }) => {
      if (event.externalId === 'ada')
        await terce.users.create({ ...ADA, externalId: 'twin', sendTodayNow: true }, { tx })
    })
    await terce.users.create(ADA)
    await terce.clock.advanceTo('2027-02-28T09:00', 'America/New_York')
    expect(terce.deliveries.map(({ externalId, at }) => [externalId, at])).toEqual([
      ['ada', NINE],
      ['twin', NINE],
    ])
  })

  it('prints equal ids in every run, and other ids for another seed', async () => {
    const ids = async (options: Options) => {
      const { terce } = await home({ now: NOW, ...options })
      const { user } = await terce.users.create(ADA)
      await terce.clock.advanceTo(NINE)
      const delivered = terce.deliveries.map(({ body }) => body.eventId)
      await terce.stop()
      for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
      return [user.id, ...delivered]
    }
    const first = await ids({})
    expect(first).toHaveLength(2)
    if (home === onPostgres) return
    expect(await ids({})).toEqual(first)
    expect(await ids({ seed: 2 })).not.toEqual(first)
  })

  it('greets two hundred random people for two years as terce/core plans them', async () => {
    const { terce } = await home({ now: NOW })
    const people = randomPeople(200, 7)
    await terce.users.createMany(people)
    const end = Date.parse(NOW) + 730 * 86_400_000
    await terce.clock.advanceTo(end)
    const expected = greetingsOf(people, Date.parse(NOW), end)
    expect(expected.length).toBeGreaterThan(390)
    expect(sorted(terce.deliveries as Greeting[])).toEqual(expected)
    expect(terce.deliveries.map(({ at }) => at)).toEqual(expected.map(({ at }) => at))
  })
})

it('a Terce for tests on PostgreSQL applies what SQL has enqueued, in the test and in a handler', async () => {
  const { terce } = await onPostgres({ now: NOW })
  const pool = new pg.Pool({ connectionString: stage.database(), max: 1 })
  cleanups.push(() => pool.end())
  const enqueue = (who: object): [string, unknown[]] => [
    'SELECT terce.enqueue_user($1)',
    [JSON.stringify(who)],
  ]
  terce.on('BIRTHDAY', async ({ externalId }, { tx }) => {
    if (externalId === 'ada') await tx.query(...enqueue({ ...ADA, externalId: 'twin', sendTodayNow: true }))
  })
  await pool.query(...enqueue(ADA))
  await terce.clock.advanceTo(NINE)
  expect(terce.deliveries.map(({ externalId, at }) => [externalId, at])).toEqual([
    ['ada', NINE],
    ['twin', NINE],
  ])
})
