// Which errors of the drivers are outages. Tests on real databases are beside each store.
import { describe, expect, it } from 'vitest'
import { StoreUnavailableError } from '../../../src/domain/errors.ts'
import { openD1Store } from '../../../src/stores/d1/d1-store.ts'
import { outageOf, reportOutages } from '../../../src/stores/shared/outage.ts'

const withFields = (message: string, fields: object) => Object.assign(new Error(message), fields)

describe('an error of a driver is an outage', () => {
  it.each([
    [
      'a refused connection',
      withFields('connect ECONNREFUSED', { code: 'ECONNREFUSED' }),
      'cannot be reached',
    ],
    [
      'a connection refused at every address of the host',
      new AggregateError([withFields('', { code: 'ECONNREFUSED' })]),
      'cannot be reached',
    ],
    ['a server with too many connections', withFields('sorry', { code: '53300' }), 'busy'],
    ['a server without disk space', withFields('could not extend file', { code: '53100' }), 'full'],
    ['a read-only server', withFields('cannot execute UPDATE', { code: '25006' }), 'read-only'],
    [
      'an administrator who ended the session',
      withFields('terminating', { code: '57P01' }),
      'cannot be reached',
    ],
    [
      'a driver that waited too long',
      new Error('timeout exceeded when trying to connect'),
      'cannot be reached',
    ],
    ['a connection that broke in use', new Error('Connection terminated unexpectedly'), 'cannot be reached'],
    ['a locked SQLite file', withFields('locked', { code: 'ERR_SQLITE_ERROR', errcode: 5 }), 'busy'],
    ['a full disk of SQLite', withFields('full', { code: 'ERR_SQLITE_ERROR', errcode: 13 }), 'full'],
    ['an extended result code of SQLite', withFields('io', { errcode: 778 }), 'cannot be read or written'],
    ['a read-only SQLite file', withFields('readonly', { errcode: 8 }), 'read-only'],
    ['a D1 that is full', new Error('D1_ERROR: Exceeded maximum DB size: SQLITE_FULL'), 'full'],
    [
      'a D1 that is overloaded',
      new Error('D1_ERROR: D1 DB is overloaded. Requests queued for too long.'),
      'busy',
    ],
    ['a D1 that moved', new Error('D1_ERROR: Network connection lost.'), 'cannot be reached'],
    [
      'an outage wrapped by the query builder',
      new Error('Failed query: select', { cause: withFields('', { code: '57P03' }) }),
      'cannot be reached',
    ],
  ])('for %s', (_, error, words) => {
    const outage = outageOf(error)
    expect(outage).toBeInstanceOf(StoreUnavailableError)
    expect(outage!.message).toContain(words)
  })

  it.each([
    ['a violated constraint', withFields('duplicate key', { code: '23505' })],
    ['a deadlock', withFields('deadlock detected', { code: '40P01' })],
    ['a constraint of SQLite', withFields('UNIQUE constraint failed', { errcode: 1555 })],
    ['a corrupt file', withFields('malformed', { errcode: 11 })],
    ['a bug', new TypeError('x is not a function')],
    ['a value that is no error', 'ECONNREFUSED'],
    [
      'a message that quotes a row with the words of an outage',
      withFields('invalid input syntax: "Connection terminated"', { code: '22P02' }),
    ],
    [
      'a query whose parameters contain the words of an outage',
      new Error('Failed query: insert, params: SQLITE_FULL', { cause: withFields('', { code: '23505' }) }),
    ],
  ])('but not for %s', (_, error) => {
    expect(outageOf(error)).toBeNull()
  })

  it('and is thrown by every method of the store, with the code of the driver and without its message', async () => {
    const error = withFields('could not write (Ada, 1990-12-15)', { code: '53100' })
    const store = reportOutages({ settle: () => Promise.reject(error), check: async () => 3 })
    expect(await store.check()).toBe(3)
    const thrown = await store.settle().catch((e) => e)
    expect(thrown).toMatchObject({ name: 'StoreUnavailableError', code: '53100', cause: error })
    expect(thrown.message).toBe('The disk of the database is full (53100).')
  })
})

describe('the check of a D1 store', () => {
  it('fails if the database accepts no more pages', async () => {
    const statements: string[] = []
    const full = () => Promise.reject(new Error('D1_ERROR: Exceeded maximum DB size: SQLITE_FULL'))
    const statement = { bind: () => statement, raw: full }
    const store = openD1Store({
      prepare: (sql) => {
        statements.push(sql)
        return statement
      },
      batch: full,
    })
    await expect(store.check()).rejects.toThrow(StoreUnavailableError)
    expect(statements.join()).toMatch(/INSERT .*DELETE/s)
  })
})
