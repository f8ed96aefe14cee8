// The SQL functions that enqueue changes: they belong to the caller's transaction, and need no other right.
import pg from 'pg'
import { describe, expect, it } from 'vitest'
import { query } from '../support/audit.ts'
import { useStage } from '../support/postgres-suite.ts'

const stage = useStage()
const ADA = {
  externalId: '42',
  firstName: 'Ada',
  lastName: 'Lovelace',
  dateOfBirth: '1990-12-15',
  timezone: 'Europe/London',
}

async function connect(url = stage.database()): Promise<pg.Client> {
  const client = new pg.Client(url)
  await client.connect()
  stage.atEnd(() => client.end())
  return client
}

describe.each(['terce', 'greetings'])('the functions of the schema %s', (schema) => {
  const enqueued = () => query(stage.database(), `SELECT * FROM ${schema}.enqueued_changes ORDER BY id`)

  it('insert a change that others see after the commit, and not before', async () => {
    await stage.open({ schema })
    const client = await connect()
    await client.query('BEGIN')
    const person = await client.query(`SELECT ${schema}.enqueue_user($1) AS id`, [ADA])
    const task = await client.query(`SELECT ${schema}.enqueue_task($1) AS id`, [{ externalId: '42' }])
    const gone = await client.query(`SELECT ${schema}.enqueue_user_deletion('42') AS id`)
    expect(await enqueued()).toEqual([])
    await client.query('COMMIT')
    expect(await enqueued()).toMatchObject([
      { id: person.rows[0].id, operation: 'upsertUser', external_id: '42', body: ADA, rejected_at: null },
      { id: task.rows[0].id, operation: 'createTask', external_id: '42', body: { externalId: '42' } },
      { id: gone.rows[0].id, operation: 'deleteUser', external_id: '42', body: null },
    ])
  })

  it('leave nothing after a rollback', async () => {
    await stage.open({ schema })
    const client = await connect()
    await client.query('BEGIN')
    await client.query(`SELECT ${schema}.enqueue_user($1)`, [ADA])
    await client.query('ROLLBACK')
    expect(await enqueued()).toEqual([])
  })

  it('notify the workers of their own installation once for each transaction', async () => {
    await stage.open({ schema })
    const listener = await connect()
    const heard: string[] = []
    listener.on('notification', ({ channel }) => heard.push(channel))
    await listener.query('LISTEN terce_enqueued; LISTEN greetings_enqueued')
    await query(
      stage.database(),
      `SELECT ${schema}.enqueue_user_deletion(i::text) FROM generate_series(1, 99) i`,
    )
    await listener.query('SELECT 1')
    expect(heard).toEqual([`${schema}_enqueued`])
  })

  it('give an external id in one spelling', async () => {
    await stage.open({ schema })
    const client = await connect()
    for (const text of [' Zoë\n', 'Zoe\u0308\t', '\u00a0Zoë\u3000', '\ufeffZoë\u2028\u2009'])
      await client.query(`SELECT ${schema}.enqueue_user_deletion($1)`, [text])
    expect(new Set((await enqueued()).map(({ external_id }) => external_id))).toEqual(new Set(['Zoë']))
  })

  it.each([
    ['enqueue_user', null, 'The argument must be a JSON object.'],
    ['enqueue_user', [ADA], 'The argument must be a JSON object.'],
    ['enqueue_user', { firstName: 'Ada' }, 'The external id is missing.'],
    ['enqueue_user', { ...ADA, externalId: ' ' }, 'The external id is missing.'],
    ['enqueue_user', { ...ADA, externalId: 42 }, 'The field "externalId" must be a string.'],
    ['enqueue_user', { ...ADA, externalId: null }, 'The field "externalId" must be a string.'],
    [
      'enqueue_user',
      { ...ADA, externalId: 'x'.repeat(201) },
      'The external id has more than 200 characters.',
    ],
    ['enqueue_user', { ...ADA, note: 'x'.repeat(65_536) }, 'The JSON object has more than 64 KiB.'],
    ['enqueue_task', { title: 'Call back' }, 'The external id is missing.'],
    ['enqueue_user_deletion', null, 'The external id is missing.'],
    ['enqueue_user_deletion', '', 'The external id is missing.'],
  ])('fail at once: %s(%j)', async (name, argument, message) => {
    await stage.open({ schema })
    const client = await connect()
    const value = typeof argument === 'string' || argument === null ? argument : JSON.stringify(argument)
    await expect(client.query(`SELECT ${schema}.${name}($1)`, [value])).rejects.toThrow(message)
    expect(await enqueued()).toEqual([])
  })
})

describe('a role with EXECUTE on the functions alone', () => {
  it('enqueues, and can neither read nor write a table, nor choose the operation', async () => {
    await stage.open()
    const url = new URL(stage.database())
    const shop = await stage.createRole('shop')
    await query(
      url.href,
      `GRANT USAGE ON SCHEMA terce TO ${shop};
        GRANT EXECUTE ON FUNCTION terce.enqueue_user, terce.enqueue_user_deletion, terce.enqueue_task TO ${shop}`,
    )
    url.username = shop
    const client = await connect(url.href)
    await client.query('SELECT terce.enqueue_user($1)', [ADA])
    await client.query(`SELECT terce.enqueue_user_deletion('42'), terce.enqueue_task('{"externalId":"42"}')`)
    expect(await query(stage.database(), 'SELECT id FROM terce.enqueued_changes')).toHaveLength(3)
    for (const text of [
      'SELECT * FROM terce.enqueued_changes',
      'SELECT * FROM terce.enqueue_errors',
      'SELECT * FROM terce.users',
      'DELETE FROM terce.enqueued_changes',
      `SELECT terce.enqueue_change('other', '42', NULL)`,
    ])
      await expect(client.query(text)).rejects.toThrow('permission denied')
  })

  it('is not tricked by objects of the caller with the names that the functions use', async () => {
    await stage.open()
    const client = await connect()
    await client.query(`CREATE TEMP TABLE enqueued_changes (id int); CREATE TEMP TABLE pg_class (oid oid);
      CREATE FUNCTION pg_temp.pg_notify(text, text) RETURNS void LANGUAGE plpgsql AS $$ BEGIN RAISE 'tricked'; END $$;
      SET search_path = pg_temp, pg_catalog`)
    await client.query('SELECT terce.enqueue_user($1)', [ADA])
    expect(await query(stage.database(), 'SELECT id FROM terce.enqueued_changes')).toHaveLength(1)
  })

  it('has no right before it is granted', async () => {
    await stage.open()
    const url = new URL(stage.database())
    const guest = await stage.createRole('guest')
    await query(url.href, `GRANT USAGE ON SCHEMA terce TO ${guest}`)
    url.username = guest
    const client = await connect(url.href)
    await expect(client.query(`SELECT terce.enqueue_user_deletion('42')`)).rejects.toThrow(
      'permission denied',
    )
  })
})
