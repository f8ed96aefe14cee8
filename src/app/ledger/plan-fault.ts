// Asks the planner where the event of an occasion belongs, and says what is wrong with the one that is there.
import type { PlanFault } from '../../domain/ledger/problem.ts'
import type { Where } from '../../domain/occasions/schedule.ts'
import { isNewer } from '../../domain/time/tz-difference.ts'
import { type Planner, planFirst, planReplan } from '../../engine/plan.ts'
import type { OccasionPlan } from '../../ports/store.ts'

/** Null for an event in flight or due, which the planner does not move, and for one that a newer timezone table planned. */
export function planFaultOf(
  planner: Planner,
  plan: OccasionPlan,
  user: Where,
  now: number,
): PlanFault | null {
  const { occasion, open, task, lastSettled } = plan
  const schedule = { occasion, user, task }
  const next = () => planFirst(planner, schedule, { now, after: lastSettled })
  const fault = (reason: PlanFault['reason'], expectedAt: number | null): PlanFault => {
    return {
      reason,
      occasionId: occasion.id,
      eventId: open?.id ?? null,
      dueAt: open?.targetAt ?? null,
      expectedAt,
    }
  }
  if (open === null) {
    const owed = next()
    return owed && fault('UNPLANNED', owed.targetAt)
  }
  const isSettled = open.status === 'PROCESSING' || open.targetAt <= now
  if (isSettled || isNewer(open.tzVersion, planner.table.version)) return null
  if (occasion.pausedAt !== null) return fault('MISPLANNED', null)
  const right = task === null ? planReplan(planner, plan, user, now)?.to : next()
  if (right == null) return fault('MISPLANNED', null)
  // Where a reminder goes that quiet hours delay depends on when it was planned.
  if (task !== null && task.quietHours !== null && task.dueAt - task.remindBeforeMs < now) return null
  const isRight = right.occurrence === open.occurrence && right.targetAt === open.targetAt
  return isRight ? null : fault('MISPLANNED', right.targetAt)
}
