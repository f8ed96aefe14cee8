// Pauses or resumes the occasions of people by what they have in common, a batch at a time.
import { occasionType } from '../../domain/occasions/occasion-types.ts'
import type { OccasionPlan } from '../../ports/store.ts'
import type { AppDeps } from '../app-deps.ts'
import { switchSeen } from '../occasions/occasions.ts'
import type { PeopleFilter } from './delete-matching.ts'

export type Switch = 'pause' | 'resume'

export type SwitchCount = {
  /** Who was looked at. */
  people: number
  /** Occasions that were not as they should be. */
  matched: number
  changed: number
  /** Of the matched, those with a message on its way: it goes out. */
  underWay: number
  /** Where to go on; null if that was all. */
  nextCursor: string | null
}

const PAGE = 200

/** Looks at no more than `limit` people. A dry run only counts. Those that are so already are left alone. */
export async function switchMatching(
  deps: AppDeps,
  filter: PeopleFilter & { type?: string },
  how: { to: Switch; dryRun: boolean; limit: number; cursor: string | null },
): Promise<SwitchCount> {
  const { type, ...people } = filter
  const counts = { people: 0, matched: 0, changed: 0, underWay: 0 }
  let { cursor } = how
  do {
    const limit = Math.min(PAGE, how.limit - counts.people)
    const page = await deps.store.listPeople({ ...people, limit, cursor })
    counts.people += page.items.length
    for (const person of page.items) {
      for (const plan of person.plans) {
        if (!isMeant(plan, how.to, type)) continue
        counts.matched += 1
        if (plan.open?.status === 'PROCESSING') counts.underWay += 1
        if (how.dryRun) continue
        const { kind } = await switchSeen(deps, { person, plan }, how.to)
        if (kind === 'saved') counts.changed += 1
      }
    }
    cursor = page.nextCursor
  } while (cursor !== null && counts.people < how.limit)
  return { ...counts, nextCursor: cursor }
}

/** The reminder of a task comes and goes with the task. */
function isMeant({ occasion }: OccasionPlan, to: Switch, type: string | undefined): boolean {
  if (occasionType(occasion.type).belongsTo === 'task') return false
  return (type === undefined || occasion.type === type) && (occasion.pausedAt === null) === (to === 'pause')
}
