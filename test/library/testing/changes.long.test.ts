// Changes, outages and mistakes of a test while its clock stands between two moves.
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { drizzle } from 'drizzle-orm/node-postgres'
import { pgTable, text } from 'drizzle-orm/pg-core'
import pg from 'pg'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { createTerce } from '../../../src/library/terce.ts'
import {
  createTestTerce,
  type InMemoryOptions,
  type InMemoryTerce,
} from '../../../src/library/testing/testing.ts'
import type { Transactions } from '../../../src/library/transactions.ts'
import { query } from '../../stores/postgres/support/audit.ts'
import { useStage } from '../../stores/postgres/support/postgres-suite.ts'

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

async function start(options: InMemoryOptions = {}): Promise<InMemoryTerce> {
  const terce = await createTestTerce({ now: '2027-02-27T12:00:00Z', ...options })
  cleanups.push(() => terce.stop())
  return terce
}

const NEW_YORK = 'America/New_York'
const ADA = {
  externalId: 'ada',
  firstName: 'Ada',
  lastName: 'Lovelace',
  dateOfBirth: '1992-02-28',
  timezone: NEW_YORK,
}
const localTimes = ({ deliveries }: InMemoryTerce) => deliveries.map(({ localTime }) => localTime)

describe('between two moves of the clock', () => {
  it('nothing is delivered, even if it is due at once', async () => {
    const terce = await start({ now: '2027-02-28T15:00:00Z' })
    await terce.users.create({ ...ADA, sendTodayNow: true })
    await new Promise((resolve) => setTimeout(resolve, 20))
    expect(terce.deliveries).toEqual([])
    await terce.clock.advanceBy(0)
    expect(localTimes(terce)).toEqual(['2027-02-28T10:00:00-05:00'])
  })

  it('a transaction of the test that rolls back leaves nobody to greet', async () => {
    const terce = await start()
    const { sqlite } = terce
    for (const end of ['ROLLBACK', 'COMMIT']) {
      sqlite.exec('BEGIN')
      await terce.users.create({ ...ADA, externalId: end }, { tx: sqlite })
      sqlite.exec(end)
    }
    await terce.clock.advanceBy({ days: 2 })
    expect(terce.deliveries.map(({ externalId }) => externalId)).toEqual(['COMMIT'])
  })
})

it('a handler gets the data of its occasion or task, and a retry that of the first attempt', async () => {
  const terce = await start({ settings: { RETRY: '2h' } })
  const seen: (string | undefined)[] = []
  terce.on<'CHECK_IN', { plan: string }>('CHECK_IN', ({ data }, { attempt }) => {
    seen.push(data?.plan)
    if (attempt === 1) throw new Error('not yet')
  })
  terce.on<'TASK_REMINDER', { form: number }>('TASK_REMINDER', ({ data, title }) => {
    seen.push(`${title} ${data?.form}`)
  })
  const { user } = await terce.users.create({ ...ADA, dateOfBirth: '1992-08-01', timezone: 'UTC' })
  const at = { date: '2027-02-28', repeats: 'ONCE', template: 'How are you?' }
  const { id } = await terce.occasions.create(user.id, { type: 'CHECK_IN', ...at, data: { plan: 'gold' } })
  const task = { userId: user.id, title: 'Passport', dueAt: '2027-03-02T09:00:00Z', data: { form: 7 } }
  await terce.tasks.create(task)
  await terce.clock.advanceTo('2027-02-28T09:00:00Z')
  await terce.occasions.change(id, { data: { plan: 'free' } })
  expect((await terce.occasions.get(id)).data).toEqual({ plan: 'free' })
  await terce.clock.advanceTo('2027-03-03T00:00:00Z')
  expect(seen).toEqual(['gold', 'gold', 'Passport 7'])
})

