// Reads the whole history of an event: its attempts, its moves, its replays and its successor.
import type { Event } from '../../domain/events/event.ts'
import type { Story } from '../../domain/events/history.ts'
import { originalOf } from '../../domain/events/idempotency-key.ts'
import type { EventQuery } from '../../ports/query.ts'
import type { HistoryStore, NamedEvent } from '../../ports/store.ts'

export type WholeStory = Story & {
  event: NamedEvent
  /** The event itself or, of a replay, the original; null if that was pruned. */
  original: Event | null
  /** The next occurrence of its occasion, if it is planned. */
  successor: Event | null
}

export async function readStory(store: HistoryStore, eventId: string): Promise<WholeStory | null> {
  const found = await store.findEvent(eventId)
  if (found === null) return null
  const { event, attempts, isFree } = found
  const moves = await store.listMoves(event)
  const own = originalOf(event.occurrence)
  const replays: Event[] = []
  let successor: Event | null = null
  let origin: Event | null = event.replayOf === null ? event : null
  for await (const other of eachEvent(store, {
    occasionId: event.occasionId,
  })) {
    const original = originalOf(other.occurrence)
    if (original === own && replayNumber(other) > replayNumber(event)) replays.push(other)
    if (original === own && other.replayOf === null) origin ??= other
    // By time, not by name: the name of an occurrence by another rule can sort before.
    const isLater = other.replayOf === null && original !== own && other.targetAt > event.targetAt
    if (isLater && (successor === null || other.targetAt < successor.targetAt)) successor = other
  }
  replays.sort((a, b) => replayNumber(a) - replayNumber(b))
  return { event, attempts, isFree, moves, original: origin, replays, successor }
}

/** 0 for an original, 1 for `2026~1`. */
function replayNumber({ occurrence }: Event): number {
  return Number(occurrence.slice(originalOf(occurrence).length + 1))
}

const PAGE = 200

export async function* eachEvent(
  store: HistoryStore,
  query: Omit<EventQuery, 'limit' | 'cursor'>,
): AsyncGenerator<Event> {
  let cursor: string | null = null
  do {
    const page = await store.listEvents({ ...query, limit: PAGE, cursor })
    yield* page.items
    cursor = page.nextCursor
  } while (cursor !== null)
}
