// A person whose birthday has no event, and a day of the ledger that was closed and not reported.
import { dayName } from '../../../src/domain/ledger/day.ts'
import { DAY_MS } from '../../../src/domain/time/calendar.ts'
import type { Store } from '../../../src/ports/store.ts'
import { makePerson } from '../../support/fixtures.ts'

/** Yesterday: a ledger that begins with it has no other day to close. */
export const REPORTED_DAY = dayName(Date.now() - DAY_MS)

export async function addMissedPerson(store: Pick<Store, 'createUsers' | 'closeLedgerDay'>): Promise<void> {
  await store.createUsers([{ ...makePerson(), events: [] }])
  const counts = { due: 9, onTime: 8, late: 0, failed: 1, notSent: 0, waiting: 0, missed: 0 }
  await store.closeLedgerDay({ ...counts, day: REPORTED_DAY, codes: { 'HTTP 410': 1 }, closedAt: Date.now() })
}

/** The report of the day, as a webhook channel sends it. */
export const REPORT = {
  ...{ type: 'LEDGER_REPORT', day: REPORTED_DAY, due: 9, onTime: 8, failed: 1, missed: 0 },
  text: `${REPORTED_DAY}: 9 due, 8 on time, 1 failed. Nobody was missed.`,
}

/** The reports among the bodies that a receiver got. */
export function reportsIn(arrivals: readonly { body: string }[]): unknown[] {
  return arrivals.map(({ body }) => JSON.parse(body)).filter(({ type }) => type === 'LEDGER_REPORT')
}
