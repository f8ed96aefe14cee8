// Pages of messages for the Messages page.
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { api, filledPage, given } from './client.ts'
import { KEYS } from './query-keys.ts'
import type { EventsRequest, ListedEvent, Page } from './types.ts'

/** `request` is built at each fetch, because periods such as the last 24 hours move on. */
export function useMessages(key: unknown, request: () => EventsRequest, cursor: string) {
  return useQuery({
    queryKey: [...KEYS.events, 'messages', key, cursor],
    queryFn: ({ signal }) => readMessages(request(), cursor, signal),
    placeholderData: keepPreviousData,
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
