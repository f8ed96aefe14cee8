// The journal of PostgreSQL where another session changes a row between the statements of one transaction.
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openPostgresStore } from '../../../src/stores/postgres/postgres-store.ts'
import { makeChannel } from '../../contracts/store/settings.ts'
import { T0 } from '../../support/fixtures.ts'
import { type PostgresServer, startPostgres } from '../../support/postgres-server.ts'
import { until } from '../../support/until.ts'
import { query } from './support/audit.ts'

let server: PostgresServer
beforeAll(async () => {
  server = await startPostgres({ fast: true })
})
afterAll(() => server.stop())

it('has no entry for the removal of a channel that is changed while the removal waits for its row', async () => {
  const url = await server.createDatabase()
  const store = await openPostgresStore(url)
  const other = new pg.Client(url)
  await other.connect()
  try {
    const channel = makeChannel()
    await store.saveChannel(channel)
    await other.query('BEGIN; UPDATE terce.channels SET version = 2')
    const removal = store.removeChannel(channel, T0)
    const waiting = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`
    await until(
      'the removal waits',
      () => query(url, waiting),
      (rows) => rows.length > 0,
    )
    await other.query('COMMIT')
    expect(await removal).toBe('conflict')
    expect(await store.readJournal({ kinds: ['channel-changed'], from: 0 })).toEqual([])
  } finally {
    await other.end()
    await store.close()
  }
})
