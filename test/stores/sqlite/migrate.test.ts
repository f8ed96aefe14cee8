// Migrations of a SQLite file between releases: forward, back to the real 0.1.0, and on a file that a newer release has migrated.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { parseMigration, readMigrations } from '../../../src/stores/migrations/files.ts'
import { RELEASE } from '../../../src/stores/migrations/release.ts'
import { migrate } from '../../../src/stores/sqlite/migrate.ts'
import { MIGRATIONS } from '../../../src/stores/sqlite/names.ts'
import { openSqliteStore } from '../../../src/stores/sqlite/sqlite-store.ts'
import { makePerson } from '../../support/fixtures.ts'
import { type OldRelease, unpackRelease } from '../../support/old-release.ts'

let old: OldRelease
let folder: string
let file: string

beforeAll(() => {
  old = unpackRelease()
})
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'terce-'))
  file = join(folder, 'terce.db')
  return () => rmSync(folder, { recursive: true })
})
afterAll(() => old.remove())

const openOld = async (): Promise<ReturnType<typeof openSqliteStore>> =>
  (await import(join(old.dist, 'stores/sqlite/sqlite-store.js'))).openSqliteStore(file)

async function createIn(store: ReturnType<typeof openSqliteStore>): Promise<string> {
  const person = makePerson()
  await store.createUsers([person])
  await store.close()
  return person.user.id
}

async function found(store: ReturnType<typeof openSqliteStore>, ids: string[]): Promise<boolean[]> {
  const people = await Promise.all(ids.map((id) => store.findUser(id)))
  await store.close()
  return people.map((person) => person !== null)
}

describe('a SQLite file', () => {
  it('that this release created can be used by 0.1.0, and by this release again', async () => {
    const ids = [await createIn(openSqliteStore(file)), await createIn(await openOld())]
    expect(await found(openSqliteStore(file), ids)).toEqual([true, true])
    expect(await found(await openOld(), ids)).toEqual([true, true])
  })

  it('that 0.1.0 created can be used by this release, and by 0.1.0 again', async () => {
    const ids = [await createIn(await openOld()), await createIn(openSqliteStore(file))]
    expect(await found(await openOld(), ids)).toEqual([true, true])
  })

  it('counts the people of a timezone whom 0.1.0 creates before and after the update', async () => {
    await createIn(await openOld())
    await createIn(openSqliteStore(file))
    await createIn(await openOld())
    const store = openSqliteStore(file)
    expect(await store.countByTimezone()).toEqual([{ timezone: 'Etc/UTC', people: 3 }])
    await store.close()
  })

  it('of a newer release can be used if its migrations allow this release', () => {
    const db = new DatabaseSync(file)
    migrate(db, [...readMigrations(MIGRATIONS), later(RELEASE)])
    expect(migrate(db)).toEqual([])
    db.close()
  })

  it('of a newer release is not opened if its migrations need a newer release, which the error names', () => {
    const db = new DatabaseSync(file)
    migrate(db, [...readMigrations(MIGRATIONS), later('7.1.0')])
    db.close()
    expect(() => openSqliteStore(file)).toThrow(
      `Cannot use ${file} as a database: its schema needs Terce 7.1.0 or newer, and this is ${RELEASE}.`,
    )
  })

  it('has no further migration recorded where 0.1.0 reads them', () => {
    const db = new DatabaseSync(file)
    migrate(db, [...readMigrations(MIGRATIONS), later(RELEASE)])
    const last = (table: string) => db.prepare(`SELECT max(name) AS name FROM ${table}`).get()!.name
    expect([last('migrations'), last('schema_migrations')]).toEqual(['0009_people.sql', '9999_later.sql'])
    db.close()
  })
})

const later = (oldest: string) =>
  parseMigration('9999_later.sql', `-- oldest release: ${oldest}\nCREATE TABLE later (id TEXT);`)
