// The documents that need no key: made and compressed once.
import { gunzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { createCachedPage } from '../../../src/http/reference/cached-page.ts'

it('a cached page is made at the first request, and never again', async () => {
  let made = 0
  const page = createCachedPage(() => `page ${++made}`, { compresses: true })
  expect(made).toBe(0)
  const [one, two] = await Promise.all([page(), page()])
  expect(two).toBe(one)
  expect(new TextDecoder().decode(one.bytes)).toBe('page 1')
  expect(gunzipSync(one.gzip!).toString()).toBe('page 1')
})

it('a cached page is not compressed where the platform compresses responses', async () => {
  expect((await createCachedPage(() => 'page', { compresses: false })()).gzip).toBe(null)
})