it('a handler that never ends fails after its timeout in real time, and the clock goes on', async () => {
  const terce = await start({ handlerTimeoutMs: 50, settings: { RETRY: 'none' } })
  terce.on(
    'BIRTHDAY',
    (_, { signal }) =>
      new Promise((resolve) => void signal.addEventListener('abort', () => setTimeout(resolve))),
  )
  await terce.users.create(ADA)
  await terce.clock.advanceBy({ days: 2 })
  expect(terce.failures).toMatchObject([{ error: { name: 'TimedOut' } }])
})

describe('a receiver of the test', () => {
  it('that is down for ten minutes gets the message when it is up again, without a retry', async () => {
    const terce = await start()
    await terce.users.create(ADA)
    const up = Date.parse('2027-02-28T14:10:00Z')
    terce.receive(() => (terce.clock.now() < up ? 503 : 204))
    await terce.clock.advanceTo('2027-02-28T14:30:00Z')
    const [delivery] = terce.deliveries
    expect(terce.deliveries).toHaveLength(1)
    expect(Date.parse(delivery!.at)).toBeGreaterThanOrEqual(up)
    expect(Date.parse(delivery!.at)).toBeLessThan(up + 60_000)
    const event = await terce.events.get(delivery!.body.eventId)
    expect(event).toMatchObject({ status: 'COMPLETED', retryCount: 0 })
    expect(terce.failures[0]).toMatchObject({ at: '2027-02-28T14:00:00.000Z', error: 'HTTP 503' })
  })

  it('that rejects a message fails the event, and one that throws is a failed connection', async () => {
    const terce = await start()
    await terce.users.create(ADA)
    const broken = new Error('reset')
    const statuses: (number | Error)[] = [broken, 404]
    terce.receive(() => {
      const next = statuses.shift()!
      if (next instanceof Error) throw next
      return next
    })
    await terce.clock.advanceTo('2027-03-01T00:00:00Z')
    expect(terce.failures.map(({ error }) => error)).toEqual([broken, 'HTTP 404'])
    expect(terce.deliveries).toEqual([])
  })
})

