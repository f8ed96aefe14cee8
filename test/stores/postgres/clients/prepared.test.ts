// Claims and settlements are prepared statements on connections that lead straight to PostgreSQL, and plain ones elsewhere.
import pg from 'pg'
import { describe, expect, it } from 'vitest'
import type { Store } from '../../../../src/ports/store.ts'
import { createPreparing } from '../../../../src/stores/postgres/clients/prepared.ts'
import { connectionOn, createPool } from '../../../../src/stores/postgres/connection.ts'
import { openOnPool } from '../../../../src/stores/postgres/postgres-store.ts'
import { DAY, HOUR, makePeople, seededDice, T0, YEAR } from '../../../support/fixtures.ts'
import { query } from '../support/audit.ts'
import { useOwnServer } from '../support/postgres-suite.ts'
import { startForgetfulProxy } from '../support/transaction-pooler.ts'

const stage = useOwnServer()

/** A store with one connection, which the test can use, too. */
async function openOnOne(
  url = stage.database(),
  schema?: string,
  pool = createPool(url, 1),
): Promise<{ store: Store; pool: pg.Pool }> {
  stage.atEnd(() => pool.end())
  return { store: await openOnPool(pool, schema), pool }
}

const bodyOf = ({ id }: { id: string }) => `body of ${id}`

const claim = (store: Store, limit = 10) =>
  store.claimDue({ now: Date.now(), limit, leaseMs: HOUR, claimedBy: 'worker', render: bodyOf })

/** The first transaction of a connection finds out whether it may prepare. */
async function claimTwice(store: Store): Promise<void> {
  await claim(store, 1)
  await claim(store, 1)
}

const preparedOn = async (pool: pg.Pool) =>
  (
    await pool.query<{ name: string; statement: string }>(
      'SELECT name, statement FROM pg_prepared_statements',
    )
  ).rows

const countBodies = async () =>
  (await query(stage.database(), 'SELECT count(*)::int AS count FROM terce.payloads'))[0]!.count

describe('a claim on a direct connection', () => {
  it('is prepared once, under names that differ by schema', async () => {
    const one = createPool(stage.database(), 1)
    const { store } = await openOnOne(stage.database(), 'terce', one)
    const other = await openOnPool(one, 'greetings')
    for (const each of [store, other]) {
      await each.createUsers(makePeople(4))
      for (let i = 0; i < 4; i++) expect(await claim(each, 1)).toHaveLength(1)
    }
    const claims = (await preparedOn(one)).filter(({ statement }) =>
      statement.startsWith('WITH RECURSIVE front'),
    )
    expect(claims).toHaveLength(2)
    expect(claims.some(({ statement }) => statement.includes('"greetings".events'))).toBe(true)
  })

  it('continues after the application deallocated the statements', async () => {
    const { store, pool } = await openOnOne()
    await store.createUsers(makePeople(6))
    await claimTwice(store)
    await pool.query('DISCARD ALL')
    expect(await claim(store, 2)).toHaveLength(2)
    expect(await claim(store)).toHaveLength(2)
    expect(await countBodies()).toBe(6)
  })

  it('continues after a migration changed the type of a column it returns', async () => {
    const { store, pool } = await openOnOne()
    await store.createUsers(makePeople(6))
    await claimTwice(store)
    await pool.query('ALTER TABLE terce.users ALTER COLUMN language TYPE varchar(40)')
    expect(await claim(store, 2)).toHaveLength(2)
    await claimTwice(store)
    expect(await countBodies()).toBe(6)
    expect(await preparedOn(pool)).not.toEqual([])
  })

  it('is prepared again on the connection that replaces a broken one', async () => {
    const { store, pool } = await openOnOne()
    await store.createUsers(makePeople(6))
    await claimTwice(store)
    await query(
      stage.database(),
      'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
    )
    await expect.poll(() => pool.totalCount).toBe(0)
    await claimTwice(store)
    expect(await preparedOn(pool)).not.toEqual([])
  })

  it('rolls back whole if its last statement fails, which is sent with the COMMIT', async () => {
    const { store } = await openOnOne()
    const [person] = makePeople(1)
    await store.createUsers([person!])
    await query(stage.database(), 'INSERT INTO terce.payloads SELECT id, $$planted$$ FROM terce.events')
    await expect(claim(store)).rejects.toMatchObject({ code: '23505' })
    expect((await store.findEvent(person!.events[0]!.id))?.event.status).toBe('PENDING')
    await query(stage.database(), 'DELETE FROM terce.payloads')
    expect(await claim(store)).toHaveLength(1)
  })

  it('is planned without compiling it, also on a server that compiles', async () => {
    const { pool } = await openOnOne()
    const text = `SELECT current_setting('jit'), current_setting('plan_cache_mode')`
    const rows = await connectionOn(pool).prepared((run) => run({ text, values: [] }))
    expect(rows).toEqual([['off', 'force_generic_plan']])
    expect((await pool.query('SHOW jit')).rows).toEqual([{ jit: 'on' }])
  })

  it('reads due events in the order of their index, also where that seems to cost more than to sort them', async () => {
    const name = new URL(stage.database()).pathname.slice(1)
    await query(stage.database(), `ALTER DATABASE ${name} SET random_page_cost = 100`)
    const { store, pool } = await openOnOne()
    await claimTwice(store)
    const people = makePeople(6_000)
    const dice = seededDice(1)
    for (const { events } of people)
      events[0]!.targetAt = dice() < 0.5 ? T0 : Date.now() + DAY + Math.floor(dice() * YEAR)
    await store.createUsers(people)
    await pool.query('ANALYZE')
    expect(await claim(store, 1)).toHaveLength(1)
    const claims = (await preparedOn(pool)).find(({ statement }) =>
      /^WITH RECURSIVE front[\s\S]*UPDATE/.test(statement),
    )!
    await pool.query('SET plan_cache_mode = force_generic_plan')
    const { rows } = await pool.query(
      `EXPLAIN EXECUTE ${pg.escapeIdentifier(claims.name)} (0, 1, 1, 'worker', NULL, 9, 9, '{}', '{}')`,
    )
    const plan = rows.map((row) => row['QUERY PLAN'] as string).join('\n')
    expect(plan).toContain('Index Scan using events_by_lane')
    // The lanes alone are sorted.
    expect(plan.match(/Sort Key: .*/g)).toEqual([expect.stringContaining('array_position')])
    expect(plan).not.toMatch(/Seq Scan|Bitmap/)
  })
})

