// Operations on all people who match a filter, a page at a time. A dry run only counts.
import type { MoveCause } from '../../domain/events/move.ts'
import type { Occasion } from '../../domain/occasions/occasion.ts'
import { occasionType } from '../../domain/occasions/occasion-types.ts'
import { parseLocalTime } from '../../domain/time/local-time.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Page, UserFilter } from '../../ports/query.ts'
import type { OccasionPlan, OccasionSave, Person, UserStore } from '../../ports/store.ts'
import type { AppDeps } from '../app-deps.ts'
import { announceOpen } from '../occasions/occasions.ts'
import { planChange } from '../occasions/plan-change.ts'
import { retryOnConflict } from '../retry-on-conflict.ts'

const PAGE = 200

/** Permanently deletes a user and their events. False if there is none. */
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

type ChangeCount = {
  /** People looked at. */
  people: number
  /** Occasions that the change applies to. */
  matched: number
  /** In a dry run, how many would be. */
  changed: number
  /** Matched occasions with a claimed message. A pause stops it unless it is on the wire; another change does not affect it. */
  inFlight: number
  /** Pending messages that the change moves, adds or removes. */
  moved: number
  /** Where the next call continues; null at the end. */
  nextCursor: string | null
}

/** The people, and the type of their occasions; all types by default. */
type Which = { people: UserFilter; type?: string }
type How = { dryRun: boolean; limit: number; cursor: string | null }

/** A change of every occasion that it applies to. */
type Change = {
  applies(occasion: Occasion): boolean
  apply(occasion: Occasion, at: number): Occasion
  cause?: MoveCause
  /** Does not apply to an occasion without an occurrence ahead. */
  leavesOver?: true
}

/**
 * Pauses or resumes the occasions of at most `limit` people. People who are named by their ids are paused and resumed like single
 * occasions; others are resumed only from a pause by filter.
 */
export function pauseMatching(
  deps: AppDeps,
  which: Which,
  { paused, ...how }: How & { paused: boolean },
): Promise<ChangeCount> {
  const isNamed = which.people.ids !== undefined
  const pause: Change = {
    applies: ({ pausedAt, bulkPausedAt }) => pausedAt === null || (isNamed && bulkPausedAt !== null),
    apply(occasion, at) {
      return { ...occasion, pausedAt: occasion.pausedAt ?? at, bulkPausedAt: isNamed ? null : at }
    },
    cause: 'OCCASION_PAUSED',
  }
  const resume: Change = {
    applies: ({ pausedAt, bulkPausedAt }) => (isNamed ? pausedAt : bulkPausedAt) !== null,
    apply: (occasion) => ({ ...occasion, pausedAt: null, bulkPausedAt: null }),
    cause: 'OCCASION_RESUMED',
  }
  return changeMatching(deps, which, paused ? pause : resume, how)
}

/** Moves the occasions of at most `limit` people to another send time: all of them, or those with the time `from`. */
export function moveSendTime(
  deps: AppDeps,
  which: Which,
  { localTime, from, ...how }: How & { localTime: string; from?: string },
): Promise<ChangeCount> {
  // 09:00 and 09:00:00 are one time.
  const [to, old] = [parseLocalTime(localTime), from === undefined ? null : parseLocalTime(from)]
  const change: Change = {
    applies({ localTime }) {
      const time = parseLocalTime(localTime)
      return time !== to && (old === null || time === old)
    },
    apply: (occasion) => ({ ...occasion, localTime }),
    leavesOver: true,
  }
  return changeMatching(deps, which, change, how)
}

async function changeMatching(deps: AppDeps, which: Which, change: Change, how: How): Promise<ChangeCount> {
  const { store, mayContinue } = limitsOf(deps)
  const counts = { people: 0, matched: 0, changed: 0, inFlight: 0, moved: 0 }
  const count = (saved: readonly Planned[]) => {
    counts.changed += saved.length
    counts.moved += saved.filter(isMoved).length
  }
  let { cursor } = how
  do {
    const query = { ...which.people, limit: Math.min(PAGE, how.limit - counts.people), cursor }
    const page = await store.listPeople(query)
    let left = planIn(deps, page, which, change)
    const found = new Set(left.map(({ plan }) => plan.occasion.id))
    counts.people += page.items.length
    counts.matched += left.length
    counts.inFlight += left.filter(({ plan }) => plan.open?.status === 'PROCESSING').length
    if (how.dryRun) count(left)
    else
      await retryOnConflict('A page of people', async () => {
        const saved = await saveAll({ ...deps, store }, left)
        count(saved)
        if (saved.length === left.length) return true
        // People who were added meanwhile must not push the last ones off the page.
        const again = await store.listPeople({ ...query, limit: query.limit + PAGE })
        left = planIn(deps, again, which, change).filter(({ plan }) => found.has(plan.occasion.id))
        return null
      })
    cursor = page.nextCursor
  } while (cursor !== null && counts.people < how.limit && mayContinue())
  return { ...counts, nextCursor: cursor }
}

/** An occasion as it was read, and its change. */
type Planned = { plan: OccasionPlan; save: OccasionSave }

/** The occasions of a page that the change applies to. The reminder of a task is never changed: it belongs to its task. */
function planIn(deps: AppDeps, { items }: Page<Person>, { type }: Which, change: Change): Planned[] {
  const at = deps.clock.now()
  const isOfType = (occasion: Occasion) =>
    occasionType(occasion.type).belongsTo !== 'task' && (type === undefined || occasion.type === type)
  const planned = items.flatMap((person) =>
    person.plans
      .filter(({ occasion }) => isOfType(occasion) && change.applies(occasion))
      .map((plan) => {
        const save = planChange(deps, { person, plan }, change.apply(plan.occasion, at), at)
        return { plan, save: { ...save, ...(change.cause && { cause: change.cause }) } }
      }),
  )
  return change.leavesOver ? planned.filter((one) => !isOver(one)) : planned
}

/** Neither the occasion nor the changed one has an occurrence ahead. */
function isOver({ save: { occasion, open } }: Planned): boolean {
  return occasion.pausedAt === null && open.kind === 'insert' && open.event === null
}

function isMoved({ plan, save: { open } }: Planned): boolean {
  if (open.kind === 'keepInFlight') return false
  const to = open.kind === 'insert' ? open.event : open.to
  return to?.targetAt !== plan.open?.targetAt
}

/** Writes changes of occasions that were just read, and returns those that were as they were read. */
async function saveAll(deps: AppDeps, planned: readonly Planned[]): Promise<Planned[]> {
  const ids = new Set(await deps.store.saveOccasions(planned.map(({ save }) => save)))
  const saved = planned.filter(({ save }) => ids.has(save.occasion.id))
  for (const { save } of saved) announceOpen(deps, save.open)
  return saved
}
