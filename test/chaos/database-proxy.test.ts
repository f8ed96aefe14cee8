// Checks that the database proxy breaks connections as documented: otherwise a chaos run proves nothing.
import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { query } from '../stores/postgres/support/audit.ts'
import { type SharedPostgres, sharedPostgres } from '../support/shared-postgres.ts'
import { type DatabaseProxy, startDatabaseProxy } from './support/database-proxy.ts'

let server: SharedPostgres
let proxy: DatabaseProxy
let database: string
let client: pg.Client

const always = () => 0

beforeAll(async () => {
  server = await sharedPostgres()
  database = await server.createDatabase()
  await query(database, 'CREATE TABLE notes (text text)')
})
afterAll(() => server.dropDatabase(database))

beforeEach(async () => {
  await query(database, 'TRUNCATE notes')
  proxy = await startDatabaseProxy(server)
  client = new pg.Client(database.replace(`:${server.port}/`, `:${proxy.port}/`))
  client.on('error', () => {})
  await client.connect()
})
afterEach(async () => {
  await proxy.close()
  await client.end().catch(() => {})
})

async function write(commit: string | pg.QueryConfig): Promise<unknown> {
  await client.query('BEGIN')
  await client.query('INSERT INTO notes VALUES ($1)', ['hello'])
  return client.query(commit)
}

const notes = async () => (await query(database, 'SELECT * FROM notes')).length

describe('the proxy in front of PostgreSQL', () => {
  it.each([
    ['a simple query', 'COMMIT'],
    ['a prepared statement', { name: 'end', text: 'commit' }],
  ])('executes a COMMIT sent as %s and loses the response', async (_, commit) => {
    proxy.loseCommits(1, 'after', always)
    await expect(write(commit)).rejects.toThrow()
    expect(await notes()).toBe(1)
    expect(proxy.lostCommits()).toEqual({ before: 0, after: 1 })
  })

  it('loses a COMMIT before it is executed', async () => {
    proxy.loseCommits(1, 'before', always)
    await expect(write('COMMIT')).rejects.toThrow()
    expect(await notes()).toBe(0)
  })

  it('resets connections', async () => {
    expect(proxy.cut(1, always)).toBe(1)
    await expect(client.query('SELECT 1')).rejects.toThrow()
  })

  it('goes silent without the server noticing that a client is gone', async () => {
    await client.query('BEGIN')
    await client.query('LOCK TABLE notes')
    proxy.silence(1, always)
    let responded = false
    const asked = client.query('SELECT 1').then(
      () => {
        responded = true
      },
      () => {},
    )
    await new Promise((resolve) => setTimeout(resolve, 300))
    expect(responded).toBe(false)
    const locked = `SELECT 1 FROM pg_locks JOIN pg_database AS d ON d.oid = database
      WHERE relation = 'notes'::regclass AND datname = current_database()`
    expect(await query(database, locked)).toHaveLength(1)
    proxy.speak()
    await asked
    expect(responded).toBe(false)
  })
})
