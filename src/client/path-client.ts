// The calls by path and method. Needs only fetch. Sends each request once.
import type { Method, PathClient } from './calls.ts'
import type { components } from './schema.ts'

type Schemas = components['schemas']
export type NewUser = Schemas['NewUser']
export type User = Schemas['User']
export type Occasion = Schemas['Occasion']
export type Task = Schemas['Task']
export type Event = Schemas['Event']
export type FieldProblem = Schemas['FieldProblem']

export type ClientSettings = {
  /** The base URL of the API, such as `https://terce.example.com`. */
  url: string
  /** An API key. Not needed on the same computer while no key exists. */
  key?: string | undefined
  /** Replaces the global fetch. */
  fetch?: Fetch
}
export type Fetch = (url: string, init: RequestInit) => Promise<Response>

export type Import = Schemas['Import']
export type ImportCounts = Schemas['ImportCounts']

type Problem = {
  code: string
  status: number
  title?: string
  detail: string
  problems?: readonly FieldProblem[] | undefined
  soFar?: ImportCounts | undefined
}

/** The codes of docs/errors.md. `HTTP_502` and the like are of responses that are not from Terce. A newer server may have more. */
export type ErrorCode =
  | Schemas['Problem']['code']
  | 'INCOMPLETE_EXPORT'
  | 'TRANSACTION_CONFLICT'
  | `HTTP_${number}`

/** The API returned a problem. `code` is stable; the texts are for humans. */
export class TerceError extends Error {
  /** Stable: see docs/errors.md. */
  readonly code: ErrorCode
  readonly status: number
  /** What is wrong in general, equal for all errors with this code. */
  readonly title: string
  readonly detail: string
  /** One entry per invalid field. */
  readonly problems: readonly FieldProblem[]
  /** What an import wrote before the error, and the row to continue with. */
  readonly soFar: ImportCounts | undefined

  constructor({ code, status, title = '', detail, problems = [], soFar }: Problem, options?: ErrorOptions) {
    const lines = [`${code}: ${detail}`, ...problems.map(({ field, message }) => `${field}: ${message}`)]
    super(lines.join('\n'), options)
    this.name = 'TerceError'
    this.code = code as ErrorCode
    this.status = status
    this.title = title
    this.detail = detail
    this.problems = problems
    this.soFar = soFar
  }
}

type Sent = {
  path?: Record<string, string>
  query?: Record<string, string | number | boolean | undefined>
  header?: Record<string, string | undefined>
  body?: unknown
  signal?: AbortSignal
}
type Page = { items: unknown[]; nextCursor: string | null }

export function createPathClient({ url, key, fetch = globalThis.fetch }: ClientSettings): PathClient {
  async function request(method: Method, path: string, sent: Sent) {
    const { body, signal } = sent
    const answer = await fetch(addressOf(url, path, sent), {
      method: method.toUpperCase(),
      headers: headersOf(key, sent),
      ...(body !== undefined && { body: isTable(body) ? body : JSON.stringify(body) }),
      ...(signal && { signal }),
      // Do not send the key to another address.
      redirect: 'manual',
    })
    const text = await answer.text()
    if (!answer.ok) throw new TerceError(problemIn(answer.status, text))
    return { answer, text }
  }

  async function send(method: Method, path: string, sent: Sent = {}): Promise<unknown> {
    const { answer, text } = await request(method, path, sent)
    if (answer.status === 204 && method !== 'get') return undefined
    const isPage = /html/.test(answer.headers.get('content-type') ?? '')
    if (isPage ? path === '/docs' : TEXTS.test(path)) return text
    try {
      return JSON.parse(text)
    } catch {
      throw new TerceError(problemIn(answer.status, text))
    }
  }

  async function* each(path: string, sent: Sent = {}): AsyncGenerator<unknown> {
    let { query = {} } = sent
    for (;;) {
      const page = (await send('get', path, { ...sent, query })) as Page
      yield* page.items
      if (page.nextCursor === null) return
      query = { ...query, cursor: page.nextCursor }
    }
  }

  async function* exportPeople(sent: Sent = {}): AsyncGenerator<string> {
    let { query = {} } = sent
    for (;;) {
      const { answer, text } = await request('get', '/user/export', { ...sent, query })
      const cursor = answer.headers.get('Terce-Next-Cursor')
      if (cursor === null && !END_OF_EXPORT.test(text)) throw new TerceError(incomplete(answer.status))
      yield text
      if (cursor === null) return
      query = { ...query, cursor }
    }
  }

  async function importPeople(table: string, sent: Sent = {}): Promise<Import> {
    let total: Import = { ...NOTHING_READ, errors: [], dryRun: false }
    do {
      const query = { ...sent.query, ...(total.next !== null && { from: total.next }) }
      try {
        const part = (await send('post', '/user/import', { ...sent, query, body: table })) as Import
        const sharedDates = sharedIn([...(total.sharedDates ?? []), ...(part.sharedDates ?? [])])
        const errors = [...total.errors, ...part.errors]
        total = { ...part, ...added(total, part), ...(sharedDates.length > 0 && { sharedDates }), errors }
      } catch (error) {
        if (!(error instanceof TerceError) || (error.soFar === undefined && total.read === 0)) throw error
        throw new TerceError({
          ...error,
          soFar: added(total, error.soFar ?? { ...NOTHING_READ, next: total.next }),
        })
      }
    } while (total.next !== null)
    return total
  }

  const call = (method: Method) => (path: string, sent?: Sent) => send(method, path, sent)
  const calls = { get: call('get'), post: call('post'), put: call('put'), delete: call('delete') }
  return { ...calls, each, exportPeople, importPeople } as PathClient
}

