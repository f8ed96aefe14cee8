// The ledger over shards, where it differs from that of one store.
import { expect, it } from 'vitest'
import { noCounts, type StoredLine } from '../../../src/domain/ledger/line.ts'
import { deletionNumber } from '../../../src/stores/sharded/journal.ts'
import { openSharedSqliteStore } from '../../../src/stores/sqlite/sqlite-store.ts'
import { makePeople, makePerson, T0 } from '../../support/fixtures.ts'
import { openShards } from './support/open.ts'

const day = '2020-06-01'

const lineOf = (commitment: string): StoredLine => ({
  ...{ day, commitment, salt: '00', column: 'delivered', reason: null, occasionId: null, eventId: null },
  ...{
    occurrence: null,
    dueAt: T0,
    settledAt: T0,
    attempt: 1,
    entry: null,
    because: null,
    carriedFrom: null,
  },
})

it('has the days in the registry, and closes one only at the cursor that its lines were read at', async () => {
  const { store, registry } = openShards(2)
  await store.openLedgerDay({ day, startedAt: T0 })
  const page = { day, people: 0, lines: [], newlySeen: [] }
  expect(await store.saveAccountPage({ ...page, from: null, to: 'shards 2' })).toBe(true)
  expect(await store.saveAccountPage({ ...page, from: null, to: 'shards 2' })).toBe(false)
  expect(await store.saveAccountPage({ ...page, from: 'shards 2', to: 'shards 4' })).toBe(true)
  const seal = { root: '', previous: '', signature: '', publicKey: '', tzVersion: '', people: 0 }
  const close = (cursor: string) =>
    store.closeLedgerDay({ ...noCounts(), ...seal, day, closedAt: T0 }, cursor)
  expect(await close('shards 2')).toBe(false)
  expect(await close('shards 4')).toBe(true)
  expect(await registry.listLedgerDays({ limit: 1 })).toMatchObject([{ day, closedAt: T0 }])
  await store.close()
})

it('merges the lines of the shards in order of commitment', async () => {
  const { store, stores } = openShards(2)
  for (const [i, shard] of stores.entries()) {
    await shard.openLedgerDay({ day, startedAt: T0 })
    const lines = ['1', '3', '5'].map((digit) => lineOf(String(Number(digit) + i).repeat(64)))
    await shard.saveAccountPage({ day, from: null, to: 'done', people: 3, lines, newlySeen: [] })
  }
  const { items } = await store.listLedgerLines({ day, limit: 10, cursor: null })
  expect(items.map(({ commitment }) => commitment[0])).toEqual(['1', '2', '3', '4', '5', '6'])
  await store.close()
})

it('finds the deletion that a line names by its shard, where both have an entry of that number', async () => {
  const { store, stores } = openShards(2)
  const people = makePeople(8)
  await store.createUsers(people)
  const deletions = { kinds: ['person-deleted'] as const, from: 0 }
  for (const { user } of people) await store.deleteUser(user.id, T0)
  for (const [shard, one] of stores.entries())
    for (const { number, idHash } of await one.readJournal(deletions)) {
      const global = deletionNumber(number, shard)
      expect(await store.findDeletions([global])).toMatchObject([{ number: global, idHash }])
    }
  await store.close()
})

it('an erasure in a shard that received the lines of a closed day, without the day, keeps their commitments', async () => {
  const { db, store } = openSharedSqliteStore(':memory:', '')
  const person = makePerson()
  await store.createUsers([person])
  await store.openLedgerDay({ day, startedAt: T0 })
  const about = { occasionId: person.occasions[0]!.id, eventId: person.events[0]!.id, occurrence: '2020' }
  const line = { ...lineOf('c'), ...about }
  await store.saveAccountPage({ day, from: null, to: 'end', people: 1, lines: [line], newlySeen: [] })
  const seal = { root: '', previous: '', signature: '', publicKey: '', tzVersion: '', people: 1 }
  await store.closeLedgerDay({ ...noCounts(), ...seal, day, closedAt: T0 })
  // A split moves the rows of people. The days stay.
  db.exec('DELETE FROM ledger_days')
  await store.deleteUser(person.user.id, T0)
  const { items } = await store.listLedgerLines({ day, limit: 9, cursor: null })
  expect(items).toMatchObject([{ commitment: 'c', column: 'delivered', occasionId: null, salt: null }])
  await store.close()
})
