// Store calls between a caller and an object: values, and errors with their class and code.
import { describe, expect, it } from 'vitest'
import { RowsLockedError, StoreUnavailableError } from '../../../../src/domain/errors.ts'
import type { Store } from '../../../../src/ports/store.ts'
import { remoteStore, replyTo } from '../../../../src/runtimes/cloudflare/shards/calls.ts'
import { openSqliteStore } from '../../../../src/stores/sqlite/sqlite-store.ts'

/** The reply as it arrives: structured data only. */
const over = (store: Partial<Store>): Store =>
  remoteStore(() => ({
    call: async (method, args) => structuredClone(await replyTo(store as Store, method, args)),
  }))

const failing = (error: Error) =>
  over({
    check: async () => {
      throw error
    },
  })

describe('a store call by RPC', () => {
  it('has a method for each method of a store', async () => {
    const store = openSqliteStore(':memory:')
    expect(Object.keys(over(store)).sort()).toEqual(Object.keys(store).sort())
    await store.close()
  })

  it('returns the value of the method', async () => {
    const store = openSqliteStore(':memory:')
    expect(await over(store).findUser('00000000-0000-7000-8000-000000000000')).toBeNull()
    expect(await over(store).countOverdue(0)).toEqual(await store.countOverdue(0))
    await store.close()
  })

  it('throws an outage and a lock with their class, code and message', async () => {
    for (const error of [
      new StoreUnavailableError('Full', 'SQLITE_FULL', null),
      new RowsLockedError('55P03', null),
    ]) {
      const thrown = await failing(error)
        .check()
        .catch((caught: unknown) => caught)
      expect(thrown).toBeInstanceOf(error.constructor)
      expect(thrown).toMatchObject({ name: error.name, message: error.message, code: error.code })
    }
  })

  it('throws any other error with its name and code', async () => {
    const error = Object.assign(new TypeError('broken'), { code: 'SQLITE_CONSTRAINT' })
    await expect(failing(error).check()).rejects.toMatchObject({
      name: 'TypeError',
      message: 'broken',
      code: 'SQLITE_CONSTRAINT',
    })
  })

  it('reports an object that cannot be called as an outage', async () => {
    const store = remoteStore(() => ({ call: () => Promise.reject(new Error('overloaded')) }))
    await expect(store.check()).rejects.toBeInstanceOf(StoreUnavailableError)
  })
})
