// How long claims wait for table locks while the next release migrates, by a sampler of pg_locks, against a lock that is held for
// two seconds. The longest waits on ten million rows were measured by hand: see docs/decisions/0022-releases-side-by-side.md.
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openPostgresStore } from '../../../../src/stores/postgres/postgres-store.ts'
import { makePeople } from '../../../support/fixtures.ts'
import { makeNextRelease, type NextRelease } from '../../../support/next-release.ts'
import { query } from '../support/audit.ts'
import { useStage } from '../support/postgres-suite.ts'
import { watchClaims } from './support/lock-sampler.ts'

const stage = useStage({ database: 'empty' })
let next: NextRelease
beforeAll(() => {
  next = makeNextRelease()
})
afterAll(() => next.remove())

/** Workers of this release claim meanwhile. */
async function waitsDuring(work: (url: string) => Promise<unknown>) {
  const url = await stage.server().createDatabase()
  const store = await openPostgresStore(url)
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

describe('claims', () => {
  it('wait less for a lock while the next release migrates than under a statement that holds one', async () => {
    const migrated = await waitsDuring(async (DATABASE_URL) => {
      await promisify(execFile)(process.execPath, [next.command, 'migrate'], {
        env: { ...process.env, DATABASE_URL },
      })
      expect(await query(DATABASE_URL, 'SELECT note FROM terce.events LIMIT 1')).toHaveLength(1)
    })
    const held = await waitsDuring((url) =>
      query(
        url,
        `BEGIN; CREATE INDEX planted ON terce.events (timezone); SELECT pg_sleep(${HELD_S}); COMMIT`,
      ),
    )
    expect(held.longestLockWaitMs).toBeGreaterThan(0)
    expect(migrated.longestLockWaitMs).toBeLessThan(held.longestLockWaitMs)
  })
})
