// Calendar feeds: planned events for anyone who has the secret URL. Only a hash of the secret is stored.

import type { Ids } from '../domain/events/uuid.ts'
import type { Feed } from '../domain/feeds/feed.ts'
import { type CalendarEntry, calendarEnd, calendarEvent, calendarHead } from '../domain/feeds/icalendar.ts'
import { sha256Hex } from '../domain/formats/sha256.ts'
import { occasionType } from '../domain/occasions/occasion-types.ts'
import { upcoming } from '../domain/occasions/recurring.ts'
import { DAY_MS } from '../domain/time/calendar.ts'
import type { TimezoneTable } from '../domain/time/tzdb.ts'
import { fullName } from '../domain/users/full-name.ts'
import type { User } from '../domain/users/user.ts'
import type { Clock } from '../ports/clock.ts'
import type { FeedStore, HistoryStore, OccasionPlan, Person, UserStore } from '../ports/store.ts'

export type FeedsDeps = {
  store: FeedStore & UserStore & Pick<HistoryStore, 'listEvents'>
  clock: Clock
  ids: Ids
  table: TimezoneTable
  /** A new secret of 256 bits. */
  newToken: () => string
}

/** Null if there is no such user. The token is returned once and not stored. */
export async function createFeed(
  { store, clock, ids, newToken }: FeedsDeps,
  userId: string | null,
): Promise<{ feed: Feed; token: string } | null> {
  const now = clock.now()
  const token = newToken()
  const id = ids(now)
  const feed: Feed = { id, tokenHash: sha256Hex(token), userId, createdAt: now }
  return (await store.createFeed(feed)) ? { feed, token } : null
}

/** False if there is no such feed. */
export function deleteFeed({ store }: Pick<FeedsDeps, 'store'>, feedId: string): Promise<boolean> {
  return store.removeFeed(feedId)
}

/** Streams the calendar of a token; null for an unknown token. */
export async function openFeed(deps: FeedsDeps, token: string): Promise<AsyncGenerator<string> | null> {
  const feed = await deps.store.findFeed(sha256Hex(token))
  if (feed === null) return null
  const now = deps.clock.now()
  if (feed.userId === null) return calendarOf('Terce', now, entriesOfAll(deps, now))
  const person = await deps.store.readPerson(feed.userId)
  if (person === null) return null
  return calendarOf(`Terce: ${fullName(person.user)}`, now, [entriesOf(person, now, deps.table)])
}

type Entries = AsyncIterable<CalendarEntry[]> | Iterable<CalendarEntry[]>

async function* calendarOf(name: string, now: number, pages: Entries): AsyncGenerator<string> {
  yield calendarHead(name)
  let isEmpty = true
  for await (const entries of pages) {
    if (entries.length === 0) continue
    isEmpty = false
    yield entries.map((entry) => calendarEvent(entry, now)).join('')
  }
  yield calendarEnd(isEmpty)
}

/** Up to this many people, the feed for everyone contains all planned events. */
export const PEOPLE_IN_FULL = 2_000
/** With more people, the feed is limited to these days and this many events. */
export const DAYS_OF_MANY = 30
export const EVENTS_OF_MANY = 5_000
const PAGE = 200

async function* entriesOfAll({ store, table }: FeedsDeps, now: number): AsyncGenerator<CalendarEntry[]> {
  const first = await store.listUsers({ limit: PEOPLE_IN_FULL, cursor: null })
  if (first.nextCursor !== null) return yield* entriesOfMany(store, now)
  let cursor: string | null = null
  do {
    const page = await store.listPeople({ limit: PAGE, cursor })
    yield page.items.flatMap((person) => entriesOf(person, now, table))
    cursor = page.nextCursor
  } while (cursor !== null)
}

async function* entriesOfMany(store: FeedsDeps['store'], now: number): AsyncGenerator<CalendarEntry[]> {
  const due = { status: 'PENDING' as const, dueFrom: now, dueBefore: now + DAYS_OF_MANY * DAY_MS }
  let cursor: string | null = null
  for (let left = EVENTS_OF_MANY; left > 0; left -= PAGE) {
    const page = await store.listEvents({ ...due, limit: PAGE, cursor })
    yield page.items.flatMap((event) => {
      if (event.replayOf !== null) return []
      const { occasionId, occurrence, targetAt: at, eventType } = event
      const summary = `${fullName(event)}: ${eventType}`
      return [{ uid: uidOf(occasionId, occurrence), at, summary, description: null }]
    })
    cursor = page.nextCursor
    if (cursor === null) return
  }
}

/** How far ahead yearly occasions are shown. */
const YEARS_MS = 731 * DAY_MS

function entriesOf({ user, plans }: Person, now: number, table: TimezoneTable): CalendarEntry[] {
  return plans.flatMap((plan) => {
    const { occasion, task } = plan
    const summary = `${fullName(user)}: ${occasion.type}`
    const rest = { summary, description: task?.title ?? null }
    return [...slotsOf(plan, user, now, table)].map(({ occurrence, at }) => {
      return { uid: uidOf(occasion.id, occurrence), at, ...rest }
    })
  })
}

/** The planned event; for a yearly occasion also the later occurrences that are not planned yet. */
function* slotsOf(
  { occasion, task, open, lastSettled }: OccasionPlan,
  user: User,
  now: number,
  table: TimezoneTable,
) {
  if (open !== null) yield { occurrence: open.occurrence, at: open.targetAt }
  if (occasion.repeats !== 'YEARLY' || task !== null) return
  const { series } = occasionType(occasion.type)
  const from = { now, after: open ?? lastSettled }
  for (const { occurrence, instant } of upcoming(series, { occasion, user, task }, from, table)) {
    if (instant > now + YEARS_MS) return
    yield { occurrence, at: instant }
  }
}

function uidOf(occasionId: string, occurrence: string): string {
  return `${occasionId}-${occurrence}@terce`
}
