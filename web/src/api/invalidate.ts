// Refetches everything that a change may have affected.
import type { Query, QueryClient } from '@tanstack/react-query'
import { isNotFound } from './client.ts'

/** After a change by this page: requests that were sent before it are repeated. */
export function invalidateAll(client: QueryClient): Promise<void> {
  return client.invalidateQueries({ predicate: isLive })
}

/** Requests in flight stay: cancelled ones would be repeated for ever on a slow server. */
export function refreshAll(client: QueryClient): Promise<void> {
  return client.invalidateQueries({ predicate: isLive }, { cancelRefetch: false })
}

/** An id that was not found stays unknown: it is asked for once, not every two seconds. */
function isLive({ meta, state }: Query): boolean {
  return meta?.live !== false && !isNotFound(state.error)
}
