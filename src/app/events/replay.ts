// Replays failed events: one, or all that match a filter. Inserts new events and never changes the failed ones.
import type { Event } from '../../domain/events/event.ts'
import type { Planner } from '../../engine/plan.ts'
import type { Clock } from '../../ports/clock.ts'
import type { EventQuery } from '../../ports/query.ts'
import type { EventStore, HistoryStore, NamedEvent, NewReplay } from '../../ports/store.ts'
import { retryOnConflict } from '../retry-on-conflict.ts'
import { type ReplayParts, surveyReplays } from './replay-survey.ts'
import { readStory, type WholeStory } from './story.ts'

export type ReplayDeps = {
  store: HistoryStore & Pick<EventStore, 'replay'>
  planner: Planner
  clock: Clock
  /** Called with the instant at which the new events are due. */
  onPlanned: (at: number) => void
}

type Rejected =
  | { kind: 'missing' }
  | { kind: 'not-failed'; event: Event }
  /** `by` is the replay that is still open. */
  | { kind: 'in-progress'; by: Event }
  /** `by` is the replay that delivered it. */
  | { kind: 'delivered'; by: Event }

export type ReplayResult = { kind: 'replayed'; event: NamedEvent } | Rejected

/** A conflict: another replay of the event was open when ours was inserted, and has failed by the time we look. */
export function replayEvent(
  deps: ReplayDeps,
  eventId: string,
  how: { newKey: boolean },
): Promise<ReplayResult> {
  return retryOnConflict(`The replays of event ${eventId}`, async () => {
    const [replayId] = await insertReplays(deps, [eventId], how)
    if (replayId !== undefined) {
      const found = await deps.store.findEvent(replayId)
      return found === null ? { kind: 'missing' } : { kind: 'replayed', event: found.event }
    }
    return whyNot(await readStory(deps.store, eventId))
  })
}

function whyNot(story: WholeStory | null): Rejected | null {
  if (story === null) return { kind: 'missing' }
  const { event, replays } = story
  if (event.status !== 'FAILED') return { kind: 'not-failed', event }
  // A replay is inserted only after all earlier ones have failed, so only the latest can be open or delivered.
  const latest = replays.at(-1)
  if (latest === undefined || latest.status === 'FAILED') return null
  return {
    kind: latest.status === 'COMPLETED' ? 'delivered' : 'in-progress',
    by: latest,
  }
}

export type ReplayFilter = Pick<
  EventQuery,
  | 'ids'
  | 'reason'
  | 'briefReason'
  | 'channelIds'
  | 'type'
  | 'userId'
  | 'people'
  | 'settledFrom'
  | 'dueFrom'
  | 'dueBefore'
> & {
  /** Excludes later failures, so that a replay which fails at once is not replayed by the same request. */
  settledBefore: number
}

type ReplayCount = {
  matched: number
  replayed: number
  /** Matched, but already replayed (in flight or delivered), or past the cut-off and skipped. */
  skipped: number
  /** What a replay would do with the matched events; null unless it is a dry run. */
  parts: ReplayParts | null
  /** Where the next call continues; null at the end. */
  nextCursor: string | null
}

const BATCH = 500

/** Replays up to `limit` matching events. A dry run only counts them. */
export async function replayMatching(
  deps: ReplayDeps,
  filter: ReplayFilter,
  how: {
    newKey: boolean
    /** Whether to send events past the local time after which they were not to be sent. */
    pastCutOff: 'send' | 'skip'
    dryRun: boolean
    limit: number
    cursor: string | null
  },
): Promise<ReplayCount> {
  let [matched, replayed] = [0, 0]
  let { cursor } = how
  const survey = surveyReplays(deps, deps.clock.now())
  do {
    const limit = Math.min(BATCH, how.limit - matched)
    const page = await deps.store.listEvents({
      ...filter,
      status: 'FAILED',
      // An operator may choose dismissed messages one by one.
      ...(filter.ids === undefined && { undismissed: true }),
      limit,
      cursor,
    })
    matched += page.items.length
    const isLooking = how.dryRun || how.pastCutOff === 'skip'
    const wanted = isLooking ? await survey.look(page.items) : page.items
    const ids = wanted.map(({ id }) => id)
    if (!how.dryRun) replayed += (await insertReplays(deps, ids, how)).length
    cursor = page.nextCursor
  } while (cursor !== null && matched < how.limit)
  return {
    matched,
    replayed,
    skipped: how.dryRun ? 0 : matched - replayed,
    parts: how.dryRun ? survey.parts() : null,
    nextCursor: cursor,
  }
}

/** Returns the ids of the new events. */
async function insertReplays(
  deps: ReplayDeps,
  failed: readonly string[],
  { newKey }: { newKey: boolean },
): Promise<string[]> {
  const at = deps.clock.now()
  const replays = failed.map((of): NewReplay => ({ of, id: deps.planner.ids(at), ownKey: newKey, at }))
  const inserted = new Set(await deps.store.replay(replays))
  if (inserted.size > 0) deps.onPlanned(at)
  return replays.filter(({ of }) => inserted.has(of)).map(({ id }) => id)
}
