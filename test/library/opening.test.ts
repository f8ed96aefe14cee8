// How the library opens the database of an application: beside its pool, with the credentials of the pool.
import pg from 'pg'
import { describe, expect, it } from 'vitest'
import { openPool } from '../../src/runtimes/node/database.ts'
import { optionsOf } from '../../src/stores/postgres/clients/beside-pool.ts'
import { query } from '../stores/postgres/support/audit.ts'
import { useOwnServer } from '../stores/postgres/support/postgres-suite.ts'

const stage = useOwnServer({ database: 'empty' })

function poolWith(options: pg.PoolConfig): pg.Pool {
  const pool = new pg.Pool(options)
  stage.atEnd(() => pool.end())
  return pool
}

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
})
