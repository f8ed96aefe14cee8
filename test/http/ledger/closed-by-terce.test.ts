// The ledger of an installation on each database: its engine delivers, Terce closes the days, and the API returns them.
import type { DatabaseSync } from 'node:sqlite'
import { expect, it } from 'vitest'
import { closeDays } from '../../../src/app/ledger/close-days.ts'
import { tzdb } from '../../../src/domain/time/tzdb.ts'
import { createTestTerce, type TestTerce } from '../../../src/library/testing/testing.ts'
import type { Store } from '../../../src/ports/store.ts'
import { storeInSqliteTransaction } from '../../../src/stores/sqlite/sqlite-store.ts'
import { useStage } from '../../stores/postgres/support/postgres-suite.ts'
import { createTestApp, type Json } from '../support/test-app.ts'

const stage = useStage()
const now = '2027-03-08T00:00:00Z'
type Home = { terce: TestTerce<never>; store: Store }

async function onSqlite(): Promise<Home> {
  const terce = await createTestTerce({ now })
  const store = storeInSqliteTransaction(terce.sqlite as unknown as DatabaseSync, 'terce_')
  return { terce: terce as unknown as Home['terce'], store }
}

async function onPostgres(): Promise<Home> {
  const terce = await createTestTerce({ now, database: stage.database() })
  return { terce: terce as unknown as Home['terce'], store: await stage.open() }
}

/** Birthdays on 2027-03-10, by what happens to their messages. Closes the day; then `forgotten` is deleted. */
async function live({ terce, store }: Home) {
  const clock = { now: terce.clock.now, after: () => ({ cancel() {} }) }
  const close = () => closeDays({ store, clock, planner: { ids: () => '', table: tzdb }, telemetry() {} })
  terce.receive(({ externalId }) => (externalId === 'rejected' ? 400 : undefined))
  await close()
  const ids: Record<string, string> = {}
  const names = ['delivered', 'rejected', 'paused', 'moved', 'deleted', 'forgotten']
  for (const externalId of names) {
    const born = { dateOfBirth: '1990-03-10', timezone: 'Europe/Berlin' }
    const person = { externalId, firstName: externalId, lastName: 'Person', ...born }
    ids[externalId] = (await terce.users.create(person)).user.id
  }
  const [birthday] = (await terce.occasions.ofUser(ids.paused!)).items
  await terce.clock.advanceTo('2027-03-10T07:00:00Z')
  await terce.occasions.pause(birthday!.id)
  await terce.users.change(ids.moved!, { dateOfBirth: '1990-03-20' })
  await terce.users.delete(ids.deleted!)
  await terce.clock.advanceTo('2027-03-11T13:00:00Z')
  await close()
  await terce.users.delete(ids.forgotten!)
  return ids
}

it.each([
  ['SQLite', onSqlite],
  ['PostgreSQL', onPostgres],
])(
  'a closed day on %s has a line of its kind for each message, with the change that excuses it',
  async (_, open) => {
    const home = await open()
    const ids = await live(home)
    const { send, setClock } = createTestApp({ store: home.store })
    setClock('2027-03-11T13:00:00Z')

    const { items: days } = (await send('/ledger')).json
    expect(
      days.map(({ day, state, unexplained, surplus }: Json) => [day, state, unexplained, surplus]),
    ).toEqual(['2027-03-10', '2027-03-09', '2027-03-08'].map((day) => [day, 'closed', 0, 0]))
    expect(days[0]).toMatchObject({
      ...{ owed: 6, delivered: 2, late: 0, failed: 1, excused: 3, open: 0, people: 5 },
    })

    const { json, text } = await send('/ledger/2027-03-10')
    const lines = json.items.map(({ firstName, column, reason, evidence }: Json) =>
      [firstName, column, reason, evidence?.kind].filter(Boolean).join(' '),
    )
    expect(lines.sort()).toEqual([
      'delivered',
      'delivered delivered',
      'excused DELETED person-deleted',
      'moved excused CHANGED person-changed',
      'paused excused PAUSED occasion-changed',
      'rejected failed HTTP 400',
    ])
    const before = Object.fromEntries(
      json.items.map(({ firstName, evidence }: Json) => [firstName, evidence?.before]),
    )
    expect(before.moved).toMatchObject({ dateOfBirth: '1990-03-10', timezone: 'Europe/Berlin' })
    expect(before.paused).toMatchObject({ pausedAt: null })
    for (const gone of ['deleted', 'forgotten']) expect(text).not.toContain(ids[gone])
    await home.terce.stop()
  },
)
