// The SQLite store in one process: the contract on a real file, and what a file adds to it.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { storedKey } from '../../../src/domain/formats/stored-key.ts'
import type { Store } from '../../../src/ports/store.ts'
import { openSqliteStore } from '../../../src/stores/sqlite/sqlite-store.ts'
import { describeStoreContract } from '../../contracts/store.contract.ts'
import { HOUR, MINUTE, makePeople, makePerson, makeTask, newId, T0 } from '../../support/fixtures.ts'
import { OLD_FAILURES } from '../support/old-failures.ts'
import { useStoreFiles } from './support/store-files.ts'

const MIGRATIONS = new URL('../../../migrations/sqlite/', import.meta.url)

describeStoreContract('SQLite', useStoreFiles({ open: async (file) => openSqliteStore(file) }), {
  subset: 'one process',
})

describe('a lease that was granted before the clock was set back by an hour', () => {
  const claimAt = (store: Store, now: number) =>
    store.claimDue({ now, limit: 10, leaseMs: MINUTE, claimedBy: 'worker', render: ({ id }) => id })

  it('is void, and the lost attempt is recorded with times that are not in the future', async () => {
    const store = openSqliteStore(':memory:')
    const person = makePerson({ targetAt: T0 - HOUR })
    await store.createUsers([person])
    const [claim] = await claimAt(store, T0 + HOUR)
    const [again] = await claimAt(store, T0)
    expect(again).toMatchObject({ id: claim!.id, version: claim!.version + 1, reclaimed: true })
    const { attempts } = (await store.findEvent(claim!.id))!
    expect(attempts).toMatchObject([{ outcome: 'UNKNOWN', startedAt: T0, finishedAt: T0 }])
    await store.close()
  })

  it('holds when the clocks of two processes differ by a minute', async () => {
    const store = openSqliteStore(':memory:')
    await store.createUsers([makePerson({ targetAt: T0 - HOUR })])
    await claimAt(store, T0 + MINUTE)
    expect(await claimAt(store, T0)).toEqual([])
    await store.close()
  })
})

