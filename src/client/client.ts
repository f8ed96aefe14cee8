// The client: the calls by path, and people, occasions, tasks and events by name.
import type { PathClient } from './calls.ts'
import { type ClientSettings, createPathClient } from './path-client.ts'
import { createResources, type Resources } from './resources.ts'
import { fetchNamed, retrying } from './retry.ts'

export {
  type ErrorCode,
  type Event,
  type Fetch,
  type FieldProblem,
  type Import,
  type ImportCounts,
  type NewUser,
  type Occasion,
  type Task,
  TerceError,
  type User,
} from './path-client.ts'
export type { PersonRef } from './resources.ts'
export type { components, operations, paths } from './schema.ts'

export type RequestOptions = {
  /** Repeating a creation of a person, an occasion or a task under one key creates nothing twice. */
  idempotencyKey?: string
  /** Aborts the request. */
  signal?: AbortSignal
}

export type Client = PathClient & Resources<RequestOptions>

export type ClientOptions = ClientSettings & {
  /**
   * How often a request is repeated that the server rejected with 429, or with 503 if it creates nothing twice: after `Retry-After`, if
   * that is a minute at most. 3 if not given.
   */
  retries?: number
}

export function createClient({ retries = 3, ...given }: ClientOptions): Client {
  const fetch = retrying(given.fetch ?? fetchNamed, retries)
  const settings = { ...given, fetch }
  const resources = createResources<RequestOptions>(({ signal }, work) =>
    work(
      createPathClient({
        ...settings,
        fetch: (url, init) => fetch(url, { ...init, ...(signal && { signal }) }),
      }),
    ),
  )
  return { ...createPathClient(settings), ...resources }
}
