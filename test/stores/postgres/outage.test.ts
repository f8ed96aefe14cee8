// Outages of a real PostgreSQL, as its store reports them.
import pg from 'pg'
import { describe, expect, it } from 'vitest'
import { StoreUnavailableError } from '../../../src/domain/errors.ts'
import { openPostgresStore } from '../../../src/stores/postgres/postgres-store.ts'
import { makePerson } from '../../support/fixtures.ts'
import { query } from './support/audit.ts'
import { useOwnServer } from './support/postgres-suite.ts'

const stage = useOwnServer()

/** Runs as an administrator, outside of the test's database. */
const administer = (sql: string) => query(stage.server().url('postgres'), sql)
const name = () => new URL(stage.database()).pathname.slice(1)
/** Ends the sessions on the test's database; returns how many. */
const endSessions = async (which = 'true') =>
  (
    await administer(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${name()}' AND ${which}`,
    )
  ).length

const outage = (words: string) =>
  expect.objectContaining({ name: 'StoreUnavailableError', message: expect.stringContaining(words) })

/** Calls until no broken connection of the pool is left. */
const checkError = (store: { check(): Promise<void> }) =>
  store.check().then(
    () => null,
    (error) => error as Error,
  )

describe('the check of the PostgreSQL store', () => {
  it('passes on a database that can be written, and changes nothing', async () => {
    const store = await stage.open()
    const migrations = () => query(stage.database(), 'SELECT * FROM terce.schema_migrations ORDER BY name')
    const before = await migrations()
    await store.check()
    expect(await migrations()).toEqual(before)
    expect(await query(stage.database(), 'SELECT * FROM terce.timezones')).toEqual([])
  })

  it('fails while the server is read-only, although it can be read', async () => {
    const store = await stage.open({ connections: 1 })
    await administer(`ALTER DATABASE ${name()} SET default_transaction_read_only = on`)
    await endSessions()
    await expect.poll(() => checkError(store), { timeout: 60_000 }).toEqual(outage('read-only'))
    await expect(store.createUsers([makePerson()])).rejects.toEqual(outage('read-only'))
    expect(await store.findUser(makePerson().user.id)).toBeNull()
    await expect(openPostgresStore(stage.database())).rejects.toEqual(outage('read-only'))
    await administer(`ALTER DATABASE ${name()} RESET default_transaction_read_only`)
    await endSessions()
    await expect.poll(() => checkError(store), { timeout: 60_000 }).toBeNull()
  })
})

describe('the PostgreSQL store', () => {
  it('leaves a connection on which a transaction was rejected as read-only', async () => {
    const store = await stage.open({ connections: 1 })
    await administer(`ALTER DATABASE ${name()} SET default_transaction_read_only = on`)
    await endSessions()
    const create = () => store.createUsers([makePerson()]).catch((error) => error)
    await expect.poll(create, { timeout: 60_000 }).toEqual(outage('read-only'))
    // The session, as one that a pooler leads to a standby, stays open and read-only.
    await administer(`ALTER DATABASE ${name()} RESET default_transaction_read_only`)
    await store.createUsers([makePerson()])
  })
})

describe('the PostgreSQL store reports an outage', () => {
  it('when it gets no connection because there are too many', async () => {
    const url = new URL(stage.database())
    url.username = await stage.createRole('crowded', 'CONNECTION LIMIT 0')
    await expect(openPostgresStore(url.href)).rejects.toEqual(outage('busy'))
  })

  it('when an administrator ends its session, and works again with the next one', async () => {
    const store = await stage.open({ connections: 1 })
    const locker = new pg.Client(stage.database())
    await locker.connect()
    stage.atEnd(() => locker.end())
    await locker.query('BEGIN; LOCK TABLE terce.users')
    const waiting = store.createUsers([makePerson()]).catch((error) => error)
    await expect.poll(() => endSessions(`wait_event_type = 'Lock'`), { timeout: 60_000 }).toBe(1)
    expect(await waiting).toBeInstanceOf(StoreUnavailableError)
    await locker.query('COMMIT')
    await store.check()
  })

  it('when the server is down', async () => {
    const store = await stage.open()
    stage.atEnd(() => stage.server().restart())
    await stage.server().crash()
    await expect.poll(() => checkError(store), { timeout: 60_000 }).toEqual(outage('cannot be reached'))
    await expect(store.findUser(makePerson().user.id)).rejects.toEqual(outage('cannot be reached'))
    await expect(store.createUsers([makePerson()])).rejects.toEqual(outage('cannot be reached'))
  })
})
