// Names with a prefix, for a file that an application has tables in. The store contract runs with them, too.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { systemClock } from '../../../src/runtimes/shared/system-clock.ts'
import { migrate } from '../../../src/stores/sqlite/migrate.ts'
import { namingFor } from '../../../src/stores/sqlite/names.ts'
import { openSqliteStore, openThreadedSqliteStore } from '../../../src/stores/sqlite/sqlite-store.ts'
import { makePerson, T0 } from '../../support/fixtures.ts'
import { createApplication, readApplication } from './support/application.ts'

const named = namingFor('terce_')

describe('a prefix', () => {
  it.each([
    ['SELECT id FROM users', 'SELECT id FROM terce_users'],
    ['SELECT "users"."id" FROM "users"', 'SELECT "terce_users"."id" FROM "terce_users"'],
    ['SELECT u.users FROM `users` AS u', 'SELECT u.users FROM `terce_users` AS u'],
    ["SELECT 'users' FROM tasks", "SELECT 'users' FROM terce_tasks"],
    ["-- the app's users\nSELECT 1 FROM users", "-- the app's users\nSELECT 1 FROM terce_users"],
    ['CREATE INDEX users_by_name ON users (x)', 'CREATE INDEX terce_users_by_name ON terce_users (x)'],
    ['SELECT user_id, users_total FROM json_each(?)', 'SELECT user_id, users_total FROM json_each(?)'],
  ])('changes the names of tables and indexes, and nothing else: %s', (sql, expected) => {
    expect(named(sql)).toBe(expected)
  })

  it('gives the schema of a file of its own, with other names', () => {
    // SQLite itself names the table of its sequences.
    const OBJECTS = `SELECT type, name, tbl_name FROM sqlite_master WHERE sql IS NOT NULL AND name <> 'sqlite_sequence'`
    const objectsOf = (naming: typeof named) => {
      const db = new DatabaseSync(':memory:')
      migrate(db, undefined, naming)
      return db.prepare(OBJECTS).all()
    }
    const prefixed = objectsOf(namingFor('')).map(({ type, name, tbl_name }) => {
      return { type, name: `terce_${name}`, tbl_name: `terce_${tbl_name}` }
    })
    expect(objectsOf(named)).toEqual(prefixed)
  })
})

describe('a file with tables of an application', () => {
  let folder: string
  let file: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'terce-'))
    file = join(folder, 'app.db')
    createApplication(file)
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  it('is rejected without a prefix, and stays as it is', () => {
    const before = readApplication(file, 'terce_')
    expect(() => openSqliteStore(file)).toThrow('Set DATABASE_SCHEMA=terce to share the file')
    expect(readApplication(file, 'terce_')).toEqual(before)
  })

  it('is shared with a prefix, which changes no table of the application', async () => {
    const before = readApplication(file, 'terce_')
    const store = await openThreadedSqliteStore(
      file,
      systemClock,
      (error) => {
        throw error
      },
      'terce_',
    )
    const person = makePerson()
    await store.createUsers([person])
    const claim = { now: T0 + 1e12, limit: 1, leaseMs: 1_000, claimedBy: 'worker', render: () => 'body' }
    expect(await store.claimDue(claim)).toMatchObject([{ id: person.events[0]!.id }])
    await store.deleteUser(person.user.id, T0)
    await store.close()
    expect(readApplication(file, 'terce_')).toEqual(before)
  })
})
