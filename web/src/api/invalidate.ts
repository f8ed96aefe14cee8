// After a change: everything that can have changed with it is asked for again.
import type { QueryClient } from '@tanstack/react-query'

export function invalidateAll(client: QueryClient): Promise<void> {
  return client.invalidateQueries({ predicate: ({ meta }) => meta?.live !== false })
}