/** The last line of an export, as CSV or JSON. */
const END_OF_EXPORT = /(?:^|\n)(?:#end,[^\n]*|\{"end":true\})\r?\n$/

function incomplete(status: number): Problem {
  return { code: 'INCOMPLETE_EXPORT', status, detail: 'The export ended before its last line. Export again.' }
}

const NOTHING_READ: ImportCounts = {
  read: 0,
  created: 0,
  unchanged: 0,
  different: 0,
  rejected: 0,
  next: null,
}

type SharedDates = NonNullable<Import['sharedDates']>

/** The dates of all parts, each with the people of those parts that report it. */
function sharedIn(dates: SharedDates): SharedDates {
  const people = new Map<string, number>()
  for (const { date, people: more } of dates) people.set(date, (people.get(date) ?? 0) + more)
  return [...people].map(([date, people]) => ({ date, people }))
}

/** The sums of both parts. The import continues where the later part ended. */
function added(a: ImportCounts, b: ImportCounts): ImportCounts {
  return {
    read: a.read + b.read,
    created: a.created + b.created,
    unchanged: a.unchanged + b.unchanged,
    different: a.different + b.different,
    rejected: a.rejected + b.rejected,
    next: b.next,
  }
}

function addressOf(url: string, path: string, { path: named = {}, query = {} }: Sent): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name) => segment(name, named[name]))
  const asked = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) if (value !== undefined) asked.set(name, String(value))
  return `${url.replace(/\/+$/, '')}${filled}${asked.size === 0 ? '' : `?${asked}`}`
}

/** Rejects values that would lead to another path: empty, `.` and `..`. */
function segment(name: string, value: string | undefined): string {
  if (value === undefined || /^\.{0,2}$/.test(value)) throw new TypeError(`"${value}" cannot be the ${name}.`)
  return encodeURIComponent(value)
}

function headersOf(key: string | undefined, { header = {}, body }: Sent): Headers {
  const headers = new Headers({ Accept: 'application/json' })
  if (key) headers.set('Authorization', `Bearer ${key}`)
  if (body !== undefined) headers.set('Content-Type', isTable(body) ? 'text/csv' : 'application/json')
  for (const [name, value] of Object.entries(header)) if (value !== undefined) headers.set(name, value)
  return headers
}

/** A CSV table is sent as text; any other body is JSON. */
const isTable = (body: unknown) => typeof body === 'string'

/** The operations whose response is neither JSON nor a page. */
const TEXTS = /^\/(metrics|user\/export|calendar\/.*)(?=\?|$)/

/** The response may come from a proxy instead of Terce. */
function problemIn(status: number, text: string): Problem {
  try {
    const problem = JSON.parse(text)
    if (typeof problem.code === 'string') return problem
  } catch {}
  const start = text === '' ? 'It is empty.' : `It begins: ${text.slice(0, 100)}`
  const detail = `The response is not from Terce. Check the URL. ${start}`
  return { code: `HTTP_${status}`, status, detail }
}
