// The database queries for the metrics of a Node process.
import { expect, it } from 'vitest'
import { tzdb } from '../../../src/domain/time/tzdb.ts'
import type { Overdue, Store } from '../../../src/ports/store.ts'
import { observe } from '../../../src/runtimes/node/observe.ts'
import { createLogger } from '../../../src/telemetry/logger.ts'
import { createTestClock, SECOND, T0 } from '../../support/fixtures.ts'

function observeStore(countOverdue: () => Promise<Overdue>) {
  const clock = createTestClock(T0)
  const store = { countOverdue } as unknown as Store
  const { metrics } = observe(
    createLogger('silent'),
    { store, clock, pool: null },
    { timezoneTable: tzdb, logAttempts: 'none' },
  )
  return { clock, page: () => metrics.render() }
}

it('scrapes within 5 s share one query', async () => {
  let queries = 0
  const { clock, page } = observeStore(async () => {
    queries += 1
    return { count: 7, oldestAt: T0, newestAt: T0 }
  })
  expect(await page()).toContain('terce_due_events 7')
  await page()
  expect(queries).toBe(1)
  await clock.advance(5 * SECOND)
  await page()
  expect(queries).toBe(2)
})

it('a scrape reports a database that fails as down', async () => {
  const { page } = observeStore(() => Promise.reject(new Error('gone')))
  expect(await page()).toContain('terce_database_up 0')
})

it('a scrape waits 2 s for a database that hangs, and reports it as down', async () => {
  const { clock, page } = observeStore(() => new Promise(() => {}))
  const scraped = page()
  await clock.advance(2 * SECOND)
  expect(await scraped).toContain('terce_database_up 0')
})
