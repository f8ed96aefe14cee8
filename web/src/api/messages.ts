// Pages of messages for the Messages page.
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { api, given } from './client.ts'
import { KEYS } from './query-keys.ts'
import type { EventsRequest, ListedEvent, Page } from './types.ts'

/** `request` is built at each fetch, because ranges such as the last 24 hours move on. Null: not known yet. */
export function useMessages(key: unknown, request: (() => EventsRequest) | null, cursor: string) {
  const isSearch = request?.().filter.idempotencyKey !== undefined
  return useQuery({
    queryKey: [...KEYS.events, 'messages', key, cursor],
    queryFn: ({ signal }) => readMessages(request!(), cursor, signal),
    placeholderData: keepPreviousData,
    enabled: request !== null,
    // The search for a key reads many pages: it is not repeated every two seconds.
    meta: { live: !isSearch },
  })
}

const LIMIT = 50

/** A search for an idempotency key may return empty pages before the one with the result. */
async function readMessages(
  { userId, filter }: EventsRequest,
  first: string,
  signal: AbortSignal,
): Promise<Page<ListedEvent>> {
  let cursor = first
  for (;;) {
    const query = given({ ...filter, cursor, limit: LIMIT })
    const page =
      userId === null
        ? await api.get('/event', { query, signal })
        : await api.get('/user/{id}/event', { path: { id: userId }, query, signal })
    const isFound = page.items.length > 0 || filter.idempotencyKey === undefined
    if (isFound || page.nextCursor === null) return page
    cursor = page.nextCursor
  }
}
