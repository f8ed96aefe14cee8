// Refetches everything that a change may have affected.
import type { Query, QueryClient } from '@tanstack/react-query'
import { isNotFound } from './client.ts'

export function invalidateAll(client: QueryClient): Promise<void> {
  return client.invalidateQueries({ predicate: isLive })
}

/** An id that was not found stays unknown: it is asked for once, not every two seconds. */
function isLive({ meta, state }: Query): boolean {
  return meta?.live !== false && !isNotFound(state.error)
}