describe('a SQLite file', () => {
  let folder: string
  let file: string
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'terce-'))
    file = join(folder, 'terce.db')
  })
  afterEach(() => rm(folder, { recursive: true }))

  it('is opened again with all that was written', async () => {
    const first = openSqliteStore(file)
    const people = makePeople(3)
    await first.createUsers(people)
    await first.close()
    for (let times = 0; times < 3; times++) {
      const again = openSqliteStore(file)
      await again.check()
      for (const { user } of people) expect(await again.findUser(user.id)).toEqual(user)
      expect((await again.listEvents({ limit: 10, cursor: null })).items).toHaveLength(3)
      await again.close()
    }
  })

  it('of an earlier release is brought up to date with all that is in it', async () => {
    const db = new DatabaseSync(file)
    db.exec('CREATE TABLE migrations (name TEXT PRIMARY KEY, applied_at TEXT NOT NULL)')
    for (const name of ['0000_start.sql', '0001_delivery.sql']) {
      db.exec(await readFile(new URL(name, MIGRATIONS), 'utf8'))
      db.prepare('INSERT INTO migrations VALUES (?, ?)').run(name, '2026-11-01')
    }
    const { user, occasions, events } = makePerson()
    const [occasion, event] = [occasions[0]!, events[0]!]
    const insert = (table: string, row: Record<string, string | number | null>) => {
      const names = Object.keys(row)
      const marks = names.map(() => '?').join(', ')
      db.prepare(`INSERT INTO ${table} (${names.join(', ')}) VALUES (${marks})`).run(...Object.values(row))
    }
    const [first_name, last_name, date_of_birth] = [user.firstName, user.lastName, user.dateOfBirth]
    const times = { created_at: user.createdAt, updated_at: user.updatedAt, version: 1 }
    const { id, timezone } = user
    insert('users', { id, first_name, last_name, search_name: 'ada', date_of_birth, timezone, ...times })
    const how = { local_time: occasion.localTime, leap_day: occasion.leapDay }
    insert('occasions', { id: occasion.id, user_id: id, type: 'BIRTHDAY', ...how })
    const planned = {
      occasion_id: occasion.id,
      occurrence: event.occurrence,
      timezone,
      tz_version: event.tzVersion,
    }
    const due = { target_at: T0, wake_at: T0, offset_seconds: 0, retry_count: 0, plan_revision: 0 }
    insert('events', { id: event.id, ...planned, ...due, status: 'PENDING', ...times })
    db.close()

    const store = openSqliteStore(file)
    const { occasionId: _, ...open } = event
    expect(await store.readPerson(id)).toEqual({
      user,
      plans: [{ occasion, task: null, open: { ...open, status: 'PENDING', version: 1 }, lastSettled: null }],
    })
    await store.close()
  })

  it('of an earlier release has its failure reasons split into code and error', async () => {
    const db = new DatabaseSync(file)
    db.exec('CREATE TABLE migrations (name TEXT PRIMARY KEY, applied_at TEXT NOT NULL)')
    for (const name of ['0000_start.sql', '0001_delivery.sql', '0002_occasions.sql']) {
      db.exec(await readFile(new URL(name, MIGRATIONS), 'utf8'))
      db.prepare('INSERT INTO migrations VALUES (?, ?)').run(name, '2026-11-01')
    }
    db.exec(`INSERT INTO users (id, first_name, last_name, search_name, date_of_birth, timezone, version, created_at,
        updated_at) VALUES ('u', 'Ada', 'Lovelace', 'ada', '1990-12-15', 'UTC', 1, 1, 1);
      INSERT INTO occasions (id, user_id, type, local_time, leap_day, series)
        VALUES ('o', 'u', 'BIRTHDAY', '09:00', 'MARCH_1', 4);
      INSERT INTO answers VALUES ('key', 'f', 201, 'body', 1);
      INSERT INTO answer_users VALUES ('u', 'key')`)
    const insert =
      db.prepare(`INSERT INTO events (id, occasion_id, occurrence, status, target_at, offset_seconds,
        timezone, tz_version, retry_count, version, plan_revision, executed_at, failure_reason, created_at, updated_at)
      VALUES (?1, 'o', ?1, ?2, 1, 0, 'UTC', '2026a', 0, 3, 0, 2, ?3, 1, 1)`)
    for (const [i, [reason]] of OLD_FAILURES.entries()) insert.run(`${i}`, 'FAILED', reason)
    insert.run('fine', 'COMPLETED', null)
    db.close()

    const store = openSqliteStore(file)
    const { items } = await store.listEvents({ limit: 100, cursor: null })
    expect(items.map(({ failureCode, lastError }) => [failureCode, lastError])).toEqual([
      ...OLD_FAILURES.map(([, code, error]) => [code, error]),
      [null, null],
    ])
    expect(await store.listEvents({ limit: 100, cursor: null, status: 'FAILED' })).toMatchObject({
      items: OLD_FAILURES.map((_, i) => ({ id: `${i}` })),
    })
    expect((await store.findOccasion('o'))!.ruleRevision).toBe(4)
    await store.deleteUser('u', T0)
    expect(await store.findResponse(storedKey('key'), 0)).toMatchObject({ status: 201, body: null })
    await store.close()
  })

  it('of an earlier release has its names folded by the service, and is searched as far as that until then', async () => {
    const db = new DatabaseSync(file)
    db.exec('CREATE TABLE migrations (name TEXT PRIMARY KEY, applied_at TEXT NOT NULL)')
    for (const name of ['0000_start.sql', '0001_delivery.sql', '0002_occasions.sql']) {
      db.exec(await readFile(new URL(name, MIGRATIONS), 'utf8'))
      db.prepare('INSERT INTO migrations VALUES (?, ?)').run(name, '2026-11-01')
    }
    for (const id of ['u1', 'u2', 'u3'])
      db.exec(`INSERT INTO users (id, first_name, last_name, search_name, date_of_birth, timezone, version, created_at,
        updated_at) VALUES ('${id}', 'Zoë', 'O''Müller  B', 'zoë o''müller  b', '1990-12-15', 'UTC', 1, 1, 1)`)
    db.close()

    const store = openSqliteStore(file)
    const found = async (search: string) =>
      (await store.listUsers({ limit: 9, cursor: null, search })).items.map(({ id }) => id)
    expect([await found('zo'), await found('mull')]).toEqual([['u1', 'u2', 'u3'], []])
    expect([await store.foldUsers(2), await store.foldUsers(2), await store.foldUsers(2)]).toEqual([2, 1, 0])
    for (const search of ['zoe', 'muller', "o'mü", 'b']) expect(await found(search), search).toHaveLength(3)
    await store.deleteUser('u1', T0)
    expect(await found('muller')).toEqual(['u2', 'u3'])
    await store.close()
  })

  it('leaves no word of a person in the table of words after their deletion', async () => {
    const store = openSqliteStore(file)
    const { user, ...rest } = makePerson({
      firstName: 'A"b',
      lastName: 'C\\d [e]',
      externalId: '"x, ",y\\ z',
    })
    await store.createUsers([{ user, ...rest }])
    await store.updateUser({ user: { ...user, lastName: 'Q"r', version: 2 }, reschedules: null })
    const words = () => {
      const db = new DatabaseSync(file)
      const rows = db.prepare('SELECT word FROM user_words ORDER BY word').all()
      db.close()
      return rows.map(({ word }) => word)
    }
    expect(words()).toEqual(['",y\\', '"x,', 'b', 'q', 'r', 'z'])
    await store.deleteUser(user.id, T0)
    expect(words()).toEqual([])
    await store.close()
  })

  it('holds no trace of a user who was deleted', async () => {
    const store = openSqliteStore(file)
    const person = makePerson({ firstName: 'Wilhelmina', email: 'w@example.com', externalId: 'staff-4711' })
    const answer = {
      key: 'k',
      fingerprint: 'f',
      status: 201,
      body: 'Wilhelmina',
      createdAt: T0,
      forgetBefore: 0,
    }
    await store.createUsers([person, makePerson()], answer)
    const { occasion, task } = makeTask(person.user, { title: 'Renew the visa' })
    const open = { kind: 'insert' as const, event: null }
    await store.saveOccasion({ occasion, task, userVersion: 1, open, at: T0 })
    await store.createFeed({
      id: newId(T0),
      tokenHash: 'hash of her feed',
      userId: person.user.id,
      createdAt: T0,
    })
    for (const now of [T0, T0 + 2_000]) {
      const claims = await store.claimDue({
        now,
        limit: 10,
        leaseMs: 1_000,
        claimedBy: 'worker',
        render: ({ user }) => user.firstName,
      })
      const claim = claims.find(({ user }) => user.id === person.user.id)!
      const ref = { eventId: claim.id, version: claim.version }
      await store.settle([{ ...ref, at: now, kind: 'retry', wakeAt: now + 1, error: 'no', statusCode: null }])
    }
    const traces = [
      person.user.id,
      person.occasions[0]!.id,
      person.events[0]!.id,
      task.id,
      'Wilhelmina',
      'example.com',
      'staff-4711',
      'Renew the visa',
      'hash of her feed',
    ]
    const before = dump(file)
    for (const trace of traces) expect(before.toLowerCase()).toContain(trace.toLowerCase())
    await store.deleteUser(person.user.id, T0)
    await store.close()
    const after = dump(file)
    for (const trace of traces) expect(after.toLowerCase()).not.toContain(trace.toLowerCase())
    expect(after).toContain('Lovelace')
  })

  it('that is no database is refused with an error that names it', async () => {
    await writeFile(file, 'This is a letter, not a database. '.repeat(200))
    let message = ''
    try {
      const store = openSqliteStore(file)
      await store.check()
      await store.close()
    } catch (error) {
      message = (error as Error).message
    }
    expect(message).toMatch(/not a database/i)
    expect(message).toContain('terce.db')
  })

  it('in a folder that does not exist and cannot be made is refused with an error that names it', async () => {
    await writeFile(join(folder, 'flat'), '')
    const impossible = join(folder, 'flat', 'terce.db')
    expect(() => openSqliteStore(impossible)).toThrow('terce.db')
  })
})

describe('a SQLite store in memory', () => {
  it('is empty each time and shares nothing', async () => {
    const [one, two] = [openSqliteStore(':memory:'), openSqliteStore(':memory:')]
    await one.createUsers([makePerson()])
    expect((await one.listUsers({ limit: 10, cursor: null })).items).toHaveLength(1)
    expect((await two.listUsers({ limit: 10, cursor: null })).items).toEqual([])
    await one.close()
    await two.close()
  })
})

/** Every row of every table, as text. */
function dump(file: string): string {
  const db = new DatabaseSync(file, { readOnly: true })
  const tables = db.prepare(`SELECT name FROM sqlite_schema WHERE type = 'table'`).all()
  const rows = tables.flatMap(({ name }) => db.prepare(`SELECT * FROM "${name}"`).all())
  db.close()
  return JSON.stringify(rows)
}
