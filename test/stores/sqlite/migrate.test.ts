// Migrations of a SQLite file that a newer release has migrated.
import { execFileSync } from 'node:child_process'
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
import { makeNextRelease, type NextRelease } from '../../support/next-release.ts'

let next: NextRelease
let folder: string
let file: string

beforeAll(() => {
  next = makeNextRelease()
})
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'terce-'))
  file = join(folder, 'terce.db')
  return () => rmSync(folder, { recursive: true })
})
afterAll(() => next.remove())

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
  it('that the next release has migrated can be used by this release', async () => {
    const ids = [await createIn(openSqliteStore(file))]
    execFileSync(process.execPath, [next.command, 'migrate'], {
      env: { ...process.env, DATABASE_URL: `sqlite:${file}` },
    })
    ids.push(await createIn(openSqliteStore(file)))
    const db = new DatabaseSync(file)
    expect(db.prepare('SELECT note FROM events').all()).toHaveLength(2)
    db.close()
    expect(await found(openSqliteStore(file), ids)).toEqual([true, true])
  })

  it('of a newer release is not opened if its migrations need a newer release, which the error names', () => {
    const db = new DatabaseSync(file)
    migrate(db, [...readMigrations(MIGRATIONS), later('7.1.0')])
    db.close()
    expect(() => openSqliteStore(file)).toThrow(
      `Cannot use ${file} as a database: its schema needs Terce 7.1.0 or newer, and this is ${RELEASE}.`,
    )
  })
})

const later = (oldest: string) =>
  parseMigration('9999_later.sql', `-- oldest release: ${oldest}\nCREATE TABLE later (id TEXT);`)
