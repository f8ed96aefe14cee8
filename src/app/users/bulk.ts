// Operations on all people who match a filter, a page at a time. A dry run only counts.
import type { MoveCause } from '../../domain/events/move.ts'
import type { Occasion } from '../../domain/occasions/occasion.ts'
import { occasionType } from '../../domain/occasions/occasion-types.ts'
import { parseLocalTime } from '../../domain/time/local-time.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Page, UserFilter } from '../../ports/query.ts'
import type { OccasionPlan, OccasionSave, Person, UserStore } from '../../ports/store.ts'
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

type ChangeCount = {
  /** People looked at. */
  people: number
  /** Occasions that the change applies to. */
  matched: number
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
}

/** Pauses or resumes the occasions of at most `limit` people. */
export function pauseMatching(
  deps: AppDeps,
  which: Which,
  { paused, ...how }: How & { paused: boolean },
): Promise<ChangeCount> {
  const change: Change = {
    applies: ({ pausedAt }) => (pausedAt !== null) !== paused,
    apply: (occasion, at) => ({ ...occasion, pausedAt: paused ? at : null }),
    cause: paused ? 'OCCASION_PAUSED' : 'OCCASION_RESUMED',
  }
  return changeMatching(deps, which, change, how)
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
  }
  return changeMatching(deps, which, change, how)
}

async function changeMatching(
  deps: AppDeps,
  { people, type }: Which,
  change: Change,
  how: How,
): Promise<ChangeCount> {
  const { store, mayContinue } = limitsOf(deps)
  const counts = { people: 0, matched: 0, changed: 0, inFlight: 0, moved: 0 }
  const matching = ({ items }: Page<Person>) =>
    items.flatMap((person) =>
      person.plans.filter((plan) => matches(plan, change, type)).map((plan) => ({ person, plan })),
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
    if (how.dryRun) counts.moved += movesIn(left, plansOf(deps, left, change))
    else
      await retryOnConflict('A page of people', async () => {
        const saves = plansOf(deps, left, change)
        const saved = await saveAll({ ...deps, store }, saves)
        counts.changed += saved.size
        counts.moved += movesIn(
          left,
          saves.filter(({ occasion }) => saved.has(occasion.id)),
        )
        if (saved.size === left.length) return true
        // People who were added meanwhile must not push the last ones off the page.
        const again = await store.listPeople({ ...query, limit: query.limit + PAGE })
        left = matching(again).filter(({ plan }) => found.has(plan.occasion.id))
        return null
      })
    cursor = page.nextCursor
  } while (cursor !== null && counts.people < how.limit && mayContinue())
  return { ...counts, nextCursor: cursor }
}

function plansOf(deps: AppDeps, seen: readonly Seen[], { apply, cause }: Change): OccasionSave[] {
  const at = deps.clock.now()
  return seen.map((one) => ({
    ...planChange(deps, one, apply(one.plan.occasion, at), at),
    ...(cause && { cause }),
  }))
}

/** Writes changes of occasions that were just read, and returns the ids of those that were as they were read. */
async function saveAll(deps: AppDeps, saves: readonly OccasionSave[]): Promise<Set<string>> {
  const saved = new Set(await deps.store.saveOccasions(saves))
  for (const { occasion, open } of saves) if (saved.has(occasion.id)) announceOpen(deps, open)
  return saved
}

function movesIn(seen: readonly Seen[], saves: readonly OccasionSave[]): number {
  const before = new Map(seen.map(({ plan }) => [plan.occasion.id, plan.open?.targetAt]))
  return saves.filter(({ occasion, open }) => {
    if (open.kind === 'keepInFlight') return false
    const to = open.kind === 'insert' ? open.event : open.to
    return to?.targetAt !== before.get(occasion.id)
  }).length
}

/** The reminder of a task is never changed: it belongs to its task. */
function matches({ occasion }: OccasionPlan, { applies }: Change, type: string | undefined): boolean {
  if (occasionType(occasion.type).belongsTo === 'task') return false
  return (type === undefined || occasion.type === type) && applies(occasion)
}
