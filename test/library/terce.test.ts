// Terce as a library, in the process and in the transactions of an application.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'
import { pino } from 'pino'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { Terce as TerceOf } from '../../src/library/library.ts'
import { createTerce } from '../../src/library/terce.ts'
import type { PgTransaction } from '../../src/library/transactions.ts'
import { useStage } from '../stores/postgres/support/postgres-suite.ts'
import { until } from '../support/until.ts'

const stage = useStage({ database: 'empty' })

type Transaction = PgTransaction | DatabaseSync
type Terce = TerceOf<Transaction>

/** An application: its own table, its transactions, and Terce in its database. */
type Application = {
  terce: Terce
  /** Another process of the application. */
  again(settings: Record<string, string>): Terce
  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T>
  /** Inserts a greeting into the table of the application. */
  insert(tx: Transaction, note: string): Promise<void>
  notes(): Promise<string[]>
}

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

const SETTINGS = { RETRY: '100ms,100ms', DELIVER_AT: '00:00', LOG_LEVEL: 'fatal' }

const startable =
  (database: pg.Pool | string) =>
  (settings: Record<string, string> = {}) => {
    const terce = createTerce<Transaction>({ database, settings: { ...SETTINGS, ...settings } })
    cleanups.push(() => terce.stop())
    return terce
  }

async function onPostgres(): Promise<Application> {
  const pool = new pg.Pool({ connectionString: stage.database(), max: 6 })
  cleanups.push(() => pool.end())
  const again = startable(pool)
  const terce = again()
  await pool.query('CREATE TABLE greetings (note text NOT NULL); CREATE TABLE users (id serial)')
  return {
    terce,
    again,
    async transaction(work) {
      const client = await pool.connect()
      try {
        await client.query('BEGIN')
        const result = await work(client)
        await client.query('COMMIT')
        return result
      } catch (error) {
        await client.query('ROLLBACK')
        throw error
      } finally {
        client.release()
      }
    },
    insert: async (tx, note) => {
      await (tx as PgTransaction).query('INSERT INTO greetings VALUES ($1)', [note])
    },
    notes: async () =>
      (await pool.query('SELECT note FROM greetings ORDER BY note')).rows.map(({ note }) => note),
  }
}

async function onSqlite(): Promise<Application> {
  const folder = mkdtempSync(join(tmpdir(), 'terce-embedded-'))
  cleanups.push(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'app.db')
  const db = new DatabaseSync(file, { timeout: 5_000 })
  cleanups.push(() => db.close())
  db.exec('CREATE TABLE greetings (note text NOT NULL); CREATE TABLE users (id integer)')
  const again = startable(file)
  const terce = again()
  // The first call migrates, which needs the write lock.
  await terce.users.list().next()
  return {
    terce,
    again,
    async transaction(work) {
      db.exec('BEGIN IMMEDIATE')
      try {
        const result = await work(db)
        db.exec('COMMIT')
        return result
      } catch (error) {
        db.exec('ROLLBACK')
        throw error
      }
    },
    insert: async (tx, note) => {
      ;(tx as DatabaseSync).prepare('INSERT INTO greetings VALUES (?)').run(note)
    },
    notes: async () => {
      const rows = db.prepare('SELECT note FROM greetings ORDER BY note').all()
      return rows.map(({ note }) => String(note))
    },
  }
}

async function all<T>(items: AsyncGenerator<T>): Promise<T[]> {
  const found: T[] = []
  for await (const item of items) found.push(item)
  return found
}

const today = () => new Date().toISOString().slice(5, 10)
const born = (externalId: string) => ({
  firstName: 'Ada',
  lastName: 'Lovelace',
  dateOfBirth: `1992-${today()}`,
  timezone: 'UTC',
  externalId,
  sendTodayNow: true,
})

const settled = (terce: Terce, status: string) =>
  until(
    `an event is ${status}`,
    async () => (await all(terce.events.list({}))).filter((event) => event.status === status),
    (events) => events.length > 0,
    20_000,
  )

it('names node:sqlite to an application that passes a connection of better-sqlite3', async () => {
  const { terce } = await onSqlite()
  const tx = { inTransaction: true, exec() {}, prepare() {}, close() {} }
  await expect(terce.users.create(born('ada'), { tx })).rejects.toThrow('must be one of node:sqlite')
}, 30_000)

