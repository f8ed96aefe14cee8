// The ledger of a run: accounts for every day of the history, and closes its last days as the product does. The accounts of the
// earlier days are computed from one reading of the store, because a run has thousands of days.

import { readContext } from '../../../src/app/ledger/context.ts'
import { accountOccasion } from '../../../src/domain/ledger/account/account.ts'
import { checkPlan } from '../../../src/domain/ledger/account/plan-check.ts'
import { caseOf } from '../../../src/domain/ledger/account/timeline.ts'
import { isAlarming, type LedgerLine } from '../../../src/domain/ledger/line.ts'
import { tzdb } from '../../../src/domain/time/tzdb.ts'
import type { Store } from '../../../src/ports/store.ts'
import { DAY } from '../../support/fixtures.ts'
import type { Scenario } from '../scenario.ts'

export type Accounts = {
  /** Accounts for the days that have ended since the last call, and says until when history may be pruned. The lines are those that nothing explains. */
  accountUntil(now: number): Promise<{ lines: LedgerLine[]; until: number }>
}

const ENDED_AFTER_MS = 1.5 * DAY

export function createAccounts(store: Store, { from }: Pick<Scenario, 'from'>): Accounts {
  let next = Math.floor(from / DAY)

  return {
    async accountUntil(now) {
      const last = Math.floor((now - ENDED_AFTER_MS) / DAY)
      const context = await readContext(store, tzdb, now)
      const { items } = await store.readAccounts({
        limit: 100_000,
        cursor: null,
        eventsFrom: (next - 9) * DAY,
        carriedFrom: null,
      })
      const wrong = items.flatMap((input) => {
        const of = caseOf(input, context)
        const lines: LedgerLine[] = checkPlan(of)
        for (let day = next; day <= last; day++) lines.push(...accountOccasion(of, day))
        return lines.filter(isAlarming)
      })
      next = Math.max(next, last + 1)
      // The first places begin a day when it is still the day before in UTC.
      return { lines: wrong, until: (next - 1) * DAY }
    },
  }
}
