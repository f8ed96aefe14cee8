// Errors of the database in calls with `tx`: the application gets them as they are.
import pg from 'pg'
import { expect, it } from 'vitest'
import { createTerce } from '../../../src/library/terce.ts'
import { useStage } from '../../stores/postgres/support/postgres-suite.ts'

const stage = useStage()

/** People, and clients that have begun a transaction. */
async function application(people: number, begin = 'BEGIN') {
  const pool = new pg.Pool({ connectionString: stage.database() })
  stage.atEnd(() => pool.end())
  const terce = createTerce({ database: pool, settings: { LOG_LEVEL: 'fatal' } })
  stage.atEnd(() => terce.stop())
  const ada = { firstName: 'Ada', lastName: 'Lovelace', dateOfBirth: '1992-05-06', timezone: 'UTC' }
  const ids = []
  for (let i = 0; i < people; i++) ids.push((await terce.users.create(ada)).user.id)
  async function client(): Promise<pg.PoolClient> {
    const tx = await pool.connect()
    stage.atEnd(async () => tx.release(true))
    // Takes the snapshot.
    await tx.query(begin)
    await tx.query('SELECT 1')
    return tx
  }
  return { pool, terce, ids, clients: [await client(), await client()] as const }
}

const conflict = (code: string) => ({ name: 'TerceError', code: 'TRANSACTION_CONFLICT', cause: { code } })

it.each(['REPEATABLE READ', 'SERIALIZABLE'])(
  'a change that meets another one under %s is a conflict',
  async (level) => {
    const { terce, ids, clients } = await application(1, `BEGIN ISOLATION LEVEL ${level}`)
    const [one, other] = clients
    await terce.users.change(ids[0]!, { firstName: 'Grace' }, { tx: one })
    await one.query('COMMIT')
    const late = terce.users.change(ids[0]!, { firstName: 'Edsger' }, { tx: other })
    await expect(late).rejects.toMatchObject(conflict('40001'))
  },
)

it('a change of what another transaction has changed since is a conflict', async () => {
  const { terce, ids, clients } = await application(2, 'BEGIN ISOLATION LEVEL REPEATABLE READ')
  const [one, other] = clients
  await other.query('SELECT 1')
  await terce.users.change(ids[0]!, { firstName: 'Grace' }, { tx: one })
  await one.query('COMMIT')
  await expect(terce.users.change(ids[0]!, { firstName: 'Augusta' }, { tx: other })).rejects.toMatchObject(
    conflict('40001'),
  )
})

it('a deadlock is a conflict for one of the two transactions', async () => {
  const { terce, ids, clients } = await application(2)
  const [one, other] = clients
  const change = (id: number, tx: pg.PoolClient) =>
    terce.users.change(ids[id]!, { firstName: 'Grace' }, { tx })
  await change(0, one)
  await change(1, other)
  const end = (id: number, tx: pg.PoolClient) => change(id, tx).finally(() => tx.query('ROLLBACK'))
  const results = await Promise.allSettled([end(1, one), end(0, other)])
  expect(results.find(({ status }) => status === 'rejected')).toMatchObject({ reason: conflict('40P01') })
})

it('a connection that has begun no transaction, and a pool, are rejected with a sentence', async () => {
  const { pool, terce, ids, clients } = await application(1)
  const [tx] = clients
  await tx.query('COMMIT')
  const results = await Promise.allSettled([
    terce.users.change(ids[0]!, { firstName: 'Grace' }, { tx }),
    // @ts-expect-error A pool has no transaction.
    terce.users.change(ids[0]!, { firstName: 'Grace' }, { tx: pool }),
  ])
  const message = expect.stringMatching(/^Begin a transaction/)
  const reason = { name: 'TypeError', message, cause: { code: '25P01' } }
  expect(results).toMatchObject([{ reason }, { reason }])
  expect((await terce.users.get(ids[0]!)).firstName).toBe('Ada')
})

it.each([
  ['SELECT 1 / 0', 'INTERNAL', '25P02'],
  ['SET TRANSACTION READ ONLY', 'DATABASE_UNAVAILABLE', '25006'],
])('another error of the database is the cause, as after %s', async (before, code, cause) => {
  const { terce, ids, clients } = await application(1)
  const [tx] = clients
  await tx.query(before).catch(() => {})
  const failing = terce.users.change(ids[0]!, { firstName: 'Grace' }, { tx })
  await expect(failing).rejects.toMatchObject({ name: 'TerceError', code, cause: { code: cause } })
})

it('an empty tx is rejected, and commits nothing outside of the transaction of the application', async () => {
  const { terce, pool } = await application(0)
  const ada = { firstName: 'Ada', lastName: 'Lovelace', dateOfBirth: '1992-05-06', timezone: 'UTC' }
  // @ts-expect-error A type checker with exactOptionalPropertyTypes finds it too.
  await expect(terce.users.create(ada, { tx: undefined })).rejects.toThrow('The option tx is empty.')
  expect((await pool.query('SELECT FROM terce.users')).rowCount).toBe(0)
})
