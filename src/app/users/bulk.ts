// Operations on all people who match a filter, a page at a time. A dry run only counts.
import { occasionType } from '../../domain/occasions/occasion-types.ts'
import type { Clock } from '../../ports/clock.ts'
import type { UserFilter } from '../../ports/query.ts'
import type { OccasionPlan, UserStore } from '../../ports/store.ts'
import type { AppDeps } from '../app-deps.ts'
import { setPaused } from '../occasions/occasions.ts'

const PAGE = 200

/** Permanently deletes a user, their events, and every stored response that mentions them. False if there is none. */
export async function deleteUser(
  { store, clock, onErased }: DeleteDeps,
  userId: string,
  how?: { keepEnqueued: boolean },
): Promise<boolean> {
  const deleted = await store.deleteUser(userId, clock.now(), how)
  if (deleted) onErased?.(userId)
  return deleted
}

type DeleteDeps = { store: UserStore } & Pick<AppDeps, 'onErased'> & { clock: Pick<Clock, 'now'> }

/** Deletes at most `limit` people. */
export async function deleteMatching(
  deps: DeleteDeps,
  filter: UserFilter,
  how: { dryRun: boolean; limit: number },
): Promise<{ matched: number; deleted: number; more: boolean }> {
  let [matched, deleted] = [0, 0]
  let cursor: string | null = null
  do {
    const limit = Math.min(PAGE, how.limit - matched)
    const page = await deps.store.listUsers({ ...filter, cursor, limit })
    matched += page.items.length
    if (!how.dryRun) for (const { id } of page.items) if (await deleteUser(deps, id)) deleted += 1
    cursor = page.nextCursor
  } while (cursor !== null && matched < how.limit)
  return { matched, deleted, more: cursor !== null }
}

type PauseCount = {
  /** People looked at. */
  people: number
  /** Occasions that were not paused (or not active) yet. */
  matched: number
  changed: number
  /** Matched occasions with a claimed message. A pause stops it unless it is on the wire. */
  underWay: number
  /** Where the next call continues; null at the end. */
  nextCursor: string | null
}

/** Pauses or resumes the occasions of at most `limit` people. */
export async function pauseMatching(
  deps: AppDeps,
  /** The people, and the type of their occasions; all types by default. */
  { people, type }: { people: UserFilter; type?: string },
  how: { paused: boolean; dryRun: boolean; limit: number; cursor: string | null },
): Promise<PauseCount> {
  const counts = { people: 0, matched: 0, changed: 0, underWay: 0 }
  let { cursor } = how
  do {
    const limit = Math.min(PAGE, how.limit - counts.people)
    const page = await deps.store.listPeople({ ...people, limit, cursor })
    counts.people += page.items.length
    for (const person of page.items) {
      for (const plan of person.plans) {
        if (!matches(plan, how.paused, type)) continue
        counts.matched += 1
        if (plan.open?.status === 'PROCESSING') counts.underWay += 1
        if (how.dryRun) continue
        const { kind } = await setPaused(deps, { person, plan }, how.paused)
        if (kind === 'saved') counts.changed += 1
      }
    }
    cursor = page.nextCursor
  } while (cursor !== null && counts.people < how.limit)
  return { ...counts, nextCursor: cursor }
}

/** The reminder of a task is never paused: it belongs to its task. */
function matches({ occasion }: OccasionPlan, paused: boolean, type: string | undefined): boolean {
  if (occasionType(occasion.type).belongsTo === 'task') return false
  return (type === undefined || occasion.type === type) && (occasion.pausedAt !== null) !== paused
}