describe('a claim through a pooler in transaction mode', () => {
  /** How many statements failed because their session had not prepared them. */
  const missing = () =>
    stage
      .server()
      .log()
      .match(/prepared statement .* does not exist/g)?.length ?? 0

  async function openThrough(how: { ownProcessIds: boolean }) {
    const proxy = await startForgetfulProxy(stage.server(), how)
    stage.atEnd(() => proxy.close())
    const url = new URL(stage.database())
    url.port = String(proxy.port)
    return openOnOne(url.href)
  }

  it('is not prepared if the client does not know its process id', () => {
    const client = { query: async () => [] } as unknown as pg.PoolClient
    const preparing = createPreparing('terce')
    preparing.observe(client, [])
    expect(preparing.nameOn(client, 'SELECT 1')).toBeUndefined()
  })

  it('is never prepared, so that no statement fails', async () => {
    const before = missing()
    const { store } = await openThrough({ ownProcessIds: true })
    await store.createUsers(makePeople(5))
    for (let i = 0; i < 5; i++) expect(await claim(store, 1)).toHaveLength(1)
    expect(missing() - before).toBe(0)
  })

  it('runs again unprepared if the pooler shows the process id of a session', async () => {
    const before = missing()
    const { store } = await openThrough({ ownProcessIds: false })
    await store.createUsers(makePeople(5))
    for (let i = 0; i < 5; i++) expect(await claim(store, 1)).toHaveLength(1)
    expect(missing() - before).toBe(1)
    expect(await countBodies()).toBe(5)
  })

  it('runs again unprepared on a pool of an application, which does not pipeline', async () => {
    const proxy = await startForgetfulProxy(stage.server(), { ownProcessIds: false })
    stage.atEnd(() => proxy.close())
    const url = new URL(stage.database())
    url.port = String(proxy.port)
    const { store } = await openOnOne(
      url.href,
      undefined,
      new pg.Pool({ connectionString: url.href, max: 1 }),
    )
    await store.createUsers(makePeople(5))
    for (let i = 0; i < 5; i++) expect(await claim(store, 1)).toHaveLength(1)
    expect(await countBodies()).toBe(5)
  })
})
