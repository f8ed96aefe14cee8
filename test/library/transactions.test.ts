// The transactions of handlers when a handler takes too long, when COMMIT fails, and when its outcome is unknown.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'
import { afterEach, describe, expect, it } from 'vitest'
import type { Terce } from '../../src/library/library.ts'
import { onFile, onPool } from '../../src/library/own-transactions.ts'
import { createTerce } from '../../src/library/terce.ts'
import type { PgTransaction, Transactions } from '../../src/library/transactions.ts'
import { useStage } from '../stores/postgres/support/postgres-suite.ts'
import { until } from '../support/until.ts'

const stage = useStage()

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

const SETTINGS = { RETRY: '100ms,100ms', DELIVER_AT: '00:00', LOG_LEVEL: 'fatal' }
const TIMEOUT_MS = 30_000

async function application(): Promise<pg.Pool> {
  const pool = new pg.Pool({ connectionString: stage.database(), max: 6 })
  cleanups.push(() => pool.end())
  await pool.query(`CREATE TABLE accounts (id int PRIMARY KEY);
    CREATE TABLE greetings (note text NOT NULL, account int REFERENCES accounts DEFERRABLE INITIALLY DEFERRED)`)
  return pool
}

const notes = async (pool: pg.Pool) =>
  (await pool.query('SELECT note FROM greetings ORDER BY note')).rows.map(({ note }) => note)

function start<Tx>(terce: Terce<Tx>): Promise<void> {
  cleanups.push(() => terce.stop())
  return terce.start()
}

async function createDue<Tx>(terce: Terce<Tx>): Promise<void> {
  const today = new Date().toISOString().slice(5, 10)
  const name = { firstName: 'Ada', lastName: 'Lovelace' }
  await terce.users.create({ ...name, dateOfBirth: `1992-${today}`, timezone: 'UTC', sendTodayNow: true })
}

async function completed<Tx>(terce: Terce<Tx>) {
  const [event] = await until(
    'the event is COMPLETED',
    async () => {
      const found = []
      for await (const event of terce.events.list({ status: 'COMPLETED' })) found.push(event)
      return found
    },
    (events) => events.length > 0,
    20_000,
  )
  return event!
}

/** The transactions of a library: `Tx` is a type of its own. */
type LibraryTx = { readonly client: PgTransaction }

function library(pool: pg.Pool, onCommitted: () => void): Transactions<LibraryTx> {
  const own = onPool(pool, TIMEOUT_MS)
  return {
    run: async (work) => {
      const result = await own.run((client) => work({ client }))
      onCommitted()
      return result
    },
    clientOf: ({ client }) => client,
  }
}

describe('Handlers in the transactions of a library', () => {
  it('abandon a transaction before the library rolls it back', async () => {
    const pool = await application()
    const own = library(pool, () => {})
    const steps: string[] = []
    const rolledBack = Promise.withResolvers<void>()
    const transactions: Transactions<LibraryTx> = {
      ...own,
      run: (work) =>
        own.run((tx) =>
          work(tx).catch((error) => {
            steps.push('rolled back')
            rolledBack.resolve()
            throw error
          }),
        ),
      abandon: async () => {
        await new Promise((resolve) => setTimeout(resolve, 50))
        steps.push('abandoned')
      },
    }
    const terce = createTerce({ database: pool, transactions, settings: SETTINGS, handlerTimeoutMs: 300 })
    terce.on('BIRTHDAY', async (_, { attempt }) => {
      if (attempt === 1) await new Promise(() => {})
    })
    await start(terce)
    await createDue(terce)
    await rolledBack.promise
    expect(steps).toEqual(['abandoned', 'rolled back'])
  }, 30_000)

  it('leave one effect if the connection is lost after COMMIT', async () => {
    const pool = await application()
    let calls = 0
    const transactions = library(pool, () => {
      throw new Error('Connection terminated unexpectedly')
    })
    const terce = createTerce({ database: pool, transactions, settings: SETTINGS })
    terce.on('BIRTHDAY', async (_, { tx }) => {
      calls += 1
      await tx.client.query('INSERT INTO greetings VALUES ($1)', [`call ${calls}`])
    })
    await start(terce)
    await createDue(terce)
    await completed(terce)
    // Longer than both retries.
    await new Promise((resolve) => setTimeout(resolve, 1_000))
    expect(await notes(pool)).toEqual(['call 1'])
  }, 30_000)
})

