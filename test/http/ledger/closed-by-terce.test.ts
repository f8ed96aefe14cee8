// The ledger of an installation whose engine delivers and whose days Terce closes, read over HTTP.
import type { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { closeDays } from '../../../src/app/ledger/close-days.ts'
import { LEDGER_REASONS } from '../../../src/domain/ledger/reasons.ts'
import { tzdb } from '../../../src/domain/time/tzdb.ts'
import { createTestTerce } from '../../../src/library/testing/testing.ts'
import { storeInSqliteTransaction } from '../../../src/stores/sqlite/sqlite-store.ts'
import { createTestApp, type Json } from '../support/test-app.ts'

/** Birthdays on 2027-03-10: one delivered, one rejected, one paused, one moved away in time, one deleted before, one after. */
async function live() {
  const terce = await createTestTerce({ now: '2027-03-08T00:00:00Z' })
  const store = storeInSqliteTransaction(terce.sqlite as unknown as DatabaseSync, 'terce_')
  const clock = { now: terce.clock.now, after: () => ({ cancel() {} }) }
  const planner = { ids: () => '', table: tzdb }
  const close = () => closeDays({ store, clock, planner, telemetry() {} })
  terce.receive(({ externalId }) => (externalId === 'rejected' ? 400 : undefined))
  await close()
  const ids: Record<string, string> = {}
  for (const externalId of ['delivered', 'rejected', 'paused', 'moved', 'deleted', 'forgotten']) {
    const names = { firstName: externalId, lastName: 'Person' }
    const born = { dateOfBirth: '1990-03-10', timezone: 'Europe/Berlin' }
    ids[externalId] = (await terce.users.create({ externalId, ...names, ...born })).user.id
  }
  const birthday = async (of: string) => (await terce.occasions.ofUser(ids[of]!)).items[0]!.id
  await terce.clock.advanceTo('2027-03-10T07:00:00Z')
  await terce.occasions.pause(await birthday('paused'))
  await terce.users.change(ids.moved!, { dateOfBirth: '1990-03-20' })
  await terce.users.delete(ids.deleted!)
  await terce.clock.advanceTo('2027-03-11T13:00:00Z')
  await close()
  await terce.users.delete(ids.forgotten!)
  return {
    terce,
    store,
    ids,
    occasions: { moved: await birthday('moved'), paused: await birthday('paused') },
  }
}

describe('the ledger of an installation', () => {
  let lived: Awaited<ReturnType<typeof live>>
  let send: ReturnType<typeof createTestApp>['send']
  beforeAll(async () => {
    lived = await live()
    const app = createTestApp({ store: lived.store })
    app.setClock('2027-03-11T13:00:00Z')
    send = app.send
  })
  afterAll(() => lived.terce.stop())

  it('has a closed day for each day that has ended, with nothing unexplained', async () => {
    const { items: days } = (await send('/ledger')).json
    expect(
      days.map(({ day, state, unexplained, surplus }: Json) => [day, state, unexplained, surplus]),
    ).toEqual(['2027-03-10', '2027-03-09', '2027-03-08'].map((day) => [day, 'closed', 0, 0]))
    expect(days[0]).toMatchObject({ owed: 6, delivered: 2, failed: 1, excused: 3, open: 0, people: 5 })
  })

  it('has for each line a reason of the table and, if it is excused, the entry of the journal', async () => {
    const { items: lines } = (await send('/ledger/2027-03-10')).json
    const found = lines.map(({ column, reason, evidence }: Json) => [column, reason, evidence?.kind ?? null])
    expect(found.sort()).toEqual([
      ['delivered', null, null],
      ['delivered', null, null],
      ['excused', 'CHANGED', 'person-changed'],
      ['excused', 'DELETED', 'person-deleted'],
      ['excused', 'PAUSED', 'occasion-changed'],
      ['failed', 'HTTP 400', null],
    ])
    const columnsOf: Record<string, { columns: readonly string[] }> = LEDGER_REASONS
    for (const { column, reason } of lines.filter((line: Json) => line.column === 'excused'))
      expect(columnsOf[reason]!.columns).toContain(column)
  })

  it('shows the state before the change', async () => {
    const { items: lines } = (await send('/ledger/2027-03-10?column=excused')).json
    const of = (id: string) => lines.find(({ occasionId }: Json) => occasionId === id).evidence
    expect(of(lived.occasions.moved)).toMatchObject({
      userId: lived.ids.moved,
      before: { dateOfBirth: '1990-03-10', timezone: 'Europe/Berlin' },
    })
    expect(of(lived.occasions.paused)).toMatchObject({
      occasionId: lived.occasions.paused,
      before: { pausedAt: null },
    })
  })

  it('has no trace of the person who was deleted after the day was closed', async () => {
    const { text, json } = await send('/ledger/2027-03-10?column=delivered')
    expect(json.items.map(({ eventId }: Json) => eventId === null).sort()).toEqual([false, true])
    expect(text).not.toContain(lived.ids.forgotten)
  })
})
