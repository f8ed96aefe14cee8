// The search for an idempotency key compares a bounded number of events for each request.
import { describe, expect, it } from 'vitest'
import { findByKey } from '../../../src/app/events/find-by-key.ts'
import { idempotencyKey } from '../../../src/domain/events/idempotency-key.ts'
import type { EventQuery } from '../../../src/ports/query.ts'
import type { NamedEvent } from '../../../src/ports/store.ts'

/** A store with so many events of as many occasions, and one replay of the last event. */
function storeOf(count: number) {
  const events = Array.from({ length: count }, (_, i) => eventOf(i, '2026'))
  const replay = { ...eventOf(count - 1, '2026~1'), id: String(count) }
  let reads = 0
  const listEvents = async ({ limit, cursor, occasionId }: EventQuery) => {
    reads += 1
    const all = [...events, replay].filter(
      (event) => occasionId === undefined || event.occasionId === occasionId,
    )
    const from = cursor === null ? 0 : all.findIndex(({ id }) => id === cursor) + 1
    const items = all.slice(from, from + limit)
    return { items, nextCursor: from + limit < all.length ? items.at(-1)!.id : null }
  }
  return { listEvents, events, reads: () => reads }
}

function eventOf(i: number, occurrence: string): NamedEvent {
  return { id: String(i), userId: `user ${i}`, occasionId: `occasion ${i}`, occurrence } as NamedEvent
}

describe('the search for an idempotency key', () => {
  it('compares 5,000 events and says where to continue', async () => {
    const store = storeOf(5_200)
    const key = idempotencyKey(store.events.at(-1)!)
    const first = await findByKey(store, key, { limit: 50, cursor: null })
    expect([first, store.reads()]).toEqual([{ items: [], nextCursor: '4999' }, 10])
    const second = await findByKey(store, key, { limit: 50, cursor: first.nextCursor })
    expect(second.items.map(({ occurrence }) => occurrence)).toEqual(['2026', '2026~1'])
    expect(second.nextCursor).toBeNull()
  })

  it('ends without a result after the last event', async () => {
    const none = await findByKey(storeOf(700), `event-${'0'.repeat(32)}`, { limit: 50, cursor: null })
    expect(none).toEqual({ items: [], nextCursor: null })
  })
})
