// The limits of the account of the running day.
import { expect, it } from 'vitest'
import { createTodaysAccount } from '../../../src/app/ledger/account-now.ts'
import { tzdb } from '../../../src/domain/time/tzdb.ts'
import { openSqliteStore } from '../../../src/stores/sqlite/sqlite-store.ts'
import { makePeople, T0 } from '../../support/fixtures.ts'

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

it('accounts for everyone within its limits', async () => {
  expect(await accountOf({ people: 11, ms: 1_000, pageSize: 3 })).toEqual({ people: 10, isComplete: true })
})

it('ends after the page that reaches the most people, and says so', async () => {
  expect(await accountOf({ people: 5, ms: 1_000, pageSize: 3 })).toEqual({ people: 6, isComplete: false })
})

it('ends after the page in which its time is up, and says so', async () => {
  expect(await accountOf({ people: 100, ms: 1_000, pageSize: 3 }, 600)).toEqual({
    people: 3,
    isComplete: false,
  })
})
