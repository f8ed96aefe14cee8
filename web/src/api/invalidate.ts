// Refetches everything that a change may have affected.
import type { QueryClient } from '@tanstack/react-query'

export function invalidateAll(client: QueryClient): Promise<void> {
  return client.invalidateQueries({ predicate: ({ meta }) => meta?.live !== false })
}
