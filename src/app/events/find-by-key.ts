// Finds events by their idempotency key. The key is a digest that is not stored, because an index of it would cost every
// planned event a write at a random place: events are compared one by one, so many for each request.
import type { Event } from '../../domain/events/event.ts'
import { idempotencyKey } from '../../domain/events/idempotency-key.ts'
import type { EventQuery, Page } from '../../ports/query.ts'
import type { HistoryStore, NamedEvent } from '../../ports/store.ts'

const BATCH = 500
/** How many events one call compares: about 50 ms on SQLite. */
const COMPARED = 5_000

/** The events with the key, or an empty page with the cursor at which the search continues. */
export async function findByKey(
  store: Pick<HistoryStore, 'listEvents'>,
  key: string,
  query: EventQuery,
): Promise<Page<NamedEvent>> {
  const hasKey = (event: Event) => idempotencyKey(event) === key
  let { cursor } = query
  for (let compared = 0; compared < COMPARED; compared += BATCH) {
    const page = await store.listEvents({ ...query, limit: BATCH, cursor })
    const found = page.items.find(hasKey)
    if (found !== undefined) {
      const related = await eventsOf(store, found, query)
      return { items: related.filter(hasKey), nextCursor: null }
    }
    cursor = page.nextCursor
    if (cursor === null) break
  }
  return { items: [], nextCursor: cursor }
}

/** An event and its replays share their occasion and, unless a replay has its own, their key. */
async function eventsOf(
  store: Pick<HistoryStore, 'listEvents'>,
  { occasionId }: Event,
  query: EventQuery,
): Promise<NamedEvent[]> {
  const events: NamedEvent[] = []
  let cursor: string | null = null
  do {
    const page: Page<NamedEvent> = await store.listEvents({ ...query, occasionId, limit: BATCH, cursor })
    events.push(...page.items)
    cursor = page.nextCursor
  } while (cursor !== null)
  return events
}
