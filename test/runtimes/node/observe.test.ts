// The database queries for the metrics of a Node process.
import { expect, it } from 'vitest'
import { INBOX_CHANNEL } from '../../../src/domain/settings/channel.ts'
import { tzdb } from '../../../src/domain/time/tzdb.ts'
import type { Overdue, Store } from '../../../src/ports/store.ts'
import { observe } from '../../../src/runtimes/node/observe.ts'
import { openSqliteStore } from '../../../src/stores/sqlite/sqlite-store.ts'
import { createLogger } from '../../../src/telemetry/logger.ts'
import { createTestClock, HOUR, makePerson, SECOND, T0 } from '../../support/fixtures.ts'

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

it('a scrape of any process has the problems that can miss a person, and a check that is overdue', async () => {
  const store = openSqliteStore(':memory:')
  const person = { ...makePerson(), events: [] }
  await store.createUsers([person])
  const [day, occasionId] = ['2020-06-01', person.occasions[0]!.id]
  await store.beginLedgerCheck({ day, startedAt: T0, replaces: null })
  const fault = { reason: 'UNPLANNED' as const, occasionId, eventId: null, dueAt: null, expectedAt: T0 }
  await store.saveLedgerCheck({ day, startedAt: T0, from: null, to: null, at: T0, faults: [fault] })
  const missedAt = async (at: number) =>
    (await observeLedger(store, at).page()).split('\n').filter((line) => /^terce_missed.* [^0]/.test(line))
  expect(await missedAt(T0 + HOUR)).toEqual(['terce_missed{reason="UNPLANNED"} 1'])
  expect(await missedAt(T0 + 7 * HOUR)).toEqual([
    'terce_missed{reason="UNPLANNED"} 1',
    'terce_missed{reason="UNCHECKED"} 1',
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
