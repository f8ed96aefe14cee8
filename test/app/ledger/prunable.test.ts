// Pruning removes nothing that the account of a day which is not closed still needs.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { pruneHistory } from '../../../src/app/events/prune.ts'
import { closeDays } from '../../../src/app/ledger/close-days.ts'
import { prunableBefore, pruneLedger } from '../../../src/app/ledger/prunable.ts'
import { dayName } from '../../../src/domain/ledger/day.ts'
import { createTestTerce } from '../../../src/library/testing/testing.ts'
import { openSqliteStore } from '../../../src/stores/sqlite/sqlite-store.ts'
import { DAY as DAY_MS } from '../../support/fixtures.ts'
import { closingOf, DAY, type Installation, openInstallation } from './support/installation.ts'

let installation: Installation
beforeAll(async () => {
  installation = await openInstallation()
})
afterAll(() => installation.stop())

it('leaves nothing unexplained on a day that is closed after its history was pruned', () =>
  installation.undone(async () => {
    const { store, deps } = installation
    await pruneHistory(store, deps.clock.now())
    await closeDays(deps)
    const [closed] = await store.listLedgerDays({ from: DAY, to: DAY, limit: 1 })
    expect(closed).toMatchObject({ owed: 12, delivered: 10, unexplained: 0, surplus: 0 })
  }))

it('is nine days before the oldest day that is not closed, or earlier if earlier is asked for', () =>
  installation.undone(async () => {
    const { store, deps } = installation
    const bound = Date.parse(DAY) - 9 * DAY_MS
    expect(await prunableBefore(store, deps.clock.now())).toBe(bound)
    expect(await prunableBefore(store, bound - 1)).toBe(bound - 1)
    await closeDays(deps)
    expect(await prunableBefore(store, deps.clock.now())).toBe(bound + DAY_MS)
    await store.openLedgerDay({ day: '2027-03-13', startedAt: 0 })
    expect(await prunableBefore(store, deps.clock.now())).toBe(bound + DAY_MS)
  }))

it('removes the lines of days and the entries of the journal that no account needs, in steps', () =>
  installation.undone(async () => {
    const { store, deps } = installation
    const { clock } = deps
    const later = { now: () => clock.now() + 90 * DAY_MS }
    await closeDays(deps)
    const lines = async (day: string) => (await store.listLedgerLines({ day, limit: 50, cursor: null })).items
    const entries = async () =>
      (await store.readJournal({ kinds: ['person-changed', 'occasion-changed'], from: 0 })).entries
    await pruneLedger({ store, clock: later }, later.now())
    // The newest day is 2027-03-12: the next account reads no further back than 2027-03-04.
    expect((await lines('2027-03-09')).length).toBeGreaterThan(0)
    expect((await entries()).length).toBeGreaterThan(0)

    let at = Date.parse('2027-03-13')
    for (; at < later.now(); at += DAY_MS) await store.openLedgerDay({ day: dayName(at), startedAt: at })
    await pruneLedger({ store, clock: later }, Date.parse('2027-03-11'))
    expect(await lines('2027-03-10')).toEqual([])
    expect((await lines('2027-03-11')).length).toBeGreaterThan(0)
    await pruneLedger({ store, clock: later }, later.now())
    expect(await lines('2027-03-12')).toEqual([])
    expect(await entries()).toEqual([])
  }))

it('keeps the changes of 60 days and of an occasion whose end is ahead, and accounts for its message after a correction', async () => {
  const terce = await createTestTerce({ now: '2027-11-01T00:00:00Z' })
  const { clock, users, occasions } = terce
  const person = async () => {
    const names = { firstName: 'A', lastName: 'B' }
    const { user } = await users.create({ ...names, dateOfBirth: '1990-11-15', timezone: 'Europe/Berlin' })
    return user.id
  }
  const [ended, other, recent] = [await person(), await person(), await person()]
  const [birthday] = (await occasions.ofUser(ended)).items
  await occasions.change(birthday!.id, { until: '2028-06-30' })
  await clock.advanceTo('2027-12-01T00:00:00Z')
  for (const id of [ended, other]) await users.change(id, { dateOfBirth: '1990-02-20' })

  await clock.advanceTo('2028-01-15T00:00:00Z')
  await users.change(recent, { dateOfBirth: '1990-11-16' })

  await clock.advanceTo('2028-02-14T13:00:00Z')
  const deps = closingOf(terce)
  await closeDays(deps)
  await pruneLedger(deps, clock.now())
  const changes = (await deps.store.readJournal({ kinds: ['person-changed'], from: 0 })).entries
  expect(changes.map(({ userId }) => userId)).toEqual([ended, recent])
  await clock.advanceTo('2028-02-22T13:00:00Z')
  await closeDays(deps)
  const days = await deps.store.listLedgerDays({ limit: 20 })
  expect(days).toHaveLength(8)
  for (const { unexplained, surplus } of days) expect(unexplained + surplus).toBe(0)
  expect(days.map(({ delivered }) => delivered)).toContain(2)
  await terce.stop()
})

it('is what is asked for before the ledger has begun', async () => {
  const store = openSqliteStore(':memory:')
  expect(await prunableBefore(store, 1_000)).toBe(1_000)
  await store.close()
})
