// The reference page is rendered once, and differs by host name in its examples alone.
import { expect, it } from 'vitest'
import { createReferencePage } from '../../../src/http/reference/cached-page.ts'
import { TAGS } from '../../../src/http/reference/tags.ts'
import { createTestApp } from '../support/test-app.ts'

const { app } = createTestApp()
const info = { title: 'Terce', version: '1.2.3' }
const document = app.getOpenAPI31Document({ openapi: '3.1.0', info, tags: [...TAGS] })

it('the reference page is rendered at the first request, and never again', async () => {
  let reads = 0
  const counted = new Proxy(document, {
    get: (target, name) => {
      reads += 1
      return Reflect.get(target, name)
    },
  })
  const page = createReferencePage(() => counted, { dashboard: true })
  expect(reads).toBe(0)
  const [one, two] = [await page('http://one.example'), await page('http://two.example')]
  const readsOfOne = reads
  for (let i = 0; i < 10; i++) await page(`http://host-${i}.example`)
  expect(reads).toBe(readsOfOne)
  expect(two.text).toBe(one.text.replaceAll('http://one.example', 'http://two.example'))
  expect(two.tag).not.toBe(one.tag)
  expect((await page('http://one.example')).tag).toBe(one.tag)
})

it('the reference page escapes the host name', async () => {
  const { text } = await createReferencePage(() => document, { dashboard: true })("http://a&b'c.example")
  expect(text).toContain('http://a&amp;b&#39;c.example/user')
  expect(text).not.toContain("b'c")
})
