// The client of the dashboard, with a stubbed fetch.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { TerceError } from '../../../src/client/client.ts'
import {
  api,
  filledPage,
  given,
  isNotFound,
  leavingApi,
  messageOf,
  problemOf,
  whenReachable,
  whenSignedOut,
} from '../../../web/src/api/client.ts'

let reachable: boolean[]
let signedOut: number

beforeEach(() => {
  reachable = []
  signedOut = 0
  whenReachable((isReachable) => reachable.push(isReachable))
  whenSignedOut(() => signedOut++)
})
afterEach(() => vi.unstubAllGlobals())

function stubFetch(respond: (url: string, init: RequestInit) => Response | Promise<Response>) {
  const stub = vi.fn(async (url: string, init: RequestInit) => respond(url, init))
  vi.stubGlobal('fetch', stub)
  return stub
}

const read = (id: string, signal?: AbortSignal) =>
  api.get('/user/{id}', { path: { id }, ...(signal && { signal }) })

describe('the client of the dashboard', () => {
  it('encodes ids, so that an id cannot lead to another path', async () => {
    const fetch = stubFetch(() => Response.json({ id: 'x' }))
    await read('../key')
    expect(fetch.mock.calls[0]![0]).toBe('/user/..%2Fkey')
    expect(fetch.mock.calls[0]![1]).toMatchObject({ method: 'GET', credentials: 'same-origin' })
    expect(reachable).toEqual([true])
  })

  it('reports an unreachable server when there is no response', async () => {
    stubFetch(() => Promise.reject(new TypeError('Failed to fetch')))
    const error = await read('1').catch((thrown: unknown) => thrown)
    expect(messageOf(error)).toBe('Cannot reach Terce. Is it running?')
    expect(reachable).toEqual([false])
  })

  it('reports an unreachable server when a proxy responds for it', async () => {
    stubFetch(() => new Response('<h1>Bad gateway</h1>', { status: 502 }))
    await expect(read('1')).rejects.toThrow('HTTP_502')
    expect(reachable).toEqual([false])
  })

  it('passes the abort signal on, and does not report an aborted request', async () => {
    stubFetch((_, { signal }) => Promise.reject(signal!.reason))
    const query = new AbortController()
    query.abort(new Error('No longer needed'))
    await expect(read('1', query.signal)).rejects.toThrow('No longer needed')
    expect(reachable).toEqual([])
  })

  it('rejects a response that is not JSON', async () => {
    stubFetch(() => new Response('<html>', { headers: { 'Content-Type': 'text/html' } }))
    await expect(read('1')).rejects.toThrow('GET /user/1 did not return JSON.')
  })

  it('reports a 401 as signed out', async () => {
    stubFetch(() => Response.json({ code: 'UNAUTHORIZED', status: 401, detail: 'No key.' }, { status: 401 }))
    await expect(read('1')).rejects.toThrow(TerceError)
    expect(signedOut).toBe(1)
  })

  it('sends a request that outlives the page with keepalive', async () => {
    const fetch = stubFetch(() => new Response(null, { status: 204 }))
    await leavingApi.delete('/user/{id}', { path: { id: '1' } })
    expect(fetch.mock.calls[0]![1]).toMatchObject({ method: 'DELETE', keepalive: true })
  })
})

describe('the error of a request', () => {
  const problems = [{ field: 'email', code: 'INVALID_VALUE', message: 'Not an email address.' }] as const
  const error = new TerceError({ code: 'INVALID', status: 400, detail: 'Invalid request body.', problems })

  it('has the message of its first field, or else its detail', () => {
    expect(messageOf(error)).toBe('Not an email address.')
    expect(messageOf(new TerceError({ code: 'CONFLICT', status: 409, detail: 'Changed.' }))).toBe('Changed.')
    expect(problemOf(error, 'email')).toBe('Not an email address.')
    expect(problemOf(error, 'firstName')).toBeUndefined()
  })

  it('is a missing object only with the status 404', () => {
    expect(isNotFound(error)).toBe(false)
    expect(isNotFound(new TerceError({ code: 'NOT_FOUND', status: 404, detail: '' }))).toBe(true)
    expect(isNotFound(null)).toBe(false)
  })
})

describe('given', () => {
  it('keeps the filters that are set', () => {
    expect(given({ search: '', timezone: 'UTC', limit: 50 })).toEqual({ timezone: 'UTC', limit: 50 })
  })
})

describe('a page of a filtered list', () => {
  const pages: Record<string, { items: string[]; nextCursor: string | null }> = {
    '': { items: [], nextCursor: 'a' },
    a: { items: [], nextCursor: 'b' },
    b: { items: ['Ada'], nextCursor: 'c' },
    c: { items: [], nextCursor: null },
  }

  it('is the first one with a match, or the last one', async () => {
    expect(await filledPage(async (cursor) => pages[cursor]!)).toEqual(pages.b)
    expect(await filledPage(async (cursor) => pages[cursor]!, 'c')).toEqual(pages.c)
  })
})
