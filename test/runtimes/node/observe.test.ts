// The database queries for the metrics of a Node process.
import { expect, it } from 'vitest'
import type { LedgerColumn } from '../../../src/domain/ledger/line.ts'
import { INBOX_CHANNEL } from '../../../src/domain/settings/channel.ts'
import { tzdb } from '../../../src/domain/time/tzdb.ts'
import type { Overdue, Store } from '../../../src/ports/store.ts'
import { observe } from '../../../src/runtimes/node/observe.ts'
import { openSqliteStore } from '../../../src/stores/sqlite/sqlite-store.ts'
import { createLogger } from '../../../src/telemetry/logger.ts'
import { openClosedDays } from '../../app/ledger/support/closed-days.ts'
import { createTestClock, SECOND, T0 } from '../../support/fixtures.ts'

const observeStore = (countOverdue: () => Promise<Overdue>) =>
  observeLedger({ countOverdue } as unknown as Store, T0)

function observeLedger(store: Store, now: number) {
  const clock = createTestClock(now)
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

it('a scrape of any process has the unclosed days, and the unexplained and surplus lines of the last week', async () => {
  const { store, linesFor, closeDay } = await openClosedDays()
  const close = (day: string, ...columns: LedgerColumn[]) => closeDay(day, linesFor(day, columns))
  await close('2026-11-17', 'delivered', 'unexplained', 'unexplained')
  await close('2026-11-18', 'surplus', 'unexplained')
  await close('2026-11-19', 'delivered')
  const pageAt = async (at: string) =>
    (await observeLedger(store, Date.parse(at)).page())
      .split('\n')
      .filter((line) => /^terce_ledger/.test(line))
  expect(await pageAt('2026-11-20T12:01:00Z')).toEqual([
    'terce_ledger_unexplained 3',
    'terce_ledger_surplus 1',
    'terce_ledger_unclosed_days 0',
  ])
  expect(await pageAt('2026-11-25T12:01:00Z')).toEqual([
    'terce_ledger_unexplained 1',
    'terce_ledger_surplus 1',
    'terce_ledger_unclosed_days 5',
  ])
  expect(await pageAt('2026-11-26T12:01:00Z')).toEqual([
    'terce_ledger_unexplained 0',
    'terce_ledger_surplus 0',
    'terce_ledger_unclosed_days 6',
  ])
  await store.close()
})

it('a scrape has the messages that wait for each channel that does not send, and no other channel', async () => {
  const store = openSqliteStore(':memory:')
  const { clock, page } = observeLedger(store, T0)
  const waiting = async () => (await page()).split('\n').filter((line) => /^terce_destination_w/.test(line))
  expect(await waiting()).toEqual([])
  const down = { since: T0, error: 'HTTP 503', nextProbeAt: T0 + SECOND, seen: null }
  await store.markDown({ channelId: INBOX_CHANNEL, ...down })
  await clock.advance(5 * SECOND)
  expect(await waiting()).toEqual(['terce_destination_waiting{channel="inbox"} 0'])
  await store.markUp(INBOX_CHANNEL, T0 + 5 * SECOND)
  await clock.advance(5 * SECOND)
  expect(await waiting()).toEqual([])
  await store.close()
})
