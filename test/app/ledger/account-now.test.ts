// The account of the running day.
import { expect, it } from 'vitest'
import { createTodaysAccount } from '../../../src/app/ledger/account-now.ts'
import { INBOX_CHANNEL } from '../../../src/domain/settings/channel.ts'
import { tzdb } from '../../../src/domain/time/tzdb.ts'
import { createTestTerce } from '../../../src/library/testing/testing.ts'
import { openSqliteStore } from '../../../src/stores/sqlite/sqlite-store.ts'
import { makePeople, T0 } from '../../support/fixtures.ts'
import { closingOf } from './support/installation.ts'

/** The clock moves by `stepMs` whenever it is read. */
async function accountOf(limits: { people: number; ms: number; pageSize: number }, stepMs = 0) {
  const store = openSqliteStore(':memory:')
  await store.createUsers(makePeople(10))
  let now = T0
  const clock = {
    now() {
      now += stepMs
      return now
    },
    after: () => ({ cancel() {} }),
  }
  const deps = { store, clock, planner: { ids: () => '', table: tzdb }, telemetry() {} }
  const { value } = await createTodaysAccount(deps, limits)()
  await store.close()
  return { people: value.day.people, isComplete: value.isComplete }
}

it.each([
  ['accounts for everyone within its limits', { people: 11, ms: 1_000 }, 0, 10, true],
  ['ends after the page that reaches the most people, and says so', { people: 5, ms: 1_000 }, 0, 6, false],
  ['ends after the page in which its time is up, and says so', { people: 100, ms: 1_000 }, 600, 3, false],
] as const)('%s', async (_, limits, stepMs, people, isComplete) => {
  expect(await accountOf({ ...limits, pageSize: 3 }, stepMs)).toEqual({ people, isComplete })
})

it('has a held message as open, and as delivered late after the hold', async () => {
  await using terce = await createTestTerce({ now: '2027-03-03T08:00:00Z' })
  const deps = closingOf(terce)
  const names = { firstName: 'Ada', lastName: 'Byron' }
  await terce.users.create({ ...names, dateOfBirth: '1990-03-03', timezone: 'UTC' })
  await deps.store.pauseDestination({
    ...{ channelId: INBOX_CHANNEL, pausedAt: terce.clock.now(), pausedBy: 'ops' },
    pausedUntil: Date.parse('2027-03-03T09:10:00Z'),
  })
  const accountAt = async (time: string) => {
    await terce.clock.advanceTo(`2027-03-03T${time}Z`)
    return (await createTodaysAccount(deps)()).value
  }
  const held = await accountAt('09:09:00')
  expect(held).toMatchObject({ day: { open: 1, delivered: 0 }, lines: [{ reason: 'PARKED' }] })
  expect((await accountAt('09:11:00')).day).toMatchObject({ open: 0, delivered: 1, late: 1 })
})
