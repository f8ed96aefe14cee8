// Calls the API with the typed client, in the session of this browser. Learns from each response whether the server can be
// reached and whether the browser is signed in.
import { createPathClient, type Fetch, TerceError } from '../../../src/client/path-client.ts'
import { API_BASE } from '../base.ts'

let onSignedOut: () => void = () => {}

/** Registers a listener for 401 responses. */
export function whenSignedOut(listener: () => void): void {
  onSignedOut = listener
}

let onReachable: (isReachable: boolean) => void = () => {}

/** Registers a listener that learns after each request whether the server responded. */
export function whenReachable(listener: (isReachable: boolean) => void): void {
  onReachable = listener
}

export const api = createPathClient({ url: API_BASE, fetch: inSession({}) })

/** For requests that must outlive the page. */
export const leavingApi = createPathClient({ url: API_BASE, fetch: inSession({ keepalive: true }) })

/** Responses of a proxy that has lost its server. */
const LOST = [502, 504]

/** A read without a response for so long is lost, as after the computer slept: it must not hold up the next one. */
const READ_MS = 30_000

function within(ms: number, signal: AbortSignal | null | undefined): AbortSignal {
  const limit = AbortSignal.timeout(ms)
  return signal ? AbortSignal.any([signal, limit]) : limit
}

function inSession(extra: RequestInit): Fetch {
  return async (url, init) => {
    const signal = init.method === 'GET' ? within(READ_MS, init.signal) : init.signal
    const sent = { ...init, ...extra, signal: signal ?? null, credentials: 'same-origin' } as const
    const response = await fetch(url, sent).catch((error) => {
      // An aborted query says nothing about the server.
      if (init.signal?.aborted) throw error
      onReachable(false)
      throw new TerceError({ code: 'UNREACHABLE', status: 0, detail: 'Cannot reach Terce. Is it running?' })
    })
    onReachable(!LOST.includes(response.status))
    if (response.status === 401) onSignedOut()
    if (response.ok && response.status !== 204 && !isData(response)) {
      const detail = `${init.method} ${url} did not return JSON.`
      throw new TerceError({ code: 'NOT_JSON', status: response.status, detail })
    }
    return response
  }
}

function isData(response: Response): boolean {
  return /json|csv/.test(response.headers.get('Content-Type') ?? '')
}

export function isNotFound(error: unknown): boolean {
  return statusOf(error) === 404
}

/** The HTTP status of a rejected request; 0 without a response. */
export function statusOf(error: unknown): number {
  return error instanceof TerceError ? error.status : 0
}

export function problemOf(error: unknown, field: string): string | undefined {
  if (!(error instanceof TerceError)) return undefined
  return error.problems.find((problem) => problem.field === field)?.message
}

export function messageOf(error: unknown): string {
  if (error instanceof TerceError) return error.problems[0]?.message ?? error.detail
  return error instanceof Error ? error.message : String(error)
}

/** The filters that are set. */
export function given<T extends Record<string, unknown>>(filter: T): { [K in keyof T]?: Exclude<T[K], ''> } {
  return Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== '')) as {
    [K in keyof T]?: Exclude<T[K], ''>
  }
}

type AnyPage = { items: readonly unknown[]; nextCursor: string | null }

/** The server tries a filter on a bounded number of rows for each request, and may return empty pages before one with a match. */
export async function filledPage<P extends AnyPage>(
  read: (cursor: string) => Promise<P>,
  first = '',
): Promise<P> {
  let cursor = first
  for (;;) {
    const page = await read(cursor)
    if (page.items.length > 0 || page.nextCursor === null) return page
    cursor = page.nextCursor
  }
}

/** The responses of a request that goes through many records, sent until it has gone through all. */
export async function* eachPart<P extends { nextCursor: string | null }>(
  send: (page: { cursor?: string }) => Promise<P>,
): AsyncGenerator<P> {
  let part = await send({})
  yield part
  while (part.nextCursor !== null) {
    part = await send({ cursor: part.nextCursor })
    yield part
  }
}
