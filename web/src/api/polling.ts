// When a page repeats its queries: after a change of its own, and every few seconds while it is visible.
import type { Query, QueryClient } from '@tanstack/react-query'
import { readRoute } from '../router.tsx'
import { isNotFound } from './client.ts'
import { KEYS } from './query-keys.ts'
import type { EventDetail } from './types.ts'

/** Below the age at which the page no longer calls itself live. */
const POLL_MS = 5_000
const WATCHED_MS = 2_000

/** An id that was not found stays unknown. */
export function isLive({ meta, state }: Query): boolean {
  return meta?.live !== false && !isNotFound(state.error)
}

/** After a change by this page: requests that were sent before it are repeated. */
export function invalidateAll(client: QueryClient): Promise<void> {
  return client.invalidateQueries({ predicate: isLive })
}

/** The interval of a query that has none of its own. */
export function pollMs(client: QueryClient, query: Query): number | false {
  if (!isLive(query)) return false
  return isWatched(client) ? WATCHED_MS : POLL_MS
}

/** The inbox, and the page of an event until it is settled, are looked at while messages go out. */
function isWatched(client: QueryClient): boolean {
  const route = readRoute(location.pathname)
  if (route?.page !== 'event' || route.id === null) return route?.page === 'inbox'
  const status = client.getQueryData<EventDetail>(KEYS.event(route.id))?.status
  return status === 'PENDING' || status === 'PROCESSING'
}
