// The occurrence of an occasion that comes next, whether or not an event is planned for it.
import { occasionType } from '../../domain/occasions/occasion-types.ts'
import type { Slot, Where } from '../../domain/occasions/schedule.ts'
import type { OccasionPlan } from '../../ports/store.ts'
import type { AppDeps } from '../app-deps.ts'

/** Null if it is paused or has no later occurrence. */
export function nextDue(
  { planner, clock }: Pick<AppDeps, 'planner' | 'clock'>,
  { occasion, task, lastSettled }: OccasionPlan,
  user: Where,
): Slot | null {
  const { series } = occasionType(occasion.type)
  return series.first({ occasion, user, task }, { now: clock.now(), after: lastSettled }, planner.table)
}
