// Acknowledged writes of SQLite reach the disk before they are acknowledged; only leases and settlements do not wait for it.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { drizzle } from 'drizzle-orm/sqlite-proxy'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { systemClock } from '../../../src/runtimes/shared/system-clock.ts'
import { openConnection } from '../../../src/stores/sqlite/connection.ts'
import {
  inThreadExecutor,
  type SqliteExecutor,
  threadedExecutor,
} from '../../../src/stores/sqlite/executor.ts'
import { createStore } from '../../../src/stores/sqlite-dialect/store.ts'
import { claimAt, delivered } from '../../contracts/store/steps.ts'
import { makePerson, T0 } from '../../support/fixtures.ts'

let folder: string
let file: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'terce-'))
  file = join(folder, 'terce.db')
})
afterEach(() => rmSync(folder, { recursive: true }))

/** Values of PRAGMA synchronous. With FULL each commit is fsynced, with NORMAL only a checkpoint is. */
const FULL = 2
const NORMAL = 1
const MODE = { sql: 'PRAGMA synchronous', values: [], columns: null, returns: true } as const
const WRITE = {
  sql: `DELETE FROM timezones WHERE name = ''`,
  values: [],
  columns: null,
  returns: false,
} as const

describe('a SQLite connection', () => {
  it('fsyncs every durable batch, also after one that was not durable', () => {
    const connection = openConnection(file)
    const modes = [true, false, true].map((durable) => {
      connection.batch([WRITE], durable)
      return connection.read(MODE)[0]![0]
    })
    connection.close()
    expect(modes).toEqual([FULL, NORMAL, FULL])
  })

  it('uses a write-ahead log, so that a commit is one fsync', () => {
    const connection = openConnection(file)
    const journal = connection.read({ ...MODE, sql: 'PRAGMA journal_mode' })[0]![0]
    connection.close()
    expect(journal).toBe('wal')
  })
})

describe.each([
  ['in this thread', async () => inThreadExecutor(file)],
  ['in threads of its own', () => threadedExecutor(file, systemClock, () => {})],
])('a SQLite executor %s', (_, open: () => Promise<SqliteExecutor>) => {
  it('runs a batch as durable unless the batch says otherwise', async () => {
    const executor = await open()
    const mode = { sql: MODE.sql, params: [], returns: true }
    const write = { sql: WRITE.sql, params: [] }
    await executor.batch([write], { durable: false })
    await executor.batch([write])
    const [result] = await executor.batch([mode])
    await executor.close()
    expect(result!.rows).toEqual([[FULL]])
  })
})

describe('the SQLite store', () => {
  it('waits for the disk for every write except leases and settlements', async () => {
    const executor = inThreadExecutor(file)
    const durable: boolean[] = []
    const recording: SqliteExecutor = {
      ...executor,
      batch: (statements, how) => {
        durable.push(how?.durable ?? true)
        return executor.batch(statements, how)
      },
    }
    const db = drizzle(async (sql, params) => {
      const [result] = await recording.batch([{ sql, params, returns: true }])
      return { rows: result!.rows }
    })
    const store = createStore(recording, { reader: db, writer: db }, executor.close)
    const during = async (work: () => Promise<unknown>) => {
      durable.length = 0
      await work()
      return [...new Set(durable)]
    }
    const person = makePerson({ targetAt: T0 })
    expect(await during(() => store.createUsers([person]))).toEqual([true])
    let claims: Awaited<ReturnType<typeof claimAt>> = []
    const claiming = async () => {
      claims = await claimAt(store, T0)
    }
    // The lease, which a power cut may take, and then the body, which must not be rendered again.
    expect(await during(claiming)).toEqual([false, true])
    expect(await during(() => store.settle(claims.map((claim) => delivered(claim))))).toEqual([false])
    expect(await during(() => store.check())).toEqual([true])
    expect(await during(() => store.deleteUser(person.user.id, T0))).toEqual([true])
    await store.close()
  })
})
