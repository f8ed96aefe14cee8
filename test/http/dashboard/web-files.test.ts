// The files of the dashboard: their encodings and their caching.
import { describe, expect, it } from 'vitest'
import type { WebFile } from '../../../src/http/dashboard/web-files.ts'
import { createTestApp } from '../support/test-app.ts'

const bytes = (text: string) => new TextEncoder().encode(text)
const FILES = new Map<string, WebFile>([
  ['index.html', { bytes: bytes('page'), type: 'text/html' }],
  [
    'assets/index-1a2b.js',
    { bytes: bytes('plain'), br: bytes('br'), gzip: bytes('gzip'), type: 'text/javascript' },
  ],
])

function request(path: string, encodings?: string) {
  const { send } = createTestApp({ web: async (name) => FILES.get(name) ?? null })
  return send(path, encodings === undefined ? {} : { headers: { 'Accept-Encoding': encodings } })
}

it('A server whose dashboard is not built says so', async () => {
  const { send } = createTestApp()
  for (const path of ['/app', '/app/people'])
    expect(await send(path)).toMatchObject({
      status: 404,
      json: { detail: 'The dashboard is not built: run npm run build, then restart.' },
    })
})

describe('a file of the dashboard', () => {
  it.each([
    ['gzip, deflate, br, zstd', 'br'],
    ['gzip', 'gzip'],
    ['br;q=0, gzip;q=0.5', 'gzip'],
    ['GZIP', 'gzip'],
    ['br;q=0.0,identity', null],
    ['deflate', null],
    [undefined, null],
  ])('for Accept-Encoding %s has the encoding %s', async (accepted, encoding) => {
    const { status, text, headers } = await request('/app/assets/index-1a2b.js', accepted)
    expect([status, text, headers.get('Content-Encoding')]).toEqual([200, encoding ?? 'plain', encoding])
    expect(headers.get('Vary')).toBe('Accept-Encoding')
    expect(headers.get('Cache-Control')).toBe('public, max-age=31536000, immutable')
  })

  it('is sent as it is where it was not compressed, and the page is not kept', async () => {
    const { text, headers } = await request('/app/people', 'br')
    expect([text, headers.get('Content-Encoding')]).toEqual(['page', null])
    expect(headers.get('Cache-Control')).toBe('no-cache')
  })
})
