// Plans again what a check found to be unplanned or in the wrong place, as a change of the occasion does.
import { planOpen } from '../../engine/plan.ts'
import type { KernelStore, LedgerStore } from '../../ports/store.ts'
import type { AppDeps } from '../app-deps.ts'
import { readPlan, writeOccasion } from '../occasions/occasions.ts'
import { retryOnConflict } from '../retry-on-conflict.ts'

/** `left`: an occasion with two planned events, of which no repair can tell which one to keep. `right`: it was planned meanwhile. */
export type Repaired = { occasionId: string; result: 'planned' | 'left' | 'right' }

const MOST = 1_000

/** At most a thousand problems, or those of one occasion. */
export async function repair(
  deps: AppDeps<KernelStore & LedgerStore>,
  { dryRun, occasionId }: { dryRun: boolean; occasionId?: string | undefined },
): Promise<Repaired[]> {
  const { store, clock } = deps
  const found = await store.listPlanProblems({ occasionId, limit: MOST })
  // One of its two events may be misplaced as well, which is a problem of its own.
  const doubled = new Set(found.flatMap((one) => (one.reason === 'TWO_PLANNED' ? [one.occasionId] : [])))
  const repaired: Repaired[] = []
  for (const { occasionId } of found) {
    const result = doubled.has(occasionId) ? 'left' : await planAgain(deps, occasionId, dryRun)
    if (result !== 'left' && !dryRun) await store.endPlanProblems(occasionId, clock.now())
    repaired.push({ occasionId, result })
  }
  return repaired
}

async function planAgain(deps: AppDeps, occasionId: string, dryRun: boolean): Promise<'planned' | 'right'> {
  return retryOnConflict(`Occasion ${occasionId}`, async () => {
    const found = await readPlan(deps, occasionId)
    if (found === null || found.plan.open?.status === 'PROCESSING') return 'right'
    const { person, plan } = found
    const at = deps.clock.now()
    const occasion = { ...plan.occasion, version: plan.occasion.version + 1 }
    // A pending event keeps its occurrence, unless its occasion does not have it. The reminder of a task is planned again.
    const before = plan.task === null ? plan : null
    const open = planOpen(deps.planner, { before, after: { ...plan, occasion } }, person.user, at)
    if (open.kind === 'insert' && open.event === null) return 'right'
    if (dryRun) return 'planned'
    const save = {
      occasion,
      task: null,
      userVersion: person.user.version,
      open,
      at,
      cause: 'REPAIRED' as const,
    }
    return (await writeOccasion(deps, save)) === 'saved' ? 'planned' : null
  })
}