describe('Handlers on a pool', () => {
  it('try again if COMMIT fails', async () => {
    const pool = await application()
    const terce = createTerce({ database: pool, settings: SETTINGS })
    terce.on('BIRTHDAY', async (_, { tx, attempt }) => {
      await tx.query('INSERT INTO accounts VALUES (2)')
      await tx.query('INSERT INTO greetings VALUES ($1, $2)', [`attempt ${attempt}`, attempt])
    })
    await start(terce)
    await createDue(terce)
    expect((await completed(terce)).retryCount).toBe(1)
    expect(await notes(pool)).toEqual(['attempt 2'])
  }, 30_000)

  it('reject what a handler writes after its time is up', async () => {
    const pool = await application()
    const terce = createTerce({ database: pool, settings: SETTINGS, handlerTimeoutMs: 500 })
    const late = Promise.withResolvers<unknown>()
    terce.on('BIRTHDAY', async (_, { tx, signal, attempt }) => {
      await tx.query('INSERT INTO greetings VALUES ($1)', [`attempt ${attempt}`])
      if (attempt > 1) return
      await new Promise((resolve) => signal.addEventListener('abort', resolve))
      await new Promise((resolve) => setTimeout(resolve, 50))
      await tx.query('INSERT INTO greetings VALUES ($1)', ['late']).then(late.resolve, late.resolve)
    })
    await start(terce)
    await createDue(terce)
    expect(await late.promise).toBeInstanceOf(Error)
    expect((await completed(terce)).retryCount).toBe(1)
    expect(await notes(pool)).toEqual(['attempt 2'])
  }, 30_000)

  it('end while a statement of the handler blocks', async () => {
    const pool = await application()
    const terce = createTerce({ database: pool, settings: SETTINGS, handlerTimeoutMs: 500 })
    terce.on('BIRTHDAY', async (_, { tx, attempt }) => {
      if (attempt === 1) await tx.query('SELECT pg_sleep(20)')
      await tx.query('INSERT INTO greetings VALUES ($1)', [`attempt ${attempt}`])
    })
    await start(terce)
    await createDue(terce)
    expect((await completed(terce)).retryCount).toBe(1)
    expect(await notes(pool)).toEqual(['attempt 2'])
  }, 30_000)
})

describe('A transaction on a pool', () => {
  it('rejects if a statement failed and the work hid it', async () => {
    const pool = await application()
    const { run } = onPool(pool, TIMEOUT_MS)
    const hidden = run(async (tx) => {
      await tx.query('INSERT INTO greetings VALUES ($1)', ['lost'])
      await tx.query('SELECT 1 / 0').catch(() => {})
    })
    await expect(hidden).rejects.toThrow('rolled back')
    expect(await notes(pool)).toEqual([])
  })

  it('gives its connection back to the pool after a rollback', async () => {
    const pool = await application()
    const { run } = onPool(pool, TIMEOUT_MS)
    const before = pool.totalCount
    await expect(run(() => Promise.reject(new Error('no')))).rejects.toThrow('no')
    expect([pool.totalCount, pool.idleCount]).toEqual([before, before])
  })

  it('closes its connection if it is abandoned', async () => {
    const pool = await application()
    const { run, abandon } = onPool(pool, TIMEOUT_MS)
    const before = pool.totalCount
    const abandoned = run(async (tx) => {
      await abandon!(tx)
      throw new Error('too late')
    })
    await expect(abandoned).rejects.toThrow('too late')
    expect(pool.totalCount).toBe(before - 1)
  })
})

describe('A transaction on a SQLite file', () => {
  function file(): string {
    const folder = mkdtempSync(join(tmpdir(), 'terce-transactions-'))
    cleanups.push(() => rmSync(folder, { recursive: true }))
    const path = join(folder, 'app.db')
    const db = new DatabaseSync(path)
    db.exec(`PRAGMA foreign_keys = ON; CREATE TABLE accounts (id integer PRIMARY KEY);
      CREATE TABLE greetings (note text, account integer REFERENCES accounts DEFERRABLE INITIALLY DEFERRED)`)
    db.close()
    return path
  }
  const rowsOf = (path: string) => {
    const db = new DatabaseSync(path)
    const rows = db.prepare('SELECT note FROM greetings').all()
    db.close()
    return rows.map(({ note }) => note)
  }

  it('rejects and rolls back if COMMIT fails, and serves the next transaction', async () => {
    const path = file()
    const { run, close } = onFile(path)
    const failing = run(async (tx) => tx.exec("INSERT INTO greetings VALUES ('broken', 1)"))
    await expect(failing).rejects.toThrow('FOREIGN KEY')
    await run(async (tx) => tx.exec("INSERT INTO greetings VALUES ('kept', NULL)"))
    close()
    expect(rowsOf(path)).toEqual(['kept'])
  })

  it('rejects writes after it was abandoned, and serves the next transaction', async () => {
    const path = file()
    const { run, abandon, close } = onFile(path)
    const abandoned = run(async (tx) => {
      tx.exec("INSERT INTO greetings VALUES ('early', NULL)")
      await abandon!(tx)
      tx.exec("INSERT INTO greetings VALUES ('late', NULL)")
    })
    await expect(abandoned).rejects.toThrow('not open')
    await run(async (tx) => tx.exec("INSERT INTO greetings VALUES ('kept', NULL)"))
    close()
    expect(rowsOf(path)).toEqual(['kept'])
  })
})
