// The SQLite store in one process: the contract on a real file, and what a file adds to it.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Store } from '../../../src/ports/store.ts'
import { openSqliteStore } from '../../../src/stores/sqlite/sqlite-store.ts'
import { describeStoreContract } from '../../contracts/store.contract.ts'
import { HOUR, MINUTE, makePeople, makePerson, T0 } from '../../support/fixtures.ts'
import { useStoreFiles } from './support/store-files.ts'

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

  it('that is no database is rejected with an error that names it', async () => {
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

  it('in a folder that does not exist and cannot be created is rejected with an error that names it', async () => {
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