describe.each([
  ['PostgreSQL', onPostgres],
  ['SQLite', onSqlite],
] as const)('Terce in an application on %s', (_, start) => {
  it('creates a person in a transaction of the application, and nobody if it rolls back', async () => {
    const { terce, transaction, insert, notes } = await start()
    await transaction(async (tx) => {
      await insert(tx, 'ada signed up')
      const { user } = await terce.users.create(born('ada'), { tx })
      expect((await terce.users.get(user.id, { tx })).externalId).toBe('ada')
    })
    const failing = transaction(async (tx) => {
      await insert(tx, 'grace signed up')
      await terce.users.create(born('grace'), { tx })
      throw new Error('the application changed its mind')
    })
    await expect(failing).rejects.toThrow('changed its mind')
    const users = await all(terce.users.list())
    expect(users.map(({ externalId }) => externalId)).toEqual(['ada'])
    expect(await all(terce.events.list({}))).toHaveLength(1)
    expect(await notes()).toEqual(['ada signed up'])
  }, 30_000)

  it('rejects invalid input like the API, and leaves the transaction usable', async () => {
    const { terce, transaction, insert, notes } = await start()
    await transaction(async (tx) => {
      const rejected = terce.users.create({ ...born('ada'), timezone: 'Mars/Base' }, { tx })
      await expect(rejected).rejects.toMatchObject({
        code: 'INVALID_INPUT',
        problems: [{ field: 'timezone', code: 'UNKNOWN_TIMEZONE' }],
      })
      await terce.users.create(born('ada'), { tx })
      await expect(terce.users.create(born('ada'), { tx })).rejects.toMatchObject({
        code: 'EXTERNAL_ID_TAKEN',
      })
      await insert(tx, 'done')
    })
    expect(await notes()).toEqual(['done'])
  }, 30_000)

  it('creates or changes a person by external id, and reads them, in a transaction', async () => {
    const { terce, transaction } = await start()
    const { sendTodayNow: _, externalId, ...person } = born('ada')
    await transaction(async (tx) => {
      const first = await terce.users.upsert(externalId, person, { tx })
      const again = await terce.users.upsert(externalId, { ...person, timezone: 'Asia/Jakarta' }, { tx })
      expect([first.created, again.created, again.user.id]).toEqual([true, false, first.user.id])
      expect((await terce.users.byExternalId(externalId, { tx })).timezone).toBe('Asia/Jakarta')
    })
    expect((await terce.users.byExternalId(externalId)).timezone).toBe('Asia/Jakarta')
    await expect(terce.users.byExternalId('nobody')).rejects.toMatchObject({ code: 'USER_NOT_FOUND' })
    const [event] = await all(terce.events.list({}))
    const [listed] = await all(terce.events.ofUser(event!.userId))
    expect(listed).toMatchObject({ id: event!.id, externalId: 'ada' })
  }, 30_000)

  it('takes an external id wherever it takes the id of a person', async () => {
    const { terce, transaction } = await start()
    const { sendTodayNow: _, externalId, ...person } = born('ada')
    const ada = { externalId }
    await transaction(async (tx) => {
      await terce.users.upsert(externalId, person, { tx })
      await terce.occasions.create(ada, { type: 'ANNIVERSARY', date: '2020-02-03' }, { tx })
      await terce.tasks.create({ externalId, title: 'Pay', dueAt: '2099-01-01T00:00:00Z' }, { tx })
      await terce.users.change(ada, { firstName: 'Augusta' }, { tx })
    })
    expect(await terce.users.get(ada)).toMatchObject({ firstName: 'Augusta' })
    expect((await terce.occasions.ofUser(ada)).items).toHaveLength(2)
    expect((await all(terce.events.ofUser(ada))).map((event) => event.externalId)).toEqual([
      'ada',
      'ada',
      'ada',
    ])
    expect(await all(terce.tasks.list({}))).toMatchObject([{ externalId, title: 'Pay' }])
    await transaction((tx) => terce.users.delete(ada, { tx }))
    await expect(terce.users.delete(ada)).rejects.toMatchObject({ code: 'USER_NOT_FOUND' })
  }, 30_000)

  it('keeps the writes of calls that are made at once in a transaction, beside one that conflicts', async () => {
    const { terce, transaction } = await start()
    await terce.users.create(born('ada'))
    await transaction(async (tx) => {
      const names = ['grace', 'ada', 'edsger', 'ada', 'barbara']
      const results = await Promise.allSettled(names.map((name) => terce.users.create(born(name), { tx })))
      expect(results.map(({ status }) => status === 'fulfilled')).toEqual([true, false, true, false, true])
    })
    expect(await all(terce.users.list())).toHaveLength(4)
  }, 30_000)

  it('commits the writes of a handler together with the settlement', async () => {
    const { terce, insert, notes } = await start()
    terce.on('BIRTHDAY', async (event, { tx, attempt }) => insert(tx, `${event.type} ${attempt}`))
    await terce.start()
    await terce.users.create(born('ada'))
    const [event] = await settled(terce, 'COMPLETED')
    expect(event).toMatchObject({ eventType: 'BIRTHDAY', retryCount: 0 })
    await settled(terce, 'PENDING')
    expect(await notes()).toEqual(['BIRTHDAY 1'])
  }, 30_000)

  it('rolls back the writes of a handler that fails, and tries again', async () => {
    const { terce, insert, notes } = await start()
    terce.on('*', async (_, { tx, attempt }) => {
      await insert(tx, `attempt ${attempt}`)
      if (attempt < 3) throw new Error('not yet')
    })
    await terce.start()
    await terce.users.create(born('ada'))
    const [event] = await settled(terce, 'COMPLETED')
    expect(event!.retryCount).toBe(2)
    expect(await notes()).toEqual(['attempt 3'])
  }, 30_000)

  it('commits a handler that deletes its own person or occasion', async () => {
    const { terce, insert, notes } = await start()
    terce.on('*', async ({ type, userId, occasionId }, { tx, attempt }) => {
      await insert(tx, `${type} ${attempt}`)
      if (type === 'BIRTHDAY') await terce.users.delete(userId, { tx })
      else await terce.occasions.delete(occasionId, { tx })
    })
    await terce.start()
    await terce.users.create(born('ada'))
    const { user } = await terce.users.create({ ...born('grace'), dateOfBirth: '1906-12-09' })
    const anniversary = { type: 'WORK_ANNIVERSARY', date: `2019-${today()}`, sendTodayNow: true }
    const { id } = await terce.occasions.create(user.id, anniversary)
    const isDone = (found: string[]) => found.length > 1
    const handled = await until('both handlers have committed', notes, isDone, 20_000)
    expect(handled).toEqual(['BIRTHDAY 1', 'WORK_ANNIVERSARY 1'])
    expect((await all(terce.users.list())).map(({ externalId }) => externalId)).toEqual(['grace'])
    await expect(terce.occasions.get(id)).rejects.toMatchObject({ code: 'OCCASION_NOT_FOUND' })
  }, 30_000)

  it('leaves types without a handler to other processes, and names them at start', async () => {
    const { terce, again, insert, notes } = await start()
    const lines: { types?: string[] }[] = []
    const write = (line: string) => void lines.push(JSON.parse(line))
    const stdout = vi.spyOn(pino, 'destination').mockReturnValue({ write } as never)
    cleanups.push(() => stdout.mockRestore())
    const { user } = await terce.users.create(born('ada'))
    const anniversary = { type: 'WORK_ANNIVERSARY', date: `2019-${today()}`, sendTodayNow: true }
    await terce.occasions.create(user.id, anniversary)
    const of = (process: Terce, type: string) =>
      process.on(type, async (_, { tx, attempt }) => insert(tx, `${type} ${attempt}`))
    const other = again({ LOG_LEVEL: 'warn' })
    of(other, 'BIRTHDAY')
    await other.start()
    await settled(terce, 'COMPLETED')
    expect(lines.flatMap(({ types }) => types ?? [])).toEqual(['WORK_ANNIVERSARY'])
    await other.users.create(born('grace'))
    of(terce, 'WORK_ANNIVERSARY')
    await terce.start()
    const handled = await until('all are handled', notes, (found) => found.length > 2, 20_000)
    expect(handled).toEqual(['BIRTHDAY 1', 'BIRTHDAY 1', 'WORK_ANNIVERSARY 1'])
  }, 30_000)
})
