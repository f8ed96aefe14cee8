// The store in a Durable Object: the contract on workerd, and what its limits and its migrations add to it.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { describeStoreContract } from '../../contracts/store.contract.ts'
import { makePeople } from '../../support/fixtures.ts'
import { type Ask, remoteExecutor, remoteStore, startStoreObjects } from '../../support/workerd/objects.ts'

let objects: Awaited<ReturnType<typeof startStoreObjects>>
const fresh = (): Ask => objects.of(randomUUID())

beforeAll(async () => {
  objects = await startStoreObjects()
})
afterAll(() => objects.stop())

describeStoreContract('Durable Object', async () => {
  const ask = fresh()
  return {
    store: remoteStore(ask),
    another: async () => remoteStore(ask),
    spawnClaimer: async (claim) => (await ask({ kind: 'claim', ...claim })) as string[],
    deleteRow: async (table, id) =>
      void (await remoteExecutor(ask).batch([{ sql: `DELETE FROM ${table} WHERE id = ?`, params: [id] }])),
    cleanup: async () => {},
  }
})

describe('the database of a Durable Object', () => {
  it('takes more rows at once than one parameter can hold', async () => {
    const store = remoteStore(fresh())
    // In UTF-8 a parameter of 2 MB is refused; these names alone are 2.4 MB.
    const people = makePeople(4_000, () => ({ firstName: '名'.repeat(100), lastName: '前'.repeat(100) }))
    expect(await store.createUsers(people)).toEqual({ kind: 'created', created: 4_000 })
    const [{ user }] = people as [(typeof people)[0]]
    expect(await store.findUser(user.id)).toEqual(user)
  })

  it('writes all of a batch or nothing, and counts rows without their index entries', async () => {
    const executor = remoteExecutor(fresh())
    const rows = Array.from({ length: 40 }, (_, i) => [`key ${i % 39}`, 'x'.repeat(20_000)])
    const columns = ['key', 'body']
    const sql = `INSERT INTO responses (key, fingerprint, status, body, created_at)
      SELECT key, '', 200, body, 0 FROM {rows}`
    await expect(executor.batch([{ sql, columns, rows }])).rejects.toThrow(/SQLITE_CONSTRAINT/)
    expect(await executor.read({ sql: 'SELECT count(*) FROM responses', params: [] })).toEqual([[0]])
    const [result] = await executor.batch([{ sql, columns, rows: rows.slice(0, 39) }])
    expect(result).toEqual({ rows: [], changes: 39 })
  })

  it('keeps columns of one name apart, in a batch as in a read', async () => {
    const executor = remoteExecutor(fresh())
    const statement = { sql: 'SELECT a.x, b.x FROM (SELECT 1 AS x) AS a, (SELECT 2 AS x) AS b', params: [] }
    const [, inBatch] = await executor.batch([
      { sql: 'DELETE FROM responses', params: [] },
      { ...statement, returns: true },
    ])
    expect(inBatch!.rows).toEqual([[1, 2]])
    expect(await executor.read(statement)).toEqual([[1, 2]])
  })

  it('applies each migration once, and all of a new one or nothing', async () => {
    const ask = fresh()
    const tables = async () => {
      const sql = `SELECT count(*) FROM sqlite_master WHERE name IN ('users', 'more')`
      return remoteExecutor(ask).read({ sql, params: [] })
    }
    expect(await ask({ kind: 'migrate', text: null })).toEqual([])
    await expect(
      ask({ kind: 'migrate', text: 'CREATE TABLE more (id TEXT); SELECT no_such()' }),
    ).rejects.toThrow(/no such function/)
    expect(await tables()).toEqual([[1]])
    expect(await ask({ kind: 'migrate', text: 'CREATE TABLE more (id TEXT)' })).toEqual(['9999_more.sql'])
    expect(await ask({ kind: 'migrate', text: 'CREATE TABLE more (id TEXT)' })).toEqual([])
    expect(await tables()).toEqual([[2]])
  })
})
