// Pages of messages for the Messages page.
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { api, filledPage, given } from './client.ts'
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

function readMessages(
  { userId, filter }: EventsRequest,
  first: string,
  signal: AbortSignal,
): Promise<Page<ListedEvent>> {
  return filledPage((cursor) => {
    const query = given({ ...filter, cursor, limit: LIMIT })
    return userId === null
      ? api.get('/event', { query, signal })
      : api.get('/user/{id}/event', { path: { id: userId }, query, signal })
  }, first)
}
