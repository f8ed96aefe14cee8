// A claim that looks twice for due events, with a process that was suspended in between.
import { drizzle } from 'drizzle-orm/sqlite-proxy'
import { expect, it } from 'vitest'
import { inThreadExecutor } from '../../../../src/stores/sqlite/executor.ts'
import type { Executor, Value } from '../../../../src/stores/sqlite-dialect/executor.ts'
import { createStore } from '../../../../src/stores/sqlite-dialect/store.ts'
import { claimAt, create } from '../../../contracts/store/steps.ts'
import { MINUTE, makePeople, T0 } from '../../../support/fixtures.ts'

function storeOn(executor: Executor) {
  const reader = drizzle(async (sql, params) => ({
    rows: await executor.read({ sql, params: params as Value[] }),
  }))
  return createStore(executor, { reader, writer: reader }, async () => {})
}

it('a process that was suspended within a claim does not claim events that other processes claimed meanwhile', async () => {
  const executor = inThreadExecutor(':memory:')
  let whileSuspended: (() => Promise<unknown>) | null = null
  const suspended = storeOn({
    ...executor,
    async batch(statements, how) {
      const results = await executor.batch(statements, how)
      const during = whileSuspended
      whileSuspended = null
      await during?.()
      return results
    },
  })
  const other = storeOn(executor)
  await create(suspended, ...makePeople(2, () => ({ targetAt: T0 })))
  const full = { by: 'suspended', limit: 2 }
  expect(await claimAt(suspended, T0, full)).toHaveLength(2)

  // Finds nothing after the events that it has claimed, and looks again from the first event on.
  whileSuspended = () => claimAt(other, T0 + 5 * MINUTE, { by: 'other' })
  expect(await claimAt(suspended, T0, full)).toEqual([])
})
