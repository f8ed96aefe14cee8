// The save of an occasion that changed: its event, and whether its rule is another one. Writes nothing.
import type { Occasion } from '../../domain/occasions/occasion.ts'
import { planOpen } from '../../engine/plan.ts'
import type { OccasionPlan, OccasionSave, Person } from '../../ports/store.ts'
import type { AppDeps } from '../app-deps.ts'

export type Seen = { person: Person; plan: OccasionPlan }

/** The save of an occasion that changed. */
export function planChange(
  { planner }: Pick<AppDeps, 'planner'>,
  { person: { user }, plan }: Seen,
  changed: Occasion,
  at: number,
): OccasionSave {
  const before = plan.occasion
  const ruleRevision = before.ruleRevision + (isOtherRule(plan, changed) ? 1 : 0)
  const occasion = { ...changed, ruleRevision, version: before.version + 1 }
  const open = planOpen(planner, { before: plan, after: { ...plan, occasion } }, user, at)
  return { occasion, task: null, userVersion: user.version, open, at }
}

/** A date that was sent, or is being sent, and is changed then is another one: `2:once` after `once`. */
function isOtherRule({ occasion: before, open, lastSettled }: OccasionPlan, changed: Occasion): boolean {
  if (changed.repeats !== before.repeats || changed.calendar !== before.calendar) return true
  const isUsed = open === null ? lastSettled !== null : open.status === 'PROCESSING'
  return changed.repeats === 'ONCE' && changed.date !== before.date && isUsed
}
