// Ended sessions and expired stored responses are removed by themselves, without a request that would notice them.
import { expect, it } from 'vitest'
import { removeExpired, startExpiry } from '../../../src/app/access/expiry.ts'
import type { Store } from '../../../src/ports/store.ts'
import type { Notice } from '../../../src/ports/telemetry.ts'
import { openSqliteStore } from '../../../src/stores/sqlite/sqlite-store.ts'
import { createTestClock, DAY, HOUR, makePerson, newId, T0 } from '../../support/fixtures.ts'

const response = { key: 'sha256:1', fingerprint: 'f', status: 201, body: '{}' }

async function fill(store: Store): Promise<void> {
  await store.createUsers([makePerson()], { ...response, createdAt: T0, forgetBefore: T0 - DAY })
  const id = newId(T0)
  await store.createSession({
    id,
    hash: id,
    keyId: 'k',
    userAgent: null,
    createdAt: T0,
    lastUsedAt: T0,
  })
}

it('expiry removes sessions after 12 hours, and stored responses after a day', async () => {
  const store = openSqliteStore(':memory:')
  const clock = createTestClock(T0)
  await fill(store)
  await clock.advance(12 * HOUR)
  expect(await removeExpired({ store, clock })).toEqual({ sessions: 0, responses: 0 })
  await clock.advance(1)
  expect(await removeExpired({ store, clock })).toEqual({ sessions: 1, responses: 0 })
  await clock.advance(12 * HOUR)
  expect(await removeExpired({ store, clock })).toEqual({ sessions: 0, responses: 1 })
  expect(await store.findResponse(response.key, 0)).toBeNull()
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
    removeOldResponses: (before) =>
      failures-- > 0 ? Promise.reject(new Error('the disk is full')) : store.removeOldResponses(before),
  }
  const stop = startExpiry({ store: failing, clock, telemetry: (notice) => void notices.push(notice) })
  for (let hour = 0; hour < 26; hour++) {
    await clock.advance(HOUR)
    await new Promise(setImmediate)
  }
  expect(notices).toMatchObject([{ kind: 'error', operation: 'remove-expired' }])
  expect([await store.findResponse(response.key, 0), await store.listSessions()]).toEqual([null, []])
  stop()
  await fill(store)
  await clock.advance(3 * DAY)
  expect(await store.listSessions()).toHaveLength(1)
  await store.close()
})
