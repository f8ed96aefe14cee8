// A closed day of the ledger in a database that the product reads, on which a check found a problem with a person.
import { openSqliteStore } from '../../../src/stores/sqlite/sqlite-store.ts'
import { DAY, HOUR } from '../../support/fixtures.ts'

/** Closes the last day that has ended in every timezone, with one delivery and a problem with the occasion. Returns the day. */
export async function closeDayWithProblem(database: string, occasionId: string): Promise<string> {
  const day = new Date(Date.now() - DAY - 12 * HOUR).toISOString().slice(0, 10)
  const startedAt = Date.parse(day) + HOUR
  const store = openSqliteStore(database)
  await store.beginLedgerCheck({ day, startedAt, replaces: null })
  const dueAt = startedAt + 30 * DAY
  const fault = { reason: 'MISPLANNED' as const, occasionId, eventId: null, dueAt, expectedAt: dueAt + HOUR }
  await store.saveLedgerCheck({ day, startedAt, from: null, to: null, at: startedAt, faults: [fault] })
  const counts = { due: 1, onTime: 1, late: 0, failed: 0, notSent: 0, waiting: 0, missed: 1, codes: {} }
  await store.closeLedgerDay({ day, ...counts, closedAt: Date.now() })
  await store.close()
  return day
}

/** Closes so many days before that one, with a few deliveries each. */
export async function closeDays(database: string, count: number, now: number): Promise<void> {
  const store = openSqliteStore(database)
  for (let i = 2; i < count + 2; i++) {
    const day = new Date(now - i * DAY - 12 * HOUR).toISOString().slice(0, 10)
    const onTime = 3 + ((i * 5) % 7)
    const counts = { due: onTime, onTime, late: 0, failed: 0, notSent: 0, waiting: 0, missed: 0, codes: {} }
    await store.closeLedgerDay({ day, ...counts, closedAt: now })
  }
  await store.close()
}
