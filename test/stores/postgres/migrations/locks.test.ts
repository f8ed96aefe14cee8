// How long claims wait for table locks while 0.1.0 is upgraded, by a sampler of pg_locks, against a lock that is held for two
// seconds. The longest waits on ten million rows were measured by hand: see docs/decisions/0022-releases-side-by-side.md.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openPostgresStore } from '../../../../src/stores/postgres/postgres-store.ts'
import { makePeople } from '../../../support/fixtures.ts'
import { type OldRelease, unpackRelease } from '../../../support/old-release.ts'
import { query } from '../support/audit.ts'
import { useStage } from '../support/postgres-suite.ts'
import { createFirstRelease, openOldStore } from './support/first-release.ts'
import { watchClaims } from './support/lock-sampler.ts'

const stage = useStage({ database: 'empty' })
let old: OldRelease
beforeAll(() => {
  old = unpackRelease()
})
afterAll(() => old.remove())

/** Workers of 0.1.0 claim meanwhile. */
async function waitsDuring(work: (url: string) => Promise<unknown>) {
  const url = await stage.server().createDatabase()
  await createFirstRelease(old, url)
  const store = await openOldStore(old, url)
  await store.createUsers(makePeople(500))
  const watch = watchClaims({ url, store, workers: 2 })
  await expect.poll(() => watch.report().claims).toBeGreaterThan(10)
  watch.reset()
  await work(url)
  await watch.stop()
  await store.close()
  return watch.report()
}

const HELD_S = 2

describe('claims of 0.1.0', () => {
  it('wait less for a lock while the tables are moved than under a statement that holds one', async () => {
    const moved = await waitsDuring(async (url) => (await openPostgresStore(url, { connections: 2 })).close())
    const held = await waitsDuring((url) =>
      query(url, `BEGIN; CREATE INDEX planted ON events (timezone); SELECT pg_sleep(${HELD_S}); COMMIT`),
    )
    expect(held.longestLockWaitMs).toBeGreaterThan(0)
    expect(moved.longestLockWaitMs).toBeLessThan(held.longestLockWaitMs)
  })
})
