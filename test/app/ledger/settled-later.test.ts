// Messages that are settled after their day was closed, or before it began, are on an account.
import { afterEach, beforeEach, expect, it } from 'vitest'
import { closeDays } from '../../../src/app/ledger/close-days.ts'
import type { LedgerDeps } from '../../../src/app/ledger/ledger-deps.ts'
import { createTestTerce, type InMemoryTerce } from '../../../src/library/testing/testing.ts'
import { HOUR } from '../../support/fixtures.ts'
import { closingOf } from './support/installation.ts'

let terce: InMemoryTerce
let deps: LedgerDeps
let isDown: boolean
beforeEach(async () => {
  terce = await createTestTerce({ now: '2027-03-01T00:00:00Z' })
  deps = closingOf(terce)
  isDown = false
  terce.receive(() => (isDown ? 400 : undefined))
  await closeDays(deps)
})
afterEach(() => terce.stop())

async function person(dateOfBirth: string): Promise<string> {
  const names = { firstName: 'Ada', lastName: 'Byron' }
  return (await terce.users.create({ ...names, dateOfBirth, timezone: 'Europe/Berlin' })).user.id
}

/** Asks for the message again an hour later. */
async function replayFailure(userId: string): Promise<void> {
  await terce.clock.advanceTo(new Date(terce.clock.now() + HOUR).toISOString())
  for await (const { id } of terce.events.ofUser(userId, { status: 'FAILED' }))
    return void (await terce.events.replay(id))
}

/** Adds a copy of the delivered replay that was delivered now. */
function deliverAgain(): void {
  const names = terce.sqlite.prepare(`SELECT name FROM pragma_table_info('terce_events')`).all()
  const columns = names.map(({ name }) => name as string)
  const others: Record<string, string> = {
    id: `'01f00000-0000-7000-8000-000000000001'`,
    occurrence: `'2027~9'`,
    executed_at: `${terce.clock.now()}`,
  }
  terce.sqlite.exec(`INSERT INTO terce_events (${columns.join()})
    SELECT ${columns.map((name) => others[name] ?? name).join()} FROM terce_events
    WHERE replay_of IS NOT NULL AND status = 'COMPLETED'`)
}

/** Closes each day at 13:00 UTC of the next one, up to a date of March. */
async function closeUntil(day: number): Promise<void> {
  for (let next = new Date(terce.clock.now()).getUTCDate() + 1; next <= day; next++) {
    await terce.clock.advanceTo(`2027-03-${String(next).padStart(2, '0')}T13:00:00Z`)
    await closeDays(deps)
  }
}

/** The lines of all days: day, column, reason and the day they are carried from. */
async function lines(): Promise<string[]> {
  const found: string[] = []
  for (const { day } of (await deps.store.listLedgerDays({ limit: 30 })).reverse()) {
    const { items } = await deps.store.listLedgerLines({ day, limit: 100, cursor: null })
    for (const { column, reason, carriedFrom } of items)
      found.push([day.slice(5), column, reason, carriedFrom?.slice(5)].filter(Boolean).join(' '))
  }
  return found
}

it('a replay after the close is on the account of its day if it was delivered, and surplus if it was delivered twice', async () => {
  const ada = await person('1990-03-03')
  isDown = true
  await closeUntil(5)
  await replayFailure(ada)
  await closeUntil(7)
  expect(await lines()).toEqual(['03-03 failed HTTP 400'])
  isDown = false
  await replayFailure(ada)
  await closeUntil(9)
  deliverAgain()
  await closeUntil(12)
  expect(await lines()).toEqual([
    '03-03 failed HTTP 400',
    '03-07 delivered 03-03',
    '03-09 surplus SENT_TWICE 03-03',
  ])
})

it('a delivered replay is on the account if its person is deleted before the close', async () => {
  const ada = await person('1990-03-03')
  isDown = true
  await closeUntil(5)
  isDown = false
  await replayFailure(ada)
  await terce.clock.advanceTo('2027-03-05T18:00:00Z')
  await terce.users.delete(ada)
  await closeUntil(8)
  expect(await lines()).toEqual(['03-03 failed HTTP 400', '03-05 delivered ERASED 03-03'])
})

it('messages of days that a clock ahead of time has closed are on the account of the day after', async () => {
  const ada = await person('1990-07-01')
  await terce.occasions.create(ada, {
    type: 'CHECK_IN',
    template: 'Hi',
    repeats: 'FREQ=DAILY',
    date: '2027-03-02',
  })
  await terce.clock.advanceTo('2027-03-03T05:00:00Z')
  await closeDays(deps)
  const ahead = Date.parse('2027-03-05T12:30:00Z')
  await closeDays({ ...deps, clock: { ...deps.clock, now: () => ahead } })
  await closeUntil(8)
  const delivered = (await lines()).filter((line) => line.includes('delivered'))
  expect(delivered).toHaveLength(6)
  expect(delivered.filter((line) => line.includes('03-03') || line.includes('03-04'))).toHaveLength(2)
})

it('an occasion that seems to be wrong is read again: it may have changed between two statements', async () => {
  await person('1990-05-10')
  await terce.clock.advanceTo('2027-03-04T13:00:00Z')
  const { store } = deps
  const readAccounts: typeof store.readAccounts = async (of) => {
    const page = await store.readAccounts(of)
    return { ...page, items: page.items.map((item) => ({ ...item, events: [] })) }
  }
  await closeDays({ ...deps, store: { ...store, readAccounts } })
  const days = await store.listLedgerDays({ limit: 20 })
  expect(days.map(({ people, unexplained }) => [people, unexplained])).toContainEqual([1, 0])
  expect(days.every(({ unexplained }) => unexplained === 0)).toBe(true)
})

it('a person who is deleted on their day, before it begins by UTC, is on its account', async () => {
  const id = await person('1990-03-10')
  await terce.users.change(id, { timezone: 'Pacific/Kiritimati' })
  await terce.clock.advanceTo('2027-03-09T20:00:00Z')
  await terce.users.delete(id)
  await terce.clock.advanceTo('2027-03-14T00:00:00Z')
  await closeDays(deps)
  const days = await deps.store.listLedgerDays({ limit: 20 })
  const delivered = days.flatMap(({ day, ...counts }) => (counts.delivered === 1 ? [day] : []))
  expect(delivered).toEqual(['2027-03-10'])
})
