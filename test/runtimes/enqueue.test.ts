// Changes enqueued by SQL, applied by the worker of each way to run it.
import pg from 'pg'
import { describe, expect, it } from 'vitest'
import { createTerce } from '../../src/library/terce.ts'
import { query } from '../stores/postgres/support/audit.ts'
import { useStage } from '../stores/postgres/support/postgres-suite.ts'
import { until } from '../support/until.ts'

const stage = useStage()

/** A person in a schema whose birthday is today, and whose message is due at once. */
const enqueueToday = (schema: string) => `SELECT ${schema}.enqueue_user(jsonb_build_object('externalId', '42',
  'firstName', 'Ada', 'lastName', 'Lovelace', 'timezone', 'UTC', 'sendTodayNow', true,
  'dateOfBirth', to_char(now() AT TIME ZONE 'UTC', '1990-MM-DD')))`

describe.each([
  ['all', 'terce'],
  ['worker', 'greetings'],
] as const)('terce %s on the schema %s', (role, schema) => {
  it('plans and sends the message of a person who is enqueued on their birthday', async () => {
    const sink = await stage.sink()
    const env = { WEBHOOK_URL: sink.url, DATABASE_SCHEMA: schema, DELIVER_AT: '00:00' }
    await stage.terce(role, env)
    await query(stage.database(), enqueueToday(schema))
    await until(
      'the message arrives',
      () => sink.arrivals,
      ({ length }) => length === 1,
    )
    expect(JSON.parse(sink.arrivals[0]!.body)).toMatchObject({ externalId: '42', type: 'BIRTHDAY' })
  }, 60_000)
})

describe('the worker of an application', () => {
  it('applies a change that another program of the application enqueues', async () => {
    const pool = new pg.Pool({ connectionString: stage.database(), max: 6 })
    const terce = createTerce({ database: pool, settings: { DELIVER_AT: '00:00' } })
    stage.atEnd(async () => {
      await terce.stop()
      await pool.end()
    })
    const handled: string[] = []
    terce.on('BIRTHDAY', ({ eventId }) => void handled.push(eventId))
    await terce.start()
    await query(stage.database(), enqueueToday('terce'))
    await until(
      'the handler runs',
      () => handled,
      ({ length }) => length === 1,
    )
  }, 60_000)
})
