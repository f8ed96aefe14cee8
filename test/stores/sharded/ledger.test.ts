// The ledger over shards, where it differs from that of one store.
import { expect, it } from 'vitest'
import { noCounts } from '../../../src/domain/ledger/line.ts'
import { openSharedSqliteStore } from '../../../src/stores/sqlite/sqlite-store.ts'
import { DAY, makePeople, makePerson, T0 } from '../../support/fixtures.ts'
import { openShards } from './support/open.ts'

const day = '2020-06-01'
const since = { eventsFrom: T0 - DAY, carriedFrom: null }

it('an account that was begun with another number of shards is rejected: people would be in it twice', async () => {
  const [two, four] = [openShards(2), openShards(4)]
  await two.store.createUsers(makePeople(9))
  const { nextCursor } = await two.store.readAccounts({ limit: 2, cursor: null, ...since })
  await expect(four.store.readAccounts({ limit: 2, cursor: nextCursor, ...since })).rejects.toThrow(
    'begun with 2 shards, and there are 4',
  )
  await two.store.close()
  await four.store.close()
})

it('a page that was saved in its shard is not saved again, and the account goes on behind it', async () => {
  const { store, registry } = openShards(2)
  await store.createUsers(makePeople(9))
  await store.openLedgerDay({ day, startedAt: T0 })
  const { people, nextCursor } = await store.readAccounts({ limit: 2, cursor: null, ...since })
  const page = { day, from: null, to: `people ${nextCursor}`, people, lines: [], newlySeen: [] }
  expect(await store.saveAccountPage(page)).toBe(true)
  expect(await store.saveAccountPage(page)).toBe(false)
  const [progress] = await store.listLedgerDays({ limit: 1 })
  expect(progress).toMatchObject({ cursor: page.to, people: 2 })
  expect(await registry.listLedgerDays({ limit: 1 })).toMatchObject([{ cursor: null, people: 0 }])
  await store.close()
})

it('an erasure in a shard that received the lines of a closed day, without the day, keeps their commitments', async () => {
  const { db, store } = openSharedSqliteStore(':memory:', '')
  const person = makePerson()
  await store.createUsers([person])
  await store.openLedgerDay({ day, startedAt: T0 })
  const about = { occasionId: person.occasions[0]!.id, eventId: person.events[0]!.id, occurrence: '2020' }
  const when = { dueAt: T0, settledAt: T0, attempt: 1, entry: null, because: null, carriedFrom: null }
  const line = {
    day,
    commitment: 'c',
    salt: '00',
    column: 'delivered' as const,
    reason: null,
    ...about,
    ...when,
  }
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