describe('the clock of a test', () => {
  it('cannot be moved by a handler, nor twice at once', async () => {
    const terce = await start()
    terce.on('BIRTHDAY', () => terce.clock.advanceBy(1))
    await terce.users.create(ADA)
    const first = terce.clock.advanceTo('2027-02-28T14:00:00Z')
    await expect(terce.clock.advanceBy(1)).rejects.toThrow('The clock is moving.')
    await first
    expect(terce.failures.map(({ error }) => (error as Error).message)).toEqual([
      'The clock is moving. Wait until it has arrived; a handler cannot move it.',
    ])
  })

  it('moves while vitest has replaced the timers and the clock of the machine', async () => {
    const terce = await start()
    vi.useFakeTimers()
    cleanups.push(() => vi.useRealTimers())
    await terce.users.create(ADA)
    await terce.clock.advanceTo('2027-02-28T09:00', NEW_YORK)
    expect(localTimes(terce)).toEqual(['2027-02-28T09:00:00-05:00'])
  })

  it('is the only one: calls and deliveries read neither clock, dice nor environment of the machine', async () => {
    vi.stubEnv('DELIVER_AT', '07:00')
    cleanups.push(() => vi.unstubAllEnvs())
    const terce = await start()
    terce.on('BIRTHDAY', ({ externalId }) => externalId)
    // The first call creates the API, whose keys and sessions have random ids.
    await terce.users.create(ADA)
    const used: string[] = []
    const noting = (name: string, real: () => number) => () => {
      const caller = new Error().stack!.split('\n').find((line) => /\/src\//.test(line))
      if (caller !== undefined) used.push(`${name} ${caller}`)
      return real()
    }
    const { now } = Date
    const { random } = Math
    vi.spyOn(Date, 'now').mockImplementation(noting('Date.now', now))
    vi.spyOn(Math, 'random').mockImplementation(noting('Math.random', random))
    cleanups.push(() => vi.restoreAllMocks())
    const { user } = await terce.users.create({ ...ADA, externalId: 'twin' })
    await terce.users.change(user.id, { timezone: 'Europe/Berlin' })
    await terce.clock.advanceTo('2027-03-01T00:00:00Z')
    expect([localTimes(terce), used]).toEqual([
      ['2027-02-28T09:00:00+01:00', '2027-02-28T09:00:00-05:00'],
      [],
    ])
  })

  it('delivers to no network: a stored webhook channel is received in memory', async () => {
    let requests = 0
    const server = createServer((_, response) => {
      requests += 1
      response.end()
    }).listen(0, '127.0.0.1')
    await new Promise((resolve) => server.once('listening', resolve))
    cleanups.push(() => server.close())
    const { port } = server.address() as { port: number }
    const settings = { WEBHOOK_URL: `http://127.0.0.1:${port}`, ALLOW_PRIVATE_TARGETS: 'true' }
    const terce = await start({ settings })
    await terce.users.create(ADA)
    await terce.clock.advanceBy({ days: 2 })
    expect([terce.deliveries.length, requests]).toEqual([1, 0])
  })
})

describe('a Terce for tests', () => {
  it('rejects handlers after the clock has moved, and after start()', async () => {
    const message = 'Register handlers before start(), and before the clock moves.'
    const moved = await start()
    await moved.clock.advanceBy(1)
    expect(() => moved.on('BIRTHDAY', () => {})).toThrow(message)
    const started = await start()
    await started.start()
    expect(() => started.on('BIRTHDAY', () => {})).toThrow(message)
  })

  it('ends the move with an error if a handler writes without its transaction', async () => {
    const terce = await start()
    terce.on('BIRTHDAY', async () => {
      await terce.users.create({ ...ADA, externalId: 'other' })
    })
    await terce.users.create(ADA)
    await expect(terce.clock.advanceBy({ days: 2 })).rejects.toThrow(
      'A transaction is open in this database. Pass it to the call as tx, or end it first.',
    )
    expect(new Date(terce.clock.now()).toISOString()).toBe('2027-02-28T14:00:00.000Z')
  })

  it('ends the move with an error if the test has left a transaction open', async () => {
    const terce = await start()
    await terce.users.create(ADA)
    terce.sqlite.exec('BEGIN')
    await expect(terce.clock.advanceBy({ days: 2 })).rejects.toThrow(
      'A transaction is open in this database.',
    )
    terce.sqlite.exec('ROLLBACK')
    await terce.clock.advanceBy({ days: 2 })
    expect(terce.deliveries).toHaveLength(1)
  })

  it('lets a handler read without its transaction', async () => {
    const terce = await start()
    const names: string[] = []
    terce.on('BIRTHDAY', async ({ userId }) => {
      names.push((await terce.users.get(userId)).firstName)
    })
    await terce.users.create(ADA)
    await terce.clock.advanceBy({ days: 2 })
    expect(names).toEqual(['Ada'])
  })

  it('is closed by stop(), also twice, and by await using', async () => {
    const terce = await createTestTerce()
    await terce.clock.advanceBy(1)
    await Promise.all([terce.stop(), terce.stop()])
    await expect(terce.users.create(ADA)).rejects.toThrow('Terce is stopped.')
    await expect(terce.clock.advanceBy(1)).rejects.toThrow('Terce is stopped.')
    let disposed: InMemoryTerce
    {
      await using own = await createTestTerce()
      disposed = own
      await own.users.create(ADA)
    }
    expect(() => disposed.sqlite.exec('SELECT 1')).toThrow(/not open/)
  })

  it('needs the database of the transactions that it is given', async () => {
    const transactions = { run: async () => {}, clientOf: () => ({}) }
    await expect(createTestTerce({ transactions } as never)).rejects.toThrow(
      'Give the database of these transactions too',
    )
  })
})

describe('a database that is given to a test', () => {
  const stage = useStage()
  const count = async (terce: { users: { list(): AsyncIterable<unknown> } }) => {
    let people = 0
    for await (const _ of terce.users.list()) people += 1
    return people
  }

  async function file(): Promise<string> {
    const folder = mkdtempSync(join(tmpdir(), 'terce-testing-'))
    cleanups.push(() => rmSync(folder, { recursive: true }))
    return join(folder, 'app.db')
  }

  /** Runs a statement of the application, and returns the rows. */
  async function sql(database: string, statement: string): Promise<unknown[]> {
    if (database.startsWith('postgres')) return query(database, statement)
    const db = new DatabaseSync(database)
    try {
      return db.prepare(statement).all()
    } finally {
      db.close()
    }
  }

  it.each([
    ['PostgreSQL', async () => stage.database()],
    ['a SQLite file', file],
  ])('is emptied before each test, without the tables of the application: %s', async (_, make) => {
    const database = await make()
    await sql(database, "CREATE TABLE terce_notes AS SELECT 'kept' AS note")
    for (let run = 1; run <= 2; run++) {
      const terce = await createTestTerce({ database })
      expect(await count(terce)).toBe(0)
      await terce.users.create(ADA)
      await terce.clock.advanceTo('2028-01-01T00:00:00Z')
      expect([await count(terce), terce.deliveries.length]).toEqual([1, 1])
      await terce.stop()
    }
    expect(await sql(database, 'SELECT note FROM terce_notes')).toMatchObject([{ note: 'kept' }])
  })

  it.each([
    ['PostgreSQL', async () => stage.database()],
    ['a SQLite file', file],
  ])('is rejected if an installation has written in it: %s', async (_, make) => {
    const database = await make()
    const settings = { LOG_LEVEL: 'fatal' }
    const installed = createTerce({ database, settings })
    await installed.users.create(ADA)
    await installed.stop()
    await expect(createTestTerce({ database })).rejects.toThrow(
      /had rows before createTestTerce, which empties its tables\. Give a database for tests, or another schema\./,
    )
    const again = createTerce({ database, settings })
    expect(await count(again)).toBe(1)
    await again.stop()
    const other = await createTestTerce({ database, schema: 'terce_test' })
    await other.stop()
  })

  it('delivers in the transactions of a library', async () => {
    const db = drizzle(new pg.Pool({ connectionString: stage.database(), max: 4 }))
    cleanups.push(() => db.$client.end())
    const notes = pgTable('notes', { note: text() })
    await db.execute('CREATE TABLE notes (note text)')
    type Tx = Parameters<Parameters<typeof db.transaction>[0]>[0]
    const transactions: Transactions<Tx> = {
      run: (work) => db.transaction(work),
      clientOf: (tx) => (tx as unknown as { session: { client: pg.PoolClient } }).session.client,
    }
    const terce = await createTestTerce({ database: db.$client, transactions, settings: { RETRY: '1s' } })
    cleanups.push(() => terce.stop())
    terce.on('BIRTHDAY', async ({ externalId }, { tx, attempt }) => {
      await tx.insert(notes).values({ note: `${externalId} ${attempt}` })
      if (attempt === 1) throw new Error('once')
    })
    await db.transaction((tx) => terce.users.create(ADA, { tx }))
    await terce.clock.advanceTo('2028-01-01T00:00:00Z')
    expect(await db.select().from(notes)).toEqual([{ note: 'ada 2' }])
    expect(terce.failures).toMatchObject([{ attempt: 1, error: { message: 'once' } }])
  })

  it('keeps the pool of the application open', async () => {
    const pool = new pg.Pool({ connectionString: stage.database(), max: 3 })
    cleanups.push(() => pool.end())
    const terce = await createTestTerce({ database: pool })
    await terce.stop()
    expect((await pool.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }])
  })

  it('ends the move with an error if another connection to the file holds a transaction', async () => {
    const path = await file()
    const terce = await createTestTerce({ database: path })
    cleanups.push(() => terce.stop())
    await terce.users.create(ADA)
    const db = new DatabaseSync(path)
    cleanups.push(() => db.close())
    db.exec('BEGIN IMMEDIATE')
    await expect(terce.clock.advanceTo('2028-01-01T00:00:00Z')).rejects.toThrow(
      'A transaction is open in this database.',
    )
  })
})
