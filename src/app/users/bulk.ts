// Operations on all people who match a filter, a page at a time. A dry run only counts.
import type { MoveCause } from '../../domain/events/move.ts'
import { occasionType } from '../../domain/occasions/occasion-types.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Page, UserFilter } from '../../ports/query.ts'
import type { OccasionPlan, Person, UserStore } from '../../ports/store.ts'
import type { AppDeps } from '../app-deps.ts'
import { announceOpen, planChange, type Seen } from '../occasions/occasions.ts'
import { retryOnConflict } from '../retry-on-conflict.ts'

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
  deps: DeleteDeps & Pick<AppDeps, 'openLimited'>,
  filter: UserFilter,
  how: { dryRun: boolean; limit: number; cursor: string | null },
): Promise<{ matched: number; deleted: number; nextCursor: string | null }> {
  const { store, mayContinue } = limitsOf(deps)
  let [matched, deleted] = [0, 0]
  let { cursor } = how
  do {
    const limit = Math.min(PAGE, how.limit - matched)
    const page = await store.listUsers({ ...filter, cursor, limit })
    matched += page.items.length
    if (!how.dryRun) {
      const users = page.items.map(({ id }) => id)
      const erased = await store.deleteUsers(users, deps.clock.now())
      for (const userId of erased) deps.onErased?.(userId)
      deleted += erased.length
    }
    cursor = page.nextCursor
  } while (cursor !== null && matched < how.limit && mayContinue())
  return { matched, deleted, nextCursor: cursor }
}

function limitsOf<S>(deps: { store: S; openLimited?: AppDeps['openLimited'] }) {
  const limits = deps.openLimited?.() ?? { store: deps.store, mayContinue: () => true }
  return limits as { store: S; mayContinue(): boolean }
}

type PauseCount = {
  /** People looked at. */
  people: number
  /** Occasions that were not paused (or not active) yet. */
  matched: number
  changed: number
  /** Matched occasions with a claimed message. A pause stops it unless it is on the wire. */
  inFlight: number
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
  const { store, mayContinue } = limitsOf(deps)
  const counts = { people: 0, matched: 0, changed: 0, inFlight: 0 }
  const matching = ({ items }: Page<Person>) =>
    items.flatMap((person) =>
      person.plans.filter((plan) => matches(plan, how.paused, type)).map((plan) => ({ person, plan })),
    )
  let { cursor } = how
  do {
    const query = { ...people, limit: Math.min(PAGE, how.limit - counts.people), cursor }
    const page = await store.listPeople(query)
    let left = matching(page)
    const found = new Set(left.map(({ plan }) => plan.occasion.id))
    counts.people += page.items.length
    counts.matched += left.length
    counts.inFlight += left.filter(({ plan }) => plan.open?.status === 'PROCESSING').length
    if (!how.dryRun)
      await retryOnConflict('A page of people', async () => {
        const saved = await setPaused({ ...deps, store }, left, how.paused)
        counts.changed += saved
        if (saved === left.length) return true
        // People who were added meanwhile must not push the last ones off the page.
        const again = await store.listPeople({ ...query, limit: query.limit + PAGE })
        left = matching(again).filter(({ plan }) => found.has(plan.occasion.id))
        return null
      })
    cursor = page.nextCursor
  } while (cursor !== null && counts.people < how.limit && mayContinue())
  return { ...counts, nextCursor: cursor }
}

/** Pauses or resumes occasions that were just read, and returns how many were as they were read. */
async function setPaused(deps: AppDeps, seen: readonly Seen[], paused: boolean): Promise<number> {
  const at = deps.clock.now()
  const cause: MoveCause = paused ? 'OCCASION_PAUSED' : 'OCCASION_RESUMED'
  const saves = seen.map((one) => {
    const changed = { ...one.plan.occasion, pausedAt: paused ? at : null }
    return { ...planChange(deps, one, changed, at), cause }
  })
  const saved = new Set(await deps.store.saveOccasions(saves))
  for (const { occasion, open } of saves) if (saved.has(occasion.id)) announceOpen(deps, open)
  return saved.size
}

/** The reminder of a task is never paused: it belongs to its task. */
function matches({ occasion }: OccasionPlan, paused: boolean, type: string | undefined): boolean {
  if (occasionType(occasion.type).belongsTo === 'task') return false
  return (type === undefined || occasion.type === type) && (occasion.pausedAt !== null) !== paused
}
