// Calls the API: JSON in, JSON out, problem documents as errors.

export type FieldProblem = { field: string; code: string; message: string }

export class ApiError extends Error {
  readonly status: number
  readonly code: string
  readonly problems: readonly FieldProblem[]

  constructor(status: number, code: string, message: string, problems: readonly FieldProblem[]) {
    super(message)
    this.name = 'ApiError'
    this.status = status
    this.code = code
    this.problems = problems
  }
}

type Query = Record<string, string | number | boolean | null | undefined>
type Options = {
  query?: Query
  /** Sent as JSON; a string is sent as CSV. */
  body?: unknown
  headers?: Record<string, string>
  keepalive?: boolean
}

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

export async function call<T>(method: string, path: string, options: Options = {}): Promise<T> {
  const { body, keepalive = false } = options
  const isText = typeof body === 'string'
  const headers = { ...options.headers }
  if (body !== undefined) headers['Content-Type'] = isText ? 'text/csv' : 'application/json'
  let response: Response
  try {
    response = await fetch(path + queryText(options.query), {
      method,
      headers: { Accept: 'application/json', ...headers },
      credentials: 'same-origin',
      keepalive,
      ...(body === undefined ? {} : { body: isText ? body : JSON.stringify(body) }),
    })
  } catch {
    onReachable(false)
    throw new ApiError(0, 'UNREACHABLE', 'Cannot reach Terce. Is it running?', [])
  }
  onReachable(true)
  if (!response.ok) throw await errorOf(response)
  if (response.status === 204) return undefined as T
  const type = response.headers.get('Content-Type') ?? ''
  if (!type.includes('json')) {
    throw new ApiError(response.status, 'NOT_JSON', `${method} ${path} did not return JSON.`, [])
  }
  return (await response.json()) as T
}

async function errorOf(response: Response): Promise<ApiError> {
  if (response.status === 401) onSignedOut()
  const fallback = `The server returned ${response.status}.`
  try {
    const { code, detail, title, problems } = await response.json()
    const message = problems?.[0]?.message ?? detail ?? title ?? fallback
    return new ApiError(response.status, code ?? 'UNKNOWN', message, problems ?? [])
  } catch {
    return new ApiError(response.status, 'UNKNOWN', fallback, [])
  }
}

function queryText(query: Query = {}): string {
  const given = Object.entries(query).filter(
    ([, value]) => value !== undefined && value !== null && value !== '',
  )
  if (given.length === 0) return ''
  return `?${new URLSearchParams(given.map(([name, value]) => [name, String(value)]))}`
}

export function problemOf(error: unknown, field: string): string | undefined {
  if (!(error instanceof ApiError)) return undefined
  return error.problems.find((problem) => problem.field === field)?.message
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
