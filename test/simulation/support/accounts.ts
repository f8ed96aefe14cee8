// The ledger of a run: a pass over all plans, and the account of each day of the history, as the product makes them.
import { checkPlans } from '../../../src/app/ledger/check-plans.ts'
import { createIds } from '../../../src/domain/events/uuid.ts'
import { accountOf, unaccounted } from '../../../src/domain/ledger/account.ts'
import { dayAfter, dayName } from '../../../src/domain/ledger/day.ts'
import type { TimezoneTable } from '../../../src/domain/time/tzdb.ts'
import type { Store } from '../../../src/ports/store.ts'
import { createTestClock } from '../../support/fixtures.ts'

/** What the ledger finds, as sentences. */
export async function problemsAt(
  store: Store,
  { from, now, table }: { from: number; now: number; table: TimezoneTable },
): Promise<string[]> {
  const clock = createTestClock(now)
  const planner = { ids: createIds(() => 0), table }
  await checkPlans({ store, clock, planner, telemetry() {} })
  const faults = await store.listPlanProblems({ limit: 10 })
  const stuck = await store.listStuck({ now, limit: 10 })
  const problems = [
    ...faults.map(({ reason, occasionId, dueAt, expectedAt }) => {
      return `${reason}: occasion ${occasionId}, due ${instant(dueAt)}, expected ${instant(expectedAt)}.`
    }),
    ...stuck.map((id) => `STUCK: event ${id}.`),
  ]
  for (let day = dayName(from); day <= dayName(now); day = dayAfter(day)) {
    const left = unaccounted(accountOf(await store.countDay({ day, now })))
    if (left !== 0) problems.push(`UNACCOUNTED: ${left} messages of ${day}.`)
  }
  return problems
}

const instant = (at: number | null) => (at === null ? 'never' : new Date(at).toISOString())
