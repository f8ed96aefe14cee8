// A typed client of the API. Needs only fetch. Sends each request once; retries are up to the caller.
import type { Client, Method } from './calls.ts'
import type { components } from './schema.ts'

export type { Client } from './calls.ts'
export type { components, operations, paths } from './schema.ts'

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

type Problem = { code: string; status: number; detail: string; problems?: readonly FieldProblem[] }

/** The API returned a problem. `code` is stable; the texts are for humans. */
export class TerceError extends Error {
  readonly code: string
  readonly status: number
  readonly detail: string
  /** One entry per invalid field. */
  readonly problems: readonly FieldProblem[]

  constructor({ code, status, detail, problems = [] }: Problem) {
    super([`${code}: ${detail}`, ...problems.map(({ field, message }) => `${field}: ${message}`)].join('\n'))
    this.name = 'TerceError'
    this.code = code
    this.status = status
    this.detail = detail
    this.problems = problems
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

export function createClient({ url, key, fetch = globalThis.fetch }: ClientSettings): Client {
  async function send(method: Method, path: string, sent: Sent = {}): Promise<unknown> {
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
    if (answer.status === 204) return undefined
    return isJson(answer) ? JSON.parse(text) : text
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

  const call = (method: Method) => (path: string, sent?: Sent) => send(method, path, sent)
  return { get: call('get'), post: call('post'), put: call('put'), delete: call('delete'), each } as Client
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

const isJson = (answer: Response) =>
  /^application\/(\w+\+)?json\b/.test(answer.headers.get('Content-Type') ?? '')

/** The response may come from a proxy instead of Terce. */
function problemIn(status: number, text: string): Problem {
  try {
    const problem = JSON.parse(text)
    if (typeof problem.code === 'string') return problem
  } catch {}
  const detail = `The response is not from Terce. Check the URL. It begins: ${text.slice(0, 100)}`
  return { code: `HTTP_${status}`, status, detail }
}
