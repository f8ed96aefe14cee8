// Ended sessions are removed by themselves, without a request that would notice them.
import { expect, it } from 'vitest'
import { removeExpired, startExpiry } from '../../../src/app/access/expiry.ts'
import type { Store } from '../../../src/ports/store.ts'
import type { Notice } from '../../../src/ports/telemetry.ts'
import { openSqliteStore } from '../../../src/stores/sqlite/sqlite-store.ts'
import { createTestClock, DAY, HOUR, newId, T0 } from '../../support/fixtures.ts'

async function fill(store: Store): Promise<void> {
  const id = newId(T0)
  await store.createSession({
    id,
    hash: id,
    keyId: 'k',
    createdAt: T0,
    lastUsedAt: T0,
  })
}

it('expiry removes sessions after 12 hours', async () => {
  const store = openSqliteStore(':memory:')
  const clock = createTestClock(T0)
  await fill(store)
  await clock.advance(12 * HOUR)
  expect(await removeExpired({ store, clock })).toBe(0)
  await clock.advance(1)
  expect(await removeExpired({ store, clock })).toBe(1)
  await store.close()
})

it('expiry runs every hour until it is stopped, and goes on after an error', async () => {
  const store = openSqliteStore(':memory:')
  const clock = createTestClock(T0)
  const notices: Notice[] = []
  await fill(store)
  let failures = 1
  const failing: Store = {
    ...store,
    removeOldSessions: (before) =>
      failures-- > 0 ? Promise.reject(new Error('the disk is full')) : store.removeOldSessions(before),
  }
  const stop = startExpiry({ store: failing, clock, telemetry: (notice) => void notices.push(notice) })
  for (let hour = 0; hour < 26; hour++) {
    await clock.advance(HOUR)
    await new Promise(setImmediate)
  }
  expect(notices).toMatchObject([{ kind: 'error', operation: 'remove-expired' }])
  expect(await store.listSessions()).toEqual([])
  stop()
  await fill(store)
  await clock.advance(3 * DAY)
  expect(await store.listSessions()).toHaveLength(1)
  await store.close()
})
