// A claim finds room for the new version of each row on its page, so that it touches no index.
import { expect, it } from 'vitest'
import { createPool } from '../../../src/stores/postgres/connection.ts'
import { openOnPool } from '../../../src/stores/postgres/postgres-store.ts'
import { HOUR, makePeople } from '../../support/fixtures.ts'
import { useStage } from './support/postgres-suite.ts'

const stage = useStage()

it('a claim of all events by a worker with the name of a Kubernetes pod updates every row in place', async () => {
  const pool = createPool(stage.database(), 1)
  stage.atEnd(() => pool.end())
  const store = await openOnPool(pool)
  await store.createUsers(makePeople(2_000, () => ({ timezone: 'UTC' })))
  const claimedBy = 'terce-worker-7c9d8f6b5d-x2k4q-1'
  const claims = await store.claimDue({
    now: Date.now(),
    limit: 2_000,
    leaseMs: HOUR,
    claimedBy,
    render: () => 'body',
  })
  expect(claims).toHaveLength(2_000)
  await pool.query('SELECT pg_stat_force_next_flush()')
  const { rows } = await pool.query(
    `SELECT n_tup_upd::int AS updated, n_tup_hot_upd::int AS "inPlace" FROM pg_stat_user_tables
      WHERE relid = 'terce.events'::regclass`,
  )
  expect(rows).toEqual([{ updated: 2_000, inPlace: 2_000 }])
})
