// Asks the planner, page by page and once an hour, whether everybody's next message is planned where it belongs. A pass that is
// stopped goes on where it was, in any process.
import { dayName } from '../../domain/ledger/day.ts'
import type { PlanFault } from '../../domain/ledger/problem.ts'
import type { LedgerCheck } from '../../ports/ledger.ts'
import type { Person } from '../../ports/store.ts'
import { readZones } from '../timezones/zones.ts'
import type { LedgerDeps, MayContinue } from './ledger-deps.ts'
import { planFaultOf } from './plan-fault.ts'

const HOUR_MS = 3_600_000
/** People in a page: some 50 ms. */
const PAGE = 1_000

/** Checks what `mayContinue` permits, and at least one page if a pass is due. */
export async function checkPlans(
  deps: LedgerDeps,
  { mayContinue = () => true, pageSize = PAGE }: { mayContinue?: MayContinue; pageSize?: number } = {},
): Promise<void> {
  const { store, clock } = deps
  const check = await runningCheck(deps)
  if (check === null) return
  const { day, startedAt } = check
  let { cursor } = check
  do {
    const page = await store.listPeople({ limit: pageSize, cursor })
    const faults = await confirmedFaults(deps, page.items)
    const [from, to] = [cursor, page.nextCursor]
    if (!(await store.saveLedgerCheck({ day, startedAt, from, to, at: clock.now(), faults }))) return
    cursor = to
  } while (cursor !== null && (await mayContinue()))
}

/** The pass to continue, or a new one; null if none is due, or another process has begun it. */
async function runningCheck({ store, clock }: LedgerDeps): Promise<LedgerCheck | null> {
  const now = clock.now()
  const last = await store.findLedgerCheck()
  const isDone = last !== null && last.checkedAt !== null && last.checkedAt >= last.startedAt
  if (last !== null && !isDone) return last
  if (last !== null && last.startedAt + HOUR_MS > now) return null
  const begun = { day: dayName(now), startedAt: now }
  if (!(await store.beginLedgerCheck({ ...begun, replaces: last?.startedAt ?? null }))) return null
  return { ...begun, cursor: null, checkedAt: last?.checkedAt ?? null }
}

/** The faults of people that two readings have: a change between the reads of one looks like a fault. */
async function confirmedFaults(deps: LedgerDeps, people: readonly Person[]): Promise<PlanFault[]> {
  const first = await faultsOf(deps, people)
  if (first.size === 0) return []
  const occasionIds = new Set(Array.from(first.values(), ({ occasionId }) => occasionId))
  const ids = people.filter(({ plans }) => plans.some(({ occasion }) => occasionIds.has(occasion.id)))
  const again = await deps.store.listPeople({
    ids: ids.map(({ user }) => user.id),
    limit: ids.length,
    cursor: null,
  })
  const second = await faultsOf(deps, again.items)
  return Array.from(second).flatMap(([key, fault]) => (first.has(key) ? [fault] : []))
}

/** By occasion and reason. */
async function faultsOf(
  { store, clock, planner }: LedgerDeps,
  people: readonly Person[],
): Promise<Map<string, PlanFault>> {
  const now = clock.now()
  const { states } = await readZones(store, planner.table, now)
  // Their events are being moved by a replan.
  const moving = new Set(states.flatMap(({ kind, zone }) => (kind === 'changed' ? [zone] : [])))
  const still = people.filter(({ user }) => !moving.has(user.timezone))
  const occasionIds = still.flatMap(({ plans }) => plans.map(({ occasion }) => occasion.id))
  const odd = occasionIds.length === 0 ? [] : await store.listOddEvents({ occasionIds, now })
  const faults = [
    ...still.flatMap(({ user, plans }) =>
      plans.flatMap((plan) => planFaultOf(planner, plan, user, now) ?? []),
    ),
    ...odd.map(({ occasionId, eventId, targetAt, isExtra }): PlanFault => {
      const reason = isExtra ? 'TWO_PLANNED' : 'MISPLANNED'
      return { reason, occasionId, eventId, dueAt: targetAt, expectedAt: targetAt }
    }),
  ]
  return new Map(faults.map((fault) => [`${fault.occasionId} ${fault.reason}`, fault]))
}
