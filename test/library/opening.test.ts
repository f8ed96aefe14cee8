// How the library opens the database of an application: beside its pool, with the credentials of the pool.
import pg from 'pg'
import { describe, expect, it } from 'vitest'
import type { Terce, TerceOptions } from '../../src/library/library.ts'
import { createTerce } from '../../src/library/terce.ts'
import type { Clock } from '../../src/ports/clock.ts'
import { openPool } from '../../src/runtimes/node/database.ts'
import { systemClock } from '../../src/runtimes/shared/system-clock.ts'
import { optionsOf } from '../../src/stores/postgres/clients/beside-pool.ts'
import { listen } from '../../src/stores/postgres/clients/listener.ts'
import { query } from '../stores/postgres/support/audit.ts'
import { useOwnServer } from '../stores/postgres/support/postgres-suite.ts'

const stage = useOwnServer({ database: 'empty' })

function poolWith(options: pg.PoolConfig): pg.Pool {
  const pool = new pg.Pool(options)
  stage.atEnd(() => pool.end())
  return pool
}

function terceOn(options: TerceOptions): Terce {
  const terce = createTerce({ settings: { LOG_LEVEL: 'fatal' }, ...options })
  stage.atEnd(() => terce.stop())
  return terce
}

const person = { firstName: 'Ada', lastName: 'Lovelace', dateOfBirth: '1992-12-15', timezone: 'UTC' }

describe('The first calls of a process', () => {
  it.each([10, 1])(
    'succeed while they hold all %i connections of the pool',
    async (max) => {
      const pool = poolWith({ connectionString: stage.database(), max })
      const terce = terceOn({ database: pool })
      const signUp = async () => {
        const client = await pool.connect()
        await client.query('BEGIN')
        await terce.users.create(person, { tx: client })
        await client.query('COMMIT')
        client.release()
      }
      await Promise.all(Array.from({ length: 10 }, signUp))
      const [row] = await query(stage.database(), 'SELECT count(*)::int AS people FROM terce.users')
      expect(row).toEqual({ people: 10 })
    },
    30_000,
  )

  it('can follow ready(), which rejects with the reason if the database cannot be opened', async () => {
    const terce = terceOn({ database: poolWith({ connectionString: stage.database() }) })
    await terce.ready()
    expect(await terce.users.create(person)).toMatchObject({ user: { firstName: 'Ada' } })
    const rejected = terceOn({ database: poolWith({ host: '127.0.0.1', port: 1 }) })
    await expect(rejected.ready()).rejects.toThrow('The database cannot be reached')
    const { connect, query, options } = poolWith({ connectionString: stage.database() })
    const imitated = terceOn({ database: { connect, query, options } as never })
    await expect(imitated.ready()).rejects.toThrow('Terce needs a pool of pg')
  }, 30_000)
})

it('Terce creates its schema as the role that listeners of the pool set', async () => {
  const role = await stage.createRole('application')
  await query(
    stage.database(),
    `GRANT CREATE ON DATABASE ${new URL(stage.database()).pathname.slice(1)} TO ${role}`,
  )
  // The pool sends its first statement without waiting for the listener: only a pipelining client may queue it.
  const pool = poolWith({ connectionString: stage.database(), pipeline: true })
  pool.on('connect', (client) => void client.query(`SET ROLE ${role}`))
  await terceOn({ database: pool }).ready()
  const owner = `SELECT nspowner::regrole::text AS owner FROM pg_namespace WHERE nspname = 'terce'`
  expect(await query(stage.database(), owner)).toEqual([{ owner: role }])
}, 30_000)

it('Terce listens at DATABASE_LISTEN_URL instead of beside the pool', async () => {
  const listenUrl = `${stage.database()}?application_name=listener`
  const settings = { LOG_LEVEL: 'fatal', DATABASE_LISTEN_URL: listenUrl }
  const terce = terceOn({ database: poolWith({ connectionString: stage.database() }), settings })
  await terce.start()
  // The listener checks its connection by SELECT 1 right after LISTEN, and no other connection runs that.
  const listening = `SELECT application_name AS name FROM pg_stat_activity
    WHERE query LIKE 'LISTEN%' OR query = 'SELECT 1'`
  await expect.poll(() => query(stage.database(), listening)).toEqual([{ name: 'listener' }])
}, 30_000)

it('A connection beside a pool has the private key that the pool hides', () => {
  expect(optionsOf(poolWith({ ssl: { key: 'secret' } })).ssl).toHaveProperty('key', 'secret')
})

describe('A pool of a role with a password', () => {
  const PASSWORD = 'correct horse'
  const guarded = async () => {
    const { hostname: host, port, pathname } = new URL(stage.database())
    await query(stage.database(), `DROP ROLE IF EXISTS guarded`)
    await query(stage.database(), `CREATE ROLE guarded LOGIN SUPERUSER PASSWORD '${PASSWORD}'`)
    await stage.server().askForPasswords()
    await query(stage.database(), 'SELECT pg_reload_conf()')
    return { host, port: Number(port), database: pathname.slice(1), user: 'guarded' }
  }
  it.each<[string, (fields: pg.PoolConfig) => pg.PoolConfig]>([
    [
      'connectionString',
      ({ host, port, database }) => ({
        connectionString: `postgres://guarded:${PASSWORD.replace(' ', '%20')}@${host}:${port}/${database}`,
      }),
    ],
    ['fields', (fields) => ({ ...fields, password: PASSWORD })],
    ['a function', (fields) => ({ ...fields, password: async () => PASSWORD })],
  ])(
    'migrates and listens, with the password in %s',
    async (_, optionsFor) => {
      const database = await openPool(poolWith(optionsFor(await guarded())), 'terce')
      stage.atEnd(() => database.close())
      await new Promise<void>((onEnqueued) => database.listen({ onWake() {}, onEnqueued }))
    },
    30_000,
  )

  it('is warned about once while LISTEN fails, and told when it works again', async () => {
    const passwords = ['hunter1', 'hunter2']
    const config = { ...(await guarded()), password: () => passwords.shift() ?? PASSWORD }
    const clock: Clock = {
      ...systemClock,
      after: (ms, call) => systemClock.after(ms < 5_000 ? 20 : ms, call),
    }
    const states: unknown[] = []
    await new Promise<void>((onEnqueued) => {
      const onState = (error: unknown) => void states.push((error as { code?: string })?.code ?? error)
      const listener = listen({ config, schema: 'terce' }, clock, { onWake() {}, onEnqueued, onState })
      stage.atEnd(() => listener.close())
    })
    expect(states).toEqual(['28P01', null])
  }, 30_000)
})
