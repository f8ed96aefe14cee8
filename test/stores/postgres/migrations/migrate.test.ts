// How migrations are applied beside a running fleet: by one process, without long locks, and again after a kill.
import pg from 'pg'
import { describe, expect, it } from 'vitest'
import { type Migration, parseMigration, readMigrations } from '../../../../src/stores/migrations/files.ts'
import { RELEASE } from '../../../../src/stores/migrations/release.ts'
import { connect } from '../../../../src/stores/postgres/connection.ts'
import { readSchemaState } from '../../../../src/stores/postgres/migrations/inspect.ts'
import { MIGRATIONS, migrate } from '../../../../src/stores/postgres/migrations/migrate.ts'
import { patiently } from '../../../../src/stores/postgres/migrations/patiently.ts'
import { makePeople } from '../../../support/fixtures.ts'
import { query } from '../support/audit.ts'
import { useStage } from '../support/postgres-suite.ts'

const stage = useStage({ database: 'empty' })

const FILES = readMigrations(MIGRATIONS)
const later = (text: string, oldest = RELEASE): Migration[] => [
  ...FILES,
  parseMigration('9999_later.sql', `-- oldest release: ${oldest}\n${text}`),
]

function open(schema?: string) {
  const connection = connect(stage.database(), { connections: 1, ...(schema && { schema }) })
  stage.atEnd(() => connection.pool.end())
  return connection
}

async function openTransaction(sql: string) {
  const client = new pg.Client(`${stage.database()}?application_name=a%20backup`)
  await client.connect()
  await client.query(`BEGIN; ${sql}`)
  stage.atEnd(() => client.end())
  return client
}

describe('a database that a newer release has migrated', () => {
  it('is used by this release if the migrations allow it', async () => {
    await migrate(open(), later('CREATE TABLE terce.later (id uuid);'))
    expect(await migrate(open())).toEqual([])
    await (await stage.open()).check()
  })

  it('is not used if a migration needs a newer release, which the error names', async () => {
    await migrate(open(), later('CREATE TABLE terce.later (id uuid);', '7.1.0'))
    await expect(stage.open()).rejects.toThrow(
      `its schema needs Terce 7.1.0 or newer, and this is ${RELEASE}`,
    )
    expect(await readSchemaState({ url: stage.database(), schema: 'terce' })).toMatchObject({
      unknown: ['9999_later.sql'],
      needed: '7.1.0',
    })
  })
})

describe('a migration that needs the lock of a table', () => {
  it('is retried until a long transaction has ended, while others use the table', async () => {
    const store = await stage.open()
    const blocker = await openTransaction('LOCK TABLE terce.events IN ACCESS SHARE MODE')
    const migrated = migrate(open(), later('ALTER TABLE terce.events ADD COLUMN note text;'))
    // Each of these would wait behind a lock that is waited for without a limit.
    for (let i = 0; i < 20; i++) await store.createUsers(makePeople(1))
    await blocker.query('COMMIT')
    expect(await migrated).toEqual(['9999_later.sql'])
    await query(stage.database(), 'SELECT note FROM terce.events')
  })

  it('is given up with the name of the process that blocks it', async () => {
    await stage.open()
    await openTransaction('LOCK TABLE terce.events IN ACCESS SHARE MODE')
    const connection = open()
    const attempt = () =>
      connection.transaction((run) =>
        run({ text: 'SET LOCAL lock_timeout = 10; LOCK TABLE terce.events', values: [] }),
      )
    await expect(patiently(connection, attempt, { attempts: 2 })).rejects.toThrow(
      /^process \d+ \(a backup\) has had a transaction open for \d+ s and blocks the migration; end it$/,
    )
  })
})

const INDEXES = later(`-- transaction: none
  CREATE INDEX CONCURRENTLY events_later ON terce.events (timezone);--> statement-breakpoint
  CREATE UNIQUE INDEX CONCURRENTLY users_later ON terce.users (email);`)

const indexes = () =>
  query<{ name: string; valid: boolean }>(
    stage.database(),
    `SELECT relname AS name, indisvalid AS valid FROM pg_index JOIN pg_class ON oid = indexrelid
      WHERE relname LIKE '%later' ORDER BY 1`,
  )
const BUILT = [
  { name: 'events_later', valid: true },
  { name: 'users_later', valid: true },
]

describe('a migration outside a transaction', () => {
  it('is applied by one of many processes that start at once', async () => {
    await stage.open()
    const applied = await Promise.all(Array.from({ length: 6 }, () => migrate(open(), INDEXES)))
    expect(applied.flat()).toEqual(['9999_later.sql'])
    expect(await indexes()).toEqual(BUILT)
  })

  it('is repeated after it failed half-way: an invalid index is dropped and built again', async () => {
    const store = await stage.open()
    const people = makePeople(2).map((person) => ({
      ...person,
      user: { ...person.user, email: 'shared@example.com' },
    }))
    await store.createUsers(people)
    await expect(migrate(open(), INDEXES)).rejects.toThrow('could not create unique index')
    expect(await indexes()).toEqual([BUILT[0], { name: 'users_later', valid: false }])
    await store.deleteUser(people[0]!.user.id, Date.now())
    expect(await migrate(open(), INDEXES)).toEqual(['9999_later.sql'])
    expect(await indexes()).toEqual(BUILT)
  })

  it('is applied to the schema of the installation', async () => {
    await migrate(open('second'), INDEXES)
    const schemas = await query(
      stage.database(),
      `SELECT relnamespace::regnamespace::text AS schema FROM pg_class WHERE relname LIKE '%later'`,
    )
    expect(schemas).toEqual([{ schema: 'second' }, { schema: 'second' }])
  })
})

describe('a new installation', () => {
  it('has its tables of migrations in its schema, and two schemas in a database have one each', async () => {
    await migrate(open())
    await migrate(open('second'))
    const tables = await query(
      stage.database(),
      `SELECT schemaname AS schema, tablename AS name FROM pg_tables WHERE tablename LIKE '%migrations' ORDER BY 1`,
    )
    expect(tables).toEqual([
      { schema: 'second', name: 'schema_migrations' },
      { schema: 'terce', name: 'schema_migrations' },
    ])
  })
})
