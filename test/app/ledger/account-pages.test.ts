// The pages of an account, read ahead of what is saved.
import { expect, it } from 'vitest'
import { accountPages } from '../../../src/app/ledger/account-pages.ts'
import type { LedgerDeps } from '../../../src/app/ledger/ledger-deps.ts'
import { tzdb } from '../../../src/domain/time/tzdb.ts'
import type { Store } from '../../../src/ports/store.ts'
import { openSqliteStore } from '../../../src/stores/sqlite/sqlite-store.ts'
import { makePeople } from '../../support/fixtures.ts'

const DAY = '2026-11-15'
const NOW = Date.parse('2026-11-17T13:00:00Z')

/** Three people, two in a page. `change` replaces methods of the store. */
async function openPages(change: (store: Store) => Partial<Store>) {
  const store = openSqliteStore(':memory:')
  await store.createUsers(makePeople(3))
  const deps: LedgerDeps = {
    store: { ...store, ...change(store) },
    clock: { now: () => NOW, after: () => ({ cancel() {} }) },
    planner: { ids: () => '', table: tzdb },
    telemetry() {},
  }
  return accountPages(deps, { day: DAY, from: null, saved: 0, pageSize: 2 })
}

/** `second` is called instead of the second read of people. */
async function openWithSecond(
  second: (read: () => ReturnType<Store['readAccounts']>) => ReturnType<Store['readAccounts']>,
) {
  let reads = 0
  const pages = await openPages((store) => ({
    readAccounts: (of) => (++reads === 2 ? second(() => store.readAccounts(of)) : store.readAccounts(of)),
  }))
  return { pages, reads: () => reads }
}

it('reads no page of the next stage before the last page of a stage was saved', async () => {
  const read: string[] = []
  const pages = await openPages((store) => ({
    listVanished: (of) => {
      read.push('vanished')
      return store.listVanished(of)
    },
    readJournal: (of) => {
      read.push(...of.kinds)
      return store.readJournal(of)
    },
  }))
  await pages.next()
  const { value: lastPeople } = await pages.next()
  expect(lastPeople).toMatchObject({ people: 1, to: 'vanished' })
  expect(read).not.toContain('vanished')
  for (let page = lastPeople; !page!.to.startsWith('deleted'); ) page = (await pages.next()).value
  expect(read).toContain('vanished')
  expect(read).not.toContain('person-deleted')
  await pages.next()
  expect(read).toContain('person-deleted')
})

it('reads the next page of people ahead, and rejects with its error only when that page is asked for', async () => {
  const { pages, reads } = await openWithSecond(async () => {
    throw new Error('The disk is gone.')
  })
  expect(await pages.next()).toMatchObject({ value: { people: 2 } })
  expect(reads()).toBe(2)
  // Time for an unhandled rejection to be reported.
  await new Promise((resolve) => setImmediate(resolve))
  await expect(pages.next()).rejects.toThrow('The disk is gone.')
})

it('waits for the read in flight when an account is stopped, because the store may be closed next', async () => {
  const second = Promise.withResolvers<void>()
  const { pages } = await openWithSecond(async (read) => {
    await second.promise
    return read()
  })
  await pages.next()
  let isStopped = false
  const stopped = pages.return(undefined).then(() => {
    isStopped = true
  })
  await new Promise((resolve) => setImmediate(resolve))
  expect(isStopped).toBe(false)
  second.resolve()
  await stopped
})
